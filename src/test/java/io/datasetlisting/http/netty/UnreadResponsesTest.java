package io.datasetlisting.http.netty;

import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Http2Connection;
import io.datasetlisting.support.Http2Connection.Frame;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Metrics;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests what happens to responses that their clients do not read, and to the requests behind them. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(NoFoldsSmallCaches.class)
@Timeout(30)
class UnreadResponsesTest {

    /** More than the buffers of two sockets hold. */
    private static final int DATASETS = 2_000;
    private static final String LARGE = "/stac/search?limit=1000";
    private static final String SMALL = "/api/dataset/?page_size=1";
    private static final int MAX_STREAMS = 16;
    private static final int REFUSED_STREAM = 7;
    private static final int INTERNAL_ERROR = 2;
    private static final int CANCEL = 8;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI root;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(DATASETS));
    }

    @AfterEach
    void nothingWaits() {
        Patience.await("nothing waits").untilAsserted(() -> assertEquals(List.of(0.0, 0.0, 0.0),
                Stream.of("dataset_responses_waiting_bytes", "dataset_responses_reserved_bytes",
                        "dataset_requests_running").map(Metrics::metric).toList()));
    }

    private static byte[] features(byte[] page) {
        String text = new String(page, StandardCharsets.UTF_8);
        return text.substring(text.indexOf("\"features\"")).getBytes(StandardCharsets.UTF_8);
    }

    private SlowClient sendPipelined(int count, String path) throws IOException {
        return new SlowClient(root)
                .write(("GET " + path + " HTTP/1.1\r\nHost: " + root.getAuthority() + "\r\n\r\n").repeat(count)
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** A body without an end, after its response. Of the others, the rest arrives. */
    @Test
    void aBodyThatGoesOnAfterItsResponseEndsItsConnection() throws IOException {
        String admin = "Authorization: Token " + Caller.admin().key() + "\r\n";
        try (RawConnection refused = new RawConnection(root);
                RawConnection unread = new RawConnection(root);
                RawConnection endless = new RawConnection(root);
                RawConnection chunked = new RawConnection(root);
                RawConnection unrouted = new RawConnection(root)) {
            assertEquals(401, begin(refused, "POST /api/dataset/", "Content-Length: 8").write("1234").read().status());
            assertEquals(200, begin(unread, "OPTIONS /api/dataset/", admin + "Content-Length: 8").read().status());
            refused.write("5678");
            unread.write("12345678");
            assertEquals(413,
                    begin(endless, "POST /api/dataset/", admin + "Content-Length: 1000000000000").read().status());
            assertEquals(404, begin(chunked, "POST /api/nothing/", "Transfer-Encoding: chunked").read().status());
            assertEquals(400, begin(unrouted, "POST /%zz", "Content-Length: 1000000000000").read().status());
            Patience.await("the ends of endless bodies")
                    .until(() -> !endless.takesMore() && !takesChunk(chunked) && !unrouted.takesMore());
            for (RawConnection usual : List.of(refused, unread)) {
                assertEquals(200, begin(usual, "GET " + SMALL, "Accept: */*").read().status());
            }
        }
    }

    private RawConnection begin(RawConnection connection, String target, String headers) throws IOException {
        return connection.write(target + " HTTP/1.1\r\nHost: " + root.getAuthority()
                + "\r\nContent-Type: application/json\r\n" + headers + "\r\n\r\n");
    }

    private static boolean takesChunk(RawConnection connection) {
        try {
            connection.write("1\r\nx\r\n");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aLargeResponseIsTheSameHoweverSlowlyItIsRead() throws IOException {
        byte[] whole = features(Listing.client().get(LARGE).asByteArray());
        try (SlowClient client = sendPipelined(1, LARGE); Http2Connection http2 = new Http2Connection(root, 10_000)) {
            assertTrue(metric("dataset_responses_waiting_bytes") >= 0);
            assertArrayEquals(whole, features(client.bytes(SlowClient.contentLength(client.head()))));
            int stream = http2.get(LARGE);
            assertArrayEquals(whole, features(readSlowly(http2, stream)));
        }
    }

    /** Reads a response in small windows. */
    private static byte[] readSlowly(Http2Connection connection, int stream) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Frame frame = connection.read();; frame = connection.read()) {
            assertTrue(frame.type() != Http2Connection.GOAWAY, "the service closes the connection");
            if (frame.type() == Http2Connection.DATA && frame.stream() == stream) {
                body.writeBytes(frame.payload());
                if ((frame.flags() & Http2Connection.END_STREAM) != 0) {
                    return body.toByteArray();
                }
                byte[] window = ByteBuffer.allocate(4).putInt(frame.payload().length).array();
                if (frame.payload().length > 0) {
                    connection.send(Http2Connection.WINDOW_UPDATE, 0, 0, window);
                    connection.send(Http2Connection.WINDOW_UPDATE, 0, stream, window);
                }
            }
        }
    }

    @Test
    void aClientThatTakesNothingIsCut() throws IOException {
        double cut = metric("dataset_clients_cut_total");
        try (SlowClient client = sendPipelined(1, LARGE)) {
            Patience.await("bytes wait").until(() -> metric("dataset_responses_waiting_bytes") > 0);
            Patience.await("the client is cut").until(() -> metric("dataset_clients_cut_total") == cut + 1);
            assertEquals(0, metric("dataset_responses_waiting_bytes"));
            assertThrows(IOException.class, () -> client.bytes(SlowClient.contentLength(client.head())));
        }
    }

    /** Such a response ends with its connection. */
    @Test
    void aCutResponseOfHttp10IsReset() throws IOException {
        catalogue.replaceWith(Catalogue.plain(10 * DATASETS));
        double cut = metric("dataset_clients_cut_total");
        try (SlowClient client = new SlowClient(root)
                .write("GET /api/dataset/?format=csv HTTP/1.0\r\nHost: localhost\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII))) {
            String head = client.head();
            assertTrue(head.contains(" 200 "), head);
            Patience.await("the client is cut").until(() -> metric("dataset_clients_cut_total") == cut + 1);
            assertThrows(SocketException.class, () -> client.bytes(100_000_000));
        }
        catalogue.awaitNoTransaction();
    }

    @Test
    void pipelinedRequestsWaitUntilTheClientHasRead() throws IOException {
        String counter = "http_server_requests_seconds_count{method=\"GET\",outcome=\"SUCCESS\",status=\"200\","
                + "uri=\"/stac/search\"}";
        Listing.client().get(LARGE).then().statusCode(200);
        double before = metric(counter);
        try (SlowClient client = sendPipelined(10, LARGE)) {
            Patience.await("bytes wait").until(() -> metric("dataset_responses_waiting_bytes") > 0);
            Patience.await("the first one is answered").until(() -> metric(counter) > before);
            assertEquals(before + 1, metric(counter));
            for (int i = 0; i < 10; i++) {
                client.bytes(SlowClient.contentLength(client.head()));
            }
            Patience.await("all are answered").until(() -> metric(counter) == before + 10);
        }
    }

    /** A histogram of 1,000 months has about 90 kB, and no response for which a request waits for room. */
    @Test
    void unreadHistogramsStayInTheBudget() throws IOException {
        catalogue.replaceWith(Catalogue.dataset(1, d -> d.capturedDate = Instant.parse("1940-01-01T00:00:00Z")),
                Catalogue.dataset(2, d -> d.capturedDate = Instant.parse("2023-04-30T00:00:00Z")));
        List<SlowClient> clients = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            clients.add(sendPipelined(10, "/api/dataset/histogram/?interval=month&x=" + i));
        }
        Patience.await("bytes wait").until(() -> metric("dataset_responses_waiting_bytes") > 1_000_000);
        assertEquals(200, Listing.client().get("/api/dataset/histogram/").statusCode());
        for (int i = 0; i < 20; i++) {
            double waiting = metric("dataset_responses_waiting_bytes");
            // One response may be above the budget until its connection is chosen.
            assertTrue(waiting <= NoFoldsSmallCaches.CLIENT_MEMORY + 4_000_000, () -> waiting + " bytes wait");
        }
        for (SlowClient client : clients) {
            client.abort();
        }
    }

    @Test
    void anUnreadStreamIsResetAndItsConnectionGoesOn() throws IOException {
        try (Http2Connection connection = new Http2Connection(root, 0)) {
            int unread = connection.get(SMALL);
            awaitReset(connection, unread, INTERNAL_ERROR);
            int next = connection.get(SMALL);
            connection.send(Http2Connection.WINDOW_UPDATE, 0, next, ByteBuffer.allocate(4).putInt(100_000).array());
            assertTrue(new String(readSlowly(connection, next), StandardCharsets.UTF_8).startsWith("{\"count\""));
        }
    }

    private static void awaitReset(Http2Connection connection, int stream, int code) throws IOException {
        Frame frame = connection.read();
        while (frame.type() != Http2Connection.RST_STREAM || frame.stream() != stream) {
            assertTrue(frame.type() != Http2Connection.GOAWAY, "the service closes the connection");
            frame = connection.read();
        }
        assertEquals(code, ByteBuffer.wrap(frame.payload()).getInt());
    }

    @Test
    void aConnectionHasFewStreamsEvenIfItsClientDoesNotAcknowledgeTheLimit() throws IOException {
        try (Http2Connection connection = new Http2Connection(root, 0)) {
            int first = connection.get(SMALL);
            List<Integer> streams = new ArrayList<>(List.of(first));
            for (int i = 0; i < 2 * MAX_STREAMS - 1; i++) {
                streams.add(connection.get(SMALL));
            }
            Map<Integer, Integer> resets = new HashMap<>();
            while (resets.size() < streams.size()) {
                Frame frame = connection.read();
                if (frame.type() == Http2Connection.RST_STREAM) {
                    resets.put(frame.stream(), ByteBuffer.wrap(frame.payload()).getInt());
                }
            }
            assertEquals(MAX_STREAMS, resets.values().stream().filter(code -> code == REFUSED_STREAM).count());
        }
    }

    @Test
    void aStreamThatIsResetWhileItsPageIsReadLeavesNoErrorInTheLog() throws IOException {
        Listing.client().get(SMALL).then().statusCode(200);
        try (ErrorLog log = ErrorLog.open(); Http2Connection connection = new Http2Connection(root, 0)) {
            for (int i = 0; i < 60; i++) {
                connection.send(Http2Connection.RST_STREAM, 0, connection.get(SMALL),
                        ByteBuffer.allocate(4).putInt(CANCEL).array());
            }
            int last = connection.get(SMALL);
            awaitReset(connection, last, INTERNAL_ERROR);
            log.assertEmpty();
        }
    }

    @Test
    void anUnreadConnectionStartsNoFurtherStream() throws IOException {
        try (Http2Connection connection = new Http2Connection(root, 0)) {
            int large = connection.get(LARGE);
            Patience.await("bytes wait").until(() -> metric("dataset_responses_waiting_bytes") > 1_000_000);
            int next = connection.get(SMALL);
            connection.send(Http2Connection.WINDOW_UPDATE, 0, next, ByteBuffer.allocate(4).putInt(100_000).array());
            // The large response ends first.
            awaitReset(connection, large, INTERNAL_ERROR);
            assertTrue(new String(readSlowly(connection, next), StandardCharsets.UTF_8).startsWith("{\"count\""));
        }
    }

    @Test
    void largeResponsesWaitForRoomAndLeaveTheQueue() throws IOException {
        List<SlowClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(sendPipelined(1, LARGE));
        }
        Patience.await("the budget is in use").until(() -> metric("dataset_responses_waiting_bytes") > 1_000_000);
        assertEquals(200, Listing.client().get(SMALL).statusCode());
        assertTrue(metric("dataset_responses_waiting_bytes") <= NoFoldsSmallCaches.CLIENT_MEMORY);
        for (SlowClient client : clients) {
            client.abort();
        }
        nothingWaits();
        assertEquals(200, Listing.client().get(LARGE).statusCode());
    }
}
