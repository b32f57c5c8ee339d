package io.datasetlisting.postgres.database;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.FreePort;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.Requirement;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.SlowClient;
import io.vertx.core.json.JsonObject;

/**
 * Tests all kinds of requests through PgBouncer in transaction mode, with the settings that {@code docs/scaling.md} gives.
 * PgBouncer has three connections to PostgreSQL, so that the transactions of a connection of the service run on all of them.
 */
class PoolerIT {

    private static final Logger LOG = Logger.getLogger(PoolerIT.class);

    /** Another PgBouncer, for example of a newer version. */
    private static final String PGBOUNCER = System.getenv().getOrDefault("PGBOUNCER", "/usr/sbin/pgbouncer");

    private static final int SERVER_CONNECTIONS = 3;
    private static final String POOLER = """
            [databases]
            postgres = host=127.0.0.1 port=%d user=datasets
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = %d
            verbose = 1
            %s
            """;

    private static final Path DOCUMENT = Path.of("docs/scaling.md");
    private static final Pattern IGNORE = Pattern.compile("ignore_startup_parameters = .*");
    private static final Pattern ROLE = Pattern.compile("alter role datasets set (\\w+) = '([^']+)';");
    private static final Pattern MIGRATIONS = Pattern.compile("jdbc:postgresql://primary:5432/datasets([^\\s`]*)");
    private static final Pattern IGNORED = Pattern.compile("ignoring startup parameter: (\\w+)=(.*)");

    private static final int GENERATED = 1500;
    private static final int CLIENTS = 6;
    private static final int ROUNDS = 8;
    private static final long HIGHEST_IMPORTED_ID = 1_000_000L * (CLIENTS + 1);

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final int port = FreePort.find();
    private PostgresServer postgres;
    private ServiceProcess service;
    private Api admin;
    private Api anonymous;

    @Test
    void transactionModeServesAllKindsOfRequests(@TempDir Path folder) throws Exception {
        Requirement.require(Files.isExecutable(Path.of(PGBOUNCER)), "PgBouncer (Debian's package pgbouncer)");
        Path log = folder.resolve("log");
        Process pooler = null;
        try (PostgresServer server = new PostgresServer()) {
            postgres = server;
            postgres.execute("create role datasets login; alter schema public owner to datasets");
            postgres.execute(documented(ROLE, MatchResult::group));
            pooler = startPooler(folder.resolve("pgbouncer.ini"), log);
            try (ServiceProcess process = startService()) {
                service = process;
                anonymous = new Api(service.url().toString(), null);
                admin = anonymous.with(Caller.admin().key());
                // Creates get ids after this one, so that none gets the id of a later line of an import.
                importLines(HIGHEST_IMPORTED_ID, 1);
                everyRequestIsServed();
                ranksAreFolded();
                assertEquals(List.of(),
                        service.log().lines().filter(line -> line.matches("\\S+ \\S+ (WARN|ERROR) .*")).toList());
                assertEquals(sql("""
                        select count(*) from dataset
                        where not is_deleted and not is_private and coordinates is not null"""),
                        anonymous.json("/api/dataset/").getString("count"));
                assertEquals("0", sql("select count(*) from wrong_ranks()"));
                assertEquals(Integer.toString(SERVER_CONNECTIONS),
                        sql("select count(*) from pg_stat_activity where application_name = 'vertx-pg-client'"));
                service.stopInOrder();
            }
        } finally {
            if (pooler != null) {
                pooler.destroy();
                pooler.waitFor();
            }
        }
        theDocumentNamesWhatTheServiceSends(Files.readString(log));
    }

