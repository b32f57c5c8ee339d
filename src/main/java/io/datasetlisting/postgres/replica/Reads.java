package io.datasetlisting.postgres.replica;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.Searches;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.database.StreamConnection;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Chooses the server for reads whose result may be slightly old: the replica while one of its connections answers and has a lag
 * that is small enough, otherwise the primary. A replica of an idle or lost primary has no lag.
 */
@Singleton
public class Reads {

    private static final Logger LOG = Logger.getLogger(Reads.class);

    private static final LimitedLog WARNINGS = new LimitedLog(LOG);

    private final DatabaseConfig config;
    private final PrimaryMonitor monitor;
    private final Vertx vertx;
    private SqlClient primaryPages;
    private List<Pool> primaryPools;
    private DatabaseServer primary;
    private Replica replica;
    private volatile boolean replicaUsed;
    private volatile boolean ended;

    Reads(PrimaryMonitor monitor, Vertx vertx, DatabaseConfig config, MeterRegistry meters) {
        this.config = config;
        this.monitor = monitor;
        this.vertx = vertx;
        meters.gauge("dataset.searches.waiting", this, router -> router.waitingSearches());
        if (config.readUrl().isPresent()) {
            meters.gauge("dataset.replica.lag.seconds", this, router -> router.replica.lagSeconds());
            meters.gauge("dataset.replica.used", this, router -> router.replicaUsed ? 1 : 0);
        }
    }

    /** The server that takes writes. */
    private record Primary(StatementRunner pages, Searches searches, Pool streams) implements DatabaseServer {

        @Override
        public StatementRunner allPages() {
            return pages;
        }

        @Override
        public Uni<SqlConnection> stream() {
            return Connections.acquire(streams);
        }
    }

    void usePrimary(io.vertx.sqlclient.SqlClient pages, Pool searches, Pool streams) {
        primaryPages = SqlClient.newInstance(pages);
        primaryPools = List.of(searches, streams);
        StatementRunner shared = (sql, values) -> primaryPages.preparedQuery(sql).execute(values);
        primary = new Primary(shared,
                new Searches(searches, connection -> Uni.createFrom().voidItem(), shared, config), streams);
    }

    private int waitingSearches() {
        return primary.searches().waiting() + (replica == null ? 0 : replica.searches().waiting());
    }

    void useReplica(Replica replica) {
        this.replica = replica;
    }

    /** Starts the measurements after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (replica != null) {
            measureLag();
        }
    }

    /** Runs after the users of the pools have ended their work. */
    void onEnd(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ShutdownEvent event) {
        ended = true;
        primaryPages.closeAndForget();
        primaryPools.forEach(Pool::closeAndForget);
        if (replica != null) {
            replica.close();
        }
    }

    /** The server that also takes writes. */
    public DatabaseServer primary() {
        return primary;
    }

    /** Whether reads go to the replica. */
    boolean usesReplica() {
        return replicaUsed;
    }

    /**
     * Runs a query as {@link #read(Function)} does, or on the primary.
     *
     * @param isOfWriter
     *            whether the caller may write: a replica may not have its last write yet
     */
    public <T> Uni<T> read(boolean isOfWriter, Function<DatabaseServer, Uni<T>> query) {
        return isOfWriter ? readPrimary(query) : read(query);
    }

    /** Runs a query on the replica while it is used. If the query fails there, or without the replica, it runs on the primary. */
    public <T> Uni<T> read(Function<DatabaseServer, Uni<T>> query) {
        return replicaUsed
                ? query.apply(replica).onFailure().recoverWithUni(e -> {
                    if (e instanceof ApiException) {
                        // The search takes too long, and would again.
                        return Uni.createFrom().failure(e);
                    }
                    if (!(e instanceof Replica.LaggingException)) {
                        String reason = DatabaseFailure.reason(e);
                        WARNINGS.warn(reason, "A read that failed on the replica runs on the primary: " + reason);
                    }
                    return readPrimary(query);
                })
                : readPrimary(query);
    }

    /**
     * Runs a query on the primary, or another one on the replica while the replica is used and no primary answers. A primary that
     * is lost during the query counts as one that does not answer.
     */
    public <T> Uni<T> readPrimaryIfPresent(Supplier<Uni<T>> onPrimary, Function<DatabaseServer, Uni<T>> onReplica) {
        if (replicaUsed && monitor.isPrimaryAway()) {
            return readElsewhereFirst(onReplica.apply(replica), onPrimary);
        }
        return onPrimary.get().onFailure(e -> replicaUsed && DatabaseFailure.isTemporary(e))
                .recoverWithUni(e -> onReplica.apply(replica).onFailure().transform(onReplicaToo -> e));
    }

    /**
     * Recovers a read that fails on another server by another read, which runs in the context of the caller: a session of
     * Hibernate begins in no other one. A shared connection of the replica fails in a context of its own.
     */
    static <T> Uni<T> readElsewhereFirst(Uni<T> elsewhere, Supplier<Uni<T>> read) {
        return elsewhere.emitOn(CallerContext.now()).onFailure().recoverWithUni(e -> read.get());
    }

    /** Runs a query on the primary, and once more if its connection is lost. */
    public <T> Uni<T> readPrimary(Function<DatabaseServer, Uni<T>> query) {
        return Connections.readAgainIfLost(() -> query.apply(primary));
    }

    /** Streams from the server that {@link #read(boolean, Function)} chooses; see {@link StreamConnection#stream}. */
    public <T> Multi<T> stream(boolean isOfWriter, BiFunction<DatabaseServer, SqlConnection, Multi<T>> work) {
        return isOfWriter || !replicaUsed
                ? StreamConnection.stream(primary, connection -> work.apply(primary, connection))
                : StreamConnection.stream(replica, connection -> work.apply(replica, connection))
                        .onFailure(Replica.LaggingException.class).recoverWithMulti(() -> stream(true, work));
    }

    private void measureLag() {
        if (ended) {
            return;
        }
        replica.measure();
        boolean upToDate = replica.isUpToDate();
        if (upToDate != replicaUsed) {
            if (upToDate) {
                LOG.info("Reads go to the replica");
            } else {
                double lag = replica.lagSeconds();
                LOG.warn("Reads go to the primary: " + (Double.isNaN(lag)
                        ? "the replica does not answer"
                        : String.format(Locale.ROOT, "the replica is %.1f s behind", lag)));
            }
            replicaUsed = upToDate;
        }
        vertx.setTimer(monitor.interval().toMillis(), timer -> measureLag());
    }
}
