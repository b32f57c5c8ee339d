package io.datasetlisting.catalogue.column;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.column.SnapshotRepository.LaggingPartsException;
import io.datasetlisting.catalogue.column.SnapshotRepository.State;
import io.datasetlisting.catalogue.rank.FoldSignal;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Searches;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.database.TurnQueue;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Computes from columns: counts, pages and groups of any filter.
 *
 * @see <a href="../../../../../../../docs/adr/0029-columns-of-the-listing.md">ADR 29</a>
 */
@ApplicationScoped
public class ColumnRepository {

    /** The datasets of so many changes that the parts lack are read by each request: 5 ms. */
    private static final long FEW_CHANGES = 500;

    /** Snapshots with more changes that are read at the same time. */
    private static final int SHARED_SNAPSHOTS = 2;

    /** Snapshots that are read in chunks at the same time, and requests that wait for them. */
    private static final int CHUNKED_SNAPSHOTS = 2;
    private static final int MAX_WAITING = 64;

    /** A request whose snapshot has failed looks after this time whether the changes are folded. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Reads reads;
    private final SnapshotRepository snapshots;
    private final QueryCoalescer coalescer;
    private final FoldSignal folds;
    private final TurnQueue chunked;
    private final Map<Searches, Group> groups = new ConcurrentHashMap<>();

    ColumnRepository(Reads reads, SnapshotRepository snapshots, QueryCoalescer coalescer, FoldSignal folds,
            HttpConfig http) {
        chunked = new TurnQueue(CHUNKED_SNAPSHOTS, MAX_WAITING, http.http().requestTimeout(),
                "Too many requests read the catalogue in chunks, try again later.");
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
     * @param isUsual
     *            whether no condition and no order of a client raises its cost
     */
    public record Request(Caller caller, Collection<Expression> filters, Set<Column> columns, Object result,
            boolean isUsual) {

        public Request(Caller caller, Collection<Expression> filters, Set<Column> columns, Object result) {
            this(caller, filters, columns, result, false);
        }

        public static Request of(Caller caller, Expression filter, Set<Column> columns, Object result) {
            return new Request(caller, List.of(filter), columns, result);
        }

        private Request and(Request other) {
            return new Request(caller,
                    Stream.of(filters, other.filters).flatMap(Collection::stream).distinct().toList(),
                    Stream.of(columns, other.columns).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet()),
                    List.of(result, other.result), isUsual && other.isUsual);
        }

