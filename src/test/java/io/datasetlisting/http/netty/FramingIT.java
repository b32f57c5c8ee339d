package io.datasetlisting.http.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.datasetlisting.http.Errors;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;

/** Tests where a request ends, so that no request can hide a second one. */
class FramingIT extends RawRequests {

    private static final String TOO_LONG = "{\"detail\":\"Request address too long.\"}";

    private static void assertRefused(int status, String body, RawConnection connection) throws IOException {
        Answer answer = connection.read();
        assertEquals(status, answer.status());
        assertEquals(body, answer.body());
        for (String header : List.of("content-type: application/json", "connection: close",
                "x-content-type-options: nosniff", "content-length: " + body.length())) {
            assertTrue(answer.head().toLowerCase().contains("\r\n" + header + "\r\n"), answer::head);
        }
        assertEquals("", connection.readToEnd());
    }

    static Stream<String> malformed() {
        return Stream.of("Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: identity", "Transfer-Encoding:", "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
                "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Content-Length: 0\r\nTransfer-Encoding: xchunked", "Transfer-Encoding:\r\n chunked",
                "X-A: b\r\n c", "X-A: b\r\n\tc", " X-A: b", "Host: b", "hOST: a",
                "Content-Length: 0\r\nContent-Length: 0",
                "Content-Length: 0, 0", "Content-Length: +0", "Content-Length:", "Transfer-Encoding : chunked",
                "nonsense", "X-A: b\nX-C: d", "X-A: b\rTransfer-Encoding: chunked", "X-A: b\u0000")
                .map(header -> GET + header + "\r\n\r\n");
    }

    static Stream<String> malformedOtherwise() {
        return Stream.of("GET /api/dataset/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET /api/dataset/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
                "GET /api/dataset/ HTTP/1.1\r\n Host: a\r\n\r\n", "GET /api/dataset/\r\nHost: a\r\n\r\n",
                "GET /api/dataset/?a b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /api/dataset/ HTTP/1.1\nHost: a\n\n");
    }

