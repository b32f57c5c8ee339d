package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Patience;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests the start and the stop of the package. {@link PackagedStartsIT} has further starts. */
class PackagedServiceIT {

    @AutoClose
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    private static HttpResponse<String> get(String url) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void startsOnAnEmptyDatabaseWithSampleDataAndStopsInOrder() throws Exception {
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

    /** Running requests end. New connections are refused at once, so that a proxy selects another instance. */
    @Test
    void onSigtermTheServiceEndsAcceptingBeforeRunningRequestsEnd() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/postgres",
                "-Ddataset.admin-token=test-admin-token", "-Dquarkus.log.console.json.enabled=true");
                Socket request = new Socket(service.url().getHost(), service.url().getPort())) {
            request.getOutputStream().write(("POST /api/dataset/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token"
                    + " test-admin-token\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 2\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            assertEquals("HTTP/1.1 100 Continue", readLine(request));
            String metrics = get(service.url() + "/q/metrics").body();
            for (String name : List.of("rows_imported_total 0.0", "rows_streamed_total", "columns_refused_total",
                    "columns_parts_read_total", "columns_bytes", "oidc_keys_failures_total")) {
                assertTrue(metrics.contains("\ndataset_" + name), name);
            }
            service.stop();
            Patience.await("no new connection is accepted").until(() -> !accepts(service.url()));
            request.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
            assertEquals("", readLine(request));
            assertEquals("HTTP/1.1 201 Created", readLine(request));
            assertEquals(143, service.awaitExit(), service::log);
            assertFalse(service.log().contains("WARN"), service::log);
        }
    }

    private static String readLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = socket.getInputStream().read(); b != '\n' && b >= 0; b = socket.getInputStream().read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private static boolean accepts(URI service) throws IOException {
        try (Socket connection = new Socket(service.getHost(), service.getPort())) {
            return connection.isConnected();
        } catch (ConnectException e) {
            return false;
        }
    }

    @Test
    void migratesOrRebuildsAndExitsBesideAnInstanceAndLogsJson() throws Exception {
        try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("create database empty");
        }
        try (ServerSocket instance = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"))) {
            String port = "-Dquarkus.http.port=" + instance.getLocalPort();
            assertExits("The schema is migrated, the service exits", port, "-Ddataset.database.migrate-and-exit=true");
            assertExits("The ranks are rebuilt, the service exits", port, "-Ddataset.database.rebuild-and-exit=true");
        }
    }

    private static void assertExits(String message, String... properties) throws Exception {
        try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/empty", Stream
                .concat(Stream.of(properties),
                        Stream.of("-Ddataset.database.migrate-at-start=false",
                                "-Dquarkus.log.console.json.enabled=true"))
                .toArray(String[]::new))) {
            assertEquals(0, service.awaitExit(), service::log);
            List<JsonObject> lines = service.log().lines().map(JsonObject::new).toList();
            assertTrue(lines.stream().anyMatch(line -> message.equals(line.getString("message"))), service::log);
            assertFalse(service.log().contains("Listening on"), service::log);
        }
    }

    @Test
    void thePackageContainsNoPostgresql() throws IOException {
        assertEquals(List.of(), filesOfThePackage("embedded|zonky"));
    }

    /** Parsing the OpenAPI document took half of the CPU time of a native executable's start. The build does it instead. */
    @Test
    void thePackageContainsNoUnusedParser() throws IOException {
        assertEquals(List.of(), filesOfThePackage("open-?api|yaml|quarkus-swagger|jaxb"));
    }

    private static List<String> filesOfThePackage(String part) throws IOException {
        try (Stream<Path> files = Files.walk(ServiceProcess.folder())) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            assertTrue(names.contains("quarkus-run.jar"));
            return names.stream().filter(name -> Pattern.compile(part).matcher(name).find()).toList();
        }
    }
}
