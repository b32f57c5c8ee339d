package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.JSON;
import static io.datasetlisting.support.Caller.reader;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests bodies that are too large or that the service does not read: the connection serves the next request. */
@QuarkusTest
class BodySizeTest {

    private static final int LIMIT = 1 << 20;
    private static final int LARGE = 3_000_000;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private Caller ada;
    private ErrorLog log;

    @BeforeEach
    void createDatasetsAndWriter() {
        catalogue.replaceWith(plain(3));
        ada = writer("Ada");
        log = ErrorLog.open();
    }

    @AfterEach
    void nothingIsStoredAndNothingIsLogged() {
        log.close();
        log.assertEmpty();
        assertEquals(3, Listing.page("").count());
    }

    private static String declared(int length) {
        return "Content-Length: " + length + "\r\n\r\n" + " ".repeat(length);
    }

    private static String chunked(int length) {
        int size = 50_000;
        return "Transfer-Encoding: chunked\r\n\r\n"
                + (Integer.toHexString(size) + "\r\n" + " ".repeat(size) + "\r\n").repeat(length / size) + "0\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"POST /api/dataset/ | writer | 413", "PATCH /api/dataset/3/ | writer | 413",
            "PUT /api/dataset/3/ | writer | 413", "POST /api/dataset/ | wrong | 401",
            "POST /api/dataset/ | nobody | 401",
            "POST /api/dataset/ | reader | 403", "POST /api/account/ | writer | 403",
            "PUT /api/dataset/ | writer | 405",
            "POST /api/nothing/ | writer | 404", "DELETE /api/dataset/999/ | writer | 404",
            "DELETE /api/dataset/3/ | writer | 403", "GET /api/dataset/ | writer | 200",
            "GET /api/dataset | writer | 301",
            "OPTIONS /api/dataset/ | writer | 200", "GET /api/dataset/ | wrong | 401"})
    void afterALargeBodyTheConnectionServesTheNextRequest(String request, String tokenOf, int status) throws Exception {
        String key = switch (tokenOf) {
            case "writer" -> ada.key();
            case "reader" -> reader("Rita").key();
            case "wrong" -> "wrong";
            default -> null;
        };
        for (String body : new String[]{declared(LARGE), chunked(LARGE)}) {
            String head = request + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + (key == null ? "" : "Authorization: Token " + key + "\r\n");
            try (RawConnection connection = new RawConnection(service)) {
                // In another thread, because a service that responds before it reads the body must not block the client.
                CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(connection,
                        head + body + "GET /api/dataset/ HTTP/1.1\r\nHost: the.next\r\n\r\n"));
                assertEquals(status, connection.read().status());
                Answer next = connection.read();
                assertEquals(200, next.status());
                assertTrue(next.body().contains("\"count\":3"), next::body);
                writing.join();
            }
        }
    }

    private static void write(RawConnection connection, String bytes) {
        try {
            connection.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aBodyMayHaveAtMostOneMebibyte() throws IOException {
        String head = "POST /api/dataset/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Authorization: Token " + ada.key() + "\r\n";
        try (RawConnection connection = new RawConnection(service)) {
            // The body is read, but is not a dataset.
            assertEquals(400, connection.write(head + declared(LIMIT)).read().status());
            Answer refused = connection.write(head + declared(LIMIT + 1)).read();
            assertEquals(413, refused.status());
            assertEquals("{\"detail\":\"Request body too large.\"}", refused.body());
        }
    }

    @Test
    void aGzippedBodyIsReadUpToTheSameSize() throws IOException {
        String start = "{\"dataset_name\":\"packed\",\"x\":\"";
        // Text that does not compress to less than a fiftieth.
        String text = new Random(1).ints(LIMIT - start.length() - 2, '0', '~').filter(c -> c != '\\')
                .mapToObj(Character::toString).collect(Collectors.joining());
        String body = start + text + "\"}";
        assertEquals(201, send(Bulk.gzip(body + " ".repeat(LIMIT - body.length()))).statusCode());
        assertEquals(413, send(Bulk.gzip(body + " ".repeat(LIMIT - body.length() + 1))).statusCode());
        assertEquals(413, send(Bulk.gzip(" ".repeat(100 * LIMIT))).statusCode());
        assertEquals(400, send(new byte[]{0x1f}).statusCode());
        catalogue.sql("delete from dataset where dataset_name = 'packed'");
    }

    private Response send(byte[] gzip) {
        return ada.request().header("Content-Encoding", "gzip").contentType(Caller.JSON).body(gzip).post(Listing.PATH);
    }

    @Test
    void aClientThatExpectsContinueReceivesIt() throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            String head = "POST /api/dataset/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Authorization: Token " + ada.key() + "\r\nExpect: 100-continue\r\n";
            assertEquals(100, connection.write(head + "Content-Length: 2\r\n\r\n").read().status());
            assertEquals(400, connection.write("[]").read().status());
        }
    }

    @Test
    void aClientThatExpectsContinueForALargeBodyIsRefused() throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            assertEquals(413, connection.write("POST /api/dataset/ HTTP/1.1\r\nHost: a\r\nContent-Type: " + JSON
                    + "\r\nAuthorization: Token " + ada.key() + "\r\nExpect: 100-continue\r\nContent-Length: " + LARGE
                    + "\r\n\r\n").read().status());
        }
    }

    @ParameterizedTest
    @CsvSource({"99999999999999999999,400", "-1,400", "abc,400", "9223372036854775807,413"})
    void anInvalidContentLengthIsRefused(String length, int status) throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            assertEquals(status, connection.write("POST /api/dataset/ HTTP/1.1\r\nHost: a\r\nContent-Type: " + JSON
                    + "\r\nAuthorization: Token " + ada.key() + "\r\nContent-Length: " + length + "\r\n\r\n{}").read()
                    .status());
        }
    }
}
