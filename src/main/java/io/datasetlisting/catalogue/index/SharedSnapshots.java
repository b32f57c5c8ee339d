package io.datasetlisting.catalogue.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.rank.FoldSignal;
import io.datasetlisting.catalogue.snapshot.SnapshotRepository;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.catalogue.snapshot.State;
import io.datasetlisting.catalogue.snapshot.StateRepository;
import io.datasetlisting.catalogue.snapshot.StateRepository.LaggingPartsException;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.Searches;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Reads a snapshot for each request, or one for many requests while the parts lack many changes, so that these are read from the
 * table once.
 *
 * @see <a href="../../../../../../../docs/adr/0036-a-backlog-of-changes.md">ADR 36</a>
 */
@Singleton
public class SharedSnapshots {

    /** Snapshots with many changes that a group reads at the same time. */
    private static final int MAX_SHARED = 2;

    /** A request whose snapshot has failed looks after a fold, or after this time, whether the changes are folded. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** The same for a snapshot with too many changes: to see that there are too many takes 0.3 s of CPU. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(1);

    private final Reads reads;
    private final StateRepository states;
    private final SnapshotRepository snapshots;
    private final FoldSignal folds;
    private final Map<GroupKey, Group> groups = new ConcurrentHashMap<>();
    /** The servers whose last snapshot had many changes, so that the next request does not try to read one alone. */
    private final Set<DatabaseServer> lagging = ConcurrentHashMap.newKeySet();
    /** The servers from which the pending changes of a shared snapshot are being read. */
    private final Set<DatabaseServer> beingRead = ConcurrentHashMap.newKeySet();

    SharedSnapshots(Reads reads, StateRepository states, SnapshotRepository snapshots, FoldSignal folds) {
        this.reads = reads;
        this.states = states;
        this.snapshots = snapshots;
        this.folds = folds;
    }

    /** The result of a query; null if the columns, or the changes that the parts lack, need more memory than they may take. */
    <T> Uni<T> read(DatabaseServer server, SnapshotQuery<?, T> query) {
        SnapshotRequest request = query.request();
        Searches searches = request.isUsual() ? server.searches().usual() : server.searches();
        Group group = groups.computeIfAbsent(
                new GroupKey(searches, request.hasConditionsWithoutColumn()), key -> new Group(server, searches));
        Uni<T> alone = searches.inSnapshot(statements -> states.read(server, statements, Stream.of(request))
                .chain(state -> snapshots.read(state, statements, request))
                .chain(snapshot -> query.result(statements, snapshot)));
        Uni<T> together = Uni.createFrom().deferred(() -> readTogether(group, query));
        return withFolds(PAUSE, () -> lagging.contains(server)
                ? together
                : alone.onFailure(LaggingPartsException.class).recoverWithUni(together));
    }

    private <T> Uni<T> readTogether(Group group, SnapshotQuery<?, T> query) {
        Executor caller = CallerContext.later();
        return Uni.createFrom().<T>emitter(emitter -> {
            BiFunction<State, StatementRunner, Uni<Uni<Void>>> read = (state,
                    statements) -> snapshots.read(state, statements, query.request()).onFailure().invoke(emitter::fail)
                            .map(snapshot -> query.result(statements, snapshot).invoke(emitter::complete)
                                    .onFailure().invoke(emitter::fail).replaceWithVoid());
            Waiting waiting = new Waiting(query.request(), new AtomicBoolean(), read, () -> emitter.complete(null),
                    emitter::fail);
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
     * @param refuse
     *            the parts lack too many changes
     */
    private record Waiting(SnapshotRequest request, AtomicBoolean isOver,
            BiFunction<State, StatementRunner, Uni<Uni<Void>>> read, Runnable refuse, Consumer<Throwable> fail) {
    }

    /**
     * Requests that ask PostgreSQL for the datasets of a condition share snapshots of their own. After many changes such a
     * statement takes seconds, and the other requests would wait for it.
     */
    private record GroupKey(Searches searches, boolean asksPostgres) {
    }

    /**
     * The requests that wait for a snapshot of one server. Few snapshots are read at the same time. The changes of a snapshot are
     * read alone: after a statement for a quarter of a million datasets this takes seconds, and the next snapshot has the same
     * changes, which are cached. Requests that end meanwhile do not end the read.
     */
    private final class Group {

        private final DatabaseServer server;
        private final Searches searches;
        private final List<Waiting> waiting = new ArrayList<>();
        private int running;

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
                if (running == MAX_SHARED || waiting.isEmpty() || !beingRead.add(server)) {
                    return;
                }
                running++;
                all = List.copyOf(waiting);
                waiting.clear();
            }
            AtomicBoolean isReading = new AtomicBoolean(true);
            searches.inSnapshot(statements -> states.readLong(server, statements, all.stream().map(Waiting::request))
                    .invoke(this::compare)
                    .onTermination().invoke(() -> endRead(isReading))
                    // One request after another reads the columns that are absent, and all go on at the same time.
                    .chain(state -> Multi.createFrom().iterable(all).filter(each -> !each.isOver.get())
                            .onItem().transformToUniAndConcatenate(each -> each.read.apply(state, statements))
                            .onItem().transformToUniAndMerge(rest -> rest)
                            .collect().last()))
                    .onTermination().invoke(() -> endRead(isReading)).onTermination().invoke(this::end).subscribe()
                    .with(done -> {
                        // Each request has its result.
                    }, failure -> all.forEach(each -> {
                        if (failure instanceof LaggingPartsException) {
                            each.refuse.run();
                        } else {
                            each.fail.accept(new LaggingPartsException());
                        }
                    }));
        }

        private void compare(State state) {
            if (state.changes() > StateRepository.FEW_CHANGES) {
                lagging.add(server);
            } else {
                lagging.remove(server);
            }
        }

        private void endRead(AtomicBoolean isReading) {
            if (isReading.getAndSet(false)) {
                beingRead.remove(server);
                groups.values().stream().filter(each -> each.server.equals(server)).forEach(Group::begin);
            }
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

    /** Reads a state again after each fold, while it fails because the parts lack too many changes. */
    <T> Uni<T> withFolds(Duration pause, Supplier<Uni<T>> read) {
        return Uni.createFrom().deferred(read::get).onFailure(LaggingPartsException.class)
                .recoverWithUni(() -> folds.await(folds.folds(), pause).chain(() -> withFolds(pause, read)));
    }

    private Uni<Void> awaitFolds() {
        SnapshotRequest request = SnapshotRequest.of(Caller.ANONYMOUS, Expression.ALL, Set.of(), null);
        return withFolds(PAUSE, () -> reads.readPrimary(server -> server.searches()
                .inSnapshot(statements -> states.read(server, statements, Stream.of(request))))).replaceWithVoid();
    }
}
