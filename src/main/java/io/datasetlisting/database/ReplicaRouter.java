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
 * Where reads go that may be a moment old: to a replica, while there is one that keeps up, or to the primary.
 *
 * <p>
 * How far the replica is behind is measured by positions in the primary's log, each of which was there at a known time. So
 * clocks do not have to agree, and a replica of a primary that is idle, or gone, is not taken for one that lags.
 */
@Singleton
public class ReplicaRouter {

    private static final Logger LOG = Logger.getLogger(ReplicaRouter.class);

    private static final long INTERVAL = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String WRITTEN = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint";
    private static final String REPLAYED = """
            select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                else pg_current_wal_lsn() end, '0/0')::bigint""";

    private final Pool primaryPool;
    private final Vertx vertx;
    private final long maxLag;
    /** Positions that the replica has not been seen to reach, oldest first. On one timer's thread. */
    private final Deque<Position> positions = new ArrayDeque<>();
    private Server primary;
    private Server replica;
    private volatile boolean inUse;
    private volatile double lagSeconds = Double.NaN;

    /**
     * Two ways to ask one server.
     *
     * @param pool
     *            connections to have for oneself, for as long as it takes
     * @param pages
     *            a few connections that many share, for statements that are soon done: each waits for those before it
     */
    public record Server(Pool pool, SqlClient pages) {
    }

    /** Of the primary's log, where it was at a time. */
    private record Position(long lsn, long nanos) {
    }

    ReplicaRouter(Pool primaryPool, Vertx vertx, DatabaseConfig config, MeterRegistry meters) {
        this.primaryPool = primaryPool;
        this.vertx = vertx;
        maxLag = config.maxReplicaLag().toNanos();
        if (config.readUrl().isPresent()) {
            meters.gauge("dataset.replica.lag.seconds", this, reads -> reads.lagSeconds);
            meters.gauge("dataset.replica.used", this, reads -> reads.inUse ? 1 : 0);
        }
    }

    void usePrimary(io.vertx.sqlclient.SqlClient pages) {
        primary = new Server(primaryPool, SqlClient.newInstance(pages));
    }

    void useReplica(io.vertx.sqlclient.Pool pool, io.vertx.sqlclient.SqlClient pages) {
        replica = new Server(Pool.newInstance(pool), SqlClient.newInstance(pages));
    }

    /** Behind the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (replica != null) {
            measure();
        }
    }

    void onEnd(@Observes ShutdownEvent event) {
        primary.pages.closeAndForget();
        if (replica != null) {
            replica.pages.closeAndForget();
            replica.pool.closeAndForget();
        }
    }

    /** The one that is written to. */
    public Server primary() {
        return primary;
    }

    /** The replica, or the primary while there is none that is good. */
    public Server current() {
        return inUse ? replica : primary;
    }

    /** What a query finds there; on the primary where the replica fails, which is then not asked until it answers again. */
    public <T> Uni<T> read(Function<Server, Uni<T>> query) {
        if (!inUse) {
            return query.apply(primary);
        }
        return query.apply(replica).onFailure().recoverWithUni(e -> {
            if (inUse) {
                inUse = false;
                LOG.warnf("Reads go to the primary: the replica has failed: %s", e.getMessage());
            }
            return query.apply(primary);
        });
    }

    private void measure() {
        long asked = System.nanoTime();
        lsn(primaryPool, WRITTEN)
                // What is not written can't be missed.
                .onFailure().recoverWithItem(-1L)
                .invoke(written -> {
                    if (written >= 0) {
                        positions.add(new Position(written, asked));
                    }
                })
                .chain(() -> lsn(replica.pool, REPLAYED))
                .map(this::lag)
                .subscribe().with(lag -> judge(lag, null), e -> judge(-1, e));
    }

    private static Uni<Long> lsn(Pool pool, String sql) {
        return pool.query(sql).execute().ifNoItem().after(PATIENCE).fail()
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Nanoseconds since the replica was known to have all. */
    private long lag(long replayed) {
        for (Iterator<Position> each = positions.iterator(); each.hasNext() && each.next().lsn <= replayed;) {
            each.remove();
        }
        return positions.isEmpty() ? 0 : System.nanoTime() - positions.getFirst().nanos;
    }

    private void judge(long lag, Throwable failure) {
        boolean good = failure == null && lag <= maxLag;
        lagSeconds = failure == null ? lag / 1e9 : Double.NaN;
        if (good != inUse) {
            if (good) {
                LOG.info("Reads go to the replica");
            } else if (failure == null) {
                LOG.warnf("Reads go to the primary: the replica is %.1f s behind", lagSeconds);
            } else {
                LOG.warnf("Reads go to the primary: the replica does not answer: %s", failure.getMessage());
            }
            inUse = good;
        }
        vertx.setTimer(INTERVAL, timer -> measure());
    }
}
