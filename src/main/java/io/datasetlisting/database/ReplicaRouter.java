package io.datasetlisting.database;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Function;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClient;

/**
 * Chooses the server for reads whose result may be slightly old: the replica while it answers and its lag is small enough, otherwise the
 * primary.
 *
 * <p>
 * The lag is the age of the oldest position in the primary's log that the replica has not replayed. This class remembers when it read
 * each position from the primary, so the clocks of the servers need not agree. A replica of an idle or lost primary has no lag.
 */
@Singleton
public class ReplicaRouter {

    private static final Logger LOG = Logger.getLogger(ReplicaRouter.class);

    private static final long MEASURE_INTERVAL_MILLIS = 500;
    private static final Duration MEASURE_TIMEOUT = Duration.ofSeconds(1);
    private static final String WRITTEN_POSITION = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint";
    private static final String REPLAYED_POSITION = """
            select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                else pg_current_wal_lsn() end, '0/0')::bigint""";

    private final Pool primaryPool;
    private final Vertx vertx;
    private final long maxLagNanos;
    /** Positions that the replica had not replayed at the last measurement, oldest first. Used by one thread: the timer's. */
    private final Deque<Position> positions = new ArrayDeque<>();
    private Server primary;
    private Server replica;
    private volatile boolean replicaUsed;
    private volatile double lagSeconds = Double.NaN;

    /**
     * The primary or the replica, with its two kinds of connections.
     *
     * @param pool
     *            connections that one caller holds exclusively, for transactions and for statements that may take long
     * @param pages
     *            a few connections that all callers share, for short statements: each statement waits for the statements before it on
     *            its connection
     */
    public record Server(Pool pool, SqlClient pages) {
    }

    /** A position of the primary's log, and the {@link System#nanoTime} before it was read. */
    private record Position(long lsn, long nanos) {
    }

    ReplicaRouter(Pool primaryPool, Vertx vertx, DatabaseConfig config, MeterRegistry meters) {
        this.primaryPool = primaryPool;
        this.vertx = vertx;
        maxLagNanos = config.maxReplicaLag().toNanos();
        if (config.readUrl().isPresent()) {
            meters.gauge("dataset.replica.lag.seconds", this, router -> router.lagSeconds);
            meters.gauge("dataset.replica.used", this, router -> router.replicaUsed ? 1 : 0);
        }
    }

    void usePrimary(io.vertx.sqlclient.SqlClient pages) {
        primary = new Server(primaryPool, SqlClient.newInstance(pages));
    }

    void useReplica(io.vertx.sqlclient.Pool pool, io.vertx.sqlclient.SqlClient pages) {
        replica = new Server(Pool.newInstance(pool), SqlClient.newInstance(pages));
    }

    /** Starts the measurements after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (replica != null) {
            measureLag();
        }
    }

    void onEnd(@Observes ShutdownEvent event) {
        primary.pages.closeAndForget();
        if (replica != null) {
            replica.pages.closeAndForget();
            replica.pool.closeAndForget();
        }
    }

    /** The server that also takes writes. */
    public Server primary() {
        return primary;
    }

    /** The replica while it is used, otherwise the primary. */
    public Server current() {
        return replicaUsed ? replica : primary;
    }

    /**
     * Runs a query on the current server. If it fails on the replica, it runs again on the primary, and the replica is not used until the
     * next successful measurement.
     */
    public <T> Uni<T> read(Function<Server, Uni<T>> query) {
        if (!replicaUsed) {
            return readPrimary(query);
        }
        return query.apply(replica).onFailure().recoverWithUni(e -> {
            if (replicaUsed) {
                replicaUsed = false;
                LOG.warnf("Reads go to the primary: a query on the replica failed: %s", e.getMessage());
            }
            return readPrimary(query);
        });
    }

    /** Runs a query on the primary, and once more if its connection is lost. */
    public <T> Uni<T> readPrimary(Function<Server, Uni<T>> query) {
        return Connections.readAgainIfLost(() -> query.apply(primary));
    }

    private void measureLag() {
        long before = System.nanoTime();
        lsn(primaryPool, WRITTEN_POSITION)
                // A primary that does not answer takes no writes that the replica could lack.
                .onFailure().recoverWithItem(-1L)
                .invoke(written -> {
                    if (written >= 0) {
                        positions.add(new Position(written, before));
                    }
                })
                .chain(() -> lsn(replica.pool, REPLAYED_POSITION))
                .map(this::lagNanos)
                .subscribe().with(lag -> chooseServer(lag, null), e -> chooseServer(-1, e));
    }

    private static Uni<Long> lsn(Pool pool, String sql) {
        return pool.query(sql).execute().ifNoItem().after(MEASURE_TIMEOUT).fail()
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Nanoseconds since the oldest position that the replica has not replayed; 0 if it has replayed all. */
    private long lagNanos(long replayed) {
        for (Iterator<Position> each = positions.iterator(); each.hasNext() && each.next().lsn <= replayed;) {
            each.remove();
        }
        return positions.isEmpty() ? 0 : System.nanoTime() - positions.getFirst().nanos;
    }

    private void chooseServer(long lagNanos, Throwable failure) {
        boolean usable = failure == null && lagNanos <= maxLagNanos;
        lagSeconds = failure == null ? lagNanos / 1e9 : Double.NaN;
        if (usable != replicaUsed) {
            if (usable) {
                LOG.info("Reads go to the replica");
            } else if (failure == null) {
                LOG.warnf("Reads go to the primary: the replica is %.1f s behind", lagSeconds);
            } else {
                LOG.warnf("Reads go to the primary: the replica does not answer: %s", failure.getMessage());
            }
            replicaUsed = usable;
        }
        vertx.setTimer(MEASURE_INTERVAL_MILLIS, timer -> measureLag());
    }
}
