package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.body;
import static io.datasetlisting.support.Bulk.export;
import static io.datasetlisting.support.Bulk.line;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.catalogue.listing.StreamLimits;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Http2Connection;
import io.datasetlisting.support.Http2Connection.Frame;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.json.JsonObject;

/** Tests bulk transfers with slow clients, with too many clients and with clients that disconnect. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(LowLimits.class)
// Tests with the same datasets run one after another.
@TestMethodOrder(MethodOrderer.MethodName.class)
class BulkTransferTest {

    private static final int MANY = 12_000;
    private static final List<Dataset> DATASETS = generated(MANY);
    private static final int MUCH = 20 << 20;
    /** Of HTTP/2. */
    private static final int INTERNAL_ERROR = 2;
    private static final String CHUNKED = "Transfer-Encoding: chunked";
    /** A cursor that has waited for its next fetch for some time. */
    private static final String WAITING_CURSOR = Catalogue.OTHERS
            + " and state = 'idle in transaction' and query like '%from dataset%'"
            + " and state_change < clock_timestamp() - interval '0.3 s'";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private ErrorLog log;

    @BeforeEach
    void openLog() {
        log = ErrorLog.open();
    }

    @AfterEach
    void nothingIsLoggedAsAnError() {
        catalogue.awaitNoTransaction();
        log.close();
        log.assertEmpty();
    }

    @Test
    void anExportThatTheClientDoesNotReadPausesItsCursor() throws IOException {
        catalogue.replaceWith(DATASETS);
        try (SlowClient client = SlowClient.exporting(service, Caller.admin())) {
            catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
            assertEquals(15, Listing.page("").ids().size());
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            client.line();
            catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
            assertEquals(MANY - 1, client.countLines());
            catalogue.awaitNoTransaction();
        }
    }

    @Test
    void anExportWhoseClientDisconnectsLeavesNoTransaction() throws IOException {
        catalogue.replaceWith(DATASETS);
        SlowClient crashing = SlowClient.exporting(service, Caller.admin());
        catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
        crashing.abort();
        catalogue.awaitNoTransaction();

        SlowClient leaving = SlowClient.exporting(service, Caller.anonymous());
        assertTrue(leaving.head().startsWith("HTTP/1.1 200 "));
        leaving.close();
        catalogue.awaitNoTransaction();
        assertEquals(200, Bulk.export(Caller.anonymous(), "?fields=id").statusCode());
    }

    @Test
    void anExportThatTheDatabaseInterruptsEndsWithABrokenConnection() throws IOException {
        catalogue.replaceWith(DATASETS);
        try (SlowClient client = SlowClient.exporting(service, Caller.admin())) {
            catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
            catalogue.sql("select pg_terminate_backend(pid) from " + WAITING_CURSOR);
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            assertThrows(IOException.class, client::countLines);
        }
        awaitFreeSlot();
        assertEquals(15, Listing.page("").ids().size());
    }

    /** Such a response ends with its connection. */
    @ParameterizedTest
    @ValueSource(strings = {"ndjson", "csv", "geoparquet"})
    void anExportOfHttp10ThatTheDatabaseInterruptsIsReset(String format) throws IOException {
        catalogue.replaceWith(DATASETS);
        try (SlowClient client = new SlowClient(service)
                .write(("GET /api/dataset/?format=" + format + " HTTP/1.0\r\nHost: localhost\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII))) {
            catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
            catalogue.sql("select pg_terminate_backend(pid) from " + WAITING_CURSOR);
            assertTrue(client.head().contains(" 200 "));
            assertThrows(SocketException.class, () -> client.bytes(100_000_000));
        }
        awaitFreeSlot();
    }

    /** To some clients, curl among them, a stream looks complete that is reset without an error. */
    @ParameterizedTest
    @ValueSource(strings = {Listing.PATH + "?format=ndjson", "/api/search_datasets", "/api/dataset_coords"})
    void aStreamOfHttp2ThatTheDatabaseInterruptsIsResetWithAnError(String path) throws IOException {
        catalogue.replaceWith(DATASETS);
        try (Http2Connection connection = new Http2Connection(service, 1_024)) {
            int stream = connection.get(path);
            catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
            catalogue.sql("select pg_terminate_backend(pid) from " + WAITING_CURSOR);
            byte[] window = ByteBuffer.allocate(4).putInt(100_000_000).array();
            connection.send(Http2Connection.WINDOW_UPDATE, 0, 0, window);
            connection.send(Http2Connection.WINDOW_UPDATE, 0, stream, window);
            Frame frame = connection.read();
            while (frame.type() != Http2Connection.RST_STREAM) {
                assertFalse(frame.type() == Http2Connection.DATA && (frame.flags() & Http2Connection.END_STREAM) != 0,
                        "the response looks complete");
                frame = connection.read();
            }
            assertEquals(INTERNAL_ERROR, ByteBuffer.wrap(frame.payload()).getInt());
        }
        awaitFreeSlot();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-ndjson", "text/csv"})
    void anExportWhoseClientReadsTooSlowlyIsClosed(String type) throws Exception {
        catalogue.replaceWith(DATASETS);
        double before = closed("rate");
        try (SlowClient client = SlowClient.exporting(service, Caller.anonymous(), type)) {
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            assertThrows(IOException.class, () -> {
                Patience.await("the stream is closed").pollInterval(Duration.ofMillis(200))
                        .until(() -> client.line() == null || !log.warnings(StreamLimits.class).isEmpty());
                // After the reset, the client's system still has data.
                client.countLines();
            });
            assertClosed("rate", before, "GET /api/dataset/ closed: the client reads less than 65536 bytes a second");
            awaitFreeSlot();
        }
    }

    private void assertClosed(String reason, double before, String warning) {
        catalogue.awaitNoTransaction();
        assertEquals(before + 1, closed(reason));
        assertEquals(List.of(warning), log.warnings(StreamLimits.class));
    }

    private static double closed(String reason) {
        return metric("dataset_streams_closed_total{reason=\"" + reason + "\"}");
    }

    private static void awaitFreeSlot() {
        Patience.await("the transfer has ended")
                .until(() -> metric("dataset_transfers_running") == 0 && metric("dataset_requests_running") == 0);
    }

    /** The client of HTTP/2 does not read at all, and has a small window, so that also a short array does not fit into it. */
    @ParameterizedTest
    @ValueSource(strings = {Listing.PATH + "?format=ndjson", "/api/search_datasets", "/api/dataset_coords"})
    void aStreamOfHttp2WhoseClientReadsTooSlowlyIsReset(String path) throws Exception {
        catalogue.replaceWith(DATASETS);
        double before = closed("rate");
        Vertx vertx = Vertx.vertx();
        try {
            HttpClient client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false)
                    .setInitialSettings(new Http2Settings().setInitialWindowSize(1_024)));
            CompletableFuture<Throwable> broken = new CompletableFuture<>();
            HttpClientRequest request = await(
                    client.request(HttpMethod.GET, service.getPort(), service.getHost(), path));
            request.response(response -> {
                response.result().pause().exceptionHandler(broken::complete).endHandler(end -> broken.complete(null));
            });
            request.send();
            catalogue.awaitThat("exists (select from " + WAITING_CURSOR + ")");
            Throwable failure = broken.get(20, TimeUnit.SECONDS);
            assertTrue(failure instanceof StreamResetException reset && reset.getCode() == INTERNAL_ERROR,
                    () -> "the response ended with " + failure);
            assertClosed("rate", before, "GET " + path.replaceFirst("\\?.*", "")
                    + " closed: the client reads less than 65536 bytes a second");
            awaitFreeSlot();
            HttpClientRequest next = await(
                    client.request(HttpMethod.GET, service.getPort(), service.getHost(), "/api/dataset/3/"));
            assertTrue(List.of(200, 404).contains(await(next.send()).statusCode()));
            assertEquals(request.connection(), next.connection());
        } finally {
            await(vertx.close());
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void anExportWhoseClientReadsFastEnoughIsNotClosed() throws Exception {
        catalogue.replaceWith(DATASETS);
        try (SlowClient client = SlowClient.exporting(service, Caller.admin())) {
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            assertEquals(MANY, readSlowly(client));
        }
        assertEquals(List.of(), log.warnings(StreamLimits.class));
    }

    /** Takes longer than a check of the token is cached, so that the service checks it again. */
    private static long readSlowly(SlowClient client) {
        int[] read = {0};
        Patience.await("slow reading").pollInterval(Duration.ofMillis(50)).until(() -> {
            for (int i = 0; i < 40; i++) {
                client.line();
            }
            return (read[0] += 40) == 25 * 40;
        });
        try {
            return read[0] + client.countLines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The check of the token needs another connection, for which it may wait long. Other requests wait for the same check. */
    @Test
    void anExportDoesNotWaitForTheCheckOfItsToken() throws Exception {
        catalogue.replaceWith(DATASETS);
        Api admin = new Api(service.toString().replaceFirst("/$", ""), Caller.admin().key());
        List<CompletableFuture<Integer>> pages = new ArrayList<>();
        try (SlowClient client = SlowClient.exporting(service, Caller.admin())) {
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            catalogue.during("lock table api_token in access exclusive mode", () -> {
                for (int after = 200; after <= 1000; after += 200) {
                    pages.add(CompletableFuture.supplyAsync(() -> admin.bytes(Listing.PATH).statusCode(),
                            CompletableFuture.delayedExecutor(after, TimeUnit.MILLISECONDS)));
                }
                assertEquals(MANY, readSlowly(client));
                catalogue.awaitThat("exists (select from " + Catalogue.OTHERS + " and wait_event_type = 'Lock')");
            });
        }
        // The database may end the check, because it waits for a lock for too long.
        for (CompletableFuture<Integer> page : pages) {
            assertTrue(Set.of(200, 503).contains(page.join()), () -> "a page has " + page.join());
        }
    }

    /** The header record of a CSV export is sent before the database has a row. */
    @Test
    void anExportWhoseClientWaitsForTheDatabaseIsNotClosed() throws IOException {
        catalogue.replaceWith(DATASETS);
        SlowClient[] client = new SlowClient[1];
        catalogue.during("lock table dataset in access exclusive mode", () -> {
            client[0] = exportTable();
            catalogue.sql("select from pg_sleep(2)");
        });
        try (SlowClient waiting = client[0]) {
            assertTrue(waiting.head().startsWith("HTTP/1.1 200 "));
            assertTrue(waiting.countLines() > MANY / 2);
        }
        assertEquals(List.of(), log.warnings(StreamLimits.class));
    }

    private SlowClient exportTable() {
        try {
            return SlowClient.exporting(service, Caller.anonymous(), "text/csv");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anExportEndsAfterItsLongestDurationEvenIfTheDatabaseIsBusy() {
        catalogue.replaceWith(DATASETS);
        double before = closed("time");
        catalogue.during("lock table dataset in access exclusive mode", () -> {
            try (SlowClient client = exportTable()) {
                assertTrue(client.head().startsWith("HTTP/1.1 200 "));
                assertThrows(IOException.class, client::countLines);
                awaitNoStatementThatWaits();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertClosed("time", before, "GET /api/dataset/ closed: longer than 8000 ms");
    }

    private void awaitNoStatementThatWaits() {
        catalogue.awaitThat("not exists (select from " + Catalogue.OTHERS + " and wait_event_type = 'Lock'"
                + " and query like '%from dataset%')");
    }

    @Test
    void anExportWithTooManyOthersIsRefusedAndTheRunningExportContinues() throws IOException {
        catalogue.replaceWith(DATASETS);
        try (SlowClient client = SlowClient.exporting(service, Caller.admin())) {
            client.head();
            Response refused = export(Caller.anonymous(), "");
            assertEquals(503, refused.statusCode());
            assertEquals("application/json", refused.header("Content-Type"));
            assertEquals("1", refused.header("Retry-After"));
            assertEquals("{\"detail\":\"Too many bulk transfers at once, try again later.\"}", refused.asString());
            Caller.anonymous().request().header("Accept", Bulk.NDJSON).head(Listing.PATH).then().statusCode(200);
            assertEquals(15, Listing.page("").ids().size());
            assertEquals(MANY, client.countLines());
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(Outcome.of(1, 0), Bulk.importAll(line(1 + i)));
            assertEquals(200, export(Caller.anonymous(), "?ordering=-id&fields=id").statusCode());
        }
    }

    @Test
    void anImportThatWaitsForTheDatabaseIsNotReadIntoMemory() throws IOException {
        catalogue.replaceWith(plain(20));
        try (SlowClient client = SlowClient.importing(service, Caller.admin(), CHUNKED)) {
            CompletableFuture<?>[] sent = new CompletableFuture<?>[1];
            catalogue.during("lock table dataset in share mode", () -> {
                sent[0] = CompletableFuture.runAsync(() -> sendLongLines(client));
                long before = -1;
                for (long now = client.written(); now != before || now == 0; now = client.written()) {
                    before = now;
                    catalogue.sql("select from pg_sleep(0.5)");
                }
                assertTrue(before < 24 << 20, () -> client.written() + " bytes have been read");
                assertEquals(15, Listing.page("").ids().size());
            });
            sent[0].join();
            client.head();
            assertEquals(Outcome.of(1_000, 0), Outcome.of(client.lastLine()));
        }
    }

    /** Sends 1,000 lines of 64 KB each, so that reading ahead is visible after few rows. */
    private static void sendLongLines(SlowClient client) {
        try {
            for (long id = 1_000; id < 2_000; id++) {
                client.chunk(line(id).put("unknown", "x".repeat(64 << 10)).encode() + '\n');
            }
            client.chunk("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anImportReportsItsProgressWhileItRuns() throws IOException {
        catalogue.replaceWith();
        try (SlowClient client = SlowClient.importing(service, Caller.admin(), CHUNKED)) {
            client.chunk(body(LongStream.rangeClosed(1, 1_700).mapToObj(Bulk::line)) + "[]\n");
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            String progress = client.lineWhere(line -> !line.startsWith("{\"created\":0,"));
            assertTrue(progress.matches("\\{\"created\":1000,\"replaced\":0,\"refused\":1,\"per_second\":\\d+}"),
                    progress);
            assertEquals(1_000, catalogue.sql("select from dataset").size());
            client.chunk("");
            assertEquals(1_700, Outcome.of(client.lastLine()).created());
        }
    }

    @Test
    void anImportBreaksOffWhenItsTokenIsRevoked() throws IOException {
        catalogue.replaceWith();
        Caller chief = Caller.account("Chief").token("admin");
        try (SlowClient client = SlowClient.importing(service, chief, CHUNKED)) {
            client.chunk(body(LongStream.rangeClosed(1, 1_001).mapToObj(Bulk::line)));
            client.head();
            client.lineWhere(line -> line.startsWith("{\"created\":1000,"));
            catalogue.sql("update api_token set revoked = true where account_id = " + chief.id());
            awaitRefusal(chief);
            client.chunk(body(LongStream.rangeClosed(1_002, 2_001).mapToObj(Bulk::line)));
            assertEquals(
                    "Invalid token: the import broke off. What is counted here is stored; run it again for the rest.",
                    new JsonObject(client.lastLine()).getString("detail"));
            assertEquals(1_000, catalogue.sql("select from dataset").size());
        }
    }

    /** The service may have cached the token. */
    private static void awaitRefusal(Caller caller) {
        Patience.await("the token is refused").until(() -> caller.get(Listing.PATH).statusCode() == 401);
    }

    @Test
    void anImportThatBreaksOffCountsTheBatchesThatStillRun() throws IOException {
        catalogue.replaceWith();
        Bulk.importAll(body(LongStream.rangeClosed(1, 2_001).mapToObj(Bulk::line)));
        Caller chief = Caller.account("Chief").token("admin");
        try (SlowClient client = SlowClient.importing(service, chief, CHUNKED)) {
            catalogue.during("update dataset set version = version + 1 where id = 1500", () -> {
                try {
                    client.chunk(
                            body(LongStream.rangeClosed(1, 2_001).mapToObj(id -> Bulk.line(id).put("workspace", 71))));
                    client.head();
                    client.lineWhere(line -> line.startsWith("{\"created\":0,\"replaced\":1000,"));
                    catalogue.sql("update api_token set revoked = true where account_id = " + chief.id());
                    awaitRefusal(chief);
                    // This batch fails while the one before waits for the lock.
                    client.chunk(body(LongStream.rangeClosed(3_001, 4_001).mapToObj(Bulk::line)));
                    Patience.pause(Duration.ofSeconds(1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            JsonObject last = new JsonObject(client.lastLine());
            assertTrue(last.getString("detail").startsWith("Invalid token"));
            assertEquals(2_000, last.getInteger("replaced"));
            assertEquals(2_000, catalogue.sql("select from dataset where workspace = 71").size());
        }
    }

    @Test
    void anImportWhoseClientDisconnectsKeepsTheLinesThatItReported() throws IOException {
        catalogue.replaceWith();
        for (int crash = 0; crash < 2; crash++) {
            SlowClient client = SlowClient.importing(service, Caller.admin(), CHUNKED);
            client.chunk(body(LongStream.rangeClosed(1, 3_700).mapToObj(Bulk::line)) + "{\"id\":");
            client.head();
            client.lineWhere(line -> {
                JsonObject progress = new JsonObject(line);
                return progress.getInteger("created") + progress.getInteger("replaced") >= 3_000;
            });
            if (crash == 0) {
                client.close();
            } else {
                client.abort();
            }
            catalogue.awaitNoTransaction();
            long stored = catalogue.sql("select count(*) from dataset").get(0).getLong(0);
            assertTrue(stored >= 3_000 && stored <= 3_700, () -> stored + " datasets are stored");
        }
        Outcome repeated = Bulk.importAll(body(LongStream.rangeClosed(1, 3_700).mapToObj(Bulk::line)));
        assertEquals(3_700, repeated.created() + repeated.replaced());
        assertEquals(3_700, catalogue.sql("select from dataset").size());
    }

    @Test
    void anImportWithALargeBodyReceivesItsRefusal() throws IOException {
        catalogue.replaceWith();
        for (Map.Entry<Caller, String> refused : Map.of(Caller.anonymous(), "HTTP/1.1 401 ", Caller.writer("Cy"),
                "HTTP/1.1 403 ").entrySet()) {
            assertRefused(refused.getValue(), refused.getKey());
        }
        try (SlowClient first = SlowClient.importing(service, Caller.admin(), CHUNKED)) {
            first.head();
            assertRefused("HTTP/1.1 503 ", Caller.admin());
        }
    }

    private void assertRefused(String status, Caller caller) throws IOException {
        try (SlowClient client = SlowClient.importing(service, caller, "Content-Length: " + MUCH)) {
            String head = client.write(new byte[MUCH]).head();
            assertTrue(head.startsWith(status), head);
        }
    }

    @Test
    void anImportThatExpectsContinueIsAcceptedOrRefusedBeforeItsBody() throws IOException {
        catalogue.replaceWith();
        String[] headers = {"Expect: 100-continue", "Content-Length: 1000000"};
        Caller writer = Caller.writer("Cy");
        for (Map.Entry<Caller, String> refused : Map.of(Caller.anonymous(), "HTTP/1.1 401 ", writer, "HTTP/1.1 403 ")
                .entrySet()) {
            try (SlowClient client = SlowClient.importing(service, refused.getKey(), headers)) {
                String head = client.head();
                assertTrue(head.startsWith(refused.getValue()), head);
            }
            try (SlowClient client = SlowClient.importing(service, refused.getKey(), headers[1])) {
                String head = client.head();
                assertTrue(head.startsWith(refused.getValue()), head);
            }
        }
        try (SlowClient client = SlowClient.importing(service, Caller.admin(), headers[0], CHUNKED)) {
            assertEquals("HTTP/1.1 100 Continue\r\n", client.head());
            try (SlowClient second = SlowClient.importing(service, Caller.admin(), headers)) {
                String head = second.head();
                assertTrue(head.startsWith("HTTP/1.1 503 "), head);
            }
            client.chunk(line(1).encode()).chunk("");
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            assertEquals(Outcome.of(1, 0), Outcome.of(client.lastLine()));
        }
    }
}
