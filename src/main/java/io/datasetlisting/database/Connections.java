package io.datasetlisting.database;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.hibernate.reactive.mutiny.Mutiny;
import org.jboss.logging.Logger;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.DatabaseFailure;
import io.datasetlisting.http.LimitedLog;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Takes connections from the connection pools and gives each one back. No other class takes a connection. A caller that cancels while
 * it waits for its connection cannot withdraw the request from the pool or from Hibernate; this class closes the connection that
 * arrives afterwards. It also decides which work runs again after a failure of the database.
 *
 * @see <a href="../../../../../../docs/adr/0012-an-end-to-each-wait.md">ADR 12</a>
 */
public final class Connections {

    /** Retries of one read or write, whatever the failures were. */
    private static final int MAX_RETRIES = 4;
    /** The mean pause before the first retry after a conflict. Each further pause is twice as long. */
    private static final int CONFLICT_PAUSE_MILLIS = 25;
    /** The same after a lost connection: by then the pool has seen which of its other connections are lost. */
    private static final int LOSS_PAUSE_MILLIS = 100;

    private static final String CONNECTION_LOST = "The connection to the database was lost while the change was stored.";
    private static final String NOT_CONFIRMED = "The database has not confirmed in time that the change is stored.";
    private static final String UNKNOWN_OUTCOME = " It is not known whether it is stored: send a create again with the same"
            + " Idempotency-Key, or read the stored data first.";

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(Connections.class));

    /** Of this application. The pool replaces them when it is created, before the first write. */
    private static volatile WriteQueue writes = new WriteQueue(1, Duration.ZERO);
    private static volatile Duration commitTimeout = Duration.ZERO;

    private Connections() {
    }

    /**
     * Sets how many writes may hold a connection at a time.
     *
     * @param maxWait
     *            time after which a waiting write fails instead of getting its turn
     * @param maxCommit
     *            time that the database has to confirm a commit
     */
    static void limitWrites(int max, Duration maxWait, Duration maxCommit) {
        writes = new WriteQueue(max, maxWait);
        commitTimeout = maxCommit;
    }

    /** Runs work on a connection of its own. Work that has begun runs to its end, whether or not the caller still waits. */
    public static <T> Uni<T> with(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return runToEnd(
                cancelled -> pool.withConnection(connection -> unless(cancelled, () -> work.apply(connection))));
    }

    /**
     * Runs a write in a transaction on a connection of its own. The write may run several times: after a deadlock or a serialization
     * failure, and once more if its connection is lost before the commit is sent, because then nothing is stored. If the connection is
     * lost later, or the commit is not confirmed in time (a primary may wait for a synchronous standby), the result is an
     * {@link ApiException}, 503, which says that the outcome is not known. A commit that is not confirmed keeps its connection.
     */
    public static <T> Uni<T> inTransaction(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return write(attempt -> pool.withTransaction(connection -> attempt.run(() -> work.apply(connection))));
    }

    /** The same in a session of Hibernate and a transaction. */
    public static <T> Uni<T> inSessionTransaction(Supplier<Uni<T>> work) {
        // Hibernate would otherwise send changes after the work, where a lost connection could also mean a lost commit.
        return write(attempt -> Panache.withTransaction(
                () -> attempt.run(() -> work.get().call(() -> Panache.getSession().chain(Mutiny.Session::flush)))));
    }

    /** Runs a read in a session of Hibernate, and once more if its connection is lost. */
    public static <T> Uni<T> inSession(Supplier<Uni<T>> work) {
        return runToEnd(cancelled -> readAgainIfLost(() -> Panache.withSession(() -> unless(cancelled, work))));
    }

    /** Runs a read, and once more if its connection is lost. */
    public static <T> Uni<T> readAgainIfLost(Supplier<Uni<T>> read) {
        return read(read, Tries.NONE);
    }

    private static <T> Uni<T> read(Supplier<Uni<T>> read, Tries tries) {
        return Uni.createFrom().deferred(read::get).onFailure(tries::mayFollow)
                .recoverWithUni(e -> pause(LOSS_PAUSE_MILLIS).chain(() -> read(read, tries.after(e))));
    }

    /** The tries so far of work that may run again after a lost connection. */
    private record Tries(int retries, boolean hasLostConnection) {

        static final Tries NONE = new Tries(0, false);

        /**
         * Whether another try may follow a failure. A connection that was closed before the statement was sent does not count as the
         * one loss: a pool may hand out several of these before it has seen that they are closed.
         */
        boolean mayFollow(Throwable e) {
            return DatabaseFailure.isConnectionLost(e) && retries < MAX_RETRIES
                    && (!hasLostConnection || DatabaseFailure.isUnsent(e));
        }

        Tries after(Throwable e) {
            return new Tries(retries + 1, hasLostConnection || !DatabaseFailure.isUnsent(e));
        }
    }

    /**
     * Streams the items of work in a transaction on a connection of its own. The connection is closed when the stream ends or is
     * cancelled, which also ends the transaction. A cancellation also cancels the running statement. The connection would otherwise keep
     * its snapshot until PostgreSQL has sorted all rows. The work runs once more if its connection is lost before the first item.
     */
    static <T> Multi<T> stream(DatabaseServer server, Function<SqlConnection, Multi<T>> work) {
        Multi<T> items = Multi.createFrom()
                .resourceFromUni(() -> server.connection().map(Backend::new), backend -> backend.begin(work))
                .withFinalizer(Backend::close, (backend, failure) -> backend.close(),
                        backend -> backend.cancel(server.allPages()));
        return stream(items, Tries.NONE);
    }

    /** The connection of a stream, and the process of PostgreSQL that serves its transaction. */
    private static final class Backend {

        private static final String IDENTITY = """
                select pid, xact_start from pg_stat_activity where pid = pg_backend_pid()""";
        /**
         * Behind a balancer, the statement may arrive at another server, on which another process has this number. Behind a pooler, it
         * may arrive when the process already serves another transaction.
         */
        private static final String CANCEL = """
                select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start = $2""";
        /** In a pooler, the statement waits for a server connection. Cancelled streams may hold all of them. */
        private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(1);

        private final SqlConnection connection;
        private volatile Tuple identity;

        Backend(SqlConnection connection) {
            this.connection = connection;
        }

        <T> Multi<T> begin(Function<SqlConnection, Multi<T>> work) {
            return connection.begin().chain(() -> connection.query(IDENTITY).execute())
                    .onItem().transformToMulti(rows -> {
                        Row row = rows.iterator().next();
                        identity = Tuple.of(row.getInteger(0), row.getOffsetDateTime(1));
                        return work.apply(connection);
                    });
        }

        Uni<Void> close() {
            return connection.close();
        }

        /**
         * The signal has reached the process when the result arrives, so it cannot cancel a later statement of the connection. A request
         * of the protocol to cancel would arrive at any time. The connections of pages are always available; in the pool of streams,
         * many cancelled streams would wait for one another.
         */
        Uni<Void> cancel(StatementRunner others) {
            return identity == null
                    ? close()
                    : others.execute(CANCEL, identity).ifNoItem().after(CANCEL_TIMEOUT).fail()
                            .onFailure().recoverWithNull().chain(this::close);
        }
    }

    private static <T> Multi<T> stream(Multi<T> items, Tries tries) {
        return Multi.createFrom().deferred(() -> {
            AtomicBoolean begun = new AtomicBoolean();
            return items.invoke(() -> begun.set(true))
                    .onFailure(e -> !begun.get() && tries.mayFollow(e))
                    .recoverWithMulti(e -> pause(LOSS_PAUSE_MILLIS).onItem()
                            .transformToMulti(paused -> stream(items, tries.after(e))));
        });
    }

    /** A connection for a caller that closes it. A caller that cancels before the connection arrives needs not close it. */
    static Uni<SqlConnection> acquire(Pool pool) {
        return Uni.createFrom().deferred(() -> {
            AtomicBoolean delivered = new AtomicBoolean();
            return Uni.createFrom()
                    .<SqlConnection>emitter(caller -> pool.getConnection().subscribe().with(connection -> {
                        caller.complete(connection);
                        if (!delivered.get()) {
                            connection.closeAndForget();
                        }
                    }, caller::fail)).invoke(() -> delivered.set(true));
        });
    }

    /** Does not pass a cancellation on: a cancellation in the middle of work would leak the connection, or its transaction. */
    private static <T> Uni<T> runToEnd(Function<BooleanSupplier, Uni<T>> work) {
        return Uni.createFrom().emitter(caller -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            caller.onTermination(() -> cancelled.set(true));
            work.apply(cancelled::get).subscribe().with(caller::complete, caller::fail);
        });
    }

    /** The same for a transaction, which begins when its turn arrives. A caller that cancels before leaves the queue. */
    private static <T> Uni<T> write(Function<Attempt, Uni<T>> transaction) {
        return Uni.createFrom().emitter(caller -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            WriteQueue queue = writes;
            Runnable withdraw = queue.submit(
                    () -> attempt(transaction, cancelled::get, caller::fail, Tries.NONE).onTermination()
                            .invoke(queue::end).subscribe().with(caller::complete, caller::fail),
                    caller::fail);
            caller.onTermination(() -> {
                cancelled.set(true);
                withdraw.run();
            });
        });
    }

    /** One execution of a transaction. */
    private static final class Attempt {

        private final BooleanSupplier cancelled;
        private final Consumer<Throwable> fail;
        /** Whether the work is done, so that the commit may have been sent. */
        private volatile boolean mayBeStored;
        private volatile boolean ended;

        /**
         * @param fail
         *            ends the write for its caller
         */
        Attempt(BooleanSupplier cancelled, Consumer<Throwable> fail) {
            this.cancelled = cancelled;
            this.fail = fail;
        }

        <T> Uni<T> run(Supplier<Uni<T>> work) {
            return unless(cancelled, work).invoke(() -> {
                mayBeStored = true;
                after(commitTimeout.toMillis(), () -> {
                    if (!ended) {
                        fail.accept(unknownOutcome(NOT_CONFIRMED));
                    }
                });
            });
        }
    }

    private static <T> Uni<T> attempt(Function<Attempt, Uni<T>> transaction, BooleanSupplier cancelled,
            Consumer<Throwable> fail, Tries tries) {
        Attempt attempt = new Attempt(cancelled, fail);
        return Uni.createFrom().deferred(() -> transaction.apply(attempt))
                .onTermination().invoke(() -> attempt.ended = true)
                .onFailure().recoverWithUni(e -> {
                    if (DatabaseFailure.isConflict(e) && tries.retries < MAX_RETRIES) {
                        return pause(CONFLICT_PAUSE_MILLIS << tries.retries).chain(() -> attempt(transaction,
                                cancelled, fail, new Tries(tries.retries + 1, tries.hasLostConnection)));
                    }
                    if (DatabaseFailure.isConnectionLost(e) && attempt.mayBeStored) {
                        return Uni.createFrom().failure(unknownOutcome(CONNECTION_LOST));
                    }
                    return tries.mayFollow(e)
                            ? pause(LOSS_PAUSE_MILLIS)
                                    .chain(() -> attempt(transaction, cancelled, fail, tries.after(e)))
                            : Uni.createFrom().failure(e);
                });
    }

    private static ApiException unknownOutcome(String reason) {
        LOG.warn(reason, "The outcome of a write is not known: " + reason);
        return new ApiException(503, reason + UNKNOWN_OUTCOME);
    }

    /** A random pause in the current Vert.x context, so that the same transactions do not meet again. */
    private static Uni<Void> pause(int meanMillis) {
        int millis = ThreadLocalRandom.current().nextInt(meanMillis / 2, meanMillis * 3 / 2);
        return Uni.createFrom().emitter(caller -> {
            if (!after(millis, () -> caller.complete(null))) {
                caller.complete(null);
            }
        });
    }

    /** Runs an action later in the current Vert.x context. The result is false, and the action does not run, without a context. */
    private static boolean after(long millis, Runnable action) {
        Context context = Vertx.currentContext();
        if (context != null) {
            context.owner().setTimer(millis, fired -> context.runOnContext(nothing -> action.run()));
        }
        return context != null;
    }

    private static <T> Uni<T> unless(BooleanSupplier cancelled, Supplier<Uni<T>> work) {
        return cancelled.getAsBoolean()
                ? Uni.createFrom()
                        .failure(() -> new CancellationException("The caller no longer waits for this result."))
                : work.get();
    }
}
