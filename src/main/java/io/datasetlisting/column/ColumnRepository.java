package io.datasetlisting.column;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.database.DatabaseServer;
import io.datasetlisting.database.QueryCoalescer;
import io.datasetlisting.database.StatementRunner;
import io.datasetlisting.http.RequestEnd;
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

    private final Reads reads;
    private final SnapshotRepository snapshots;
    private final QueryCoalescer coalescer;

    ColumnRepository(Reads reads, SnapshotRepository snapshots, QueryCoalescer coalescer) {
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
                () -> server.searches().inSnapshot(statements -> snapshot(server, statements, request)
                        .chain(snapshot -> snapshot == null
                                ? Uni.createFrom().nullItem()
                                : compute(() -> work.apply(snapshot))
                                        .chain(result -> more.apply(statements, result)))));
        return RequestEnd.cancelAtEnd(request.caller.mayWrite() ? reads.readPrimary(query) : reads.read(query));
    }

    /** The snapshot of a transaction; null if the columns need more memory than they may take. */
    Uni<Snapshot> snapshot(DatabaseServer server, StatementRunner statements, Request request) {
        return snapshots.read(server, statements, request);
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
