package io.datasetlisting.column;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.column.SnapshotRepository.LaggingPartsException;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.database.DatabaseServer;
import io.datasetlisting.database.QueryCoalescer;
import io.datasetlisting.database.StatementRunner;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.rank.FoldSignal;
import io.datasetlisting.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Computes from columns: counts, pages and groups of any filter.
 *
 * @see <a href="../../../../../../docs/adr/0029-columns-of-the-listing.md">ADR 29</a>
 */
@ApplicationScoped
public class ColumnRepository {

    /** The datasets of so many changes that the parts lack are read by each request: 50 ms. */
    private static final long FEW_CHANGES = 4_000;

    /** Requests that may read more of them at the same time. */
    private static final int WITHOUT_PARTS = 2;

    /** Other requests look so often whether the changes are folded. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Reads reads;
    private final SnapshotRepository snapshots;
    private final QueryCoalescer coalescer;
    private final FoldSignal folds;
    private final Semaphore withoutParts = new Semaphore(WITHOUT_PARTS);

    ColumnRepository(Reads reads, SnapshotRepository snapshots, QueryCoalescer coalescer, FoldSignal folds) {
        this.folds = folds;
        this.reads = reads;
        this.snapshots = snapshots;
        this.coalescer = coalescer;
    }

    /**
     * What a snapshot is read for.
     *
     * @param filters
     *            which it can select
     * @param columns
     *            that are read besides the ones of the filters
     * @param result
     *            what is computed: concurrent equal requests share one result
     */
    public record Request(Caller caller, Collection<Expression> filters, Set<Column> columns, Object result) {

        public static Request of(Caller caller, Expression filter, Set<Column> columns, Object result) {
            return new Request(caller, List.of(filter), columns, result);
        }
    }

    private record Shared(DatabaseServer server, Request request) {
    }

    /**
     * Computes something from a snapshot, on another thread.
     *
     * @return null if the columns need more memory than they may take
     */
    public <T> Uni<T> read(Request request, Function<Snapshot, T> work) {
        return read(request, work, (statements, result) -> Uni.createFrom().item(result));
    }

    /**
     * The same, and then reads more in the transaction of the snapshot.
     *
     * @param more
     *            is not called if the columns need more memory than they may take
     */
    public <S, T> Uni<T> read(Request request, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        Function<DatabaseServer, Uni<T>> query = server -> coalescer.share(new Shared(server, request),
                () -> readInTurn(server, request, work, more));
        return RequestEnd.cancelAtEnd(request.caller.mayWrite() ? reads.readPrimary(query) : reads.read(query));
    }

    /** If the parts lack many changes, few requests read these from the table, and the others wait for a fold. */
    private <S, T> Uni<T> readInTurn(DatabaseServer server, Request request, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return read(server, request, FEW_CHANGES, work, more).onFailure(LaggingPartsException.class)
                .recoverWithUni(() -> withoutParts.tryAcquire()
                        ? read(server, request, Integer.MAX_VALUE, work, more).onTermination()
                                .invoke(withoutParts::release)
                        : folds.await(folds.folds(), PAUSE).chain(() -> readInTurn(server, request, work, more)));
    }

    private <S, T> Uni<T> read(DatabaseServer server, Request request, long maxChanges, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return server.searches().inSnapshot(statements -> snapshots.read(server, statements, request, maxChanges)
                .chain(snapshot -> snapshot == null
                        ? Uni.createFrom().nullItem()
                        : compute(() -> work.apply(snapshot)).chain(result -> more.apply(statements, result))));
    }

    /** The snapshot of a transaction; null if the columns need more memory than they may take. */
    Uni<Snapshot> snapshot(DatabaseServer server, StatementRunner statements, Request request) {
        return snapshots.read(server, statements, request, Integer.MAX_VALUE);
    }

    /** The failure of a request that cannot be answered without columns. */
    public static ApiException tooLarge() {
        return new ApiException(503, "The catalogue needs more memory for this than dataset.cache.columns allows.");
    }

    /** Computes something on a worker. The result arrives in the context of the caller. */
    public static <T> Uni<T> compute(Supplier<T> work) {
        Executor caller = CallerContext.later();
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultWorkerPool()).emitOn(caller);
    }
}
