package io.datasetlisting.faces.api;

import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Tests requests that no HTTP library sends. The test writes their bytes to a socket. */
@QuarkusTest
class HostileRequestTest {

    private static final int MAX_ADDRESS = 16_384;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @BeforeEach
    void fortyDatasets() {
        catalogue.replaceWith(plain(40));
    }

    private record Answer(int status, String head, String body) {

        JsonObject json() {
            return new JsonObject(body);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"?x=%zz", "?x=%", "?x=%4", "?ordering=%ff%fe", "?x={a}|b^`\"<>", "?x[]=1", "?x=é\u0085",
            "?x=\u0001\u007f", "?&&=&=x&", "?x=#", "?x=';drop table dataset;--", "?;=;"})
    void oddQueriesAreReadLenientlyAndEchoed(String query) throws IOException {
        Answer answer = get("/api/dataset/" + query);
        assertEquals(200, answer.status, answer::body);
        String next = answer.json().getString("next");
        assertTrue(next.matches("[!-~]*[?&]p=2&page_size=15(&.*)?"), next);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?x=%zz", "?x=%", "?%4=x", "?format=%zz", "?x=%ff%fe"})
    void oddQueriesOfTheDocumentAreReadLeniently(String query) throws IOException {
        assertTrue(get("/q/openapi" + query).body.contains("openapi: "));
        Answer answer = get("/q/openapi" + query + "&format=json");
        assertEquals(200, answer.status, answer::body);
    }

    @Test
    void rawUtf8BytesAreEscapedInLinks() throws IOException {
        String raw = new String("?x=ж".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertTrue(get("/api/dataset/" + raw).json().getString("next").endsWith("&x=%D0%B6"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/dataset/%zz", "/api/%", "/api/%00", "/api/dataset/%00/", "/api/..%2f..%2fetc/passwd",
            "/api/dataset/../../../etc/passwd", "/api/é", "/api/dataset%2f", "/api/\u0001"})
    void oddPathsGetAJsonError(String path) throws IOException {
        Answer answer = get(path);
        assertTrue(answer.status == 400 || answer.status == 404, answer::head);
        assertTrue(answer.head.contains("X-Content-Type-Options: nosniff"), answer::head);
        if (answer.head.contains("/api/") || !path.contains("..")) {
            assertTrue(answer.json().containsKey("detail"), answer::body);
        }
    }

    /** Bytes that end the address are part of a malformed request line, which does not reach a handler. */
    @Test
    void everyByteOfAPathPassesThePipeline() throws IOException {
        for (char c = 0; c < 256; c++) {
            if (" \t\n\u000b\f\r".indexOf(c) >= 0) {
                continue;
            }
            for (String path : List.of("/_" + c, "/a" + c + "b", "/api/dataset/" + c, "/qq" + c)) {
                Answer answer = get(path);
                String message = Integer.toHexString(c) + " in " + path + ": " + answer;
                assertTrue(answer.status < 500, message);
                for (String header : List.of("X-Content-Type-Options: nosniff", "Content-Security-Policy: ")) {
                    assertTrue(answer.head.contains(header), message);
                }
            }
        }
    }

    /** The answer to such a request was the platform's own. */
    @Test
    void anInvalidHostAtAnOddPathGetsAJsonError() throws IOException {
        Answer answer = send("GET /\u0085 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
        assertEquals(400, answer.status);
        assertTrue(answer.json().containsKey("detail"), answer::body);
        assertTrue(answer.head.contains("X-Content-Type-Options: nosniff"), answer::head);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p", "page_size", "ordering", "format", "x"})
    void sqlInAParameterIsOrdinaryText(String name) throws IOException {
        for (String sql : new String[]{"1'%20or%20'1'='1", "1;drop%20table%20dataset", "id)%20desc--",
                "1%20union%20select%201",
                "$1", "id%27%22%5C", "%00", "1%00", "pg_sleep(10)", "%1$s%n"}) {
            Answer answer = get("/api/dataset/?" + name + "=" + sql);
            assertTrue(answer.status == 200 || answer.status == 404, answer::head);
            assertTrue(answer.json().containsKey("count") || answer.json().containsKey("detail"));
        }
        assertEquals(40, get("/api/dataset/").json().getInteger("count"));
    }

    @Test
    void anAddressOfMoreThan16KibibytesIsTooLong() throws IOException {
        String address = "/api/dataset/?x=" + "a".repeat(MAX_ADDRESS);
        assertEquals(200, get(address.substring(0, MAX_ADDRESS)).status);
        Answer answer = get(address.substring(0, MAX_ADDRESS + 1));
        assertEquals(414, answer.status);
        assertEquals("{\"detail\":\"Request address too long.\"}", answer.body);
    }

    @Test
    void theLastOfThousandsOfRepeatsCounts() throws IOException {
        Answer answer = get("/api/dataset/?" + "p=abc&".repeat(2_500) + "p=2");
        assertEquals(200, answer.status);
        assertTrue(answer.json().getString("previous").endsWith("/api/dataset/?p=1&page_size=15"));
    }

    @Test
    void thousandsOfRepeatedSortKeysAreAccepted() throws IOException {
        Answer answer = get("/api/dataset/?ordering=" + "workspace,-user,id,".repeat(800));
        assertEquals(200, answer.status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: a b", "Host: ", "Host: <script>", "X: no host", "Host: h:", "Host: h:0",
            "Host: h:65536", "Host: h:1x", "Host: a,b", "Host: a;b", "Host: a@b", "Host: a%20b", "Host: a'b",
            "Host: [::1",
            "Host: [<script>]", "Host: [::1%25eth0]", "Host: [1.2.3.4]", "Host: []", "Host: :80", "Host: a:b:c",
            "Host: é"})
    void anInvalidHostGetsAJsonError(String header) throws IOException {
        Answer answer = send("GET /api/dataset/ HTTP/1.1\r\n" + header + "\r\nConnection: close\r\n\r\n");
        assertEquals(400, answer.status);
        assertTrue(answer.json().containsKey("detail"), answer::body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.example.org:8080", "my_host-1.", "127.0.0.1:81", "[::1]", "[2001:db8::7]:8443",
            "xn--bcher-kva.example"})
    void aValidHostIsTheHostOfLinks(String host) throws IOException {
        Answer answer = send("GET /api/dataset/ HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        assertEquals(200, answer.status, answer::body);
        assertTrue(answer.json().getString("next").startsWith("http://" + host + "/api/"), answer::body);
    }

    /** The links of JSON stay in the body; pages for people do not repeat what has no meaning. */
    @Test
    void aPageHasNoLinkHeaderThatProxiesRefuse() throws IOException {
        Answer answer = get("/api/dataset/?x=" + "a".repeat(500));
        assertTrue(answer.head.contains("\r\nLink: <"), answer::head);
        for (int i = 0; i < 2; i++) {
            Answer longer = get("/api/dataset/?x=" + "a".repeat(2_000));
            assertEquals(200, longer.status);
            assertFalse(longer.head.contains("\r\nLink:"), longer::head);
            Answer page = get("/datasets/?x=" + "a".repeat(2_000));
            assertEquals(200, page.status);
            assertFalse(page.head.contains("aaa"), page::head);
        }
        assertTrue(get("/api/dataset/?x=" + "a".repeat(2_000)).json().getString("next").contains("aaa"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept: ", "Accept: ,;=", "Accept: application/json;q=x", "Accept: " + "a/b,",
            "Accept: */*;q=0", "Content-Length: 0", "Transfer-Encoding: chunked\r\nX: y"})
    void unusualHeadersGetJson(String header) throws IOException {
        Answer answer = send("OPTIONS /api/dataset/ HTTP/1.1\r\nHost: a\r\n" + header + "\r\nConnection: close\r\n\r\n"
                + (header.contains("chunked") ? "0\r\n\r\n" : ""));
        assertTrue(answer.status == 200 || answer.status == 406, answer::head);
        assertTrue(answer.json().containsKey("detail") || answer.json().containsKey("name"));
    }

    private Answer get(String target) throws IOException {
        return send("GET " + target.replace(" ", "%20") + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private Answer send(String request) throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int blank = answer.indexOf("\r\n\r\n");
            return new Answer(Integer.parseInt(answer.substring(9, 12)), answer.substring(0, blank),
                    answer.substring(blank + 4));
        }
    }
}