    private Process startPooler(Path config, Path log) throws IOException {
        Files.writeString(config, POOLER.formatted(postgres.port(), port, SERVER_CONNECTIONS,
                documented(IGNORE, MatchResult::group)));
        List<String> command = new ArrayList<>(List.of(PGBOUNCER, config.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            // PgBouncer refuses to run as root.
            command.addAll(1, List.of("-u", "postgres"));
        }
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    private ServiceProcess startService() throws IOException {
        List<String> options = new ArrayList<>(List.of("-Dquarkus.datasource.username=datasets",
                "-Dquarkus.datasource.jdbc.url=jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres"
                        + documented(MIGRATIONS, match -> match.group(1)),
                "-Ddataset.sample.enabled=true", "-Ddataset.sample.generated=" + GENERATED,
                "-Ddataset.cache.pages=0", "-Ddataset.bulk.max-transfers=" + 2 * CLIENTS,
                "-Ddataset.admin-token=" + Caller.admin().key()));
        // Since 1.21 PgBouncer prepares a statement on each of its connections that needs the statement.
        if (Integer.parseInt(version().replaceFirst("PgBouncer 1\\.(\\d+)\\..*", "$1")) < 21) {
            options.add("-Dquarkus.datasource.reactive.postgresql.use-layer7-proxy=true");
        }
        return ServiceProcess.start(port + "/postgres", options.toArray(String[]::new));
    }

    private static String version() throws IOException {
        try (BufferedReader output = new ProcessBuilder(PGBOUNCER, "--version").start().inputReader()) {
            return output.readLine();
        }
    }

    /** What a pattern finds in the document, joined. */
    private static String documented(Pattern pattern, Function<MatchResult, String> part) throws IOException {
        List<String> found = pattern.matcher(Files.readString(DOCUMENT)).results().map(part).toList();
        assertFalse(found.isEmpty(), () -> DOCUMENT + " does not contain " + pattern);
        return String.join("", found);
    }

    /** PgBouncer logs each parameter that it ignores, with its value. */
    private static void theDocumentNamesWhatTheServiceSends(String log) throws IOException {
        Map<String, Set<String>> sent = IGNORED.matcher(log).results()
                .collect(Collectors.groupingBy(match -> match.group(1), TreeMap::new,
                        Collectors.mapping(match -> match.group(2), Collectors.toSet())));
        assertEquals(sent.keySet(), new TreeSet<>(
                List.of(documented(IGNORE, MatchResult::group).replaceFirst(".* = ", "").split(", "))));
        ROLE.matcher(Files.readString(DOCUMENT)).results()
                .forEach(match -> assertTrue(sent.get(match.group(1)).contains(match.group(2)),
                        () -> match.group() + " differs from " + sent));
    }

    private void everyRequestIsServed() throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        CompletableFuture.allOf(IntStream.range(0, CLIENTS)
                .mapToObj(client -> CompletableFuture.runAsync(() -> sendAll(client), threads))
                .toArray(CompletableFuture[]::new)).join();
        threads.shutdown();
        LOG.infof("%s: %d requests, %d failed", version(), requests.get(), failures.size());
        assertTrue(failures.isEmpty(), () -> String.join("\n", failures) + "\n" + service.log());
    }

    private void sendAll(int client) {
        for (int round = 0; round < ROUNDS; round++) {
            int page = 1 + (client * ROUNDS + round) % 80;
            for (String ordering : List.of("id", "-dataset_name", "captured_date", "user,-id")) {
                expect(200, anonymous, "GET", "/api/dataset/?ordering=" + ordering + "&p=" + page, null);
            }
            for (String filter : List.of("search=flight", "category=Other", "in_bbox=-10,35,14,58", "workspace=30")) {
                expect(200, anonymous, "GET", "/api/dataset/?" + filter, null);
            }
            writeOne("Of client " + client + ", round " + round);
            switch (round % 4) {
                case 0 -> {
                    String lines = expect(200, admin, "GET", "/api/dataset/", null, "Accept", Bulk.NDJSON);
                    check(lines.lines().count() > GENERATED, () -> "an export has " + lines.lines().count() + " lines");
                }
                case 1 -> importLines(1_000_000 * (client + 1L) + 1000L * round, 1200);
                case 2 -> abortExport();
                default -> expect(201, admin, "POST", "/api/account/",
                        new JsonObject().put("username", "client-" + client + "-" + round));
            }
        }
    }

    private void writeOne(String name) {
        String created = expect(201, admin, "POST", "/api/dataset/",
                new JsonObject().put("dataset_name", name).put("coordinates", List.of(47, 8)));
        if (created.startsWith("{")) {
            String path = "/api/dataset/" + new JsonObject(created).getLong("id") + "/";
            expect(200, admin, "PATCH", path, new JsonObject().put("dataset_name", name + ", changed"));
            String read = expect(200, anonymous, "GET", path, null);
            check(read.contains(name + ", changed"), () -> path + " is " + read);
            if (name.hashCode() % 2 == 0) {
                expect(204, admin, "DELETE", path, null);
            }
        }
    }

    private void importLines(long firstId, int count) {
        String lines = Bulk.body(IntStream.range(0, count).mapToObj(line -> Bulk.line(firstId + line)));
        String counts = expect(200, admin, "POST", "/api/dataset/", lines, "Content-Type", Bulk.NDJSON);
        check(counts.contains("\"created\":" + count + ","), () -> "an import answers " + counts);
    }

    private void abortExport() {
        requests.incrementAndGet();
        try (SlowClient client = SlowClient.exporting(service.url(), Caller.admin())) {
            client.head();
            client.line();
            client.abort();
        } catch (IOException | RuntimeException e) {
            failures.add("an export: " + e);
        }
    }

    private String expect(int status, Api api, String method, String path, Object body, String... headers) {
        requests.incrementAndGet();
        HttpResponse<String> answer;
        try {
            answer = api.call(method, path, body, headers);
        } catch (CompletionException e) {
            failures.add(method + " " + path + " " + String.join(" ", headers) + ": " + e);
            return "";
        }
        check(answer.statusCode() == status,
                () -> method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        return answer.body();
    }

    private void check(boolean condition, Supplier<String> failure) {
        if (!condition) {
            failures.add(failure.get());
        }
    }

    private void ranksAreFolded() {
        awaitMetric(admin, "dataset_ranks_pending", 0);
        assertEquals(0, metric(admin, "dataset_ranks_fold_failures_total"));
    }

    private String sql(String query) throws SQLException {
        try (Connection connection = postgres.connect();
                ResultSet result = connection.createStatement().executeQuery(query)) {
            result.next();
            return result.getString(1);
        }
    }
}
