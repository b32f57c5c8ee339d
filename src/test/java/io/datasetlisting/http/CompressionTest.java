package io.datasetlisting.http;

import static io.datasetlisting.support.Bulk.body;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonObject;

/** Tests the compression of responses. The HTTP client of this test does not decompress bodies. */
@QuarkusTest
@TestProfile(LowLimits.class)
class CompressionTest {

    private static final String PATH = Listing.PATH;
    /** A dataset whose JSON is longer than a kilobyte. */
    private static final String LARGE = PATH + "3/";
    private static final String SMALL = PATH + "6/";
    private static final String VARY = "Accept, Accept-Encoding";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    private HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void datasetsAboveAndBelowAKilobyte() {
        List<Dataset> datasets = new ArrayList<>(plain(40));
        datasets.set(0, dataset(3, d -> {
            d.datasetName = "0123456789".repeat(25);
            d.latestAdjustmentId = d.datasetName;
        }));
        catalogue.replaceWith(datasets);
    }

    private HttpResponse<byte[]> send(String method, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.resolve(path));
        request.header("X-Request-Id", "a");
        request.method(method, method.equals("PATCH") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.sendAsync(request.build(), BodyHandlers.ofByteArray()).join();
    }

    private HttpResponse<byte[]> get(String path, String acceptEncoding, String... more) {
        List<String> headers = new ArrayList<>(List.of(more));
        if (acceptEncoding != null) {
            headers.addAll(List.of("Accept-Encoding", acceptEncoding));
        }
        return send("GET", path, headers.toArray(String[]::new));
    }

    private static String header(HttpResponse<?> answer, String name) {
        return String.join("|", answer.headers().allValues(name));
    }

    private static byte[] unpacked(byte[] compressed) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void assertCompressed(HttpResponse<byte[]> plain, HttpResponse<byte[]> answer) {
        assertEquals("gzip", header(answer, "Content-Encoding"));
        assertEquals(text(plain.body()), text(unpacked(answer.body())));
        assertTrue(answer.body().length * 2 < plain.body().length, answer.body().length + " bytes");
        assertEquals(header(plain, "Content-Type"), header(answer, "Content-Type"));
        assertEquals(VARY, header(answer, "Vary"));
    }

    private static void assertPlain(HttpResponse<byte[]> plain, HttpResponse<byte[]> answer) {
        assertEquals("", header(answer, "Content-Encoding"));
        assertEquals(text(plain.body()), text(answer.body()));
        assertEquals(VARY, header(answer, "Vary"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP;q=1, gzip", "gzip, deflate, br, zstd", "x-gzip", "br, *", "identity;q=0, *",
            "gzip;q=0.1",
            "identity;q=0.5, gzip;q=0.5", "br;q=1, gzip;q=0.2", "identity;q=0, gzip;q=0.001", "gzip;q=1, *;q=0",
            " gzip ; q=0.8 , x"})
    void aClientThatAcceptsGzipGetsGzip(String accepted) {
        assertCompressed(get(PATH, null), get(PATH, accepted));
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip;q=0", "gzip;q=0, br", "gzip;q=0, *", "*;q=0", "*", " *;q=1", "br",
            "deflate",
            "deflate, br",
            "", ",;=", ";", "gzip;q=0.5, identity", "gzip;q=0.3, *;q=0.5", "gzip;q=0.000", "zip"})
    void aClientThatRefusesGzipOrPrefersIdentityGetsAPlainBody(String accepted) {
        assertPlain(get(PATH, null), get(PATH, accepted));
    }

    @Test
    void acceptEncodingMayHaveSeveralLines() {
        assertCompressed(get(PATH, null), get(PATH, "br", "Accept-Encoding", "gzip"));
        assertPlain(get(PATH, null), get(PATH, "gzip;q=0.5", "Accept-Encoding", "identity"));
    }

    @Test
    void withoutAcceptEncodingNothingIsCompressed() {
        HttpResponse<byte[]> answer = get(PATH, null);
        assertPlain(answer, answer);
        assertEquals(String.valueOf(answer.body().length), header(answer, "Content-Length"));
    }

    @Test
    void contentLengthIsTheLengthOfTheCompressedBody() {
        HttpResponse<byte[]> answer = get(PATH, "gzip");
        assertEquals(String.valueOf(answer.body().length), header(answer, "Content-Length"));
    }