        private Searches on(DatabaseServer server) {
            return isUsual ? server.searches().usual() : server.searches();
        }
    }

    /**
     * What is computed from a snapshot, on another thread, and then read in its transaction.
     *
     * @param more
     *            is not called if the columns need more memory than they may take
     */
    public record Work<S, T>(Request request, Function<Snapshot, S> compute,
            BiFunction<StatementRunner, S, Uni<T>> more) {

        /** This and other work of the caller, from the same snapshot. No result of the computations is null. */
        public <A, B, R> Work<?, R> and(Work<A, B> other, BiFunction<T, B, R> join) {
            return new Work<Map.Entry<S, A>, R>(request.and(other.request),
                    snapshot -> Map.entry(compute.apply(snapshot), other.compute.apply(snapshot)),
                    (statements, both) -> more.apply(statements, both.getKey()).chain(one -> other.more
                            .apply(statements, both.getValue()).map(two -> join.apply(one, two))));
        }
    }

    private record Shared(DatabaseServer server, Request request) {
    }

    private record InChunks(DatabaseServer server, Request request) {
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
        return read(reads, request, server -> share(server, request, work, more));
    }

    /** The result of work; null if the columns need more memory than they may take. */
    public <S, T> Uni<T> read(Work<S, T> work) {
        return read(work.request, work.compute, work.more);
    }

    /** Counts datasets of a snapshot, on another thread. */
    public <T> Uni<T> count(Request request, Supplier<ChunkCounter<T>> counter) {
        return count(request, counter, (statements, result) -> Uni.createFrom().item(result));
    }

    /**
     * The same, and then reads more in the transaction of the snapshot. If the columns need more memory than they may take, the
     * snapshot is read in chunks.
     *
     * @param counter
     *            makes a counter
     */
    public <S, T> Uni<T> count(Request request, Supplier<ChunkCounter<S>> counter,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return read(reads, request, server -> share(server, request, snapshot -> {
            ChunkCounter<S> all = counter.get();
            all.add(snapshot);
            return all.result();
        }, more).onItem().ifNull().switchTo(() -> coalescer.share(new InChunks(server, request),
                () -> chunked.run(() -> countChunks(server, request, counter.get(), more)))));
    }

    private <S, T> Uni<T> countChunks(DatabaseServer server, Request request, ChunkCounter<S> counter,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return server.searches()
                .inSnapshot(statements -> snapshots.state(server, statements, Stream.of(request), Integer.MAX_VALUE)
                        .chain(state -> snapshots.readInChunks(state, statements, request,
                                chunk -> CallerContext.compute(() -> {
                                    counter.add(chunk);
                                    return null;
                                })))
                        .chain(() -> CallerContext.compute(counter::result))
                        .chain(result -> more.apply(statements, result)));
    }

    private static <T> Uni<T> read(Reads reads, Request request, Function<DatabaseServer, Uni<T>> query) {
        return RequestEnd.cancelAtEnd(request.caller.mayWrite() ? reads.readPrimary(query) : reads.read(query));
    }

    private <S, T> Uni<T> share(DatabaseServer server, Request request, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return coalescer.share(new Shared(server, request), () -> readInTurn(server, request, work, more));
    }

    /** If the parts lack many changes, requests share a snapshot, so that these are read from the table once. */
    private <S, T> Uni<T> readInTurn(DatabaseServer server, Request request, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        Searches searches = request.on(server);
        Group group = groups.computeIfAbsent(searches, key -> new Group(server, searches));
        Uni<T> alone = searches
                .inSnapshot(statements -> snapshots.state(server, statements, Stream.of(request), FEW_CHANGES)
                        .chain(state -> snapshots.read(state, statements, request))
                        .chain(snapshot -> finish(snapshot, statements, work, more)));
        Uni<T> together = Uni.createFrom().deferred(() -> readTogether(group, request, work, more));
        return (group.isLagging ? together : alone.onFailure(LaggingPartsException.class).recoverWithUni(together))
                .onFailure(LaggingPartsException.class).recoverWithUni(() -> folds.await(folds.folds(), PAUSE)
                        .chain(() -> readInTurn(server, request, work, more)));
    }

    private static <S, T> Uni<T> finish(Snapshot snapshot, StatementRunner statements, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        return snapshot == null
                ? Uni.createFrom().nullItem()
                : CallerContext.compute(() -> work.apply(snapshot)).chain(result -> more.apply(statements, result));
    }

    private <S, T> Uni<T> readTogether(Group group, Request request, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        Executor caller = CallerContext.later();
        return Uni.createFrom().<T>emitter(emitter -> {
            BiFunction<State, StatementRunner, Uni<Uni<Void>>> read = (state,
                    statements) -> snapshots.read(state, statements, request).onFailure().invoke(emitter::fail)
                            .map(snapshot -> finish(snapshot, statements, work, more).invoke(emitter::complete)
                                    .onFailure().invoke(emitter::fail).replaceWithVoid());
            Waiting waiting = new Waiting(request, new AtomicBoolean(), read, emitter::fail);
            emitter.onTermination(() -> waiting.isOver.set(true));
            group.add(waiting);
        }).emitOn(caller);
    }

    /**
     * A request that waits for a snapshot.
     *
     * @param isOver
     *            whether the request has its result, or has ended
     * @param read
     *            reads the columns, and then gives what is done with them
     */
    private record Waiting(Request request, AtomicBoolean isOver,
            BiFunction<State, StatementRunner, Uni<Uni<Void>>> read,
            Consumer<Throwable> fail) {
    }

    /** The requests that wait for a snapshot of one server. Few snapshots are read at the same time. */
    private final class Group {

        private final DatabaseServer server;
        private final Searches searches;
        private final List<Waiting> waiting = new ArrayList<>();
        private int running;
        /** Whether the last snapshot had many changes, so that the next request does not try to read one alone. */
        private volatile boolean isLagging;

        Group(DatabaseServer server, Searches searches) {
            this.server = server;
            this.searches = searches;
        }

        void add(Waiting request) {
            synchronized (this) {
                waiting.add(request);
            }
            begin();
        }

        private void begin() {
            List<Waiting> all;
            synchronized (this) {
                if (running == SHARED_SNAPSHOTS || waiting.isEmpty()) {
                    return;
                }
                running++;
                all = List.copyOf(waiting);
                waiting.clear();
            }
            searches.inSnapshot(statements -> snapshots
                    .state(server, statements, all.stream().map(Waiting::request), Integer.MAX_VALUE)
                    .invoke(state -> isLagging = state.changes() > FEW_CHANGES)
                    // One request after another reads the columns that are absent, and all go on at the same time.
                    .chain(state -> Multi.createFrom().iterable(all).filter(each -> !each.isOver.get())
                            .onItem().transformToUniAndConcatenate(each -> each.read.apply(state, statements))
                            .onItem().transformToUniAndMerge(rest -> rest)
                            .collect().last()))
                    .onTermination().invoke(this::end).subscribe().with(done -> {
                        // Each request has its result.
                    }, failure -> all.forEach(each -> each.fail.accept(new LaggingPartsException())));
        }

        private void end() {
            synchronized (this) {
                running--;
            }
            begin();
        }
    }

    /**
     * Waits until requests no longer read many changes from the table, but not longer than {@code max}. It never fails.
     */
    public Uni<Void> awaitFolds(Duration max) {
        return awaitFolds().ifNoItem().after(max).fail().onFailure().recoverWithNull();
    }

    private Uni<Void> awaitFolds() {
        Request request = Request.of(Caller.ANONYMOUS, Expression.ALL, Set.of(), null);
        return reads.readPrimary(server -> server.searches()
                .inSnapshot(statements -> snapshots.state(server, statements, Stream.of(request), FEW_CHANGES)))
                .replaceWithVoid()
                .onFailure(LaggingPartsException.class)
                .recoverWithUni(() -> folds.await(folds.folds(), PAUSE).chain(() -> awaitFolds()));
    }

    /** The snapshot of a transaction; null if the columns need more memory than they may take. */
    Uni<Snapshot> snapshot(DatabaseServer server, StatementRunner statements, Request request) {
        return snapshots.state(server, statements, Stream.of(request), Integer.MAX_VALUE)
                .chain(state -> snapshots.read(state, statements, request));
    }
}
