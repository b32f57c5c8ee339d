package io.datasetlisting.postgres.database;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.LimitedLog;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgConnection;

/**
 * Runs statements that may take long on the connections of searches. If the caller cancels, PostgreSQL cancels the statement, and
 * a statement that waits for its connection is not started. Only work of {@link #runToEnd} goes on.
 *
 * @see <a href="../../../../../../../docs/adr/0026-searches-have-their-own-connections.md">ADR 26</a>
 */
public final class Searches implements StatementRunner {

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(Searches.class));

    // Behind a balancer, another server may have a process with this number. Behind a pooler, the number is not one of a process.
    // Therefore the text of the statement is compared, of which PostgreSQL shows at least this part.
    private static final String CANCEL = """
            select pg_cancel_backend(pid) from pg_stat_activity
            where pid = $1 and state = 'active' and left(query, 500) = left($2, 500)""";
    /** A plan that is made while a table is empty must also suit the table after an import: it reads no whole table. */
    private static final String PLAN_ONCE = "set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off";
    private static final String PLAN_EACH_TIME = "set local plan_cache_mode = force_custom_plan; set local enable_seqscan = on";
    /** Most snapshots begin with statements that are planned once. */
    private static final String BEGIN_SNAPSHOT = "begin isolation level repeatable read read only; " + PLAN_ONCE;
    private static final String END_SNAPSHOT = "rollback";
    /** A statement that was just sent is not active yet, so that it must be cancelled once more. */
    private static final Duration CANCEL_INTERVAL = Duration.ofMillis(100);
    /** Then the statement ends by its time limit. */
    private static final int MAX_CANCELS = 10;
    /**
     * Statements that may wait for each connection, and half as many usual ones. Each of them is a request that runs, and with
     * the default keys a fifth of the requests that may run stay for others.
     */
    private static final int MAX_WAITING = 32;

    private final Pool pool;
    private final Function<SqlConnection, Uni<Void>> check;
    private final StatementRunner others;
    private final Duration timeout;
    private final TurnQueue turns;
    private final Searches usual;

    /**
     * @param check
     *            fails if a connection must not be used
     * @param others
     *            runs the statement that cancels another one. It must not wait for the connections of searches
     */
    public Searches(Pool pool, Function<SqlConnection, Uni<Void>> check, StatementRunner others,
            DatabaseConfig config) {
        this(pool, check, others, config, Math.max(1, config.searchConnections() - 1),
                new Searches(pool, check, others, config, config.searchConnections(), null));
    }

    private Searches(Pool pool, Function<SqlConnection, Uni<Void>> check, StatementRunner others, DatabaseConfig config,
            int maxRunning, Searches usual) {
        this.pool = pool;
        this.check = check;
        this.others = others;
        this.usual = usual;
        timeout = config.searchTimeout();
        // A caller that no longer waits withdraws.
        turns = new TurnQueue(maxRunning, MAX_WAITING * config.searchConnections() / (usual == null ? 2 : 1),
                Duration.ofDays(1), "Too many searches at once, try again later.");
    }

    /** Runs usual statements, whose cost no client raises. One of several connections is kept for them. */
    public Searches usual() {
        return usual;
    }

    /** How many statements wait for their turn. */
    public int waiting() {
        return turns.waiting() + usual.turns.waiting();
    }

    @Override
    public Uni<RowSet<Row>> execute(String sql, Tuple values) {
        return run(statements -> statements.execute(sql, values));
    }

    /** On one connection, which waits once for its turn. */
    @Override
    public Uni<RowSet<Row>> execute(Sql.Statement statement) {
        return run(statements -> statements.execute(statement));
    }

    /** Runs statements in a transaction that reads one snapshot. The first one does not wait for its begin. */
    public <T> Uni<T> inSnapshot(Function<StatementRunner, Uni<T>> work) {
        return run(execution -> Uni.combine().all().unis(execution.beginSnapshot(),
                Uni.createFrom().deferred(() -> work.apply(execution))).with((begun, result) -> result)
                // A pooler may give the server to another client before the end that nobody waits for.
                .onItemOrFailure()
                .call((result, failure) -> execution.send(END_SNAPSHOT).onFailure().recoverWithNull()));
    }

    private <T> Uni<T> run(Function<Execution<T>, Uni<T>> work) {
        return Uni.createFrom().emitter(caller -> {
            Execution<T> execution = new Execution<>(work, caller);
            caller.onTermination(execution::cancel);
            execution.withdraw = turns.submit(execution::begin, caller::fail);
        });
    }

    /**
     * Some statements on a connection, which is given back once: when neither a statement nor its cancellation runs. All of them
     * are sent on one event loop, so that the settings of a statement arrive directly before it.
     */
    private final class Execution<T> implements StatementRunner {

        private final Function<Execution<T>, Uni<T>> work;
        private final UniEmitter<? super T> caller;
        private volatile Runnable withdraw = () -> {
        };
        private SqlConnection connection;
        private volatile boolean isCancelled;
        /** Whether a cancellation waits for the end of the work that runs. */
        private volatile boolean runsToEnd;
        /** Whether the work runs. */
        private boolean isRunning;
        /** The statement that runs, so that PostgreSQL must cancel it; null for none. */
        private String running;
        private boolean isBeingCancelled;
        private boolean isInSnapshot;
        /** Whether the next statement of the snapshot is planned once. */
        private boolean plansOnce;

        Execution(Function<Execution<T>, Uni<T>> work, UniEmitter<? super T> caller) {
            this.work = work;
            this.caller = caller;
        }

        void begin() {
            // Not cancelled: a connection that arrives at the same moment on another thread would be lost.
            Connections.acquire(pool).onFailure().invoke(turns::end).subscribe().with(this::begin, caller::fail);
        }

        private void begin(SqlConnection acquired) {
            connection = acquired;
            (isCancelled ? Uni.createFrom().voidItem() : check.apply(acquired)).subscribe()
                    .with(nothing -> run(), this::endUnsent);
        }

        private void close() {
            connection.closeAndForget();
            turns.end();
        }

        private void endUnsent(Throwable failure) {
            close();
            caller.fail(failure);
        }

        private void run() {
            synchronized (this) {
                if (isCancelled) {
                    close();
                    return;
                }
                isRunning = true;
            }
            work.apply(this).subscribe().with(result -> {
                end();
                caller.complete(result);
            }, failure -> {
                end();
                caller.fail(failure);
            });
        }

        @Override
        public Uni<RowSet<Row>> execute(String sql, Tuple values) {
            return execute(sql, values, false);
        }

        @Override
        public Uni<RowSet<Row>> execute(Sql.Statement statement) {
            return lookUp(statement.values())
                    .chain(values -> execute(statement.text(), Tuple.from(values), statement.isPlannedOnce()));
        }

        private Uni<RowSet<Row>> execute(String sql, Tuple values, boolean isPlannedOnce) {
            return Uni.createFrom().deferred(() -> {
                synchronized (this) {
                    if (isCancelled && !runsToEnd) {
                        return Uni.createFrom().failure(cancelled());
                    }
                    running = sql;
                    if (isInSnapshot && plansOnce != isPlannedOnce) {
                        plansOnce = isPlannedOnce;
                        // The statement behind it fails where this one has failed.
                        send(isPlannedOnce ? PLAN_ONCE : PLAN_EACH_TIME).subscribe().with(set -> {
                        }, failure -> {
                        });
                    }
                }
                long start = System.nanoTime();
                return connection.preparedQuery(sql).execute(values).onTermination().invoke(this::endStatement)
                        .onFailure().transform(failure -> explained(failure, System.nanoTime() - start));
            });
        }

        private static CancellationException cancelled() {
            return new CancellationException("The caller no longer waits.");
        }

        @Override
        public <R> Uni<R> runToEnd(Supplier<Uni<R>> work) {
            return Uni.createFrom().deferred(() -> {
                synchronized (this) {
                    if (isCancelled) {
                        return Uni.createFrom().failure(cancelled());
                    }
                    runsToEnd = true;
                }
                return work.get().onTermination().invoke(() -> runsToEnd = false);
            });
        }

        Uni<?> beginSnapshot() {
            isInSnapshot = true;
            plansOnce = true;
            return send(BEGIN_SNAPSHOT);
        }

        private synchronized void endStatement() {
            running = null;
        }

        private Uni<?> send(String sql) {
            return connection.query(sql).execute();
        }

        private Throwable explained(Throwable failure, long nanos) {
            if (!DatabaseFailure.isCancelled(failure) || nanos < timeout.toNanos()) {
                return failure;
            }
            String reason = "The search takes longer than "
                    + BigDecimal.valueOf(timeout.toMillis(), 3).stripTrailingZeros().toPlainString() + " s.";
            LOG.warn(reason, reason);
            return new ApiException(503, reason);
        }

        private synchronized void end() {
            isRunning = false;
            closeIfUnused();
        }

        private synchronized void endCancel() {
            isBeingCancelled = false;
            closeIfUnused();
        }

        private void closeIfUnused() {
            if (!isRunning && !isBeingCancelled) {
                close();
            }
        }

        /** Does nothing if the work has ended. */
        void cancel() {
            synchronized (this) {
                isCancelled = true;
            }
            withdraw.run();
            cancel(MAX_CANCELS);
        }

        private void cancel(int attempts) {
            String sql;
            synchronized (this) {
                if (!isRunning || running == null || attempts == 0 || runsToEnd) {
                    return;
                }
                sql = running;
                isBeingCancelled = true;
            }
            PgConnection process = (PgConnection) connection.getDelegate();
            others.execute(CANCEL, Tuple.of(process.processId(), sql)).subscribe()
                    .with(done -> cancelAgain(attempts), failure -> cancelAgain(attempts));
        }

        private void cancelAgain(int attempts) {
            endCancel();
            Retries.runAfter(CANCEL_INTERVAL.toMillis(), () -> cancel(attempts - 1));
        }
    }
}
