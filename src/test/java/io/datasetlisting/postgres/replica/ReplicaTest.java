package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;

/** Tests with a real server a replica that does not tell its position. {@link ReplicaIT} tests one that lags or is lost. */
class ReplicaTest {

    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration TIME = Duration.ofSeconds(3);
    /** At once, after 0.5 s and after 1.5 s. */
    private static final int TRIES = 3;

    @AutoClose
    private final PostgresServer server = new PostgresServer();
    @AutoClose("closeAndAwait")
    private final io.vertx.mutiny.core.Vertx vertx = io.vertx.mutiny.core.Vertx.vertx();
    private final WalPositions positions = new WalPositions();

    ReplicaTest() throws IOException {
        // Opens the server and the event loops.
    }

    private void grant(String change) throws SQLException {
        server.execute(change.formatted("execute on function pg_last_wal_replay_lsn()"));
    }

    private void measure(Replica replica) {
        positions.add(0, System.nanoTime());
        replica.measure();
    }

    @Test
    void aReplicaThatRefusesItsPositionIsAskedLessOftenAndNotUsed() throws Exception {
        server.execute("create role reader login");
        grant("revoke %s from public");
        DatabaseConfig config = new SmallRyeConfigBuilder().withMapping(DatabaseConfig.class).build()
                .getConfigMapping(DatabaseConfig.class);
        PgConnectOptions address = new PgConnectOptions().setHost("127.0.0.1").setPort(server.port())
                .setDatabase("postgres").setUser("reader");
        Vertx core = vertx.getDelegate();
        Pool unused = Pool.newInstance(PgBuilder.pool().connectingTo(address).using(core).build());
        AtomicInteger opened = new AtomicInteger();
        Replica replica = new Replica(core, () -> {
            opened.incrementAndGet();
            return Future.succeededFuture(address);
        }, config, unused, unused, positions);
        try (ErrorLog log = ErrorLog.open()) {
            for (long end = System.nanoTime() + TIME.toNanos(); System.nanoTime() < end;) {
                measure(replica);
                Patience.pause(INTERVAL);
                assertFalse(replica.isUpToDate());
            }
            assertTrue(opened.get() <= TRIES * config.pageConnections(), opened::toString);
            List<String> warnings = log.warnings(Replica.class);
            assertEquals(1, warnings.size(), warnings::toString);
            assertTrue(warnings.get(0).contains("permission denied for function pg_last_wal_replay_lsn"),
                    warnings::toString);
        }
        assertEquals(0, sessions());
        grant("grant %s to reader");
        Patience.await("the replica is used").until(() -> {
            measure(replica);
            return replica.isUpToDate();
        });
        replica.close();
    }

    private long sessions() throws SQLException {
        try (var connection = server.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from pg_stat_activity where usename = 'reader'")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
