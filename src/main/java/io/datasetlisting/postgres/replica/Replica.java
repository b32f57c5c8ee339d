package io.datasetlisting.postgres.replica;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;

import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.Searches;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;

/**
 * The replica: one standby, or several behind a balancer. Each connection may lead to another standby, so each one is used only
 * while its own lag is known to be small enough.
 */
final class Replica implements DatabaseServer {

    private static final Logger LOG = Logger.getLogger(Replica.class);

    private static final String REPLAYED = """
            select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                else pg_current_wal_lsn() end, '0/0')::bigint, current_database()::text""";
    private static final String END_CONNECTION = "select pg_terminate_backend(pg_backend_pid())";

    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(1);
    /** Age of the last answer above which a shared connection is not used: its server may be frozen. */
    private static final Duration MAX_ANSWER_AGE = Duration.ofMillis(1500);
    /** Time after which a shared connection is replaced, so that connections spread over the standbys again. */
    static final Duration MAX_LIFE = Duration.ofMinutes(1);
    /** The same for a connection to a standby that lags. The next connection may lead to another standby. */
    private static final Duration MAX_LIFE_OF_LAGGING = Duration.ofSeconds(2);
    /** Of a connection to a server that refuses its position. The pause doubles with each refusal. */
    private static final Duration MIN_PAUSE = Duration.ofMillis(500);
    private static final Duration MAX_PAUSE = MIN_PAUSE.multipliedBy(16);

    private final Vertx vertx;
    private final Supplier<Future<PgConnectOptions>> servers;
    private final List<SharedConnection> shared;
    private final Pool streams;
    private final Pool searchConnections;
    private final WalPositions positions;
    private final long maxLag;
    /** The name that the newest shared connection has read. Behind a pooler it may differ from the configured name. */
    private volatile String database;
    /** Why a server has last refused its position; null after an answer. */
    private volatile String refusal;
    private final StatementRunner pages = this::executeOnUpToDate;
    private final StatementRunner allPages = this::executeOnAll;
    private final Searches searches;

    /**
     * @param servers
     *            for each of the shared connections
     * @param positions
     *            of the primary's log
     */
    Replica(Vertx vertx, Supplier<Future<PgConnectOptions>> servers, DatabaseConfig config, Pool searchConnections,
            Pool streams,
            WalPositions positions) {
        this.vertx = vertx;
        this.servers = servers;
        this.searchConnections = searchConnections;
        this.streams = streams;
        this.positions = positions;
        maxLag = config.maxReplicaLag().toNanos();
        shared = IntStream.range(0, config.pageConnections()).mapToObj(i -> new SharedConnection()).toList();
        searches = new Searches(searchConnections, this::check, allPages, config);
    }

