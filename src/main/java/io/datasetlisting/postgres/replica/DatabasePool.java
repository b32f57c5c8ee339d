package io.datasetlisting.postgres.replica;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.DatabaseProbe;
import io.datasetlisting.postgres.database.StreamConnections;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnectOptions;

/**
 * Creates the connection pools of the primary and of the replica, with a time limit for each wait.
 *
 * @see <a href="../../../../../../../docs/adr/0013-pages-share-a-few-connections.md">ADR 13</a>
 */
@Singleton
class DatabasePool implements PgPoolCreator {

    /** Statements in flight on a connection for pages: enough that PostgreSQL never waits for the next statement. */
    private static final int MAX_IN_FLIGHT = 4;

    /**
     * Longest statement, in characters, that stays prepared. To parse a long statement again takes longer than to read a page.
     */
    private static final int MAX_PREPARED_LENGTH = 16_384;

    /** Connections of the general pool that writes leave to reads. */
    private static final int CONNECTIONS_FOR_READS = 2;

    private static final String READ_URL = "dataset.database.read-url";

    private static final Duration MAX_SILENCE = Duration.ofSeconds(2);

    private final DatabaseConfig config;
    private final Duration requestTimeout;
    private final Reads router;
    private final PrimaryMonitor monitor;
    private final MaintenancePool maintenance;
    private final DatabaseProbe probe;
    private final StreamConnections streams;
    private final Event<BeforeConnections> before;
    /** The platform makes options of each of them, in this order. */
    private final List<String> addresses;
    private PasswordFile password;

    DatabasePool(DatabaseConfig config, Reads router, PrimaryMonitor monitor,
            MaintenancePool maintenance, DatabaseProbe probe, StreamConnections streams,
            Event<BeforeConnections> before,
            @ConfigProperty(name = "dataset.http.request-timeout") Duration requestTimeout,
            @ConfigProperty(name = DerivedKeys.REACTIVE_URL) Optional<List<String>> addresses) {
        this.config = config;
        this.probe = probe;
        this.streams = streams;
        this.before = before;
        this.addresses = addresses.orElse(List.of());
        this.requestTimeout = requestTimeout;
        this.router = router;
        this.monitor = monitor;
        this.maintenance = maintenance;
    }

