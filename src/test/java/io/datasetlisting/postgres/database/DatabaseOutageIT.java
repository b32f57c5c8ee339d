package io.datasetlisting.postgres.database;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PlainCounts;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/**
 * Tests outages of the database. During an outage every request gets a 503 in time. After the outage the service
 * answers every request again, and no confirmed write is lost.
 */
class DatabaseOutageIT {

    /** The answer to a write that was not sent to the database. */
    private static final String UNSENT = "write 503 .*temporarily unavailable.*";
    private static final Logger LOG = Logger.getLogger(DatabaseOutageIT.class);

    private static final long TIMEOUT = 2_000;
    /** Additional time for a busy machine. */
    private static final long SLACK = 10_000;
    private static final long BACK_WITHIN = 5_000;
    private static final int REQUESTS_DURING_OUTAGE = 4;
    private static final int SUCCESSES_IN_A_ROW = 20;
    private static final int CONNECTIONS = 5;
    private static final int PAGE_CONNECTIONS = 3;
    private static final int SEARCH_CONNECTIONS = 2;
    /** By default for exports and arrays, and one each for folds and for health checks. */
    private static final int OTHER_CONNECTIONS = 4 + 4 + 2;
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
        // The service does not depend on the default.
        postgres.execute("alter role datasets set default_transaction_isolation = 'serializable'");
        service = ServiceProcess.start(postgres.port() + "/postgres", "-Dquarkus.datasource.username=datasets",
                "-Dquarkus.datasource.reactive.max-size=" + CONNECTIONS,
                "-Ddataset.database.page-connections=" + PAGE_CONNECTIONS,
                "-Ddataset.database.search-connections=" + SEARCH_CONNECTIONS, "-Ddataset.http.request-timeout=PT2S",
                "-Ddataset.database.connect-timeout=PT0.5S", "-Ddataset.bulk.progress-interval=PT0.2S",
                "-Ddataset.cache.pages=0", "-Ddataset.sample.enabled=true",
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
            Patience.await("dataset " + id)
                    .until(() -> anonymous.get("/api/dataset/" + id + "/").statusCode() == 200);
        }
        PlainCounts.compare(postgres::connect, anonymous, anonymous.with(Caller.admin().key()));
        // A server that was frozen then accepts connections that the service has given up, and closes them at once.
        Patience.await("as many connections as the pools have")
                .until(() -> connections() <= CONNECTIONS + PAGE_CONNECTIONS + SEARCH_CONNECTIONS
                        + OTHER_CONNECTIONS);
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

