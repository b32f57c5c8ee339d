package io.datasetlisting.catalogue.index;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRepository;
import io.datasetlisting.catalogue.snapshot.SnapshotRepository.AbsentException;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.catalogue.snapshot.State;
import io.datasetlisting.catalogue.snapshot.StateRepository;
import io.datasetlisting.catalogue.snapshot.StateRepository.LaggingPartsException;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.database.TurnQueue;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/**
 * Computes from columns: counts, pages and groups of any filter.
 *
 * @see <a href="../../../../../../../docs/adr/0029-columns-of-the-listing.md">ADR 29</a>
 */
@ApplicationScoped
public class ColumnRepository {

    /**
     * Snapshots that are read in chunks at the same time, besides those of streams and geometries, and requests that wait for
     * them.
     */
    private static final int CHUNKED_SNAPSHOTS = 2;
    private static final int MAX_WAITING = 64;

    /** Computations of filters and counts from memory at the same time. Further ones take turns on connections of searches. */
    private static final int MAX_COMPUTING = 4;

    /** The bits of so many parts, a million datasets, are counted in 20 microseconds. */
    private static final int QUICK_PARTS = 2_000;

    private final Reads reads;
    private final StateRepository states;
    private final SnapshotRepository snapshots;
    private final SharedSnapshots shared;
    private final QueryCoalescer coalescer;
    private final TurnQueue chunked;
    private final Semaphore computing = new Semaphore(MAX_COMPUTING);

    ColumnRepository(Reads reads, StateRepository states, SnapshotRepository snapshots, SharedSnapshots shared,
            QueryCoalescer coalescer, HttpConfig http) {
        chunked = new TurnQueue(CHUNKED_SNAPSHOTS, MAX_WAITING, http.http().requestTimeout(),
                "Too many requests read the catalogue in chunks, try again later.");
        this.reads = reads;
        this.states = states;
        this.snapshots = snapshots;
        this.shared = shared;
        this.coalescer = coalescer;
    }

    /**
     * A page that one statement reads, after its datasets have been found in a snapshot.
     *
     * @param hasOrder
     *            whether a column has the order of the page
     * @param sql
     *            makes the statement, which has {@link Snapshot#version} unless it reads a rank; before, it may read from the
     *            transaction of the snapshot. The statement is null if the page needs a transaction
     * @param result
     *            null if the version is null
     */
    public record Page<S, T>(SnapshotRequest request, boolean hasOrder, Function<Snapshot, S> compute,
            BiFunction<StatementRunner, S, Uni<Sql>> sql,
            Function<RowSet<Row>, T> result) {

        public SnapshotQuery<S, T> query() {
            return new SnapshotQuery<>(request, compute,
                    (statements, found) -> sql.apply(statements, found).chain(statements::execute).map(result));
        }

        private boolean mayBeInMemory() {
            return request.isOfAllDatasets() || hasOrder && request.isOfColumns();
        }
    }

    private record Whole(DatabaseServer server, SnapshotRequest request) {
    }

    private record InChunks(DatabaseServer server, SnapshotRequest request) {
    }

    private record OfTable(DatabaseServer server, Caller caller, Object result) {
    }

    /** The result of a query; null if the columns need more memory than they may take, or lack too many changes. */
    public <T> Uni<T> read(SnapshotQuery<?, T> query) {
        return read(query.request().caller(), server -> read(server, query));
    }

    /**
     * A page; null as above. Most pages whose datasets columns find are found in the newest snapshot that is in memory, and
     * their statement checks that the listing has not changed since: this takes one round trip instead of three.
     */
    public <T> Uni<T> read(Page<?, T> page) {
        SnapshotQuery<?, T> query = page.query();
        return read(query.request().caller(), server -> page.mayBeInMemory()
                ? read(server, query, () -> readInMemory(server, page))
                : read(server, query));
    }

    /** Null if the snapshot is not in memory, the page is left to a transaction, or the listing has changed since. */
    private <S, T> Uni<T> readInMemory(DatabaseServer server, Page<S, T> page) {
        State state = states.newest(server);
        return (state == null ? Uni.createFrom().<S>nullItem() : find(state, page))
                .onItem().ifNotNull().transformToUni(found -> page.sql.apply(AbsentException.NO_STATEMENTS, found))
                .onFailure(AbsentException.class).recoverWithNull()
                .onItem().ifNotNull().transformToUni(sql -> server.pages().execute(sql).map(page.result));
    }

    /** Null if the page is left to a transaction. */
    private <S> Uni<S> find(State state, Page<S, ?> page) {
        if (page.request.isOfAllDatasets()) {
            return snapshots.kept(state, page.request).chain(snapshot -> isQuick(snapshot, page.request)
                    ? Uni.createFrom().item(() -> page.compute.apply(snapshot))
                    : CallerContext.compute(() -> page.compute.apply(snapshot)));
        }
        // What takes long to find is not found twice because the listing changes.
        return state.parts().size() > QUICK_PARTS
                ? Uni.createFrom().nullItem()
                : snapshots.inMemory(state, page.request)
                        .chain(snapshot -> compute(() -> page.compute.apply(snapshot)));
    }

