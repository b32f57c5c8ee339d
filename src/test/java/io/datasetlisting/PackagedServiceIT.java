package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** The package as an operator starts it. */
class PackagedServiceIT {

    private static final Path APP = Path.of("target", "quarkus-app");

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    private static Process start(String database, String... properties) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m", "-Dquarkus.http.port=0", "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.datasource.reactive.url=postgresql://127.0.0.1:" + database,
                        "-Dquarkus.datasource.username=postgres", "-Dquarkus.datasource.password=postgres"));
        command.addAll(List.of(properties));
        command.addAll(List.of("-jar", APP.resolve("quarkus-run.jar").toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("AWS_ACCESS_KEY_ID", "from the environment");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "secret");
        return builder.start();
    }

    /** Everything that a start that must fail writes, after it has ended with exit code 1. */
    private static String failedStart(String database, String... properties) throws Exception {
        Process service = start(database, properties);
        String output = new String(service.getInputStream().readAllBytes());
        assertTrue(service.waitFor(60, TimeUnit.SECONDS));
        assertEquals(1, service.exitValue(), output);
        assertFalse(output.contains("\tat "), output);
        return output;
    }

    private static String baseUrl(BufferedReader log) {
        return log.lines().filter(line -> line.contains("Listening on: ")).findFirst().orElseThrow()
                .replaceAll(".*Listening on: (\\S+).*", "$1");
    }

    private static HttpResponse<String> get(String url) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void itMigratesAnEmptyDatabaseFillsItIfAskedListsAndStopsInOrder() throws Exception {
        Process service = start(postgres.getPort() + "/postgres", "-Ddataset.sample.enabled=true",
                "-Ddataset.sample.generated=3000");
        try (BufferedReader log = service.inputReader()) {
            String base = baseUrl(log);
            JsonObject page = new JsonObject(get(base + "/api/dataset/?page_size=100").body());
            assertTrue(page.getInteger("count") > 2_900);
            JsonObject first = page.getJsonArray("results").getJsonObject(0);
            assertEquals("Nashville Tornado 20200307aC0852700w360900", first.getString("dataset_name"));
            assertEquals("noaa 1", first.getString("user"));
            assertTrue(first.getString("thumbnail_image")
                    .matches("http://localhost:9000/datasets/noaa-emergency-response/1000-[0-9a-f-]{36}/thumbnail.jpg"
                            + "\\?AWSAccessKeyId=from\\+the\\+environment&Signature=[^&]+&Expires=\\d+"));
            assertEquals(200, get(base + "/api/dataset/?x=%7C&ordering=-dataset_name").statusCode());
            assertEquals(404, get(base + "/api/bench/constant/?size=5").statusCode());

            HttpResponse<String> ready = get(base + "/q/health/ready");
            assertEquals(200, ready.statusCode());
            assertTrue(ready.body().contains("PostgreSQL"), ready.body());
            assertEquals(200, get(base + "/q/health/live").statusCode());

            service.destroy();
            assertTrue(service.waitFor(20, TimeUnit.SECONDS));
            assertEquals(143, service.exitValue());
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void aDatabaseThatGoesAwayIsA503AndNotTheEnd() throws Exception {
        EmbeddedPostgres passing = EmbeddedPostgres.start();
        Process service = start(passing.getPort() + "/postgres");
        try (BufferedReader log = service.inputReader()) {
            String base = baseUrl(log);
            assertEquals(200, get(base + "/api/dataset/").statusCode());
            passing.close();
            HttpResponse<String> answer = get(base + "/api/dataset/");
            assertEquals(503, answer.statusCode());
            assertEquals("{\"detail\":\"Service temporarily unavailable, try again later.\"}", answer.body());
            assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
            assertEquals(503, get(base + "/q/health/ready").statusCode());
            assertEquals(200, get(base + "/q/health/live").statusCode());
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void withoutADatabaseItSaysSoInLinesRetriesAndEnds() throws Exception {
        String output = failedStart("1/postgres", "-Ddataset.database.start-timeout=2s");
        assertTrue(output.contains("Database not available, next try in 250 ms: Connection refused"), output);
        assertTrue(output.contains("next try in 500 ms"), output);
        assertTrue(output.contains("Database not available within 2 s: Connection refused"), output);
    }

    @Test
    void aDatabaseThatRefusesItIsNamedToo() throws Exception {
        assertTrue(failedStart(postgres.getPort() + "/nobody", "-Ddataset.database.start-timeout=1s")
                .contains("database \"nobody\" does not exist"));
    }

    @Test
    void aConfigurationThatContradictsItselfRefusesToStart() throws Exception {
        assertTrue(failedStart(postgres.getPort() + "/postgres", "-Ddataset.listing.default-page-size=101")
                .contains("dataset.listing.default-page-size (101) is above dataset.listing.max-page-size (100)"));
        assertTrue(failedStart(postgres.getPort() + "/postgres", "-Dquarkus.http.proxy.proxy-address-forwarding=true")
                .contains("quarkus.http.proxy.trusted-proxies"));
        assertTrue(failedStart(postgres.getPort() + "/postgres", "-Ddataset.listing.max-pagesize=5")
                .contains("dataset.listing.max-pagesize"));
    }

    @Test
    void noPostgresqlIsInThePackage() throws IOException {
        try (Stream<Path> files = Files.walk(APP)) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            assertTrue(names.contains("quarkus-run.jar"));
            assertEquals(List.of(),
                    names.stream().filter(name -> name.contains("embedded") || name.contains("zonky")).toList());
        }
    }
}
