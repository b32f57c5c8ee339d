package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Tests which requests {@link Batches} puts into one batch. The test decides when each query ends. */
class BatchesTest {

    private final List<Query> queries = new ArrayList<>();
    private final List<List<Integer>> cancelled = new ArrayList<>();
    private final Batches<String, Integer, String> batches = new Batches<>(3, true, (kind, asked) -> {
        if (kind.isEmpty()) {
            throw new IllegalArgumentException("nothing to read");
        }
        Query query = new Query(kind, asked, new CompletableFuture<>());
        queries.add(query);
        return Uni.createFrom().completionStage(query.found).onCancellation().invoke(() -> cancelled.add(asked));
    });

    private record Query(String kind, List<Integer> asked, CompletableFuture<List<String>> found) {

        void end() {
            found.complete(asked.stream().map(one -> kind + one).toList());
        }
    }

    private List<CompletableFuture<String>> ask(String kind, int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(one -> batches.submit(kind, one).subscribeAsCompletionStage()).toList();
    }

    private List<List<Integer>> read() {
        return queries.stream().map(Query::asked).toList();
    }

    @Test
    void theFirstTwoQueriesStartAtOnceAndLaterRequestsWaitForOneToEnd() {
        List<CompletableFuture<String>> answers = ask("a", 1, 4);
        assertEquals(List.of(List.of(1), List.of(2)), read());
        queries.get(1).end();
        assertEquals(List.of(List.of(1), List.of(2), List.of(3, 4)), read());
        assertEquals("a2", answers.get(1).join());
        queries.get(2).end();
        assertEquals(List.of("a3", "a4"), List.of(answers.get(2).join(), answers.get(3).join()));
        assertFalse(answers.get(0).isDone());
    }

    @Test
    void aFullBatchStartsAtOnceUpToFourQueries() {
        ask("a", 1, 12);
        assertEquals(List.of(List.of(1), List.of(2), List.of(3, 4, 5), List.of(6, 7, 8)), read());
        queries.get(0).end();
        assertEquals(List.of(9, 10, 11), read().get(4));
        queries.get(1).end();
        assertEquals(List.of(12), read().get(5));
    }

    @Test
    void requestsOfTheSameTurnOfAnEventLoopShareABatch() {
        Vertx vertx = Vertx.vertx();
        try {
            Context loop = vertx.getOrCreateContext();
            CompletableFuture<List<List<Integer>>> read = new CompletableFuture<>();
            loop.runOnContext(turn -> {
                ask("a", 1, 3);
                loop.runOnContext(later -> read.complete(read()));
            });
            assertEquals(List.of(List.of(1, 2, 3)), read.join());
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void aBatchIsCancelledWhenAllOfItsCallersHaveCancelled() {
        List<CompletableFuture<String>> answers = ask("a", 1, 5);
        queries.get(0).end();
        assertEquals(List.of(3, 4, 5), read().get(2));
        answers.get(2).cancel(false);
        answers.get(3).cancel(false);
        assertFalse(cancelled.contains(List.of(3, 4, 5)));
        answers.get(4).cancel(false);
        assertEquals(List.of(List.of(3, 4, 5)), cancelled);
        answers.get(1).cancel(false);
        ask("a", 6, 7);
        assertEquals(List.of(List.of(6), List.of(7)), read().subList(3, 5), "cancelled batches count as ended");
    }

    @Test
    void aPendingQueryWhoseCallerHasCancelledIsNotRun() {
        List<CompletableFuture<String>> answers = ask("a", 1, 4);
        answers.get(2).cancel(false);
        queries.get(0).end();
        assertEquals(List.of(List.of(1), List.of(2), List.of(4)), read());
        queries.get(2).end();
        assertEquals("a4", answers.get(3).join());
    }

    @Test
    void eachKindHasItsOwnBatches() {
        ask("a", 1, 3);
        ask("b", 1, 1);
        assertEquals(List.of("a", "a", "b"), queries.stream().map(Query::kind).toList());
    }

    @Test
    void aFailedQueryFailsAllRequestsOfItsBatchAndNoOthers() {
        List<CompletableFuture<String>> answers = ask("a", 1, 5);
        queries.get(0).found.completeExceptionally(new IllegalStateException("gone"));
        assertTrue(answers.get(0).isCompletedExceptionally());
        queries.get(2).found.completeExceptionally(new IllegalStateException("gone"));
        assertTrue(answers.subList(2, 5).stream().allMatch(CompletableFuture::isCompletedExceptionally));
        queries.get(1).end();
        assertEquals("a2", answers.get(1).join());
        ask("a", 6, 6);
        assertEquals(List.of(6), read().get(3));
    }

    @Test
    void aQueryThatCannotStartBlocksNoRequest() {
        assertTrue(ask("", 1, 10).stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    @Test
    void anIdleKindStartsAtOnceAgain() {
        ask("a", 1, 9);
        for (int i = 0; i < queries.size(); i++) {
            queries.get(i).end();
        }
        ask("a", 10, 11);
        assertEquals(List.of(List.of(10), List.of(11)), read().subList(queries.size() - 2, queries.size()));
    }
}
