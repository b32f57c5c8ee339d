package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/**
 * Tests outages of the database. During an outage every request gets a 503 in time. After the outage the service
 * answers every request again, and no confirmed write is lost.
 */
class DatabaseOutageIT {

    private static final Logger LOG = Logger.getLogger(DatabaseOutageIT.class);

    private static final long TIMEOUT = 1_000;
    /** Additional time for a busy machine. */
    private static final long SLACK = 1_000;
    private static final long BACK_WITHIN = 2_000;
    private static final int REQUESTS_DURING_OUTAGE = 6;
    private static final int SUCCESSES_IN_A_ROW = 20;
    private static final int CONNECTIONS = 5;
    private static final int PAGE_CONNECTIONS = 3;
    private static final String PAGE = "/api/dataset/?p=2&ordering=dataset_name";

    private static PostgresServer postgres;
    private static ServiceProcess service;
    private static Api anonymous;

    private final Queue<Long> confirmed = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private CompletableFuture<Void> writer;

    /** Begins or ends an outage. */
    private interface Operation {
        void run() throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        postgres = new PostgresServer();
        // Not a superuser, because PostgreSQL reserves a few connections for superusers.
        postgres.execute("create role datasets login; alter schema public owner to datasets");
        service = ServiceProcess.start(postgres.port() + "/postgres", "-Dquarkus.datasource.username=datasets",
                "-Dquarkus.datasource.reactive.max-size=" + CONNECTIONS,
                "-Ddataset.database.page-connections=" + PAGE_CONNECTIONS, "-Ddataset.http.request-timeout=PT1S",
                "-Ddataset.database.connect-timeout=PT0.5S", "-Ddataset.cache.pages=0", "-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key());
        anonymous = new Api(service.url().toString(), null);
        awaitPages(Duration.ofSeconds(30).toMillis());
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        postgres.close();
    }

    @AfterEach
    void confirmedWritesAreStored() throws SQLException {
        over = true;
        writer.join();
        assertTrue(confirmed.size() > 1, "no write was confirmed");
        for (long id : confirmed) {
            assertEquals(200, anonymous.get("/api/dataset/" + id + "/").statusCode());
        }
        // A server that was frozen then accepts connections that the service has given up, and closes them at once.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (connections() > CONNECTIONS + PAGE_CONNECTIONS + 1) {
            assertTrue(System.nanoTime() < deadline, () -> "more connections than the pools have");
        }
    }

    @Test
    void survivesAStoppedServer() throws Exception {
        outage("stopped", true, postgres::stop, postgres::start);
    }

    @Test
    void survivesAKilledServer() throws Exception {
        outage("killed", true, postgres::kill, postgres::start);
    }

    @Test
    void survivesAFrozenServer() throws Exception {
        outage("frozen", true, postgres::freeze, postgres::thaw);
    }

    @Test
    void survivesALackOfConnections() throws Exception {
        outage("out of connections", true, () -> postgres.execute("""
                alter role datasets connection limit 0;
                select pg_terminate_backend(pid) from pg_stat_activity where usename = 'datasets'"""),
                () -> postgres.execute("alter role datasets connection limit -1"));
    }

    /** The server answers, but statements on the locked table wait. */
    @Test
    void survivesALockedTable() throws Exception {
        try (Connection lock = postgres.connect()) {
            lock.setAutoCommit(false);
            outage("slow", false, () -> lock.createStatement().execute("lock table dataset in access exclusive mode"),
                    lock::rollback);
        }
    }

    private void outage(String name, boolean isUnreachable, Operation begin, Operation end) throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(1);
        begin.run();
        long slowest = 0;
        for (int i = 0; i < REQUESTS_DURING_OUTAGE; i++) {
            long asked = System.nanoTime();
            HttpResponse<String> answer = anonymous.get(PAGE);
            slowest = Math.max(slowest, millisSince(asked));
            assertEquals(503, answer.statusCode(), answer::body);
            assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
            assertEquals("{\"detail\":\"Service temporarily unavailable, try again later.\"}", answer.body());
        }
        String reason = "ready";
        if (isUnreachable) {
            HttpResponse<String> ready = anonymous.get("/q/health/ready");
            assertEquals(503, ready.statusCode());
            reason = problem(ready.body());
        }
        assertEquals(200, anonymous.get("/q/health/live").statusCode());
        end.run();
        long back = awaitPages(BACK_WITHIN + SLACK);
        assertEquals(200, anonymous.get("/q/health/ready").statusCode());
        awaitConfirmed(confirmed.size() + 2);
        LOG.infof(
                "PostgreSQL %s: the slowest 503 after %d ms, readiness reports \"%s\", full service %d ms after the outage",
                name, slowest, reason, back);
        assertTrue(slowest < TIMEOUT + SLACK, "slowest 503 after " + slowest + " ms");
        assertTrue(back < BACK_WITHIN, "full service after " + back + " ms");
    }

    private void awaitConfirmed(int count) {
        while (confirmed.size() < count) {
            if (writer.isDone()) {
                writer.join();
            }
            Thread.onSpinWait();
        }
    }

    private static String problem(String health) {
        return new JsonObject(health).getJsonArray("checks").stream().map(JsonObject.class::cast)
                .filter(check -> check.getString("name").equals("PostgreSQL"))
                .map(check -> check.getJsonObject("data").getString("problem")).findAny().orElseThrow();
    }

    /**
     * Waits until {@link #SUCCESSES_IN_A_ROW} requests in a row succeed. Returns the milliseconds until the first of
     * these.
     */
    private static long awaitPages(long most) {
        long started = System.nanoTime();
        long first = -1;
        for (int good = 0; good < SUCCESSES_IN_A_ROW;) {
            if (anonymous.get(PAGE).statusCode() == 200) {
                if (good++ == 0) {
                    first = millisSince(started);
                }
            } else {
                good = 0;
                assertTrue(millisSince(started) < most, "no full service after " + most + " ms");
            }
        }
        return first;
    }

    private void write() {
        Api admin = anonymous.with(Caller.admin().key());
        while (!over) {
            HttpResponse<String> answer = admin.call("POST", "/api/dataset/",
                    new JsonObject().put("dataset_name", "On a bad day").put("coordinates", List.of(47, 8)));
            if (answer.statusCode() == 201) {
                confirmed.add(new JsonObject(answer.body()).getLong("id"));
            } else {
                assertEquals(503, answer.statusCode(), answer::body);
            }
        }
    }

    /** Without the JDBC connection of the migration, which is closed after some idle minutes. */
    private static int connections() throws SQLException {
        try (Connection connection = postgres.connect();
                ResultSet count = connection.createStatement()
                        .executeQuery(
                                "select count(*) from pg_stat_activity where usename = 'datasets' and application_name not like '%JDBC%'")) {
            count.next();
            return count.getInt(1);
        }
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }
}
