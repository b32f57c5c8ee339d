package io.datasetlisting.database;

import java.util.List;
import java.util.concurrent.TimeUnit;

import jakarta.inject.Singleton;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnectOptions;

/**
 * The connections that the service reads and writes through, with an end to each wait.
 *
 * @see <a href="../../../../../../docs/adr/0013-pages-share-a-few-connections.md">ADR 13</a>
 */
@Singleton
class DatabasePool implements PgPoolCreator {

    /** Of the pages' connections, each: enough that the next one is there when the server has answered the last. */
    private static final int PAGES_UNDER_WAY = 4;

    /** Characters of a statement that is prepared once. Of a longer one preparing takes longer than reading a page. */
    private static final int LONGEST_PREPARED = 16_384;

    private final DatabaseConfig config;
    private final ReplicaRouter reads;

    DatabasePool(DatabaseConfig config, ReplicaRouter reads) {
        this.config = config;
        this.reads = reads;
    }

    @Override
    public Pool create(Input input) {
        int connect = Math.toIntExact(config.connectTimeout().toMillis());
        // Who waits for one has a deadline of his own; and the pool's would ring for those, too, who have been told no.
        PoolOptions pool = input.poolOptions().setConnectionTimeout(0).setName("primary");
        input.pgConnectOptionsList().forEach(options -> options
                .setConnectTimeout(connect)
                .setPreparedStatementCacheSqlLimit(LONGEST_PREPARED)
                // A database that is gone without a word would keep its connections for a quarter of an hour.
                .setIdleTimeout(Math.toIntExact(config.idleTimeout().toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS));
        Pool primary = pool(pool, input.pgConnectOptionsList(), input.vertx());
        reads.usePrimary(pages(pool, input.pgConnectOptionsList(), input.vertx()));
        config.readUrl().ifPresent(url -> {
            List<PgConnectOptions> replica = List.of(replica(url, input.pgConnectOptionsList().get(0)));
            PoolOptions options = new PoolOptions(pool).setName("reads");
            reads.useReplica(pool(options, replica, input.vertx()), pages(options, replica, input.vertx()));
        });
        return primary;
    }

    /** Whoever connects to the one connects to the other, in the same way. */
    private static PgConnectOptions replica(String url, PgConnectOptions primary) {
        PgConnectOptions address = PgConnectOptions.fromUri(url);
        return new PgConnectOptions(primary).setHost(address.getHost()).setPort(address.getPort())
                .setDatabase(address.getDatabase());
    }

    private static Pool pool(PoolOptions options, List<PgConnectOptions> servers, Vertx vertx) {
        return PgBuilder.pool().with(options).connectingTo(List.<SqlConnectOptions>copyOf(servers)).using(vertx)
                .build();
    }

    /** The same server for statements that are soon done: the next is on its way before the last is answered. */
    private SqlClient pages(PoolOptions options, List<PgConnectOptions> servers, Vertx vertx) {
        return PgBuilder.client()
                .with(new PoolOptions(options).setName(options.getName() + "-pages")
                        .setMaxSize(config.pageConnections()))
                .connectingTo(servers.stream()
                        .<SqlConnectOptions>map(server -> new PgConnectOptions(server)
                                // Planned once, for any page. PostgreSQL would compare with what plans have cost while
                                // nobody wrote, and plan for each page anew, which takes longer than the page.
                                .addProperty("plan_cache_mode", "force_generic_plan")
                                .addProperty("max_parallel_workers_per_gather", "0")
                                // Less for a proxy that does not know how.
                                .setPipeliningLimit(Math.min(server.getPipeliningLimit(), PAGES_UNDER_WAY)))
                        .toList())
                .using(vertx).build();
    }
}