    /** No connection leads to a standby that answers and whose lag is small enough. */
    static final class LaggingException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LaggingException() {
            super("the replica lags", null, false, false);
        }
    }

    @Override
    public StatementRunner pages() {
        return pages;
    }

    @Override
    public StatementRunner allPages() {
        return allPages;
    }

    @Override
    public Searches searches() {
        return searches;
    }

    @Override
    public Uni<SqlConnection> stream() {
        return Connections.acquire(streams).call(connection -> check(connection).onFailure().call(connection::close))
                .onFailure().transform(e -> new LaggingException());
    }

    /** Whether a shared connection leads to a standby whose lag is small enough. */
    boolean isUpToDate() {
        long now = System.nanoTime();
        return shared.stream().anyMatch(each -> each.isUpToDate(now));
    }

    /** The largest lag of the shared connections in seconds; not a number if none of them has answered. */
    double lagSeconds() {
        long now = System.nanoTime();
        return shared.stream().map(each -> each.current).filter(Objects::nonNull)
                .mapToDouble(measured -> (now - measured.completeAt) / 1e9).max().orElse(Double.NaN);
    }

    /** Measures the lag of each shared connection, and opens connections that are lost or that lag. */
    void measure() {
        shared.forEach(SharedConnection::measure);
    }

    void close() {
        shared.forEach(SharedConnection::close);
        searchConnections.closeAndForget();
        streams.closeAndForget();
    }

    private Uni<RowSet<Row>> executeOnUpToDate(String sql, Tuple values) {
        long now = System.nanoTime();
        return shared.stream().filter(each -> each.isUpToDate(now))
                .min(Comparator.comparingInt(each -> each.running.get()))
                .map(each -> each.execute(sql, values))
                .orElseGet(() -> Uni.createFrom().failure(new LaggingException()));
    }

    private Uni<RowSet<Row>> executeOnAll(String sql, Tuple values) {
        return Uni.join().all(shared.stream().map(each -> each.execute(sql, values)).toList()).andCollectFailures()
                .map(results -> results.get(0));
    }

    /** Fails if the connection leads to a standby that lags. The connection is then ended, so that the pool opens another one. */
    private Uni<Void> check(SqlConnection connection) {
        return connection.query(REPLAYED).execute().ifNoItem().after(CHECK_TIMEOUT).fail()
                .map(rows -> rows.iterator().next())
                .chain(row -> isUpToDate(positions.completeAt(row.getLong(0)), System.nanoTime())
                        && !isRenamed(database, row.getString(1))
                                ? Uni.createFrom().voidItem()
                                : connection.query(END_CONNECTION).execute()
                                        .onItemOrFailure()
                                        .transformToUni(
                                                (rows2, e) -> Uni.createFrom().failure(new LaggingException())));
    }

    /** Whether a database was renamed since its name was read: another one may have this name now. */
    private static boolean isRenamed(String before, String now) {
        return before != null && !before.equals(now);
    }

    /** Another try soon would not help: the role may not execute a function, or the server does not have it. */
    private static boolean isRefusal(Throwable e) {
        return e instanceof PgException && !DatabaseFailure.isTemporary(e);
    }

    private synchronized void warnOnce(String reason) {
        if (!reason.equals(refusal)) {
            refusal = reason;
            LOG.warn("The replica is not used, because it refuses the position of its log: " + reason
                    + ". Grant the role of the service execute on pg_last_wal_replay_lsn() and"
                    + " pg_current_wal_lsn(), or remove dataset.database.read-url");
        }
    }

    private boolean isUpToDate(long completeAt, long now) {
        return now - completeAt <= maxLag;
    }

    /** One of the connections that all callers share. */
    private final class SharedConnection {

        private final Context context = ((VertxInternal) vertx).createEventLoopContext();
        private final AtomicInteger running = new AtomicInteger();
        private volatile Measured current;
        private boolean measuring;
        /** Times and lengths of pauses are nanoseconds. */
        private long pause;
        private long pauseEnd = System.nanoTime();

        boolean isUpToDate(long now) {
            Measured measured = current;
            return measured != null && now - measured.answeredAt <= MAX_ANSWER_AGE.toNanos()
                    && Replica.this.isUpToDate(measured.completeAt, now);
        }

        Uni<RowSet<Row>> execute(String sql, Tuple values) {
            Measured measured = current;
            if (measured == null) {
                return Uni.createFrom().failure(new LaggingException());
            }
            running.incrementAndGet();
            return SqlConnection.newInstance(measured.connection).preparedQuery(sql).execute(values)
                    .onTermination().invoke(running::decrementAndGet);
        }

        void measure() {
            context.runOnContext(start -> {
                if (measuring || System.nanoTime() - pauseEnd < 0) {
                    return;
                }
                measuring = true;
                Measured before = current;
                boolean replace = before == null || isDue(before);
                (replace ? open() : Future.succeededFuture(before))
                        .compose(open -> open.connection.preparedQuery(REPLAYED).execute()
                                .map(rows -> rows.iterator().next())
                                .map(row -> with(open, row.getLong(0), row.getString(1)))
                                .onFailure(e -> endIfRefused(open, e)))
                        .onComplete(measured -> {
                            measuring = false;
                            if (measured.failed()) {
                                LOG.debugf("The replica does not answer: %s", measured.cause().getMessage());
                                return;
                            }
                            current = measured.result();
                            pause = 0;
                            refusal = null;
                            if (replace && before != null) {
                                before.connection.close();
                            }
                        });
            });
        }

        private void endIfRefused(Measured open, Throwable e) {
            if (isRefusal(e)) {
                current = null;
                open.connection.close();
                pause = Math.min(MAX_PAUSE.toNanos(), Math.max(MIN_PAUSE.toNanos(), 2 * pause));
                pauseEnd = System.nanoTime() + pause;
                warnOnce(DatabaseFailure.reason(e));
            }
        }

        /** A standby does not end its sessions when a database is renamed, so this one is closed and opened again. */
        private Measured with(Measured open, long replayed, String name) {
            if (isRenamed(open.database, name)) {
                LOG.warn("The database of a connection to the replica was renamed: the connection is replaced");
                current = null;
                open.connection.close();
                throw new LaggingException();
            }
            if (open.database == null) {
                database = name;
            }
            return new Measured(open.connection, name, open.openedAt, System.nanoTime(),
                    positions.completeAt(replayed));
        }

        private boolean isDue(Measured measured) {
            long now = System.nanoTime();
            return now - measured.openedAt > (isUpToDate(now) ? MAX_LIFE : MAX_LIFE_OF_LAGGING).toNanos();
        }

        private Future<Measured> open() {
            return servers.get().compose(server -> PgConnection.connect(vertx, server)).map(connection -> {
                connection.exceptionHandler(e -> LOG.debug("A connection to the replica failed", e));
                connection.closeHandler(end -> {
                    if (current != null && current.connection == connection) {
                        current = null;
                    }
                });
                return new Measured(connection, null, System.nanoTime(), 0, 0);
            });
        }

        void close() {
            context.runOnContext(start -> {
                if (current != null) {
                    current.connection.close();
                }
            });
        }
    }

    /**
     * A connection, with times as {@link System#nanoTime} gives them.
     *
     * @param database
     *            its name; null before the first measurement
     * @param answeredAt
     *            of the last measurement
     * @param completeAt
     *            the last time at which the server was known to have all changes
     */
    private record Measured(PgConnection connection, String database, long openedAt, long answeredAt, long completeAt) {
    }
}
