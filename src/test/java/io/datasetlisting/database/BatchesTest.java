package io.datasetlisting.database;

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

/** Who goes together, when each reading ends as the test says. */
class BatchesTest {

    private final List<Reading> readings = new ArrayList<>();
    private final Batches<String, Integer, String> batches = new Batches<>(3, (kind, asked) -> {
        if (kind.isEmpty()) {
            throw new IllegalArgumentException("nothing to read");
        }
        Reading reading = new Reading(kind, asked, new CompletableFuture<>());
        readings.add(reading);
        return Uni.createFrom().completionStage(reading.found);
    });

    private record Reading(String kind, List<Integer> asked, CompletableFuture<List<String>> found) {

        void end() {
            found.complete(asked.stream().map(one -> kind + one).toList());
        }
    }

    private List<CompletableFuture<String>> ask(String kind, int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(one -> batches.submit(kind, one).subscribeAsCompletionStage()).toList();
    }

    private List<List<Integer>> read() {
        return readings.stream().map(Reading::asked).toList();
    }

    @Test
    void theFirstTwoGoAtOnceAndTheNextWaitForOneToBeDone() {
        List<CompletableFuture<String>> answers = ask("a", 1, 4);
        assertEquals(List.of(List.of(1), List.of(2)), read());
        readings.get(1).end();
        assertEquals(List.of(List.of(1), List.of(2), List.of(3, 4)), read());
        assertEquals("a2", answers.get(1).join());
        readings.get(2).end();
        assertEquals(List.of("a3", "a4"), List.of(answers.get(2).join(), answers.get(3).join()));
        assertFalse(answers.get(0).isDone());
    }

    @Test
    void whoFillsAReadingGoesAtOnceUpToFour() {
        ask("a", 1, 12);
        assertEquals(List.of(List.of(1), List.of(2), List.of(3, 4, 5), List.of(6, 7, 8)), read());
        readings.get(0).end();
        assertEquals(List.of(9, 10, 11), read().get(4));
        readings.get(1).end();
        assertEquals(List.of(12), read().get(5));
    }

    @Test
    void whoAsksInTheSameTurnOfAnEventLoopGoesTogether() {
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
    void otherKindsWaitForTheirOwn() {
        ask("a", 1, 3);
        ask("b", 1, 1);
        assertEquals(List.of("a", "a", "b"), readings.stream().map(Reading::kind).toList());
    }

    @Test
    void whatFailsFailsForAllOfItAndForNobodyElse() {
        List<CompletableFuture<String>> answers = ask("a", 1, 5);
        readings.get(0).found.completeExceptionally(new IllegalStateException("gone"));
        assertTrue(answers.get(0).isCompletedExceptionally());
        readings.get(2).found.completeExceptionally(new IllegalStateException("gone"));
        assertTrue(answers.subList(2, 5).stream().allMatch(CompletableFuture::isCompletedExceptionally));
        readings.get(1).end();
        assertEquals("a2", answers.get(1).join());
        ask("a", 6, 6);
        assertEquals(List.of(6), read().get(3));
    }

    @Test
    void whatCantBeReadHoldsNobodyUp() {
        assertTrue(ask("", 1, 10).stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    @Test
    void nothingIsLeftOfAnIdleKind() {
        ask("a", 1, 9);
        for (int i = 0; i < readings.size(); i++) {
            readings.get(i).end();
        }
        ask("a", 10, 11);
        assertEquals(List.of(List.of(10), List.of(11)), read().subList(readings.size() - 2, readings.size()));
    }
}
