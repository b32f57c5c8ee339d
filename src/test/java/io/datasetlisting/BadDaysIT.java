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
 * The database goes away in every way it can, and comes back: meanwhile each request is told so in time, then all is as
 * before, and what was confirmed is there.
 */
class BadDaysIT {

    private static final Logger LOG = Logger.getLogger(BadDaysIT.class);

    private static final long TIMEOUT = 1_000;
    /** For a machine that has other things to do. */
    private static final long SLACK = 1_000;
    private static final long BACK_WITHIN = 2_000;
    private static final int ASKED_MEANWHILE = 6;
    private static final int IN_A_ROW = 20;
    private static final int CONNECTIONS = 5;
    private static final int PAGE_CONNECTIONS = 3;
    private static final String PAGE = "/api/dataset/?p=2&ordering=dataset_name";

    private static PostgresServer postgres;
    private static ServiceProcess service;
    private static Api anybody;

    private final Queue<Long> confirmed = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private CompletableFuture<Void> writer;

    /** Something that a test does to the database. */
    private interface Deed {
        void run() throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        postgres = new PostgresServer();
        // No superuser: for those PostgreSQL keeps a few connections.
        postgres.execute("create role datasets login; alter schema public owner to datasets");
        service = ServiceProcess.start(postgres.port() + "/postgres", "-Dquarkus.datasource.username=datasets",
                "-Dquarkus.datasource.reactive.max-size=" + CONNECTIONS,
                "-Ddataset.database.page-connections=" + PAGE_CONNECTIONS, "-Ddataset.http.request-timeout=PT1S",
                "-Ddataset.database.connect-timeout=PT0.5S", "-Ddataset.cache.pages=0", "-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key());
        anybody = new Api(service.url().toString(), null);
        awaitPages(Duration.ofSeconds(30).toMillis());
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        postgres.close();
    }

    @AfterEach
    void whatWasConfirmedIsThere() throws SQLException {
        over = true;
        writer.join();
        assertTrue(confirmed.size() > 1, "nobody wrote");
        for (long id : confirmed) {
            assertEquals(200, anybody.get("/api/dataset/" + id + "/").statusCode());
        }
        assertTrue(connections() <= CONNECTIONS + PAGE_CONNECTIONS, "connections of the service: " + connections());
    }

    @Test
    void stopped() throws Exception {
        badDay("stopped", true, postgres::stop, postgres::start);
    }

    @Test
    void killed() throws Exception {
        badDay("killed", true, postgres::kill, postgres::start);
    }

    @Test
    void frozen() throws Exception {
        badDay("frozen", true, postgres::freeze, postgres::thaw);
    }

    @Test
    void outOfConnections() throws Exception {
        badDay("out of connections", true, () -> postgres.execute("""
                alter role datasets connection limit 0;
                select pg_terminate_backend(pid) from pg_stat_activity where usename = 'datasets'"""),
                () -> postgres.execute("alter role datasets connection limit -1"));
    }

    /** It answers, but not these questions. */
    @Test
    void slow() throws Exception {
        try (Connection lock = postgres.connect()) {
            lock.setAutoCommit(false);
            badDay("slow", false, () -> lock.createStatement().execute("lock table dataset in access exclusive mode"),
                    lock::rollback);
        }
    }

    private void badDay(String name, boolean isGone, Deed begin, Deed end) throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(1);
        begin.run();
        long slowest = 0;
        for (int i = 0; i < ASKED_MEANWHILE; i++) {
            long asked = System.nanoTime();
            HttpResponse<String> answer = anybody.get(PAGE);
            slowest = Math.max(slowest, millisSince(asked));
            assertEquals(503, answer.statusCode(), answer::body);
            assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
            assertEquals("{\"detail\":\"Service temporarily unavailable, try again later.\"}", answer.body());
        }
        String reason = "ready";
        if (isGone) {
            HttpResponse<String> ready = anybody.get("/q/health/ready");
            assertEquals(503, ready.statusCode());
            reason = problem(ready.body());
        }
        assertEquals(200, anybody.get("/q/health/live").statusCode());
        end.run();
        long back = awaitPages(BACK_WITHIN + SLACK);
        assertEquals(200, anybody.get("/q/health/ready").statusCode());
        awaitConfirmed(confirmed.size() + 2);
        LOG.infof(
                "PostgreSQL %s: the slowest 503 after %d ms, readiness says \"%s\", full service %d ms after its return",
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

    /** Milliseconds until as many requests in a row as are worth the name of service have begun to succeed. */
    private static long awaitPages(long most) {
        long started = System.nanoTime();
        long first = -1;
        for (int good = 0; good < IN_A_ROW;) {
            if (anybody.get(PAGE).statusCode() == 200) {
                if (good++ == 0) {
                    first = millisSince(started);
                }
            } else {
                good = 0;
                assertTrue(millisSince(started) < most, "no service after " + most + " ms");
            }
        }
        return first;
    }

    private void write() {
        Api admin = anybody.with(Caller.admin().key());
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

    private static int connections() throws SQLException {
        try (Connection connection = postgres.connect();
                ResultSet count = connection.createStatement()
                        .executeQuery("select count(*) from pg_stat_activity where usename = 'datasets'")) {
            count.next();
            return count.getInt(1);
        }
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }
}