    @ParameterizedTest
    @MethodSource({"malformed", "malformedOtherwise"})
    void aMalformedRequestIsRefusedAndNothingAfterItIsExecuted(String request) throws IOException {
        try (RawConnection connection = connect().write(request + "0\r\n\r\n" + SMUGGLED)) {
            assertRefused(400, MALFORMED, connection);
        }
        assertNothingSmuggled();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void requestsBeforeAMalformedRequestAreAnsweredFirst(String request) throws IOException {
        try (RawConnection connection = connect()
                .write(GET + "\r\n" + "GET /api/nothing/ HTTP/1.1\r\nHost: a\r\n\r\n" + request + SMUGGLED)) {
            assertEquals(200, connection.read().status());
            assertEquals(404, connection.read().status());
            assertRefused(400, MALFORMED, connection);
        }
        assertNothingSmuggled();
    }

    @Test
    void aRefusedClientMayContinueToSend() throws IOException {
        try (RawConnection connection = connect().write(GET + "Host: b\r\n\r\n")) {
            for (int i = 0; i < 100; i++) {
                connection.write("x".repeat(10_000));
            }
            assertRefused(400, MALFORMED, connection.write(SMUGGLED));
        }
        assertNothingSmuggled();
    }

    /** The service closes the connection if the client does not. */
    @Test
    void aRefusedConnectionDoesNotStayOpen() throws IOException {
        try (RawConnection connection = connect().write(GET + "Host: b\r\n\r\n")) {
            assertRefused(400, MALFORMED, connection);
            Patience.await("the connection is closed").pollInterval(Duration.ofMillis(100))
                    .until(() -> !connection.takesMore());
        }
    }

    @ParameterizedTest
    @CsvSource({"16385, /api/dataset/", "16385, /q/health/live", "16385, /", "19000, /api/%zz"})
    void anAddressOfMoreThan16KibibytesIsTooLong(int length, String path) throws IOException {
        try (RawConnection connection = connect().write(get(path, length) + "\r\n" + GET + "\r\n")) {
            Answer answer = connection.read();
            assertEquals(414, answer.status());
            assertEquals(TOO_LONG, answer.body());
            assertEquals(200, connection.read().status());
        }
    }

    /** Errors of the STAC API are also exceptions of OGC API. */
    @ParameterizedTest
    @CsvSource({"17000, /stac/search?", "20000, /stac/search?", "3000000, /stac?", "30000, /stac/"})
    void theErrorOfAnAddressOfTheStacApiHasACode(int length, String path) throws IOException {
        try (RawConnection connection = connect().write(get(path, length) + "\r\n")) {
            Answer answer = connection.read();
            assertEquals(414, answer.status());
            assertEquals("{\"code\":\"Request-URITooLong\",\"description\":\"Request address too long.\","
                    + "\"detail\":\"Request address too long.\"}", answer.body());
        }
    }

    @ParameterizedTest
    @CsvSource({"20000, /api/dataset/", "30000, /api/dataset/", "3000000, /api/dataset/", "30000, /q/health/live"})
    void anAddressThatIsMuchTooLongIsNotRead(int length, String path) throws IOException {
        try (RawConnection connection = connect().write(get(path, length) + "\r\n" + SMUGGLED)) {
            assertRefused(414, TOO_LONG, connection);
        }
        assertNothingSmuggled();
    }

    @Test
    void anAddressOf16KibibytesIsRead() throws IOException {
        try (RawConnection connection = connect().write(get("/api/dataset/", 16_384) + "\r\n")) {
            assertEquals(200, connection.read().status());
        }
    }

    private static String get(String path, int length) {
        return "GET " + address(path, length) + " HTTP/1.1\r\nHost: a\r\n";
    }

    private static String address(String path, int length) {
        return path + "?x=" + "a".repeat(length - path.length() - 3);
    }

    static Stream<Arguments> longHeaders() {
        String many = IntStream.range(0, 40).mapToObj(i -> "X-" + i + ": " + "a".repeat(1_000) + "\r\n")
                .reduce("", String::concat);
        return Stream.of(Arguments.of("one", "X-A: " + "a".repeat(25_000) + "\r\n"), Arguments.of("many", many),
                Arguments.of("endless", "X-A: " + "a".repeat(3_000_000)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("longHeaders")
    void headersOfMoreThanTheLimitAreTooLarge(String name, String headers) throws IOException {
        try (RawConnection connection = connect().write(GET + headers + "\r\n" + SMUGGLED)) {
            assertRefused(431, "{\"detail\":\"Request header fields too large.\"}", connection);
        }
        assertNothingSmuggled();
    }

    @Test
    void ordinaryRequestsShareAConnection() throws IOException {
        try (RawConnection connection = connect()) {
            for (int i = 0; i < 3; i++) {
                assertEquals(200, connection.write(GET + "\r\n").read().status());
            }
            connection.write((GET + "\r\n").repeat(20));
            for (int i = 0; i < 20; i++) {
                assertEquals(200, connection.read().status());
            }
            // After an empty line, which very old clients send after a body.
            connection.write("\r\nP");
            assertEquals(201, connection.write(post("shared").substring(1) + "\r\n" + body("shared")).read().status());
            assertEquals(400, connection.write("GET /api/dataset/ HTTP/1.1\r\n\r\n").read().status());
            connection.write("GET /api/dataset/ HTTP/1.0\r\nHost: a\r\n\r\n");
            assertEquals(200, connection.read().status());
            assertEquals("", connection.readToEnd());
        }
    }

    @Test
    void aClientMayWaitFor100BeforeItSendsTheBody() throws IOException {
        try (RawConnection connection = connect().write(post("patient") + "Expect: 100-continue\r\n\r\n")) {
            assertEquals(100, connection.read().status());
            assertEquals(201, connection.write(body("patient")).read().status());
        }
    }

    @Test
    void aBodyMayBeChunked() throws IOException {
        String head = "POST /api/dataset/ HTTP/1.1\r\nHost: a\r\n" + ADMIN + "Content-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n";
        try (RawConnection connection = connect()) {
            connection.write(head + "2\r\n{}\r\n0\r\n\r\n" + GET + "\r\n");
            assertEquals(201, connection.read().status());
            assertEquals(200, connection.read().status());
            connection.write(head.replace("json", "x-ndjson"));
            String line = Bulk.line(90_001).encode() + '\n';
            for (String part : line.split("(?<=,)")) {
                connection.write(Integer.toHexString(part.length()) + "\r\n" + part + "\r\n");
            }
            String answer = connection.write("0\r\n\r\nGET /api/dataset/90001/ HTTP/1.1\r\nHost: a\r\n"
                    + "Connection: close\r\n\r\n").readToEnd();
            assertTrue(answer.contains("{\"created\":1,") && answer.contains("{\"id\":90001,"), answer);
        }
        assertEquals(Outcome.of(0, 1), Bulk.importAll(Bulk.line(90_001)));
        assertEquals(200, Listing.list("?page_size=100").statusCode());
    }

    @Test
    void http2ByPriorKnowledgeWorks() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            io.vertx.core.http.HttpClient client = vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
            Answer page = http2(client, Listing.PATH, 0);
            assertEquals(200, page.status());
            assertTrue(page.head().startsWith("HTTP_2 "), page::head);
            assertEquals(200, http2(client, address("/q/health/live", 16_384), 0).status());
            for (int length : List.of(16_385, 30_000)) {
                Answer tooLong = http2(client, address(Listing.PATH, length), 0);
                assertEquals(414, tooLong.status());
                assertEquals(TOO_LONG, tooLong.body());
            }
            Answer undecodable = http2(client, "/api/%zz", 0);
            assertEquals(400, undecodable.status());
            assertEquals(MALFORMED, undecodable.body());
            for (int length : List.of(30_000, 42_000, 50_000)) {
                for (String path : List.of(Listing.PATH, "/q/health/live")) {
                    Answer tooLarge = http2(client, path, length);
                    assertEquals(431, tooLarge.status(), path + " with headers of " + length);
                    assertEquals("{\"detail\":\"Request header fields too large.\"}", tooLarge.body());
                }
            }
            assertEquals(200, http2(client, Listing.PATH, 10_000).status());
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    private static Answer http2(io.vertx.core.http.HttpClient client, String address, int headerLength)
            throws Exception {
        return client.request(HttpMethod.GET, service.url().getPort(), service.url().getHost(), address)
                .map(request -> headerLength == 0 ? request : request.putHeader("X-A", "a".repeat(headerLength)))
                .compose(HttpClientRequest::send)
                .compose(answer -> answer.body()
                        .map(body -> new Answer(answer.statusCode(), answer.version() + " " + answer.headers(),
                                body.toString())))
                .toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
