package io.datasetlisting.database;

import java.time.Duration;
import java.util.List;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;

/**
 * Asks the primary at intervals for its state: which server it is, whether it takes writes, and the end of its log. If its address
 * leads to another server, for example after a failover behind a balancer that keeps old connections, this class has the connections
 * to the old server closed.
 *
 * @see <a href="../../../../../../docs/adr/0022-connections-that-do-not-answer.md">ADR 22</a>
 */
@Singleton
class PrimaryMonitor {

    private static final Logger LOG = Logger.getLogger(PrimaryMonitor.class);

    private static final Duration MAX_INTERVAL = Duration.ofMillis(500);
    /** Of the largest lag of a replica. A position of the log that is known late makes a replica look old. */
    private static final int INTERVALS_PER_LAG = 5;
    /** Time after which a state without an answer is asked for again, on a new connection. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final String STATE = """
            select pg_postmaster_start_time()::text as server, current_setting('transaction_read_only') = 'off' as writable,
                pg_wal_lsn_diff(case when not pg_is_in_recovery() then pg_current_wal_lsn() end, '0/0')::bigint as written""";

    private final Vertx vertx;
    private final Duration interval;
    private final WalPositions positions = new WalPositions();
    private SqlClient pages;
    private List<PgConnectOptions> servers;
    private PgConnectOptions probe;
    /** The time at which the state was asked for, while no answer has arrived. Used by one thread: the timer's. */
    private Long askedAt;
    private boolean probing;
    private String server;
    private volatile State state = State.SILENT;
    private volatile boolean ended;

    private enum State {
        WRITABLE, READ_ONLY, SILENT
    }

    PrimaryMonitor(Vertx vertx, DatabaseConfig config, MeterRegistry meters) {
        this.vertx = vertx;
        meters.gauge("dataset.primary.writable", this, monitor -> monitor.state == State.WRITABLE ? 1 : 0);
        Duration partOfLag = config.maxReplicaLag().dividedBy(INTERVALS_PER_LAG);
        interval = partOfLag.compareTo(MAX_INTERVAL) < 0 ? partOfLag : MAX_INTERVAL;
    }

    /**
     * @param pages
     *            the connections on which the state is asked for
     * @param servers
     *            the addresses of the primary
     * @param probe
     *            options of a connection that is closed when it receives nothing
     */
    void watch(SqlClient pages, List<PgConnectOptions> servers, PgConnectOptions probe) {
        this.pages = pages;
        this.servers = servers;
        this.probe = probe;
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        vertx.runOnContext(start -> ask());
    }

    void onEnd(@Observes ShutdownEvent event) {
        ended = true;
    }

    /** The time between two questions. */
    Duration interval() {
        return interval;
    }

    /** The positions of the primary's log, which this class keeps up to date. */
    WalPositions positions() {
        return positions;
    }

    private void ask() {
        if (ended) {
            return;
        }
        vertx.setTimer(interval.toMillis(), timer -> ask());
        long now = System.nanoTime();
        if (askedAt == null) {
            askedAt = now;
            pages.preparedQuery(STATE).execute().onComplete(answer -> {
                askedAt = null;
                if (answer.succeeded()) {
                    learn(answer.result(), now);
                } else {
                    noteSilence();
                }
            });
        } else if (now - askedAt > PATIENCE.toNanos()) {
            noteSilence();
            if (!probing) {
                probe();
            }
        }
    }

    /** A primary that does not answer takes no writes that a replica could lack. */
    private void noteSilence() {
        positions.addSilence(System.nanoTime());
        state = State.SILENT;
    }

    /** Asks on a new connection, which may lead to another server than the existing ones. */
    private void probe() {
        probing = true;
        long now = System.nanoTime();
        PgConnection.connect(vertx, probe)
                .compose(connection -> connection.query(STATE).execute().onComplete(answer -> connection.close()))
                .onComplete(answer -> {
                    probing = false;
                    if (answer.succeeded()) {
                        learn(answer.result(), now);
                    }
                });
    }

    private void learn(RowSet<Row> answer, long askedAt) {
        Row row = answer.iterator().next();
        Long written = row.getLong("written");
        if (written == null) {
            // A standby: there is no primary at this address, and so nothing is written.
            positions.addSilence(askedAt);
        } else {
            positions.add(written, askedAt);
        }
        State before = state;
        state = row.getBoolean("writable") ? State.WRITABLE : State.READ_ONLY;
        if (state == State.READ_ONLY && before != State.READ_ONLY) {
            LOG.warn("The primary takes no writes: it is read-only. Writes get 503");
        } else if (state == State.WRITABLE && before == State.READ_ONLY) {
            LOG.info("The primary takes writes again");
        }
        if (!row.getString("server").equals(server)) {
            if (server != null) {
                LOG.warn("The address of the primary leads to another server, or the server was started again");
                // A connection to the new server receives something within this time.
                vertx.setTimer(PATIENCE.toMillis(), timer -> ConnectionGuard.closeSilentSince(servers, askedAt));
            }
            server = row.getString("server");
        }
    }
}
