package io.datasetlisting.postgres.replica;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;

/**
 * Asks the primary at intervals for its state: which server it is, whether it takes writes, and the end of its log. If the answer
 * is that of a standby, or if there is none, this class asks on a new connection. If that leads to another server, for example
 * after a failover behind a balancer that keeps old connections, this class has the connections to the old server closed.
 *
 * @see <a href="../../../../../../../docs/adr/0022-connections-that-do-not-answer.md">ADR 22</a>
 */
@Singleton
class PrimaryMonitor {

    private static final Logger LOG = Logger.getLogger(PrimaryMonitor.class);

    private static final Duration MAX_INTERVAL = Duration.ofMillis(500);
    /** Of the largest lag of a replica. A position of the log that is known late makes a replica look old. */
    private static final int INTERVALS_PER_LAG = 5;
    /** Time in which a connection to a new server receives something. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /**
     * Time for which sessions on standbys are refused after the last answer of a primary. If there is no primary for longer, the
     * service reads from a standby rather than from no server.
     */
    private static final Duration STANDBYS_REFUSED = Duration.ofMinutes(1);

    private static final String STATE = """
            select pg_postmaster_start_time()::text as server, current_setting('transaction_read_only') = 'off' as writable,
                pg_backend_pid() as process,
                pg_wal_lsn_diff(case when not pg_is_in_recovery() then pg_current_wal_lsn() end, '0/0')::bigint as written""";

    private final Vertx vertx;
    private final Duration interval;
    private final WalPositions positions = new WalPositions();
    private Context context;
    private SqlClient pages;
    private List<PgConnectOptions> servers;
    private Supplier<Future<PgConnectOptions>> probes;
    /**
     * The time at which the state was asked for, while no answer has arrived. This field and those below are used only in the
     * context.
     */
    private Long askedAt;
    /** The question on a new connection, while no answer has arrived. */
    private Future<State> probe;
    private long probedAt;
    /** Whether a connection leads to a server that takes no writes, although another server of the address may take them. */
    private boolean suspicious;
    /** Whether a session tells the state of its own server. That of a pooler may tell the state of an earlier one. */
    private boolean direct;
    private String server;
    private volatile State state = State.SILENT;
    private volatile boolean ended;

    private enum State {
        WRITABLE, READ_ONLY, STANDBY, SILENT
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
     * @param probes
     *            these in turn, for connections that are closed when they receive nothing
     */
    void watch(SqlClient pages, List<PgConnectOptions> servers, Supplier<Future<PgConnectOptions>> probes) {
        context = ((VertxInternal) vertx).createEventLoopContext();
        this.pages = pages;
        this.servers = servers;
        this.probes = probes;
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        context.runOnContext(start -> {
            probe();
            ask();
        });
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

    /** Whether no primary answers, as far as is known. */
    boolean isPrimaryAway() {
        return state == State.SILENT || state == State.STANDBY;
    }

    /**
     * Whether a new connection leads to a server that takes writes, for a caller whose connection leads to one that takes none.
     * While no primary answers, this method waits for one.
     */
    Uni<Boolean> findWritable(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        return Uni.createFrom().<Boolean>emitter(caller -> context.runOnContext(start -> {
            suspicious = true;
            findWritable(caller, deadline);
        })).emitOn(CallerContext.later());
    }

    private void findWritable(UniEmitter<? super Boolean> caller, long deadline) {
        probe().onComplete(found -> {
            if (!isPrimaryAway() || ended || System.nanoTime() + interval.toNanos() > deadline) {
                caller.complete(found.result() == State.WRITABLE);
            } else {
                vertx.setTimer(interval.toMillis(), timer -> findWritable(caller, deadline));
            }
        });
    }

    private void ask() {
        if (ended) {
            return;
        }
        vertx.setTimer(interval.toMillis(), timer -> ask());
        long now = System.nanoTime();
        if (askedAt == null) {
            askedAt = now;
            pages.preparedQuery(STATE).execute().onComplete(answer -> context.runOnContext(arrived -> {
                askedAt = null;
                Row row = answer.succeeded() ? answer.result().iterator().next() : null;
                if (row != null && row.getLong("written") != null) {
                    learn(row, now);
                } else {
                    suspicious |= row != null;
                    probe();
                }
            }));
        } else if (now - askedAt > interval.toNanos() * 3 / 2) {
            probe();
        }
    }

    /**
     * Asks on a new connection, which may lead to another server than the existing ones. Concurrent callers share one question.
     */
    private Future<State> probe() {
        if (probe != null) {
            if (System.nanoTime() - probedAt > interval.toNanos() / 2) {
                noteAbsence(State.SILENT);
            }
            return probe;
        }
        long now = System.nanoTime();
        probedAt = now;
        Promise<State> result = Promise.promise();
        probe = result.future();
        probes.get().compose(server -> PgConnection.connect(vertx, server))
                .compose(connection -> connection.query(STATE).execute()
                        .map(rows -> {
                            Row row = rows.iterator().next();
                            direct = row.getInteger("process") == connection.processId();
                            return row;
                        })
                        .onComplete(answer -> connection.close()))
                .onComplete(answer -> {
                    probe = null;
                    learnFromProbe(answer.result(), now);
                    result.complete(state);
                });
        return result.future();
    }

    /**
     * @param row
     *            null if no server answers
     */
    private void learnFromProbe(Row row, long now) {
        if (row == null || row.getLong("written") == null) {
            noteAbsence(row == null ? State.SILENT : State.STANDBY);
            return;
        }
        learn(row, now);
        boolean isToClose = suspicious && state == State.WRITABLE;
        suspicious = false;
        if (isToClose && !direct) {
            // To close the connections to a pooler would not end the pooler's own connections to the standby.
            pages.query(Connections.END_IF_STANDBY).execute();
        } else if (isToClose) {
            LOG.warn(
                    "A connection leads to a server that takes no writes, a new one to the primary: older connections are "
                            + "closed");
            ConnectionGuard.closeOpenedBefore(servers, now);
        }
    }

    /** There is no primary at this address, and so nothing is written that a replica could lack. */
    private void noteAbsence(State absence) {
        positions.addSilence(System.nanoTime());
        if (absence == State.STANDBY && state != State.STANDBY) {
            LOG.warn("The address of the primary leads to a standby. Writes get 503");
        }
        state = absence;
    }

    private void learn(Row row, long askedAt) {
        positions.add(row.getLong("written"), askedAt);
        if (direct) {
            ConnectionGuard.refuseStandbys(servers, STANDBYS_REFUSED);
        }
        State before = state;
        state = row.getBoolean("writable") ? State.WRITABLE : State.READ_ONLY;
        if (state == State.READ_ONLY && before != State.READ_ONLY) {
            LOG.warn("The primary takes no writes: it is read-only. Writes get 503");
        } else if (state == State.WRITABLE && (before == State.READ_ONLY || before == State.STANDBY)) {
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
