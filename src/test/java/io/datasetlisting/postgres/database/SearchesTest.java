package io.datasetlisting.postgres.database;

import static io.datasetlisting.support.Caller.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.smallrye.mutiny.Multi;
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
    private int workspace;

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
        assertEquals(1, search("select 1").await().indefinitely().size());
    }

    /** Planning takes PostgreSQL longer than reading a few rows by their keys. */
    @Test
    void onlyStatementsThatReadByKeysArePlannedOnce() {
        Sql modes = Sql
                .of("select current_setting('plan_cache_mode') || ' ' || current_setting('enable_seqscan') as modes");
        List<Sql> all = List.of(modes.plannedOnce(), modes, modes, modes.plannedOnce(), modes);
        List<String> inSnapshot = reads.primary().searches().inSnapshot(statements -> Multi.createFrom().iterable(all)
                .onItem().transformToUniAndConcatenate(statements::execute).map(SearchesTest::modes).collect().asList())
                .await().indefinitely();
        String each = "force_custom_plan on";
        String once = "force_generic_plan off";
        assertEquals(List.of(once, each, each, once, each), inSnapshot);
        assertEquals(each, modes(reads.primary().searches().execute(modes).await().indefinitely()));
    }

    private static String modes(RowSet<Row> rows) {
        return rows.iterator().next().getString("modes");
    }

    @Test
    void theStateAndTheRowsOfAFilteredPageArePlannedOnce() {
        catalogue.replaceWith(Catalogue.plain(3));
        for (String part : List.of("listing_element", "left join dataset d on d.id = any")) {
            Patience.await(part).until(() -> {
                // No such page is in the cache. The name of an account is read with the state.
                anonymous().get("/api/dataset/?user=nobody&workspace=" + workspace++);
                // The position of the part is 0 in the text of this statement, which has the part as a value.
                return reads.primary().searches().execute("""
                        select coalesce(sum(generic_plans), 0) from pg_prepared_statements
                        where position($1 in statement) > 0""", Tuple.of(part)).await().indefinitely().iterator().next()
                        .getLong(0) > 0;
            });
        }
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

    /** One statement on a connection for pages reads them, and compares the listing version with that of the memory. */
    @Test
    void pagesThatAreInMemoryNeedNoConnectionOfSearches() throws InterruptedException {
        catalogue.replaceWith(Catalogue.plain(40));
        catalogue.sql("update dataset set is_private = true where id > 60");
        catalogue.fold();
        List<Caller> callers = List.of(anonymous(), Caller.owner(), Caller.admin());
        List<String> pages = new ArrayList<>(List.of("/api/dataset/histogram/?interval=year"));
        for (String page : List.of("/api/dataset/?p=2&page_size=7", "/stac/search?limit=7")) {
            String captured = page + order(page, "captured");
            pages.addAll(List.of(page, captured, page + order(page, "name"),
                    captured + (page.startsWith("/stac") ? "&bbox=" : "&in_bbox=") + "0,0,3,3"));
        }
        List<String> expected = read(callers, pages);
        CompletableFuture<Void> released = new CompletableFuture<>();
        CountDownLatch held = new CountDownLatch(CONNECTIONS + 1);
        Searches searches = reads.primary().searches();
        Stream.concat(Stream.generate(() -> searches).limit(CONNECTIONS), Stream.of(searches.usual()))
                .forEach(each -> start(each.inSnapshot(statements -> statements.execute("select 1", Tuple.tuple())
                        .invoke(held::countDown).chain(() -> Uni.createFrom().completionStage(released)))));
        try {
            assertTrue(held.await(1, TimeUnit.MINUTES));
            assertEquals(expected, read(callers, pages));
        } finally {
            released.complete(null);
        }
        catalogue.sql("update dataset set is_deleted = true where id % 9 = 3");
        List<String> changed = read(callers, pages);
        IntStream.range(0, changed.size()).forEach(page -> assertNotEquals(expected.get(page), changed.get(page)));
        catalogue.fold();
        assertEquals(changed, read(callers, pages));
    }

    private static String order(String page, String key) {
        return page.startsWith("/stac")
                ? "&sortby=" + (key.equals("name") ? "-title" : "-datetime")
                : "&ordering=-" + (key.equals("name") ? "dataset_name" : "captured_date");
    }

    /** The ids and the count of each page, which is in no cache of pages. */
    private static List<String> read(List<Caller> callers, List<String> pages) {
        String micros = "%06dZ".formatted(System.nanoTime() % 1_000_000);
        return callers.stream().flatMap(caller -> pages.stream().map(page -> {
            String parameter = page.contains("histogram") ? "&captured_after=2000-01-01T00:00:00." : "&unknown=";
            Response response = caller.get(page.startsWith("/stac") ? page : page + parameter + micros);
            assertEquals(200, response.statusCode(), response::asString);
            return page + ' ' + response.path("count") + response.path("numberMatched") + response.path("results.id")
                    + response.path("features.id") + response.path("buckets.count");
        })).toList();
    }

    @Test
    void aStatementIsNotCancelledInPlaceOfTheOneBeforeIt() {
        for (int round = 0; round < 50; round++) {
            List<Cancellable> cancelled = IntStream.range(0, CONNECTIONS)
                    .mapToObj(i -> start(search("select pg_sleep(0.005)"))).toList();
            CompletableFuture<RowSet<Row>> next = search("select pg_sleep(0.005)").subscribeAsCompletionStage();
            cancelled.forEach(Cancellable::cancel);
            assertEquals(1, next.join().size());
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
        CompletionException failure = Assertions.assertThrows(CompletionException.class,
                () -> search("select pg_sleep(20)").subscribeAsCompletionStage().join());
        ApiException refusal = assertInstanceOf(ApiException.class, failure.getCause());
        assertEquals(503, refusal.status());
        assertEquals("The search takes longer than 5 s.", refusal.getMessage());
    }
}
