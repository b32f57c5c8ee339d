package io.datasetlisting.database;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * Runs concurrent queries of one group as one batch. While as many batches of the group are in flight as its limit, further queries
 * are pending. The next batch takes the pending queries in the order of their submission. A query never joins a batch that has been
 * sent, so a caller never receives a result that was read before its request.
 *
 * @param <G>
 *            group: queries of one group can run as one batch
 * @param <Q>
 *            query
 * @param <R>
 *            result of a query
 * @see <a href="../../../../../../docs/adr/0016-what-is-asked-for-at-once-is-read-at-once.md">ADR 16</a>
 */
final class Batches<G, Q, R> {

    /** Batches of a group in flight at a time. With two of them, two clients never wait for each other. */
    private static final int MAX_IN_FLIGHT = 2;
    /** The same, while the pending queries fill a batch. */
    private static final int MAX_FULL_IN_FLIGHT = 4;

    private final int maxBatchSize;
    private final BiFunction<G, List<Q>, Uni<List<R>>> runBatch;
    private final Map<G, GroupState> groups = new ConcurrentHashMap<>();

    /**
     * @param maxBatchSize
     *            largest number of queries in a batch
     * @param runBatch
     *            runs the queries of a batch, and returns a result for each of them, in their order
     */
    Batches(int maxBatchSize, BiFunction<G, List<Q>, Uni<List<R>>> runBatch) {
        this.maxBatchSize = maxBatchSize;
        this.runBatch = runBatch;
    }

    private record PendingQuery<Q, R>(Q query, UniEmitter<? super R> caller) {
    }

    /** The pending queries of a group. Used only while the map computes its entry, so by one thread at a time. */
    private final class GroupState {

        private final Queue<PendingQuery<Q, R>> pending = new ArrayDeque<>();
        /** Number of batches. */
        private int inFlight;

        List<PendingQuery<Q, R>> takeBatch() {
            List<PendingQuery<Q, R>> batch = new ArrayList<>();
            while (!pending.isEmpty() && batch.size() < maxBatchSize) {
                batch.add(pending.remove());
            }
            return batch;
        }
    }

    /**
     * Runs a query in a batch with other queries of its group. Queries that are submitted in the same turn of an event loop join the
     * same batch. The caller receives the result in the Vert.x context in which it submits the query. If a batch fails, each of its
     * queries fails with the same exception.
     */
    Uni<R> submit(G group, Q query) {
        Context context = Vertx.currentContext();
        return Uni.createFrom().<R>emitter(caller -> {
            addPending(group, new PendingQuery<>(query, caller));
            runIn(context, () -> send(group, takeIfBelowLimit(group)));
        }).emitOn(command -> runIn(context, command));
    }

    private static void runIn(Context context, Runnable command) {
        if (context == null) {
            command.run();
        } else {
            context.runOnContext(nothing -> command.run());
        }
    }

    private void addPending(G group, PendingQuery<Q, R> query) {
        groups.compute(group, (same, present) -> {
            GroupState state = present == null ? new GroupState() : present;
            state.pending.add(query);
            return state;
        });
    }

    /** The batch to send after a query was submitted. Empty while the limit is reached. */
    private List<PendingQuery<Q, R>> takeIfBelowLimit(G group) {
        List<PendingQuery<Q, R>> batch = new ArrayList<>();
        groups.computeIfPresent(group, (same, state) -> {
            int limit = state.pending.size() < maxBatchSize ? MAX_IN_FLIGHT : MAX_FULL_IN_FLIGHT;
            if (!state.pending.isEmpty() && state.inFlight < limit) {
                state.inFlight++;
                batch.addAll(state.takeBatch());
            }
            return state;
        });
        return batch;
    }

    /** The batch that takes the place of a batch that has ended. Empty if no query is pending. */
    private List<PendingQuery<Q, R>> takeNext(G group) {
        List<PendingQuery<Q, R>> batch = new ArrayList<>();
        groups.computeIfPresent(group, (same, state) -> {
            batch.addAll(state.takeBatch());
            if (batch.isEmpty()) {
                state.inFlight--;
            }
            return state.inFlight == 0 ? null : state;
        });
        return batch;
    }

    private void send(G group, List<PendingQuery<Q, R>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        List<Q> queries = batch.stream().map(PendingQuery::query).toList();
        Uni.createFrom().deferred(() -> runBatch.apply(group, queries)).subscribe().with(results -> {
            send(group, takeNext(group));
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).caller.complete(results.get(i));
            }
        }, failure -> {
            send(group, takeNext(group));
            batch.forEach(query -> query.caller.fail(failure));
        });
    }
}
