package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.hibernate.reactive.mutiny.Mutiny;
import org.hibernate.reactive.mutiny.impl.MutinySessionImpl;
import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.LimitedLog;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Takes connections from the connection pools and gives each one back. No other class takes a connection. A caller that cancels
 * while it waits for its connection cannot withdraw the request from the pool or from Hibernate; this class closes the connection
 * that arrives afterwards. {@link Retries} decides which work runs again after a failure of the database.
 *
 * @see <a href="../../../../../../../docs/adr/0012-an-end-to-each-wait.md">ADR 12</a>
 */
public final class Connections {

    private static final String CONNECTION_LOST = "The connection to the database was lost while the change was stored.";
    private static final String NOT_CONFIRMED = "The database has not confirmed in time that the change is stored.";
    private static final String UNKNOWN_OUTCOME = " It is not known whether it is stored: send a create again with the same"
            + " Idempotency-Key, or read the stored data first.";

    /**
     * Ends a session on a standby. Behind a pooler, this also ends the pooler's connection to the standby. A session on a primary
     * that is read-only stays: a new session would be read-only, too.
     */
    public static final String END_IF_STANDBY = "select pg_terminate_backend(pg_backend_pid()) where pg_is_in_recovery()";
    /** For a transaction that has failed. A session that stays is in a transaction again, which its caller rolls back. */
    private static final String ROLL_BACK_AND_END_IF_STANDBY = "rollback; " + END_IF_STANDBY + "; begin";

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(Connections.class));

    /** Of this application. The pool replaces them when it is created, before the first write. */
    private static volatile TurnQueue writes = writes(1, Duration.ZERO);
    private static volatile Duration commitTimeout = Duration.ZERO;
    private static volatile Function<Duration, Uni<Boolean>> findWritable = limit -> Uni.createFrom().item(false);

    private Connections() {
    }

    /**
     * Sets how many writes may hold a connection at a time.
     *
     * @param maxWait
     *            time after which a waiting write fails instead of getting its turn
     * @param maxCommit
     *            time that the database has to confirm a commit, and that a write waits for a server that takes it
     * @param primary
     *            finds within a time limit whether a new connection leads to a server that takes writes
     */
    public static void limitWrites(int max, Duration maxWait, Duration maxCommit,
            Function<Duration, Uni<Boolean>> primary) {
        findWritable = primary;
        writes = writes(max, maxWait);
        commitTimeout = maxCommit;
    }

    private static TurnQueue writes(int max, Duration maxWait) {
        return new TurnQueue(max, Integer.MAX_VALUE, maxWait,
                "Too many writes wait for the database, try again later.");
    }

    /**
     * Runs work on a connection of its own. Work that has begun runs to its end, whether or not the caller still waits. If a
     * write of the work fails because the connection leads to a standby, the connection is ended. The work has ended its
     * transaction by then.
     */
    public static <T> Uni<T> with(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return runToEnd(
                cancelled -> pool.withConnection(connection -> unless(cancelled, () -> work.apply(connection))
                        .onFailure(DatabaseFailure::isReadOnly).call(() -> end(connection, END_IF_STANDBY))));
    }

    private static Uni<Void> end(SqlConnection connection, String sql) {
        // Without this line, the driver writes the loss of the connection to the standard error stream.
        connection.exceptionHandler(e -> {
        });
        return connection.query(sql).execute().onItemOrFailure()
                .transformToUni((done, failure) -> Uni.createFrom().voidItem());
    }

    /** Ends the session of the current session of Hibernate if it is on a standby. */
    private static Uni<Void> endInSession() {
        return Panache.getSession()
                .chain(session -> Uni.createFrom().completionStage(
                        ((MutinySessionImpl) session).getReactiveConnection()
                                .executeUnprepared(ROLL_BACK_AND_END_IF_STANDBY)))
                .onFailure().recoverWithNull();
    }

    /**
     * Runs a write in a transaction on a connection of its own. The write may run several times: after a deadlock or a
     * serialization failure, if its server takes no writes and another one is found that does, and once more if its connection is
     * lost before the commit is sent, because then nothing is stored. If the connection is lost later, or the commit is not
     * confirmed in time (a primary may wait for a synchronous standby), the result is an {@link ApiException}, 503, which says
     * that the outcome is not known. A commit that is not confirmed keeps its connection.
     */
    public static <T> Uni<T> inTransaction(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return write(attempt -> pool.withTransaction(connection -> attempt.run(() -> work.apply(connection))
                .onFailure(DatabaseFailure::isReadOnly).call(() -> end(connection, ROLL_BACK_AND_END_IF_STANDBY))));
    }

    /** Runs a write in a session of Hibernate, with the transaction and the retries of {@link #inTransaction}. */
    public static <T> Uni<T> inSessionTransaction(Supplier<Uni<T>> work) {
        // Hibernate would otherwise send changes after the work, where a lost connection could also mean a lost commit.
        return write(attempt -> Panache.withTransaction(
                () -> attempt.run(() -> work.get().call(() -> Panache.getSession().chain(Mutiny.Session::flush)))
                        .onFailure(DatabaseFailure::isReadOnly).call(Connections::endInSession)));
    }

    /**
     * Sends a statement on the connection of a session at once, behind the statements that have been sent before. It is part of
     * the session's transaction.
     */
    public static Uni<Void> executeAtOnce(Mutiny.Session session, String sql, Object... values) {
        return Uni.createFrom().completionStage(
                () -> ((MutinySessionImpl) session).getReactiveConnection().update(sql, values)).replaceWithVoid();
    }

    /** Runs a read in a session of Hibernate, and once more if its connection is lost. */
    public static <T> Uni<T> inSession(Supplier<Uni<T>> work) {
        return runToEnd(cancelled -> readAgainIfLost(() -> Panache.withSession(() -> unless(cancelled, work))));
    }

    /** Runs a read, and once more if its connection is lost. */
    public static <T> Uni<T> readAgainIfLost(Supplier<Uni<T>> read) {
        return read(read, Retries.begin());
    }

    private static <T> Uni<T> read(Supplier<Uni<T>> read, Retries retries) {
        return Uni.createFrom().deferred(read::get).onFailure(retries::mayFollowLoss)
                .recoverWithUni(e -> retries.afterLoss(e).chain(next -> read(read, next)));
    }

    /** A connection for a caller that closes it. A caller that cancels before the connection arrives needs not close it. */
    public static Uni<SqlConnection> acquire(Pool pool) {
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

    /** Runs a transaction, which begins when its turn arrives. A caller that cancels before leaves the queue. */
    private static <T> Uni<T> write(Function<Attempt, Uni<T>> transaction) {
        return Uni.createFrom().emitter(caller -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            TurnQueue queue = writes;
            Retries retries = Retries.begin();
            Runnable withdraw = queue.submit(
                    () -> attempt(transaction, cancelled::get, caller::fail, retries).onTermination()
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
                Retries.runAfter(commitTimeout.toMillis(), () -> {
                    if (!ended) {
                        fail.accept(unknownOutcome(NOT_CONFIRMED));
                    }
                });
            });
        }
    }

    private static <T> Uni<T> attempt(Function<Attempt, Uni<T>> transaction, BooleanSupplier cancelled,
            Consumer<Throwable> fail, Retries retries) {
        Attempt attempt = new Attempt(cancelled, fail);
        return Uni.createFrom().deferred(() -> transaction.apply(attempt))
                .onTermination().invoke(() -> attempt.ended = true)
                .onFailure().recoverWithUni(e -> {
                    if (retries.mayFollowConflict(e)) {
                        return retries.afterConflict()
                                .chain(next -> attempt(transaction, cancelled, fail, next));
                    }
                    if (retries.mayFollowReadOnly(e)) {
                        return findWritable.apply(retries.remaining(commitTimeout)).chain(isFound -> isFound
                                ? attempt(transaction, cancelled, fail, retries.afterReadOnly())
                                : Uni.createFrom().failure(e));
                    }
                    if (DatabaseFailure.isConnectionLost(e) && attempt.mayBeStored) {
                        return Uni.createFrom().failure(unknownOutcome(CONNECTION_LOST));
                    }
                    return retries.mayFollowLoss(e)
                            ? retries.afterLoss(e).chain(next -> attempt(transaction, cancelled, fail, next))
                            : Uni.createFrom().failure(e);
                });
    }

    private static ApiException unknownOutcome(String reason) {
        LOG.warn(reason, "The outcome of a write is not known: " + reason);
        return new ApiException(503, reason + UNKNOWN_OUTCOME);
    }

    private static <T> Uni<T> unless(BooleanSupplier cancelled, Supplier<Uni<T>> work) {
        return cancelled.getAsBoolean()
                ? Uni.createFrom()
                        .failure(() -> new CancellationException("The caller no longer waits for this result."))
                : work.get();
    }
}
