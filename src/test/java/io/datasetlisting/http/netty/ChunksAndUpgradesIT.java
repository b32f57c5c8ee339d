package io.datasetlisting.http.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.datasetlisting.support.ServiceProcess;

/** Tests malformed chunks, upgrades to HTTP/2 and floods of frames. */
class ChunksAndUpgradesIT extends RawRequests {

    private static final String SETTINGS = "HTTP2-Settings: AAMAAABkAAQAAP__\r\n";
    private static final String UPGRADE = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";

    static Stream<String> malformedChunks() {
        return Stream.of("2;x\r\n{}\r\n0\r\n\r\n", "2;x=\"\r\n\r\n" + SMUGGLED + "\"\r\n{}\r\n0\r\n\r\n",
                " 2\r\n{}\r\n0\r\n\r\n",
                "2 \r\n{}\r\n0\r\n\r\n", "2 ;x\r\n{}\r\n0\r\n\r\n", "x\r\n{}\r\n", "2\n{}\r\n0\r\n\r\n",
                "2\r\n{}0\r\n\r\n",
                "100000002\r\n{}\r\n0\r\n\r\n", "1\r\n{\r\n1;x\r\n}\r\n0\r\n\r\n", "2\r\n{}\r\n0;x=\"\r\n\r\n");
    }

    /** The head of a request with chunks. */
    private static String chunked(String address, String type) {
        return "POST " + address + " HTTP/1.1\r\nHost: a\r\n" + ADMIN + "Content-Type: " + type
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    @ParameterizedTest
    @MethodSource("malformedChunks")
    void aMalformedChunkIsRefusedAndNothingAfterItIsExecuted(String chunks) throws IOException {
        for (String address : List.of("/api/dataset/", "/api/account/", "/api/nothing/")) {
            try (RawConnection connection = connect()
                    .write(chunked(address, "application/json") + chunks + SMUGGLED + GET + "\r\n")) {
                assertChunkRefused(connection);
            }
        }
        assertNothingSmuggled();
    }

    @Test
    void aMalformedChunkIsRefusedWhileTheServiceWaitsForIt() throws IOException {
        for (String type : List.of("application/json", "application/x-ndjson")) {
            String head = chunked("/api/dataset/", type).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
            try (RawConnection connection = connect().write(head)) {
                assertEquals(100, connection.read().status());
                connection.write("1\r\n\n\r\n");
                assertChunkRefused(connection.write("1;x\r\na\r\n" + SMUGGLED));
            }
        }
        assertNothingSmuggled();
    }

    @Test
    void requestsBeforeAMalformedChunkAreAnsweredFirst() throws IOException {
        try (RawConnection connection = connect().write(GET + "\r\n" + GET.replace("=1", "=2") + "\r\n"
                + chunked("/api/dataset/", "application/json") + "2;x\r\n{}\r\n0\r\n\r\n" + SMUGGLED)) {
            assertEquals(200, connection.read().status());
            assertEquals(200, connection.read().status());
            assertChunkRefused(connection);
        }
        assertNothingSmuggled();
    }

    /** The answer is that of a request that a handler refuses, with the headers of every response. */
    private static void assertChunkRefused(RawConnection connection) throws IOException {
        Answer answer = connection.read();
        if (answer.status() != 404) {
            assertEquals(400, answer.status(), answer::head);
            assertEquals(MALFORMED, answer.body());
            for (String header : List.of("content-type: application/json", "connection: close",
                    "x-content-type-options: nosniff", "x-request-id: ")) {
                assertTrue(answer.head().toLowerCase().contains("\r\n" + header), answer::head);
            }
        }
        assertEquals("", connection.readToEnd());
    }

    @ParameterizedTest
    @ValueSource(strings = {UPGRADE, UPGRADE + SETTINGS, UPGRADE + SETTINGS + SETTINGS, "Upgrade: h2c\r\n",
            UPGRADE + "HTTP2-Settings: *\r\n", "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"})
    void anUpgradeIsIgnored(String headers) throws IOException {
        try (RawConnection connection = connect()) {
            for (int i = 0; i < 2; i++) {
                Answer answer = connection.write(GET + headers + "\r\n").read();
                assertEquals(200, answer.status());
                assertTrue(answer.head().startsWith("HTTP/1.1 200 "), answer::head);
            }
        }
    }

    @Test
    void anUpgradeToHttp2WorksWhereItIsAllowed() throws Exception {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        assertEquals(HttpClient.Version.HTTP_1_1, get(client, service.url()).version());
        try (ServiceProcess other = ServiceProcess.start(postgres.getPort() + "/postgres",
                "-Ddataset.http.h2c-upgrade=true")) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = get(client, other.url());
                assertEquals(200, answer.statusCode());
                assertEquals(HttpClient.Version.HTTP_2, answer.version());
            }
            for (String headers : List.of(UPGRADE, UPGRADE + SETTINGS + SETTINGS, UPGRADE + "HTTP2-Settings: *\r\n",
                    "Upgrade: h2c\r\n" + SETTINGS)) {
                try (RawConnection connection = new RawConnection(other.url()).write(GET + headers + "\r\n")) {
                    assertEquals(200, connection.read().status(), headers);
                }
            }
        } finally {
            service.use();
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI service) throws Exception {
        return client.send(HttpRequest.newBuilder(service.resolve("/api/dataset/?page_size=1")).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** CVE-2026-33871: the frames are empty, so no limit of sizes ends them. */
    @Test
    void aFloodOfContinuationFramesEndsTheConnection() throws IOException {
        String flood = frame(9, 0, 1, "").repeat(1_000);
        try (RawConnection connection = connect()
                .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "") + frame(1, 0, 1, "\u0082"))) {
            boolean open = true;
            for (int i = 0; i < 100 && open; i++) {
                try {
                    connection.write(flood);
                } catch (IOException closed) {
                    open = false;
                }
            }
            assertTrue(!open || isClosed(connection), "100,000 empty frames were accepted");
        }
        assertEquals(200, Listing.list("?page_size=1").statusCode());
    }

    private static boolean isClosed(RawConnection connection) {
        try {
            connection.readToEnd();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** A frame of HTTP/2, with one byte for each character. */
    private static String frame(int type, int flags, int stream, String content) {
        return "\0\0" + (char) content.length() + (char) type + (char) flags + "\0\0\0" + (char) stream + content;
    }
}
