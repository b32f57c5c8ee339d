package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Tests that the first release and this build serve one database at the same time, under reads and writes, and that an operator
 * can go back. The first release is built from its commit. The test is skipped where the history is not at hand.
 */
class UpgradeIT {

    private static final Logger LOG = Logger.getLogger(UpgradeIT.class);

    private static final String FIRST_RELEASE = "b20e5cc0475fe7cd308c2217903951f078c6224e";
    private static final Path FOLDER = Path.of("target", "first-release").toAbsolutePath();
    private static final long BUILD_MINUTES = 15;
    private static final int CLIENTS = 4;
    /** Each client sends so many creates, reads, changes and deletes while instances serve together. */
    private static final int ROUNDS = 30;
    private static final String PATH = "/api/dataset/";
    private static final List<String> ORDERS = List.of("id", "-id", "dataset_name", "-captured_date", "workspace",
            "-user");
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final List<String> serving = new ArrayList<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    @Test
    void theFirstReleaseAndThisOneServeTogetherAndAnOperatorCanGoBack() throws Exception {
        Path first = firstRelease();
        List<ServiceProcess> started = new ArrayList<>();
        try (PostgresServer postgres = new PostgresServer()) {
            try {
                ServiceProcess old = start(first, postgres, started, "-Ddataset.sample.generated=3000");
                serving.add(old.url().toString());
                List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                        .mapToObj(i -> CompletableFuture.runAsync(this::callUntilOver)).toList();
                awaitRounds();
                // Migrates while the first release serves.
                ServiceProcess upgraded = start(ServiceProcess.program(), postgres, started);
                join(upgraded);
                awaitRounds();
                leave(old);
                awaitRounds();
                ServiceProcess back = start(first, postgres, started, "-Ddataset.database.migrate-at-start=false");
                join(back);
                awaitRounds();
                leave(upgraded);
                awaitRounds();
                join(start(ServiceProcess.program(), postgres, started));
                awaitRounds();
                over = true;
                clients.forEach(CompletableFuture::join);
                assertEquals(List.of(), List.copyOf(failures));
                assertEquals(pages(serving.get(0)), pages(serving.get(1)));
                Patience.await("the ranks, columns and the feed are right").until(() -> wrong(postgres) == 0);
                LOG.infof("Both releases served one database: %d rounds, none failed", rounds.get());
            } finally {
                over = true;
                started.forEach(ServiceProcess::close);
            }
        }
    }

    /** The jar of the first release. */
    private static Path firstRelease() throws IOException, InterruptedException {
        Path jar = FOLDER.resolve("target/quarkus-app/quarkus-run.jar");
        if (!Files.exists(jar)) {
            assumeTrue(run(Path.of(""), "git", "cat-file", "-e", FIRST_RELEASE + "^{commit}") == 0,
                    "The history has no commit of release 1.0.0");
            Files.createDirectories(FOLDER);
            assertEquals(0, run(Path.of(""), "sh", "-c",
                    "git archive " + FIRST_RELEASE + " | tar -x -C '" + FOLDER + "'"));
            assertEquals(0, run(FOLDER, Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(), "-q", "-B",
                    "package", "-Dmaven.test.skip=true", "-Dformat.skip=true"));
        }
        return jar;
    }

    private static int run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).directory(folder.toAbsolutePath().toFile()).inheritIO().start();
        assertTrue(process.waitFor(BUILD_MINUTES, TimeUnit.MINUTES), () -> String.join(" ", command));
        return process.exitValue();
    }

    private static ServiceProcess start(Path program, PostgresServer postgres, List<ServiceProcess> started,
            String... properties) throws IOException {
        List<String> all = new ArrayList<>(List.of("-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key()));
        all.addAll(List.of(properties));
        ServiceProcess service = ServiceProcess.start(program,
                Map.of("AWS_ACCESS_KEY_ID", "upgrade", "AWS_SECRET_ACCESS_KEY", "secret"),
                postgres.port() + "/postgres",
                all.toArray(String[]::new));
        started.add(service);
        service.url();
        return service;
    }

    private void join(ServiceProcess service) {
        synchronized (serving) {
            serving.add(service.url().toString());
        }
    }

    private void leave(ServiceProcess service) throws InterruptedException {
        synchronized (serving) {
            serving.remove(service.url().toString());
        }
        // The requests of these clients have ended.
        awaitRounds();
        service.stopInOrder();
    }

    private void awaitRounds() {
        int enough = rounds.get() + CLIENTS * ROUNDS;
        Patience.await("rounds of the clients").until(() -> rounds.get() >= enough || !failures.isEmpty());
        assertEquals(List.of(), List.copyOf(failures));
    }

    private String any() {
        synchronized (serving) {
            return serving.get(ThreadLocalRandom.current().nextInt(serving.size()));
        }
    }

    /** Each instance sees at once what another one has written. */
    private void callUntilOver() {
        while (!over) {
            try {
                JsonObject created = new JsonObject(expect(201, any(), "POST", PATH,
                        "{\"dataset_name\":\"While both serve\",\"coordinates\":[47,8]}"));
                String address = PATH + created.getLong("id") + "/";
                expect(200, any(), "PATCH", address, "{\"dataset_name\":\"Changed\"}");
                String shown = expect(200, any(), "GET", address, null);
                if (!shown.contains("\"Changed\"")) {
                    failures.add("not the last write: " + shown);
                }
                expect(200, any(), "GET", PATH + "?ordering=" + ORDERS.get(rounds.get() % ORDERS.size()), null);
                if (rounds.get() % 2 == 0) {
                    expect(204, any(), "DELETE", address, null);
                    expect(404, any(), "GET", address, null);
                }
                rounds.incrementAndGet();
            } catch (RuntimeException e) {
                failures.add(e.toString());
            }
        }
    }

    private String expect(int status, String url, String method, String path, String body) {
        HttpResponse<String> response = CLIENT.sendAsync(HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Token " + Caller.admin().key()).header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build(),
                BodyHandlers.ofString()).join();
        if (response.statusCode() != status) {
            throw new IllegalStateException(url + " " + method + " " + path + ": " + response.statusCode() + " "
                    + response.body());
        }
        return response.body();
    }

    /** The count and the ids of the first, of a middle and of the last page in each order. */
    private List<String> pages(String url) {
        return ORDERS.stream().flatMap(order -> List.of("1", "7", "last").stream().map(page -> {
            JsonObject listed = new JsonObject(
                    expect(200, url, "GET", PATH + "?page_size=50&ordering=" + order + "&p=" + page, null));
            JsonArray results = listed.getJsonArray("results");
            return order + " " + page + " " + listed.getInteger("count") + " " + IntStream.range(0, results.size())
                    .mapToObj(i -> results.getJsonObject(i).getLong("id")).toList();
        })).toList();
    }

    /** The places at which a rank, a column or the feed differs from the table. */
    private static long wrong(PostgresServer postgres) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet wrong = statement.executeQuery("select count(*) from wrong_ranks()")) {
            wrong.next();
            return wrong.getLong(1);
        }
    }
}
