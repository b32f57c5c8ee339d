package io.datasetlisting.postgres.database;

import static io.datasetlisting.support.Caller.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Tests that the statements of searches end with their callers, and that their connections come back. */
@QuarkusTest
class SearchesTest {

    private static final String SLEEP = "select pg_sleep(30)";
    /** Of four, one is for usual reads. */
    private static final int CONNECTIONS = 3;
    /** With these, as many searches run and wait as may. */
    private static final int FLOOD = 200;

    @Inject
    Reads reads;
    @Inject
    QueryCoalescer statements;
    @Inject
    Catalogue catalogue;

    private Uni<RowSet<Row>> search(String sql) {
        return reads.primary().searches().execute(sql, Tuple.tuple());
    }

    private List<Cancellable> sleep(int count) {
        return IntStream.range(0, count).mapToObj(i -> start(search(SLEEP))).toList();
    }

    private static Cancellable start(Uni<?> search) {
        return search.subscribe().with(rows -> {
        }, failure -> {
        });
    }

    private long asleep() {
        return catalogue
                .sql("select count(*) from " + Catalogue.OTHERS
                        + " and state = 'active' and query like '%pg_sleep(30)%'")
                .get(0).getLong(0);
    }

    private void awaitAsleep(long count) {
        Patience.await(count + " statements sleep").atMost(Duration.ofSeconds(5)).until(() -> asleep() == count);
    }

    @Test
    void aCancelledStatementIsCancelledInTheDatabaseAndAWaitingOneIsNotStarted() {
        List<Cancellable> running = sleep(CONNECTIONS);
        awaitAsleep(CONNECTIONS);
        List<Cancellable> waiting = sleep(20);
        waiting.forEach(Cancellable::cancel);
        running.forEach(Cancellable::cancel);
        awaitAsleep(0);
        // Each connection came back once: so many statements run at a time, and no more.
        List<Cancellable> next = sleep(2 * CONNECTIONS);
        awaitAsleep(CONNECTIONS);
        next.forEach(Cancellable::cancel);
        awaitAsleep(0);
        assertEquals(1, search("select 1").await().atMost(Duration.ofSeconds(2)).size());
    }

    @Test
    void pagesWithoutAFilterDoNotWaitForAFloodOfSearches() {
        // No page is in the cache.
        catalogue.replaceWith(Catalogue.plain(3));
        List<Cancellable> flood = sleep(FLOOD);
        try {
            Patience.await("the flood").until(() -> asleep() >= CONNECTIONS);
            for (String path : List.of("/datasets/", "/datasets/?p=1&page_size=2", "/datasets/changes/", "/stac")) {
                assertEquals(200, anonymous().request().accept("text/html").get(path).statusCode(), path);
            }
        } finally {
            flood.forEach(Cancellable::cancel);
        }
        awaitAsleep(0);
    }

    @Test
    void aStatementIsNotCancelledInPlaceOfTheOneBeforeIt() {
        for (int round = 0; round < 50; round++) {
            List<Cancellable> cancelled = IntStream.range(0, CONNECTIONS)
                    .mapToObj(i -> start(search("select pg_sleep(0.005)"))).toList();
            CompletableFuture<RowSet<Row>> next = search("select pg_sleep(0.005)").subscribeAsCompletionStage();
            cancelled.forEach(Cancellable::cancel);
            assertEquals(1, next.orTimeout(5, TimeUnit.SECONDS).join().size());
        }
    }

    @Test
    void equalSearchesAreCancelledWithTheirLastCaller() {
        List<Cancellable> callers = IntStream.range(0, 8)
                .mapToObj(i -> start(statements.rows(reads.primary().searches(), Sql.of(SLEEP)))).toList();
        Patience.await("two statements").until(() -> asleep() == 2);
        callers.subList(1, 8).forEach(Cancellable::cancel);
        awaitAsleep(1);
        callers.get(0).cancel();
        awaitAsleep(0);
    }

    @Test
    void aStatementThatTakesTooLongFailsWithASentence() {
        long start = System.nanoTime();
        CompletionException failure = Assertions.assertThrows(CompletionException.class,
                () -> search("select pg_sleep(20)").subscribeAsCompletionStage().join());
        ApiException refusal = assertInstanceOf(ApiException.class, failure.getCause());
        assertEquals(503, refusal.status());
        assertEquals("The search takes longer than 5 s.", refusal.getMessage());
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10));
    }
}