    /** The result of a computation, whether or not its caller still waits; null if too many others run. */
    private <T> Uni<T> compute(Supplier<T> work) {
        return Uni.createFrom().deferred(() -> computing.tryAcquire()
                ? CallerContext.compute(() -> {
                    try {
                        return work.get();
                    } finally {
                        computing.release();
                    }
                })
                : Uni.createFrom().nullItem());
    }

    /** Whether the page takes some microseconds: another thread would take longer to begin. */
    private static boolean isQuick(Snapshot snapshot, SnapshotRequest request) {
        return snapshot.isSelected() && request.columns().equals(Set.of(Column.IDS))
                && snapshot.parts().size() <= QUICK_PARTS;
    }

    private <T> Uni<T> read(Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return RequestEnd.cancelAtEnd(reads.read(caller.mayWrite(), query));
    }

    private <T> Uni<T> read(DatabaseServer server, SnapshotQuery<?, T> query) {
        return read(server, query, () -> Uni.createFrom().nullItem());
    }

    /** @param inMemory the result, if no transaction is needed; or else null */
    private <T> Uni<T> read(DatabaseServer server, SnapshotQuery<?, T> query, Supplier<Uni<T>> inMemory) {
        return coalescer.share(new Whole(server, query.request()),
                () -> inMemory.get().onItem().ifNull().switchTo(() -> shared.read(server, query)));
    }

    /**
     * Counts datasets of a snapshot, on another thread: where columns alone decide, often of the newest one in memory, if a
     * statement says that the listing has not changed since.
     */
    public <T> Uni<T> count(SnapshotRequest request, Supplier<ChunkCounter<T>> counter) {
        return count(request, counter, (statements, result) -> Uni.createFrom().item(result),
                server -> request.isOfColumns()
                        ? countInMemory(server, request, counter)
                        : Uni.createFrom().nullItem());
    }

    /** Null if the snapshot is not in memory, or the listing has changed since. */
    private <T> Uni<T> countInMemory(DatabaseServer server, SnapshotRequest request,
            Supplier<ChunkCounter<T>> counter) {
        State state = states.newest(server);
        return state == null
                ? Uni.createFrom().nullItem()
                : snapshots.inMemory(state, request).chain(snapshot -> server.pages()
                        .execute(Sql.of("select {version} as listing", Map.of("version", snapshot.version())))
                        .chain(rows -> rows.iterator().next().getLong("listing") == null
                                ? Uni.createFrom().nullItem()
                                : compute(() -> counter.get().count(snapshot))))
                        .onFailure(AbsentException.class).recoverWithNull();
    }

    /**
     * Counts datasets of a snapshot, and then reads more in its transaction. If the columns need more memory than they may take,
     * the snapshot is read in chunks; if the changes that they lack do, it waits for folds.
     *
     * @param counter
     *            makes a counter
     */
    public <S, T> Uni<T> count(SnapshotRequest request, Supplier<ChunkCounter<S>> counter,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return count(request, counter, more, server -> Uni.createFrom().nullItem());
    }

    private <S, T> Uni<T> count(SnapshotRequest request, Supplier<ChunkCounter<S>> counter,
            BiFunction<StatementRunner, S, Uni<T>> more, Function<DatabaseServer, Uni<T>> inMemory) {
        SnapshotQuery<S, T> query = new SnapshotQuery<>(request, snapshot -> counter.get().count(snapshot), more);
        return read(request.caller(), server -> read(server, query, () -> inMemory.apply(server)).onItem().ifNull()
                .switchTo(() -> coalescer.share(new InChunks(server, request),
                        () -> chunked.run(() -> shared.withFolds(SharedSnapshots.LONG_PAUSE, () -> server.searches()
                                .inSnapshot(statements -> states.readLong(server, statements, Stream.of(request))
                                        .chain(state -> countChunks(state, statements, request, counter.get()))
                                        .chain(result -> more.apply(statements, result))))))));
    }

    /**
     * Reads from the table, in one snapshot.
     *
     * @param result
     *            what is read: concurrent equal requests share one result
     */
    <T> Uni<T> readTable(Caller caller, Object result, Function<StatementRunner, Uni<T>> work) {
        return read(caller, server -> coalescer.share(new OfTable(server, caller, result),
                () -> server.searches().inSnapshot(work)));
    }

    /**
     * Counts datasets of the snapshot of a transaction, which is read in chunks if it does not fit into memory. Fails with 503 if
     * the changes that the parts lack do not fit: the snapshot cannot wait for a fold.
     */
    <T> Uni<T> count(DatabaseServer server, StatementRunner statements, SnapshotRequest request,
            Supplier<ChunkCounter<T>> counter) {
        return states.readLong(server, statements, Stream.of(request))
                .chain(state -> snapshots.read(state, statements, request).chain(snapshot -> snapshot == null
                        ? countChunks(state, statements, request, counter.get())
                        : CallerContext.compute(() -> counter.get().count(snapshot))))
                .onFailure(LaggingPartsException.class)
                .transform(e -> new ApiException(503, "Many datasets have just changed, try again later."));
    }

    private <T> Uni<T> countChunks(State state, StatementRunner statements, SnapshotRequest request,
            ChunkCounter<T> counter) {
        return snapshots.readInChunks(state, statements, request, chunk -> CallerContext.compute(() -> {
            counter.add(chunk);
            return null;
        })).chain(() -> CallerContext.compute(() -> counter.result(state.listing())));
    }
}
