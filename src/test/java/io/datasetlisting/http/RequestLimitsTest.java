package io.datasetlisting.http;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.datasetlisting.support.Metrics.metric;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Metrics;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.datasetlisting.support.SlowClient;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Tests that the service refuses a request in time if it cannot answer the request in time. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(RequestLimitsTest.Tight.class)
class RequestLimitsTest {

    private static final int AT_ONCE = 4;
    private static final int MORE = 20;
    private static final String UNAVAILABLE = "{\"detail\":\"Service temporarily unavailable, try again later.\"}";

    public static class Tight implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("dataset.http.max-concurrent-requests", Integer.toString(AT_ONCE),
                    "dataset.http.request-timeout", "PT1S", "dataset.http.client-memory", "2M",
                    "dataset.bulk.progress-interval", "PT0.1S",
                    "dataset.http.allowed-hosts",
                    "localhost,API.example.org",
                    "quarkus.datasource.reactive.additional-properties.statement_timeout", "2000");
        }
    }

    @Inject
    Pool pool;

    @Inject
    TestClock clock;

    @TestHTTPResource("/")
    URI root;

    @Test
    void excessRequestsAreRefusedAtOnceAndWaitingRequestsInTime() {
        Api api = new Api(root.toString().replaceAll("/$", ""), null);
        SqlConnection lock = pool.getConnectionAndAwait();
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        try (ErrorLog log = ErrorLog.open()) {
            lock.query("begin; lock table dataset in access exclusive mode").executeAndAwait();
            long started = System.nanoTime();
            for (int i = 0; i < MORE; i++) {
                waiting.add(api.send("GET", "/api/dataset/?p=1&i=" + i, null));
            }
            List<HttpResponse<String>> answers = waiting.stream().map(CompletableFuture::join).toList();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
            for (HttpResponse<String> answer : answers) {
                assertEquals(503, answer.statusCode());
                assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
                assertEquals(UNAVAILABLE, answer.body());
            }
            assertTrue(millis >= 1000, "the admitted requests have waited " + millis + " ms");
            assertNoStatementWaits(lock);
            lock.query("rollback").executeAndAwait();
            assertEquals(200, Listing.list("?p=1").statusCode());
            log.assertEmpty();
        } finally {
            lock.closeAndAwait();
        }
        assertEquals(0, metric("dataset_requests_running"));
    }

    /** The database says after the time limit whether the cached page is the newest. */
    @Test
    void aRefusedRequestForACachedPageLeavesNoErrorInTheLog() {
        SqlConnection lock = pool.getConnectionAndAwait();
        try (ErrorLog log = ErrorLog.open()) {
            assertEquals(200, Listing.list("?p=1").statusCode());
            lock.query("begin; lock table listing_change in access exclusive mode; select pg_sleep(0.2)")
                    .executeAndAwait();
            assertEquals(503, Listing.list("?p=1").statusCode());
            lock.query("rollback").executeAndAwait();
            assertEquals(200, Listing.list("?p=1").statusCode());
            log.assertEmpty();
        } finally {
            lock.closeAndAwait();
        }
    }

    /**
     * Asserts that no statement waits for a lock, because PostgreSQL has cancelled the statements of the refused
     * requests.
     */
    private static void assertNoStatementWaits(SqlConnection lock) {
        Patience.await("no statement waits").until(() -> lock
                .query("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%dataset%'")
                .executeAndAwait().size() == 0);
    }

    @Test
    void aStuckServiceIsFirstNotReadyAndThenNotAlive() throws IOException {
        List<SlowClient> clients = new ArrayList<>();
        // A request of the test before would take a place.
        awaitMetric("dataset_requests_running", 0);
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                SlowClient client = SlowClient.importing(root, Caller.admin(), "Transfer-Encoding: chunked");
                clients.add(client);
                assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            }
            clock.setAfterStart(Duration.ofMillis(9_999));
            assertEquals("UP UP", health());
            clock.setAfterStart(Duration.ofSeconds(10));
            assertEquals("DOWN UP", health());
            clock.setAfterStart(Duration.ofSeconds(60));
            assertEquals("DOWN DOWN", health());
            clients.remove(0).chunk("").close();
            awaitMetric("dataset_requests_running", AT_ONCE - 1);
            assertEquals("UP UP", health());
            // The service is full again, but only for a short time so far.
            SlowClient next = SlowClient.importing(root, Caller.admin(), "Transfer-Encoding: chunked");
            clients.add(next);
            next.head();
            assertEquals("UP UP", health());
        } finally {
            for (SlowClient client : clients) {
                client.close();
            }
            awaitMetric("dataset_requests_running", 0);
        }
    }

    /** The status of the check of the requests in the readiness and in the liveness. */
    private static String health() {
        return Stream.of("ready", "live").map(kind -> Listing.client().get("/q/health/" + kind).jsonPath()
                .getString("checks.find { it.name == 'Requests' }.status")).collect(Collectors.joining(" "));
    }

    private static final String TOO_SLOW = "{\"detail\":\"The body did not arrive within 1000 ms.\"}";

    @ParameterizedTest
    @CsvSource({"POST, /api/dataset/, application/json", "POST, /api/dataset/, application/x-www-form-urlencoded",
            "POST, /api/dataset/, multipart/form-data; boundary=b", "PUT, /api/dataset/3/, application/json",
            "PATCH, /api/dataset/3/, application/json", "POST, /api/account/, application/json",
            "POST, /api/token/, application/json"})
    void aBodyThatDoesNotArriveInTimeGets408(String method, String path, String type) throws IOException {
        try (ErrorLog log = ErrorLog.open();
                RawConnection ofLength = new RawConnection(root)
                        .write(head(method, path, type) + "Content-Length: 400\r\n\r\n{\"a");
                RawConnection chunked = new RawConnection(root)
                        .write(head(method, path, type) + "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n")) {
            for (RawConnection connection : List.of(ofLength, chunked)) {
                Answer answer = connection.read();
                assertEquals(408, answer.status(), answer::body);
                assertEquals(TOO_SLOW, answer.body());
                assertTrue(answer.head().toLowerCase().contains("\r\nconnection: close\r\n"), answer::head);
                assertEquals("", connection.readToEnd());
            }
            log.assertEmpty();
        }
        awaitMetric("dataset_requests_running", 0);
    }

    private static String head(String method, String path, String type) {
        return method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token " + Caller.admin().key()
                + "\r\nContent-Type: " + type + "\r\n";
    }

    @Test
    void aBodyThatArrivesInSmallPartsHasTheSameTimeLimit() throws Exception {
        try (RawConnection connection = new RawConnection(root)
                .write(head("POST", "/api/dataset/", "application/json") + "Content-Length: 400\r\n\r\n")) {
            // Reads beside the writes, because the service closes the connection after its response.
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> status(connection));
            Patience.await("a response").until(() -> {
                writeUnlessClosed(connection);
                return status.isDone();
            });
            assertEquals(408, status.join());
        }
    }

    @Test
    void bodiesThatDoNotFitIntoTheMemoryForClientsGet503() throws IOException {
        String most = head("POST", "/api/dataset/", "application/json") + "Content-Length: 1000000\r\n\r\n"
                + " ".repeat(900_000);
        try (RawConnection first = new RawConnection(root).write(most);
                RawConnection second = new RawConnection(root).write(most)) {
            awaitMetric("dataset_bodies_bytes", 1_800_000);
            try (RawConnection third = new RawConnection(root).write(most)) {
                Answer refused = third.read();
                assertEquals(503, refused.status());
                assertEquals(UNAVAILABLE, refused.body());
                assertTrue(refused.head().toLowerCase().contains("\r\nretry-after: 1\r\n"), refused::head);
            }
            // Now the two have room.
            for (RawConnection connection : List.of(first, second)) {
                assertEquals(400, connection.write(" ".repeat(100_000)).read().status());
            }
        }
        awaitMetric("dataset_bodies_bytes", 0);
    }

    private static int status(RawConnection connection) {
        try {
            return connection.read().status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeUnlessClosed(RawConnection connection) {
        try {
            connection.write(" ");
        } catch (IOException e) {
            // The service has closed the connection.
        }
    }

    /** Sends the end of the body after the response on a connection that stays open. */
    @Test
    void aBodyThatArrivesTooLateIsNotStored() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            io.vertx.core.http.HttpClient client = vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
            HttpClientRequest late = await(client.request(HttpMethod.POST, root.getPort(), root.getHost(),
                    "/api/account/"));
            late.putHeader("Authorization", "Token " + Caller.admin().key())
                    .putHeader("Content-Type", Caller.JSON).setChunked(true).write("{\"username\":");
            assertEquals("408 " + TOO_SLOW, await(late.response().compose(RequestLimitsTest::summary)));
            late.end("\"too late\"}");
            // On a busy machine, the read itself may end at the short time limit of this class.
            String accounts = Patience.await("the list of accounts").until(() -> accounts(client, late),
                    answer -> answer.startsWith("200 "));
            assertFalse(accounts.contains("too late"), accounts);
        } finally {
            await(vertx.close());
        }
    }

    private String accounts(io.vertx.core.http.HttpClient client, HttpClientRequest before) throws Exception {
        HttpClientRequest next = await(client.request(HttpMethod.GET, root.getPort(), root.getHost(),
                "/api/account/?page_size=100"));
        assertEquals(before.connection(), next.connection());
        return await(next.putHeader("Authorization", "Token " + Caller.admin().key()).send()
                .compose(RequestLimitsTest::summary));
    }

    private static io.vertx.core.Future<String> summary(HttpClientResponse answer) {
        return answer.body().map(body -> answer.statusCode() + " " + body);
    }

    private static <T> T await(io.vertx.core.Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void aSlowDatabaseIsNotTheFaultOfTheBody() throws IOException {
        SqlConnection lock = pool.getConnectionAndAwait();
        try (RawConnection connection = new RawConnection(root)) {
            lock.query("begin; lock table dataset in access exclusive mode").executeAndAwait();
            connection.write(head("POST", "/api/dataset/", "application/json") + "Content-Length: 2\r\n\r\n{}");
            Answer answer = connection.read();
            assertEquals(503, answer.status());
            assertEquals(UNAVAILABLE, answer.body());
            assertNoStatementWaits(lock);
        } finally {
            lock.query("rollback").executeAndAwait();
            lock.closeAndAwait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Listing.PATH + "?format=ndjson", "/api/dataset_coords", Listing.PATH + "changes/?wait=60"})
    void anExportOrALongPollThatGets503LeavesNoStatement(String path) {
        SqlConnection lock = pool.getConnectionAndAwait();
        try {
            lock.query("begin; lock table dataset in access exclusive mode").executeAndAwait();
            assertEquals(503, Listing.client().get(path).statusCode());
            assertNoStatementWaits(lock);
        } finally {
            lock.query("rollback").executeAndAwait();
            lock.closeAndAwait();
        }
    }

    @Test
    void aForeignHostIsRefused() {
        Listing.client().header("Host", "evil.example.org").get(Listing.PATH).then().statusCode(400)
                .body("detail", equalTo("Invalid Host header."));
        Listing.client().header("Host", "api.example.org:8443").get(Listing.PATH).then().statusCode(200);
        Listing.client().header("Host", "evil.example.org").get("/q/health/live").then().statusCode(200);
    }

    @Test
    void eachResponseHasTheRequestId() {
        Listing.client().get(Listing.PATH).then().header("X-Request-Id", matchesPattern("[0-9a-f]{1,16}"));
        Listing.client().header("X-Request-Id", "from-a.proxy_1").get("/api/nothing/").then().statusCode(404)
                .header("X-Request-Id", equalTo("from-a.proxy_1"));
        Listing.client().header("X-Request-Id", "x y").get(Listing.PATH).then()
                .header("X-Request-Id", matchesPattern("[0-9a-f]{1,16}"));
    }

    /** RFC 9110 demands it of a server that has a clock. */
    @ParameterizedTest
    @ValueSource(strings = {Listing.PATH, "/api/nothing/", "/datasets/", "/q/health/live", "/q/openapi"})
    void eachResponseHasTheDate(String path) {
        Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String date = Listing.client().get(path).header("Date");
        Instant sent = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
        assertFalse(sent.isBefore(before) || sent.isAfter(Instant.now()), date);
    }

    @Test
    void requestsAreCountedByAddressMethodAndStatus() {
        // On a busy machine a request may reach the short time limit of this class.
        Patience.await("a page").until(() -> Listing.list("").statusCode() == 200);
        Patience.await("no dataset").until(() -> Listing.list("999999999/").statusCode() == 404);
        Patience.await("no address")
                .until(() -> Listing.client().request("MADEUP", "/api/nothing/").statusCode() == 404);
        String counted = Metrics.all();
        assertThat(counted, matchesPattern("(?s).*http_server_requests_seconds_bucket\\{[^}]*method=\"GET\"[^}]*"
                + "outcome=\"SUCCESS\"[^}]*status=\"200\"[^}]*uri=\"/api/dataset/\"[^}]*le=\"0.25\"}.*"));
        assertThat(counted, containsString("outcome=\"CLIENT_ERROR\",status=\"404\",uri=\"/api/dataset/{id}/\""));
        assertThat(counted, containsString("method=\"OTHER\",outcome=\"CLIENT_ERROR\",status=\"404\",uri=\"UNKNOWN\""));
    }

    @Test
    void waitsForADatabaseConnectionAreCounted() {
        Listing.list("?p=1");
        String metrics = Metrics.all();
        String pool = "{pool_name=\"primary\",pool_type=\"sql\"}";
        assertThat(metrics, matchesPattern("(?s).*\nsql_pool_queue_delay_seconds_count\\" + pool + " [1-9].*"));
        // A fold takes a connection from time to time.
        awaitMetric("sql_pool_active" + pool, 0);
        awaitMetric("sql_pool_queue_size" + pool, 0);
    }

    @Test
    void browsersShowNoResponseAsAPage() {
        Listing.client().get(Listing.PATH).then().header("X-Content-Type-Options", equalTo("nosniff"))
                .header("Content-Security-Policy", equalTo("default-src 'none'; frame-ancestors 'none'"));
    }
}