    /** All tests of this class run with this default. The migrations have run with it, too. */
    @Test
    void aClusterWhoseDefaultIsSerializableIsServed() throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(2);
        Api admin = anonymous.with(Caller.admin().key());
        String dataset = "/api/dataset/" + confirmed.peek() + '/';
        // Few at once, because a slow machine would not answer more within the time limit.
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 2).boxed()
                    .flatMap(i -> Stream.of(
                            admin.send("PATCH", dataset, name("change " + i)),
                            anonymous.send("GET", PAGE, null),
                            anonymous.send("GET", "/api/dataset/?category=Forest", null)))
                    .toList();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertEquals(200, answer.join().statusCode(), answer.join()::body);
            }
        }
        HttpResponse<String> export = admin.call("GET", "/api/dataset/", null, "Accept", Bulk.NDJSON);
        assertEquals(200, export.statusCode());
        long exported = export.body().lines().count();
        assertTrue(exported > 15, () -> exported + " lines");
        HttpResponse<String> imported = admin.call("POST", "/api/dataset/", export.body(), "Content-Type", Bulk.NDJSON);
        assertEquals(Bulk.Outcome.of(0, exported), Bulk.Outcome.of(lastLine(imported)));
    }

    /** Twelve changes of a locked dataset wait, and other requests do not wait for them. */
    @Test
    void changesOfALockedRowLeaveConnectionsToReads() throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(1);
        over = true;
        writer.join();
        Api admin = anonymous.with(Caller.admin().key());
        String dataset = "/api/dataset/" + confirmed.peek() + '/';
        Api reader = admin.as(admin.account("Reader " + System.nanoTime()), "reader");
        List<CompletableFuture<HttpResponse<String>>> changes;
        try (Connection lock = postgres.connect()) {
            lock.setAutoCommit(false);
            lock.createStatement().execute("select from dataset where id = " + confirmed.peek() + " for update");
            changes = IntStream.range(0, 12).mapToObj(i -> admin.send("PATCH", dataset, name("number " + i))).toList();
            awaitThat("exists (select from pg_stat_activity where usename = 'datasets' and wait_event_type = 'Lock')");
            List<CompletableFuture<HttpResponse<String>>> reads = List.of(
                    anonymous.send("GET", "/api/dataset/?category=Forest", null),
                    anonymous.send("GET", dataset, null),
                    reader.send("GET", "/api/account/me/", null));
            for (CompletableFuture<HttpResponse<String>> read : reads) {
                assertEquals(200, read.join().statusCode(), read.join()::body);
            }
            assertFalse(changes.stream().allMatch(CompletableFuture::isDone));
            for (CompletableFuture<HttpResponse<String>> change : changes) {
                assertEquals(503, change.join().statusCode(), change.join()::body);
                assertEquals("1", change.join().headers().firstValue("Retry-After").orElse(""));
            }
            awaitThat(
                    "not exists (select from pg_stat_activity where usename = 'datasets' and wait_event_type = 'Lock')");
        }
        changes = IntStream.range(0, 12).mapToObj(i -> admin.send("PATCH", dataset, name("number " + i))).toList();
        for (CompletableFuture<HttpResponse<String>> change : changes) {
            assertEquals(200, change.join().statusCode(), change.join()::body);
        }
        resumeWriter();
    }

    @Test
    void aReadOnlyPrimaryServesReadsAndRefusesWrites() throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(2);
        assertEquals(200, anonymous.get("/q/health/group/writers").statusCode());
        int logged = service.log().length();
        long start = System.nanoTime();
        postgres.execute("alter role datasets set default_transaction_read_only = on");
        postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'datasets'");
        try {
            awaitHealth("writers", 503);
            Api admin = anonymous.with(Caller.admin().key());
            String dataset = "/api/dataset/" + confirmed.peek() + '/';
            for (int i = 0; i < 20; i++) {
                HttpResponse<String> change = admin.call("PATCH", dataset, name("change " + i));
                assertEquals(503, change.statusCode(), change::body);
                assertEquals("1", change.headers().firstValue("Retry-After").orElse(""));
            }
            awaitMetric(anonymous, "dataset_primary_writable", 0);
            assertEquals("read-only", problem(anonymous.get("/q/health/group/writers").body()));
            assertEquals(200, anonymous.get(dataset).statusCode());
            awaitPages(BACK_WITHIN + SLACK);
            assertEquals(200, anonymous.get("/q/health/ready").statusCode());
        } finally {
            postgres.execute("alter role datasets reset default_transaction_read_only");
            postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'datasets'");
        }
        awaitHealth("writers", 200);
        awaitConfirmed(confirmed.size() + 2);
        String log = service.log().substring(logged);
        assertTrue(log.contains("The primary takes no writes: it is read-only"), log);
        assertFalse(log.contains("\tat "), log);
        // At most one line a second for each cause: creates, changes and folds.
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        assertTrue(log.lines().filter(line -> line.contains("read-only transaction")).count() < 3 * (seconds + 2), log);
    }

    private static void awaitHealth(String group, int status) {
        Patience.await(group + " answers " + status)
                .until(() -> anonymous.get("/q/health/group/" + group).statusCode() == status);
    }

    /** The primary waits for a synchronous standby that does not exist. */
    @Test
    void aCommitThatIsNotConfirmedLeavesConnectionsToReads() throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(2);
        over = true;
        writer.join();
        Api admin = anonymous.with(Caller.admin().key());
        String dataset = "/api/dataset/" + confirmed.peek() + '/';
        List<CompletableFuture<HttpResponse<String>>> creates;
        setSynchronousStandbys("missing");
        try {
            creates = IntStream.range(0, 12).mapToObj(i -> admin.send("POST", "/api/dataset/",
                    name("not confirmed " + i).put("coordinates", List.of(47, 8)))).toList();
            awaitThat("exists (select from pg_stat_activity where usename = 'datasets' and wait_event = 'SyncRep')");
            for (String read : List.of(PAGE, dataset, "/api/dataset/?category=Forest")) {
                assertEquals(200, anonymous.get(read).statusCode(), read);
            }
            for (CompletableFuture<HttpResponse<String>> create : creates) {
                assertEquals(503, create.join().statusCode(), create.join()::body);
            }
        } finally {
            setSynchronousStandbys("");
        }
        assertTrue(creates.stream().anyMatch(create -> create.join().body().contains(
                "The database has not confirmed in time that the change is stored. It is not known whether it is stored")),
                () -> creates.get(0).join().body());
        resumeWriter();
    }

    private static void setSynchronousStandbys(String names) throws SQLException {
        postgres.execute("alter system set synchronous_standby_names = '" + names + "'");
        postgres.execute("select pg_reload_conf()");
        awaitThat("current_setting('synchronous_standby_names') = '" + names + "'");
    }

    private static JsonObject name(String name) {
        return new JsonObject().put("dataset_name", name);
    }

    private void resumeWriter() {
        over = false;
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(confirmed.size() + 2);
    }

    private static void awaitThat(String condition) throws SQLException {
        try (Connection connection = postgres.connect(); Statement statement = connection.createStatement()) {
            Patience.await(condition).until(() -> {
                try (ResultSet row = statement.executeQuery("select " + condition)) {
                    return row.next() && row.getBoolean(1);
                }
            });
        }
    }

    /** The service tries each batch for five thirds of a second. */
    @Test
    void anImportWaitsForALockedRowAndThenSaysThatItBrokeOff() throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(2);
        Api admin = anonymous.with(Caller.admin().key());
        String line = admin.call("GET", "/api/dataset/", null, "Accept", Bulk.NDJSON).body().lines()
                .filter(text -> text.startsWith("{\"id\":" + confirmed.peek() + ',')).findFirst().orElseThrow();
        try (Connection lock = postgres.connect()) {
            lock.setAutoCommit(false);
            lock.createStatement().execute("select from dataset where id = " + confirmed.peek() + " for update");
            CompletableFuture<HttpResponse<String>> imported = admin.send("POST", "/api/dataset/",
                    line.replaceFirst("\"dataset_name\":\"", "$0first "), "Content-Type", Bulk.NDJSON);
            awaitThat("exists (select from pg_stat_activity where usename = 'datasets' and wait_event_type = 'Lock')");
            lock.rollback();
            assertEquals(Bulk.Outcome.of(0, 1), Bulk.Outcome.of(lastLine(imported.join())));

            lock.createStatement().execute("select from dataset where id = " + confirmed.peek() + " for update");
            JsonObject broken = new JsonObject(lastLine(
                    admin.call("POST", "/api/dataset/", line.replaceFirst("\"dataset_name\":\"", "$0second "),
                            "Content-Type", Bulk.NDJSON)));
            assertEquals("Service temporarily unavailable: the import broke off. What is counted here is stored; "
                    + "run it again for the rest.", broken.getString("detail"));
            assertEquals(0, broken.getInteger("created") + broken.getInteger("replaced"));
        }
    }

    private static String lastLine(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body().lines().reduce("", (before, line) -> line);
    }

    /**
     * A read is repeated on another connection. A write is stored once, or not at all, or the response says that this is unknown.
     */
    @Test
    void terminatedConnectionsFailHardlyAnyReadAndRepeatNoWrite() throws Exception {
        writer = CompletableFuture.runAsync(this::write);
        awaitConfirmed(2);
        over = true;
        writer.join();
        over = false;
        Api admin = anonymous.with(Caller.admin().key());
        List<Callable<HttpResponse<String>>> reads = List.of(
                () -> anonymous.get(PAGE),
                () -> anonymous.get("/api/dataset/?category=Forest&p=1"),
                () -> anonymous.get("/api/dataset/" + confirmed.peek() + '/'),
                () -> anonymous.get("/api/search_datasets"),
                () -> admin.get("/api/account/"),
                () -> admin.get("/api/token/"));
        Map<String, Integer> answers = new ConcurrentSkipListMap<>();
        List<CompletableFuture<Void>> readers = IntStream.range(0, 16).mapToObj(i -> CompletableFuture.runAsync(() -> {
            for (int n = i; !over; n++) {
                int kind = n % reads.size();
                try {
                    long asked = System.nanoTime();
                    HttpResponse<String> answer = reads.get(kind).call();
                    answers.merge(kind + " " + answer.statusCode() + after(asked)
                            + (answer.statusCode() == 200 ? "" : " " + answer.body()), 1, Integer::sum);
                } catch (Exception e) {
                    answers.merge(kind + " " + e, 1, Integer::sum);
                }
            }
        }, task -> new Thread(task).start())).toList();
        List<CompletableFuture<Void>> writers = IntStream.range(0, 4).mapToObj(i -> CompletableFuture.runAsync(() -> {
            for (int n = 0; !over; n++) {
                long asked = System.nanoTime();
                HttpResponse<String> answer = admin.call("POST", "/api/dataset/", name("once " + i + ' ' + n)
                        .put("coordinates", List.of(47, 8)));
                answers.merge("write " + answer.statusCode() + after(asked)
                        + (answer.statusCode() == 201 ? "" : " " + answer.body()), 1, Integer::sum);
            }
        }, task -> new Thread(task).start())).toList();
        for (int round = 1; round <= 10; round++) {
            // A request has two attempts. With five responses of each client between two terminations, one request seldom meets
            // both, however slow the machine is.
            int enough = round * 100;
            Patience.await("responses between two terminations").until(() -> sum(answers) >= enough);
            postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'datasets'");
        }
        over = true;
        readers.forEach(CompletableFuture::join);
        writers.forEach(CompletableFuture::join);
        LOG.infof("Responses while all connections were terminated ten times: %s", answers);
        // The second connection of a request may be terminated, too, before a write is sent: on a busy machine, about one request
        // each of the ten times.
        long all = sum(answers);
        long failed = answers.entrySet().stream().filter(answer -> answer.getKey().matches("\\d 503 \\{.*|" + UNSENT))
                .mapToLong(Map.Entry::getValue).sum();
        assertTrue(failed <= 10 + all / 100, () -> failed + " of " + all + " requests failed: " + answers);
        // A late 503 is that of the time limit, on a busy machine. The service cannot repeat an array whose first bytes it has
        // sent.
        assertEquals(List.of(), answers.keySet().stream()
                .filter(answer -> !answer.matches(
                        "\\d 200( late)?|write 201( late)?|write 503 .*is not known.*|3 .*IOException.*|\\d 503 .*|.* 503 "
                                + "late .*|" + UNSENT))
                .toList(),
                () -> service.log().lines().filter(line -> line.contains("WARN") || line.contains("ERROR"))
                        .collect(Collectors.joining("\n")));
        awaitThat(
                "not exists (select from dataset where dataset_name like 'once %' group by dataset_name having count(*) > 1)");
    }

    private static long sum(Map<String, Integer> answers) {
        return answers.values().stream().mapToLong(Integer::longValue).sum();
    }

    private static String after(long asked) {
        return millisSince(asked) < TIMEOUT ? "" : " late";
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
        assertTrue(back < BACK_WITHIN + SLACK, "full service after " + back + " ms");
    }

    private void awaitConfirmed(int count) {
        Patience.await(count + " confirmed writes").until(() -> {
            if (writer.isDone()) {
                writer.join();
            }
            return confirmed.size() >= count;
        });
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
                                "select count(*) from pg_stat_activity where usename = 'datasets' and application_name not "
                                        + "like '%JDBC%'")) {
            count.next();
            return count.getInt(1);
        }
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }
}
