package io.datasetlisting.catalogue.index;

import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;

/**
 * What is computed from a snapshot, on another thread, and then read in its transaction.
 *
 * @param <S>
 *            the result of the computation
 * @param <T>
 *            the result of the query
 * @param more
 *            is not called if the columns need more memory than they may take
 */
public record SnapshotQuery<S, T>(SnapshotRequest request, Function<Snapshot, S> compute,
        BiFunction<StatementRunner, S, Uni<T>> more) {

    /** This query and another one of the caller, from one snapshot. No result of the computations is null. */
    public <A, B, R> SnapshotQuery<?, R> and(SnapshotQuery<A, B> other, BiFunction<T, B, R> join) {
        return new SnapshotQuery<Map.Entry<S, A>, R>(request.and(other.request),
                snapshot -> Map.entry(compute.apply(snapshot), other.compute.apply(snapshot)),
                (statements, both) -> more.apply(statements, both.getKey()).chain(one -> other.more
                        .apply(statements, both.getValue()).map(two -> join.apply(one, two))));
    }

    /**
     * The result.
     *
     * @param statements
     *            of the transaction of the snapshot
     * @param snapshot
     *            null if the columns need more memory than they may take; then the result is null, too
     */
    Uni<T> result(StatementRunner statements, Snapshot snapshot) {
        return snapshot == null
                ? Uni.createFrom().nullItem()
                : CallerContext.compute(() -> compute.apply(snapshot)).chain(found -> more.apply(statements, found));
    }
}
