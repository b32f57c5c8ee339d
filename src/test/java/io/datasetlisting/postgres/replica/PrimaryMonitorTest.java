package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Relay;
import io.datasetlisting.support.StreamingPair;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;

/**
 * Tests with a real standby that a write, a fold and the monitor find the primary when their connections lead to the standby,
 * behind a balancer that ends no session. Here no {@link ConnectionGuard} refuses these connections.
 */
class PrimaryMonitorTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final String COUNT = "select count(*) from made";
    private static final String REPLAYED = "select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint";

    private static Vertx vertx;
    private static StreamingPair databases;
    private Relay address;
    private PrimaryMonitor monitor;
    private Pool pool;
    private io.vertx.sqlclient.Pool pages;

    @BeforeAll
    static void startServers() throws Exception {
        databases = new StreamingPair();
        vertx = Vertx.vertx();
        Pool primary = pool(server(databases.primaryPort()));
        primary.query("create table made (name text)").execute().await().atMost(TIMEOUT);
        primary.closeAndAwait();
    }

    @AfterAll
    static void stopServers() throws IOException {
        if (databases != null) {
            vertx.close();
            databases.close();
        }
    }

    /** Opens the connections while the address leads to the standby. */
    @BeforeEach
    void open() throws Exception {
        address = new Relay(databases.standbyPort());
        PgConnectOptions server = server(address.port());
        pool = pool(server);
        Pool primary = pool(server(databases.primaryPort()));
        Patience.await("the standby has the rows of the test before").ignoreExceptions()
                .until(() -> count() == query(primary, COUNT));
        primary.closeAndAwait();
        monitor = new PrimaryMonitor(vertx, new SmallRyeConfigBuilder().withMapping(DatabaseConfig.class).build()
                .getConfigMapping(DatabaseConfig.class), new SimpleMeterRegistry());
        pages = pool(server).getDelegate();
        monitor.watch(pages, List.of(server), () -> Future.succeededFuture(server));
        Connections.limitWrites(1, TIMEOUT, TIMEOUT.dividedBy(2), monitor::findWritable);
    }

    @AfterEach
    void close() throws IOException {
        monitor.onEnd(null);
        pool.closeAndAwait();
        pages.close();
        address.close();
    }

    private static PgConnectOptions server(int port) {
        return new PgConnectOptions().setHost("127.0.0.1").setPort(port).setDatabase("postgres")
                .setUser("postgres");
    }

    /** A pool of one connection, which stays open. */
    private static Pool pool(PgConnectOptions server) {
        return Pool.newInstance(
                PgBuilder.pool().with(new PoolOptions().setMaxSize(1)).connectingTo(server).using(vertx).build());
    }

    private long count() {
        return query(pool, COUNT);
    }

    private void write() {
        Connections.inTransaction(pool, connection -> connection.query("insert into made values ('new')").execute())
                .await().atMost(TIMEOUT);
    }

    @Test
    void aWriteOnAStandbyRunsOnceMoreOnThePrimary() {
        long before = count();
        address.leadTo(databases.primaryPort());
        write();
        assertEquals(before + 1, count());
    }

    @Test
    void aWriteWaitsForAPrimaryWithinItsTimeLimit() {
        long before = count();
        vertx.setTimer(2000, timer -> address.leadTo(databases.primaryPort()));
        write();
        assertEquals(before + 1, count());
    }

    @Test
    void aWriteFailsIfNoPrimaryIsFoundInItsTime() {
        Connections.limitWrites(1, TIMEOUT, Duration.ofSeconds(1), monitor::findWritable);
        assertTrue(DatabaseFailure.isReadOnly(assertThrows(RuntimeException.class, this::write)));
        assertTrue(monitor.isPrimaryAway());
    }

    /** A fold runs with such a connection. */
    @Test
    void workThatFailsOnAStandbyEndsItsConnection() {
        address.leadTo(databases.primaryPort());
        assertThrows(RuntimeException.class, this::insert);
        // The pool may take a moment to see that its connection has ended.
        Patience.await("another connection leads to the primary").ignoreExceptions().untilAsserted(this::insert);
    }

    private void insert() {
        Connections
                .with(pool, (SqlConnection connection) -> connection.query("insert into made values ('new')").execute())
                .await().atMost(TIMEOUT);
    }

    @Test
    void anAnswerOfAStandbyDoesNotMeanThatNothingIsWritten() throws Exception {
        Pool primary = pool(server(databases.primaryPort()));
        address.leadTo(databases.primaryPort());
        monitor.onStart(null);
        Patience.await("the primary answers").until(() -> !monitor.isPrimaryAway());
        address.leadTo(databases.standbyPort());
        address.cut();
        Patience.await("the monitor's connection leads to the standby").ignoreExceptions()
                .until(() -> query(Pool.newInstance(pages), "select pg_is_in_recovery()::int") == 1);
        address.leadTo(databases.primaryPort());
        databases.pauseStandby();
        try {
            long replayed = query(Pool.newInstance(pages), REPLAYED);
            query(primary, "with stored as (insert into made values ('new') returning 1) select count(*) from stored");
            Patience.await("the standby lags").until(() -> lag(replayed).toMillis() > 1500);
        } finally {
            databases.resumeStandby();
        }
        assertFalse(monitor.isPrimaryAway());
        primary.closeAndAwait();
    }

    private Duration lag(long replayed) {
        return Duration.ofNanos(System.nanoTime() - monitor.positions().completeAt(replayed));
    }

    private static long query(Pool connections, String sql) {
        return connections.query(sql).execute().await().atMost(TIMEOUT).iterator().next()
                .getLong(0);
    }
}