    @ParameterizedTest
    @ValueSource(strings = {SMALL, PATH + "?p=99", PATH + "99999/", "/api/nothing", "/nothing"})
    void aBodyBelowAKilobyteIsNotCompressed(String path) {
        HttpResponse<byte[]> plain = get(path, null);
        HttpResponse<byte[]> answer = get(path, "gzip");
        assertTrue(plain.body().length > 10 && plain.body().length < 1024, plain.body().length + " bytes");
        assertEquals("", header(answer, "Content-Encoding"));
        assertEquals(headers(plain), headers(answer));
        assertEquals(text(plain.body()), text(answer.body()));
    }

    @Test
    void aLongErrorIsCompressed() {
        String[] problem = {"Accept", "application/problem+json", "Content-Type", "x".repeat(5_000)};
        HttpResponse<byte[]> plain = send("PATCH", LARGE, problem);
        assertEquals("application/problem+json", header(plain, "Content-Type"));
        assertEquals(401, plain.statusCode());
        String[] admin = {"Accept", "application/problem+json", "Content-Type", "a/" + "x".repeat(5_000),
                "Authorization", "Token " + Caller.admin().key()};
        plain = send("PATCH", LARGE, admin);
        assertEquals(415, plain.statusCode());
        List<String> gzip = new ArrayList<>(List.of(admin));
        gzip.addAll(List.of("Accept-Encoding", "gzip"));
        assertCompressed(plain, send("PATCH", LARGE, gzip.toArray(String[]::new)));
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void bothVersionsOfHttpCompress(HttpClient.Version version) {
        client = HttpClient.newBuilder().version(version).build();
        // The first request upgrades the connection to HTTP/2.
        get(PATH, null);
        HttpResponse<byte[]> plain = get(PATH, null);
        assertEquals(version, plain.version());
        HttpResponse<byte[]> packed = get(PATH, "gzip");
        assertCompressed(plain, packed);
        String tag = header(packed, "ETag");
        assertEquals(header(plain, "ETag"), tag);
        HttpResponse<byte[]> known = get(PATH, "gzip", "If-None-Match", tag);
        assertEquals(304, known.statusCode());
        assertEquals(tag, header(known, "ETag"));
        HttpResponse<byte[]> head = send("HEAD", PATH, "Accept-Encoding", "gzip");
        assertEquals("gzip", header(head, "Content-Encoding"));
        assertEquals(tag, header(head, "ETag"));
        assertEquals("", header(head, "Content-Length"));
        assertCompressed(get(PATH, null, "Accept", Bulk.NDJSON), get(PATH, "gzip", "Accept", Bulk.NDJSON));
        // In HTTP/2 the platform does not remove the header that prevents compression.
        String encoding = version == HttpClient.Version.HTTP_2 ? "identity" : "";
        for (HttpResponse<byte[]> other : List.of(get(SMALL, "gzip"), get(LARGE, "gzip"), get(LARGE, "gzip;q=0, br"))) {
            assertEquals(encoding, header(other, "Content-Encoding"));
            assertTrue(text(other.body()).startsWith("{\"id\":"));
        }
    }

    @Test
    void headHasTheHeadersOfGetExceptAnUnknownLength() {
        for (String path : List.of(LARGE, PATH, SMALL, PATH + "?p=99")) {
            for (String accepted : List.of("gzip", "identity")) {
                Map<String, List<String>> get = headers(get(path, accepted));
                if (get.containsKey("content-encoding")) {
                    get.remove("content-length");
                }
                assertEquals(get, headers(send("HEAD", path, "Accept-Encoding", accepted)), path);
            }
        }
    }

    /** The headers without the date, and without the position in the feed of changes, which a fold between two requests moves. */
    private static Map<String, List<String>> headers(HttpResponse<?> answer) {
        Map<String, List<String>> headers = new HashMap<>(answer.headers().map());
        headers.remove("date");
        headers.computeIfPresent("link", (name, links) -> links.stream()
                .map(link -> link.replaceFirst("([?&]since=)[^&>]+", "$1")).toList());
        return headers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/dataset", "/q/health/ready", "/q/health/nothing", "/q/metrics", "/api/%25zz",
            "/api/account/"})
    void noResponseHasTheEncodingIdentity(String path) {
        for (String method : List.of("GET", "HEAD", "OPTIONS", "DELETE")) {
            HttpResponse<byte[]> answer = send(method, path, "Accept-Encoding", "gzip");
            assertNotEquals("identity", header(answer, "Content-Encoding"), method);
        }
    }