    @Override
    public Pool create(Input input) {
        for (int i = 0; i < addresses.size(); i++) {
            DatabaseAddress.applyTls(DerivedKeys.REACTIVE_URL, addresses.get(i), input.pgConnectOptionsList().get(i));
        }
        config.readUrl().ifPresent(url -> DatabaseAddress.parse(READ_URL, url));
        before.fire(new BeforeConnections());
        password = new PasswordFile(input.vertx(), config.passwordFile());
        int connectTimeout = Math.toIntExact(config.connectTimeout().toMillis());
        // Each caller has its own time limit. The pool's timeout also fires for callers that have given up.
        PoolOptions pool = input.poolOptions().setConnectionTimeout(0).setName("primary");
        input.pgConnectOptionsList().forEach(options -> options
                .setConnectTimeout(connectTimeout)
                .setPreparedStatementCacheSqlLimit(MAX_PREPARED_LENGTH)
                // With this flag, Vert.x sends the text of a statement with each execution, but not of a cached statement.
                .setCachePreparedStatements(options.getCachePreparedStatements() && !options.getUseLayer7Proxy())
                // Without this limit, connections to a host that has vanished stay open for a quarter of an hour.
                .setIdleTimeout(Math.toIntExact(config.idleTimeout().toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS));
        Connections.limitWrites(Math.max(1, pool.getMaxSize() - CONNECTIONS_FOR_READS), requestTimeout,
                requestTimeout.dividedBy(2), monitor::findWritable);
        List<PgConnectOptions> servers = input.pgConnectOptionsList().stream()
                .map(server -> withLockTimeout(server, requestTimeout)).toList();
        Pool primary = pool(pool, servers, input.vertx());
        ConnectionGuard.watch(input.pgConnectOptionsList(), config.connectTimeout());
        SqlClient pages = pageClient(pool, input.pgConnectOptionsList(), input.vertx());
        router.usePrimary(pages, searchPool(pool, servers, input.vertx()), streamPool(pool, servers, input.vertx()));
        monitor.watch(pages, input.pgConnectOptionsList(),
                password.inTurn(
                        input.pgConnectOptionsList().stream().map(server -> closedWhenSilent(copy(server))).toList()));
        probe.use(input.vertx(), password.inTurn(input.pgConnectOptionsList()));
        // The ranks of a backlog are folded beside the parts.
        maintenance.use(pool(new PoolOptions(pool).setName("maintenance").setMaxSize(2),
                input.pgConnectOptionsList().stream().map(this::maintenanceOptions).toList(), input.vertx()));
        config.readUrl().ifPresent(url -> {
            PgConnectOptions replica = DatabaseAddress.replica(READ_URL, url, input.pgConnectOptionsList().get(0));
            ConnectionGuard.watch(List.of(replica), config.connectTimeout());
            PoolOptions options = new PoolOptions(pool).setName("replica")
                    .setMaxLifetime(Math.toIntExact(Replica.MAX_LIFE.toSeconds())).setMaxLifetimeUnit(TimeUnit.SECONDS);
            router.useReplica(
                    new Replica(input.vertx(), password.inTurn(List.of(closedWhenSilent(pageOptions(replica)))), config,
                            searchPool(options, List.of(replica), input.vertx()),
                            streamPool(options, List.of(replica), input.vertx()), monitor.positions()));
        });
        return primary;
    }

    /**
     * A statement that waits for a lock fails after a third of the time that its request has. PostgreSQL then says what it waited
     * for, and the connection serves other requests.
     */
    private static PgConnectOptions withLockTimeout(PgConnectOptions server, Duration requestTimeout) {
        return copy(server).addProperty("lock_timeout", Long.toString(requestTimeout.toMillis() / 3));
    }

    private io.vertx.mutiny.sqlclient.Pool searchPool(PoolOptions options, List<PgConnectOptions> servers,
            Vertx vertx) {
        String millis = Long.toString(config.searchTimeout().toMillis());
        return io.vertx.mutiny.sqlclient.Pool.newInstance(pool(
                new PoolOptions(options).setName(options.getName() + "-searches")
                        .setMaxSize(config.searchConnections()),
                servers.stream().map(server -> copy(server)
                        .addProperty("statement_timeout", millis)
                        // A search runs longer than its planning. A generic plan from a time when the table was empty stays until
                        // an autovacuum has analyzed the table, and scans a catalogue that an import has filled meanwhile.
                        .addProperty("plan_cache_mode", "force_custom_plan")).toList(),
                vertx));
    }

    /** The limits of streams are those of requests, so only a stored export may wait for a connection. */
    private io.vertx.mutiny.sqlclient.Pool streamPool(PoolOptions options, List<PgConnectOptions> servers,
            Vertx vertx) {
        return io.vertx.mutiny.sqlclient.Pool.newInstance(pool(
                new PoolOptions(options).setName(options.getName() + "-streams")
                        .setMaxSize(streams.maxTransfers() + streams.maxArrays()),
                servers,
                vertx));
    }

    /** For a connection that is asked something all the time: if it is silent, it leads to a server that does not answer. */
    private static PgConnectOptions closedWhenSilent(PgConnectOptions options) {
        options.setReadIdleTimeout(Math.toIntExact(MAX_SILENCE.toMillis()));
        return options;
    }

    /** Without the settings for pages: a fold without sorting takes three times as long, and a rebuild takes minutes. */
    private PgConnectOptions maintenanceOptions(PgConnectOptions primary) {
        return copy(primary)
                .setIdleTimeout(Math.toIntExact(config.maintenanceTimeout().toMillis()))
                .addProperty("enable_sort", "on")
                .addProperty("statement_timeout", "0");
    }

    /**
     * The copy constructor of Vert.x 4.5.25 loses this flag, and a pooler would then run statements where they are not prepared.
     */
    static PgConnectOptions copy(PgConnectOptions options) {
        return new PgConnectOptions(options).setUseLayer7Proxy(options.getUseLayer7Proxy());
    }

    private Pool pool(PoolOptions options, List<PgConnectOptions> servers, Vertx vertx) {
        return PgBuilder.pool().with(options).connectingTo(each(servers)).using(vertx).build();
    }

    private Supplier<Future<SqlConnectOptions>> each(List<PgConnectOptions> servers) {
        Supplier<Future<PgConnectOptions>> inTurn = password.inTurn(servers);
        return () -> inTurn.get().map(server -> server);
    }

    /** A client for short statements, whose connections carry several statements at a time. */
    private SqlClient pageClient(PoolOptions options, List<PgConnectOptions> servers, Vertx vertx) {
        return PgBuilder.client()
                .with(new PoolOptions(options).setName(options.getName() + "-pages")
                        .setMaxSize(config.pageConnections()))
                .connectingTo(each(servers.stream().map(DatabasePool::pageOptions).toList()))
                .using(vertx).build();
    }

    private static PgConnectOptions pageOptions(PgConnectOptions server) {
        return copy(server)
                // One plan for all pages. Otherwise PostgreSQL compares the costs with those of plans from a time without
                // writes, and plans again for each page, which takes longer than the page.
                .addProperty("plan_cache_mode", "force_generic_plan")
                .addProperty("max_parallel_workers_per_gather", "0")
                // A configured lower limit stays: some connection proxies do not support pipelining.
                .setPipeliningLimit(Math.min(server.getPipeliningLimit(), MAX_IN_FLIGHT));
    }
}
