package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.postgres.replica.Reads;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Tests that concurrent requests share a statement, and that each request gets its own row. */
@QuarkusTest
class QueryCoalescerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String SLOW = "select pg_sleep(0.2)";

    @Inject
    QueryCoalescer statements;
    @Inject
    Reads reads;
    @Inject
    Vertx vertx;

    /** A row for each requested page, in mixed order, because {@link QueryCoalescer} must not depend on the order. */
    private static String sql(String first) {
        return """
                with first as materialized (%s)
                select size, skip, statement_timestamp() as read, '{other}' as other, number
                from first cross join unnest($1::bigint[], $2::bigint[]) with ordinality pages (size, skip, number)
                order by (number * 7) %% 10""".formatted(first);
    }

    private CompletableFuture<Row> ask(String sql, long size, Long offset, String other) {
        return statements.page(reads.primary().pages(), sql.replace("{other}", other), size, offset)
                .subscribeAsCompletionStage();
    }

    private static Row await(CompletableFuture<Row> row) {
        return row.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    private OffsetDateTime now() {
        return reads.primary().searches().execute("select clock_timestamp()", Tuple.tuple())
                .map(rows -> rows.iterator().next().getOffsetDateTime(0)).await().atMost(PATIENCE);
    }

    private static void assertSharedStatements(List<CompletableFuture<Row>> asked) {
        long statements = asked.stream().map(row -> await(row).getOffsetDateTime("read")).distinct().count();
        assertTrue(statements < asked.size() / 2, statements + " statements");
    }

    @Test
    void eachRequestGetsItsOwnPage() {
        String sql = sql(SLOW);
        List<CompletableFuture<Row>> asked = new ArrayList<>();
        for (long i = 0; i < 100; i++) {
            asked.add(ask(sql, 1 + i % 40, i % 9 == 0 ? null : i, i % 2 == 0 ? "even" : "odd"));
        }
        for (int i = 0; i < asked.size(); i++) {
            Row row = await(asked.get(i));
            assertEquals(1 + i % 40, row.getLong("size"));
            assertEquals(i % 9 == 0 ? null : Long.valueOf(i), row.getLong("skip"));
            assertEquals(i % 2 == 0 ? "even" : "odd", row.getString("other"));
        }
        assertSharedStatements(asked);
    }

    @Test
    void aPageIsReadAfterItsRequest() {
        String sql = sql(SLOW);
        List<CompletableFuture<Row>> asked = new ArrayList<>();
        List<OffsetDateTime> times = new ArrayList<>();
        for (long i = 0; i < 20; i++) {
            times.add(now());
            asked.add(ask(sql, 15, i, "same"));
        }
        for (int i = 0; i < asked.size(); i++) {
            OffsetDateTime read = await(asked.get(i)).getOffsetDateTime("read");
            assertFalse(read.isBefore(times.get(i)), read + " is before " + times.get(i));
        }
    }

    @Test
    void aFailureFailsTheRequestsOfItsStatement() {
        String sql = sql("select pg_sleep(0.1), 1 / length('{other}')");
        List<CompletableFuture<Row>> empty = List.of(ask(sql, 15, 0L, ""), ask(sql, 15, 1L, ""), ask(sql, 15, 2L, ""));
        CompletableFuture<Row> other = ask(sql, 15, 0L, "other");
        for (CompletableFuture<Row> one : empty) {
            CompletionException failure = assertThrows(CompletionException.class,
                    () -> await(one));
            assertTrue(failure.getCause().getMessage().contains("division by zero"), failure::toString);
        }
        assertEquals("other", await(other).getString("other"));
        assertEquals("again", await(ask(sql, 15, 0L, "again")).getString("other"));
    }

    @Test
    void aRequestIsAnsweredInItsOwnContext() {
        String sql = sql(SLOW);
        Set<Context> contexts = new HashSet<>();
        List<CompletableFuture<Context>> answered = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Context context = vertx.getOrCreateContext();
            contexts.add(context);
            CompletableFuture<Context> answeredIn = new CompletableFuture<>();
            context.runOnContext(
                    nothing -> ask(sql, 15, 0L, "same").thenAccept(row -> answeredIn.complete(Vertx.currentContext())));
            answered.add(answeredIn.thenApply(there -> {
                assertSame(context, there);
                return there;
            }));
        }
        assertEquals(contexts, answered.stream().map(CompletableFuture::join).collect(Collectors.toSet()));
    }

    @Test
    void equalRequestsGetTheSameResult() {
        String sql = "select statement_timestamp() as read, {other}::text as other from (" + SLOW + ") first";
        List<CompletableFuture<Row>> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(statements.rows(reads.primary().searches(),
                    Sql.of(sql, Map.of("other", Sql.value(i == 3 ? "another" : "same"))))
                    .map(rows -> rows.iterator().next()).subscribeAsCompletionStage());
        }
        for (int i = 0; i < asked.size(); i++) {
            assertEquals(i == 3 ? "another" : "same", await(asked.get(i)).getString("other"));
        }
        assertSharedStatements(asked);
    }
}
