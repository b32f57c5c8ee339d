package io.datasetlisting.postgres.database;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

import io.datasetlisting.base.CallerContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Runs concurrent queries of one group as one batch. While as many batches of the group are in flight as its limit, further
 * queries are pending. The next batch takes the pending queries in the order of their submission. A query never joins a batch
 * that has been sent, so a caller never receives a result that was read before its request.
 *
 * @param <G>
 *            group: queries of one group can run as one batch
 * @param <Q>
 *            query
 * @param <R>
 *            result of a query
 * @see <a href="../../../../../../../docs/adr/0016-what-is-asked-for-at-once-is-read-at-once.md">ADR 16</a>
 */
public final class Batches<G, Q, R> {

    /** Batches of a group in flight at a time. With two of them, two clients never wait for each other. */
    private static final int MAX_IN_FLIGHT = 2;
    /** Batches in flight while the pending queries fill a batch. */
    private static final int MAX_FULL_IN_FLIGHT = 4;

    private final int maxBatchSize;
    private final boolean cancellable;
    private final BiFunction<G, List<Q>, Uni<List<R>>> runBatch;
    private final Map<G, GroupState> groups = new ConcurrentHashMap<>();

    /**
     * @param maxBatchSize
     *            largest number of queries in a batch
     * @param cancellable
     *            whether a batch in flight is cancelled when all of its callers have cancelled. The next batch then starts at
     *            once
     * @param runBatch
     *            runs the queries of a batch, and returns a result for each of them, in their order
     */
    Batches(int maxBatchSize, boolean cancellable, BiFunction<G, List<Q>, Uni<List<R>>> runBatch) {
        this.maxBatchSize = maxBatchSize;
        this.cancellable = cancellable;
        this.runBatch = runBatch;
    }

    /** A query that is pending, and then in a batch. Not a record, because the queue must distinguish all queries. */
    private static final class Query<Q, R> {

        private final Q query;
        private final UniEmitter<? super R> caller;
        /** Null while the query is pending. Used only while the map computes the entry of the group. */
        private Batch<Q, R> batch;

        Query(Q query, UniEmitter<? super R> caller) {
            this.query = query;
            this.caller = caller;
        }
    }

    /** A batch in flight. It may be cancelled when all of its callers have cancelled. */
    private static final class Batch<Q, R> {

        private final List<Query<Q, R>> queries = new ArrayList<>();
        private int callers;
        private boolean ended;
        private Cancellable execution;

        /** Whether the call ends the batch. */
        synchronized boolean end() {
            boolean ends = !ended;
            ended = true;
            return ends;
        }

        synchronized void setExecution(Cancellable running) {
            execution = running;
            if (ended) {
                // Does nothing unless all callers have cancelled in the meantime.
                running.cancel();
            }
        }

        /** Whether the last caller has left, which cancels the batch. */
        synchronized boolean leave() {
            callers--;
            if (ended || callers > 0) {
                return false;
            }
            ended = true;
            if (execution != null) {
                execution.cancel();
            }
            return true;
        }
    }

    /** The pending queries of a group. Used only while the map computes its entry, so by one thread at a time. */
    private final class GroupState {

        private final Queue<Query<Q, R>> pending = new ArrayDeque<>();
        /** Number of batches. */
        private int inFlight;

        boolean isUnused() {
            return inFlight == 0 && pending.isEmpty();
        }

        void moveTo(Batch<Q, R> batch) {
            while (!pending.isEmpty() && batch.callers < maxBatchSize) {
                Query<Q, R> query = pending.remove();
                query.batch = batch;
                batch.queries.add(query);
                batch.callers++;
            }
        }
    }

    /**
     * Runs a query in a batch with other queries of its group. Queries that are submitted in the same turn of an event loop join
     * the same batch. The caller receives the result in the Vert.x context in which it submits the query. If a batch fails, each
     * of its queries fails with the same exception. A caller that cancels withdraws its query; the batch goes on for its other
     * callers.
     */
    Uni<R> submit(G group, Q query) {
        Executor later = CallerContext.later();
        return Uni.createFrom().<R>emitter(caller -> {
            Query<Q, R> pending = new Query<>(query, caller);
            addPending(group, pending);
            caller.onTermination(() -> leave(group, pending));
            later.execute(() -> send(group, takeIfBelowLimit(group)));
        }).emitOn(later);
    }

    private void addPending(G group, Query<Q, R> query) {
        groups.compute(group, (same, present) -> {
            GroupState state = present == null ? new GroupState() : present;
            state.pending.add(query);
            return state;
        });
    }

    /** Withdraws the query of a caller that has cancelled. After the end of its batch, this does nothing. */
    private void leave(G group, Query<Q, R> query) {
        List<Batch<Q, R>> joined = new ArrayList<>(1);
        groups.computeIfPresent(group, (same, state) -> {
            if (query.batch == null) {
                state.pending.remove(query);
            } else if (cancellable) {
                joined.add(query.batch);
            }
            return state.isUnused() ? null : state;
        });
        joined.forEach(batch -> {
            if (batch.leave()) {
                send(group, takeNext(group));
            }
        });
    }

    /** The batch to send after a query was submitted. Empty while the limit is reached. */
    private Batch<Q, R> takeIfBelowLimit(G group) {
        Batch<Q, R> batch = new Batch<>();
        groups.computeIfPresent(group, (same, state) -> {
            int limit = state.pending.size() < maxBatchSize ? MAX_IN_FLIGHT : MAX_FULL_IN_FLIGHT;
            if (!state.pending.isEmpty() && state.inFlight < limit) {
                state.inFlight++;
                state.moveTo(batch);
            }
            return state;
        });
        return batch;
    }

    /** The batch that takes the place of a batch that has ended. Empty if no query is pending. */
    private Batch<Q, R> takeNext(G group) {
        Batch<Q, R> batch = new Batch<>();
        groups.computeIfPresent(group, (same, state) -> {
            state.moveTo(batch);
            if (batch.queries.isEmpty()) {
                state.inFlight--;
            }
            return state.isUnused() ? null : state;
        });
        return batch;
    }

    private void send(G group, Batch<Q, R> batch) {
        if (batch.queries.isEmpty()) {
            return;
        }
        List<Q> queries = batch.queries.stream().map(each -> each.query).toList();
        batch.setExecution(Uni.createFrom().deferred(() -> runBatch.apply(group, queries)).subscribe().with(results -> {
            if (batch.end()) {
                send(group, takeNext(group));
                for (int i = 0; i < queries.size(); i++) {
                    batch.queries.get(i).caller.complete(results.get(i));
                }
            }
        }, failure -> {
            if (batch.end()) {
                send(group, takeNext(group));
                batch.queries.forEach(each -> each.caller.fail(failure));
            }
        }));
    }
}