    @Test
    void anErrorBeforeRoutingIsNotCompressed() throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            RawConnection.Answer answer = connection
                    .write("GET /api/%zz HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").read();
            assertEquals("{\"detail\":\"Malformed request.\"}", answer.body());
            assertTrue(answer.head().contains("date: "), answer::head);
            assertTrue(answer.head().contains("Vary: " + VARY) && !answer.head().contains("ncoding:"), answer::head);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void anErrorToHeadHasNoBody(HttpClient.Version version) {
        client = HttpClient.newBuilder().version(version).build();
        get(PATH, null);
        for (String path : List.of("/nope", "/api/%25zz", Caller.ACCOUNTS, PATH + "?format=nope", "/datasets/999/")) {
            HttpResponse<byte[]> error = send("HEAD", path);
            assertTrue(error.statusCode() >= 400, path);
            assertEquals(0, error.body().length, path);
            assertEquals(header(send("GET", path), "Content-Length"), header(error, "Content-Length"), path);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aResponseWithoutABodyIsNotCompressed(HttpClient.Version version) {
        client = HttpClient.newBuilder().version(version).build();
        get(PATH, null);
        HttpResponse<byte[]> deleted = send("DELETE", SMALL, "Accept-Encoding", "gzip", "Authorization",
                "Token " + Caller.admin().key());
        assertEquals(204, deleted.statusCode());
        assertEquals(version == HttpClient.Version.HTTP_2 ? "identity" : "", header(deleted, "Content-Encoding"));
    }

    @Test
    void http10IsNotCompressed() throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            RawConnection.Answer answer = connection
                    .write("GET " + PATH + " HTTP/1.0\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").read();
            assertTrue(answer.body().startsWith("{\"count\":40,"), answer::body);
            assertTrue(!answer.head().contains("identity"), answer::head);
        }
    }

    @Test
    void aPageHasOneWeakTagAndASingleDatasetAStrongOneWithoutCompression() {
        String page = header(get(PATH, null), "ETag");
        assertTrue(page.startsWith("W/\""), page);
        for (String accepted : new String[]{null, "gzip"}) {
            assertNotModified(page, get(PATH, accepted, "If-None-Match", page));
            assertNotModified(page, get(PATH, accepted, "If-None-Match", "\"x\", " + page.substring(2)));
        }
        HttpResponse<byte[]> plain = get(LARGE, null);
        String tag = header(plain, "ETag");
        assertTrue(tag.startsWith("\"") && plain.body().length > 1024, tag);
        assertPlain(plain, get(LARGE, "gzip"));
        assertEquals(tag, header(get(LARGE, "gzip"), "ETag"));
        assertNotModified(tag, get(LARGE, "gzip", "If-None-Match", tag));
        assertNotModified(tag, get(LARGE, "gzip", "If-None-Match", "W/" + tag));
    }

    private static void assertNotModified(String tag, HttpResponse<byte[]> answer) {
        assertEquals(304, answer.statusCode());
        assertEquals(tag, header(answer, "ETag"));
        assertEquals(VARY, header(answer, "Vary"));
        assertEquals("", header(answer, "Content-Encoding"));
        assertEquals(0, answer.body().length);
    }

    @Test
    void anExportIsCompressedWhileItIsWritten() {
        catalogue.replaceWith(generated(3_000));
        HttpResponse<byte[]> answer = get(PATH, "gzip", "Accept", Bulk.NDJSON);
        assertCompressed(get(PATH, null, "Accept", Bulk.NDJSON), answer);
        assertEquals("", header(answer, "Content-Length"));
        catalogue.replaceWith();
        assertEquals(0, get(PATH, "gzip", "Accept", Bulk.NDJSON).body().length);
    }

    @Test
    void theProgressOfAnImportIsNotCompressed() throws IOException {
        catalogue.replaceWith();
        try (SlowClient client = SlowClient.importing(service, Caller.admin(), "Transfer-Encoding: chunked",
                "Accept-Encoding: gzip")) {
            client.chunk(body(LongStream.rangeClosed(1, 600).mapToObj(Bulk::line)));
            String head = client.head();
            assertFalse(head.contains("gzip"), head);
            BufferedReader lines = new BufferedReader(
                    new InputStreamReader(client.body(), StandardCharsets.UTF_8));
            // The request body has not ended, so the service sends this line during the import.
            assertTrue(lines.readLine().contains("per_second"));
            client.chunk(body(LongStream.rangeClosed(601, 700).mapToObj(Bulk::line))).chunk("");
            String last = lines.lines().reduce((first, second) -> second).orElseThrow();
            assertEquals(700, new JsonObject(last).getInteger("created"), last);
        }
    }
}
