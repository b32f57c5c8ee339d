package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** The package as an operator starts it. */
class PackagedServiceIT {

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    /** Everything that a start that must fail writes, after it has ended with exit code 1. */
    private static String failedStart(String database, String... properties) throws Exception {
        try (ServiceProcess service = ServiceProcess.start(database, properties)) {
            assertEquals(1, service.awaitExit(), service::log);
            assertFalse(service.log().contains("\tat "), service::log);
            return service.log();
        }
    }

    private static HttpResponse<String> get(String url) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void itMigratesAnEmptyDatabaseFillsItIfAskedListsAndStopsInOrder() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/postgres",
                "-Ddataset.sample.enabled=true", "-Ddataset.sample.generated=3000")) {
            URI base = service.url();
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

            assertEquals(0, ServiceProcess.health(base));
            HttpResponse<String> ready = get(base + "/q/health/ready");
            assertEquals(200, ready.statusCode());
            assertTrue(ready.body().contains("PostgreSQL"), ready.body());
            assertEquals(200, get(base + "/q/health/live").statusCode());

            service.stopInOrder();
            assertEquals(1, ServiceProcess.health(base));
        }
    }

    @Test
    void itMigratesAndEndsWhenItIsToldToAndLogsLinesOfJson() throws Exception {
        try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("create database empty");
        }
        try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/empty",
                "-Ddataset.database.migrate-and-exit=true", "-Ddataset.database.migrate-at-start=false",
                "-Dquarkus.log.console.json.enabled=true")) {
            assertEquals(0, service.awaitExit(), service::log);
            assertTrue(service.log().lines().map(JsonObject::new)
                    .anyMatch(line -> "The schema is migrated, the service exits".equals(line.getString("message"))),
                    service::log);
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
        try (Stream<Path> files = Files.walk(ServiceProcess.APP)) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            assertTrue(names.contains("quarkus-run.jar"));
            assertEquals(List.of(),
                    names.stream().filter(name -> name.contains("embedded") || name.contains("zonky")).toList());
        }
    }
}
