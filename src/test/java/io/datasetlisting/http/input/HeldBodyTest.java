package io.datasetlisting.http.input;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/**
 * Tests that bodies in memory are limited: by their size, by the time until they arrive, and by what they become when
 * they are parsed.
 */
@QuarkusTest
class HeldBodyTest {

    private static final String SEARCH = "/stac/search";
    private static final int MAX_INCOMPLETE = 32;
    private static final int MAX_SEARCH = 256 << 10;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private ErrorLog log;

    @BeforeEach
    void createDatasets() {
        catalogue.replaceWith(plain(3));
        log = ErrorLog.open();
    }

    @AfterEach
    void nothingIsHeldAndNothingIsLogged() {
        awaitMetric("dataset_bodies_bytes", 0);
        awaitMetric("dataset_requests_running", 0);
        log.close();
        log.assertEmpty();
    }

    private static String head(String path, Caller caller, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + length
                + (caller.key() == null ? "" : "\r\nAuthorization: Token " + caller.key()) + "\r\n\r\n";
    }

    /** Connections that have sent one byte of a search. */
    private List<RawConnection> slowSearches(int number) throws IOException {
        List<RawConnection> slow = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            slow.add(new RawConnection(service).write(head(SEARCH, Caller.anonymous(), 100) + "{"));
        }
        return slow;
    }

    private static void close(List<RawConnection> connections) throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }

    @Test
    void slowBodiesTakeNoPlaceOfOtherRequests() throws IOException {
        List<RawConnection> slow = slowSearches(300);
        try {
            for (int i = 0; i < 5; i++) {
                assertEquals(200, Caller.anonymous().get("/api/dataset/?p=1&i=" + i).statusCode());
                assertEquals(200, Caller.anonymous().get("/api/dataset/3/").statusCode());
                assertEquals(200, search("{\"limit\":2}").statusCode());
            }
            assertEquals(0, metric("dataset_requests_running"));
            Answer first = slow.get(0).read();
            assertEquals(408, first.status());
            assertTrue(first.body().contains("The body did not arrive before the bodies of too many other requests."),
                    first::body);
        } finally {
            close(slow);
        }
    }

    @Test
    void theBodyThatHasWaitedLongestGivesWay() throws IOException {
        List<RawConnection> slow = slowSearches(1);
        try {
            // Two event loops would otherwise receive the first two in any order.
            awaitMetric("dataset_bodies_bytes", 1);
            slow.addAll(slowSearches(MAX_INCOMPLETE - 1));
            awaitMetric("dataset_bodies_bytes", MAX_INCOMPLETE);
            // A body that arrives with the head needs no place.
            assertEquals(200, search("{\"limit\":2}").statusCode());
            assertEquals(MAX_INCOMPLETE, metric("dataset_bodies_bytes"));
            slow.addAll(slowSearches(1));
            assertEquals(408, slow.get(0).read().status());
            String rest = "\"limit\":2}" + " ".repeat(89);
            assertEquals(200, slow.get(1).write(rest).read().status());
            assertEquals(200, slow.get(MAX_INCOMPLETE).write(rest).read().status());
        } finally {
            close(slow);
        }
    }

    @Test
    void slowBodiesWithoutATokenTakeNoPlaceOfAWriter() throws IOException {
        String body = "{\"dataset_name\":\"slow\"}";
        Caller ada = Caller.writer("Ada");
        List<RawConnection> slow = new ArrayList<>();
        try (RawConnection writer = new RawConnection(service)
                .write(head(Listing.PATH, ada, body.length()) + body.substring(0, 5))) {
            slow.addAll(slowSearches(1));
            // Two event loops would otherwise receive the first two in any order.
            awaitMetric("dataset_bodies_bytes", 5 + 1);
            slow.addAll(slowSearches(2 * MAX_INCOMPLETE - 1));
            assertEquals(408, slow.get(0).read().status());
            assertEquals(201, writer.write(body.substring(5)).read().status());
        } finally {
            close(slow);
        }
    }

    private static Response search(String body) {
        return Caller.anonymous().post(SEARCH, body);
    }

    private static String emptyObjects(int length) {
        return "{\"ids\":[" + "{},".repeat((length - 12) / 3) + "{}]}";
    }

    @Test
    void aBodyOfManySmallValuesIsRefused() {
        Response tokens = search(emptyObjects(200_000));
        assertEquals(400, tokens.statusCode());
        assertTrue(tokens.asString().contains(
                "JSON parse error - Token count (50001) exceeds the maximum allowed (50000)"), tokens.asString());
        Response size = search(emptyObjects(1_000_000));
        assertEquals(413, size.statusCode());
        assertTrue(size.asString().contains("Request body too large."), size.asString());
        Caller ada = Caller.writer("Ada");
        Response fields = ada.post(Listing.PATH, "{\"x\":[" + "{},".repeat(30_000) + "{}]}");
        assertEquals(400, fields.statusCode());
        assertTrue(fields.asString().contains("Token count (50001) exceeds the maximum allowed (50000)"),
                fields.asString());
        Response form = ada.send("POST", Listing.PATH, "application/x-www-form-urlencoded",
                "category=[" + "{},".repeat(30_000) + "{}]");
        assertEquals(400, form.statusCode());
    }

    @Test
    void theBodyOfASearchMayHave256Kibibytes() {
        assertEquals(200, search("{\"limit\":2}" + " ".repeat(MAX_SEARCH - 11)).statusCode());
        assertEquals(413, search("{\"limit\":2}" + " ".repeat(MAX_SEARCH - 10)).statusCode());
    }

    @Test
    void theBodyOfAnAggregationMayHaveAsMany() {
        assertEquals(200, aggregate(MAX_SEARCH).statusCode());
        assertEquals(413, aggregate(MAX_SEARCH + 1).statusCode());
    }

    private static Response aggregate(int length) {
        return Caller.anonymous().post("/stac/aggregate", "{}" + " ".repeat(length - 2));
    }

    @Test
    void aDatasetWithTheMostBandsIsStored() {
        String bands = IntStream.rangeClosed(1, 500)
                .mapToObj(i -> "\"b" + i + "\":{\"max\":4.5,\"min\":0,\"mean\":1.5,\"stddev\":0.5}")
                .collect(Collectors.joining(","));
        String labels = IntStream.rangeClosed(1, 500).mapToObj(i -> "\"label " + i + "\":" + i)
                .collect(Collectors.joining(","));
        Response created = Caller.writer("Ada").post(Listing.PATH, "{\"coordinates\":[1,2],\"band_stats\":"
                + "{\"multispec_ortho\":{" + bands + ",\"band_descr\":{" + labels + "}}}}");
        assertEquals(201, created.statusCode(), created::asString);
    }

    private static Response gzip(Caller caller, String path, byte[] body) {
        return caller.request().header("Content-Encoding", "gzip").contentType(Caller.JSON).body(body).post(path);
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 1_000_000})
    void aBodyThatInflatesMoreThanFiftyTimesIsRefused(int length) throws IOException {
        byte[] bomb = Bulk.gzip(emptyObjects(length));
        assertTrue(bomb.length < 1_100, bomb.length + " bytes");
        for (String path : List.of(SEARCH, Listing.PATH)) {
            Response refused = gzip(Caller.admin(), path, bomb);
            assertEquals(413, refused.statusCode(), refused.asString());
            assertTrue(refused.asString().contains("Request body too large: gzip may inflate it at most 50 times."),
                    refused.asString());
        }
        assertEquals(200, gzip(Caller.anonymous(), SEARCH, Bulk.gzip("{}" + " ".repeat(60_000))).statusCode());
    }

    @Test
    void compressedBytesThatInflateToNothingCount() throws IOException {
        byte[] member = Bulk.gzip("");
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        while (members.size() <= MAX_SEARCH) {
            members.write(member);
        }
        byte[] all = members.toByteArray();
        assertEquals(413, gzip(Caller.anonymous(), SEARCH, all).statusCode());
        try (RawConnection connection = new RawConnection(service)) {
            connection.write("POST " + SEARCH + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(all.length)
                    + "\r\n" + new String(all, StandardCharsets.ISO_8859_1) + "\r\n0\r\n\r\n");
            assertEquals(413, connection.read().status());
        }
    }

    @Test
    void abortedBodiesAreGivenBack() throws IOException {
        byte[] packed = Bulk.gzip(emptyObjects(50_000));
        String gzip = "POST " + SEARCH + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Encoding: gzip\r\nContent-Length: " + (packed.length + 10) + "\r\n\r\n"
                + new String(packed, StandardCharsets.ISO_8859_1);
        Caller ada = Caller.writer("Ada");
        for (int i = 0; i < 50; i++) {
            List<RawConnection> aborted = List.of(
                    new RawConnection(service).write(head(SEARCH, Caller.anonymous(), 50_000) + " ".repeat(40_000)),
                    new RawConnection(service).write(gzip),
                    new RawConnection(service).write(head(Listing.PATH, ada, 50_000) + " ".repeat(40_000)),
                    new RawConnection(service).write(head(SEARCH, ada, 200_000) + emptyObjects(200_000)));
            if (i == 0) {
                Patience.await("bodies in memory").until(() -> metric("dataset_bodies_bytes") > 100_000);
            }
            close(aborted);
        }
        awaitMetric("dataset_bodies_bytes", 0);
        awaitMetric("dataset_requests_running", 0);
    }
}
