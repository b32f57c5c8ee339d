package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** Tests that {@link TurnQueue} starts writes in their order, and that no turn is lost. */
class TurnQueueTest {

    private final List<Integer> started = new ArrayList<>();
    private final List<Integer> refused = new ArrayList<>();

    private Runnable submit(TurnQueue queue, int write) {
        return queue.submit(() -> started.add(write), e -> refused.add(write));
    }

    @Test
    void furtherWritesStartInTheirOrderWhenOthersEnd() {
        TurnQueue queue = new TurnQueue(2, 100, Duration.ofMinutes(1), "Too many.");
        for (int i = 1; i <= 5; i++) {
            submit(queue, i);
        }
        assertEquals(List.of(1, 2), started);
        queue.end();
        assertEquals(List.of(1, 2, 3), started);
        queue.end();
        queue.end();
        assertEquals(List.of(1, 2, 3, 4, 5), started);
        queue.end();
        queue.end();
        for (int i = 6; i <= 8; i++) {
            submit(queue, i);
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7), started);
        assertEquals(List.of(), refused);
    }

    @Test
    void aTaskIsRefusedAtOnceWhileTooManyWait() {
        TurnQueue queue = new TurnQueue(1, 1, Duration.ofMinutes(1), "Too many.");
        for (int i = 1; i <= 3; i++) {
            submit(queue, i);
        }
        assertEquals(List.of(3), refused);
        queue.end();
        assertEquals(List.of(1, 2), started);
    }

    @Test
    void aWithdrawnWriteLosesItsPlace() {
        TurnQueue queue = new TurnQueue(1, 100, Duration.ofMinutes(1), "Too many.");
        Runnable first = submit(queue, 1);
        Runnable second = submit(queue, 2);
        submit(queue, 3);
        second.run();
        first.run();
        queue.end();
        assertEquals(List.of(1, 3), started);
        queue.end();
        submit(queue, 4);
        assertEquals(List.of(1, 3, 4), started);
    }

    @Test
    void aWriteThatHasWaitedTooLongIsRefusedAtItsTurn() {
        TurnQueue queue = new TurnQueue(1, 100, Duration.ofNanos(-1), "Too many.");
        submit(queue, 1);
        submit(queue, 2);
        submit(queue, 3);
        queue.end();
        assertEquals(List.of(2, 3), refused);
        submit(queue, 4);
        assertEquals(List.of(1, 4), started);
    }

    @Test
    void aCallerThatCancelsLeavesTheQueueOrCancelsItsWorkAndPassesTheTurnOnce() {
        TurnQueue queue = new TurnQueue(1, 100, Duration.ofMinutes(1), "Too many.");
        List<Integer> cancelled = new ArrayList<>();
        List<Cancellable> callers = IntStream.rangeClosed(1, 3).mapToObj(work -> queue.run(() -> {
            started.add(work);
            return Uni.createFrom().nothing().onCancellation().invoke(() -> cancelled.add(work));
        }).subscribe().with(result -> fail())).toList();
        callers.get(1).cancel();
        callers.get(0).cancel();
        callers.get(0).cancel();
        assertEquals(List.of(1, 3), started);
        assertEquals(List.of(1), cancelled);
        callers.get(2).cancel();
        assertEquals("result", queue.run(() -> Uni.createFrom().item("result")).await().indefinitely());
        submit(queue, 4);
        submit(queue, 5);
        assertEquals(List.of(1, 3, 4), started);
    }
}
