package io.datasetlisting.faces.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Metrics;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Tests that a client that disconnects at any moment leaves no running request, no used connection and no transfer
 * behind.
 */
@QuarkusTest
@Timeout(90)
class AbortedRequestsTest {

    private static final int ABORTS = RandomTests.times(600, 2_000);
    private static final int AT_ONCE = 40;
    private static final int DATASETS = 300;

    /** Ids of datasets that the test reads, changes continuously, and deletes. */
    private static final long READ = 3;
    private static final long WRITTEN = 6;
    private static final long DELETED = 9;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @BeforeEach
    @Timeout(60)
    void fill() {
        catalogue.replaceWith(Catalogue.plain(DATASETS));
    }

    @AfterEach
    void nothingIsInUse() {
        // Does not ask the database, which has no free connection if the test fails.
        Patience.await("nothing is in use").untilAsserted(() -> assertEquals("", Metrics.held(Metrics.all())));
    }

    /**
     * A request that a client may send.
     *
     * @param body
     *            null for no body
     */
    private record Call(String method, String path, String type, String body) {

        Call(String method, String path) {
            this(method, path, null, null);
        }

        String head(Caller caller, String... more) {
            return method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\n"
                    + (caller.key() == null ? "" : "Authorization: Token " + caller.key() + "\r\n")
                    + (type == null ? "" : "Content-Type: " + type + "\r\n") + String.join("", more) + "\r\n";
        }

        String whole(Caller caller) {
            return body == null
                    ? head(caller)
                    : head(caller, "Content-Length: " + body.length() + "\r\n") + body;
        }
    }

    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (String path : List.of("/api/dataset/", "/api/dataset/?category=Forest&p=2", "/api/dataset/?ordering=user",
                "/api/dataset/?format=ndjson", "/api/dataset/?format=csv", "/api/dataset/?format=geojson",
                "/api/dataset/?format=geojson&all=true", "/api/dataset/?format=geoparquet",
                "/api/dataset/?format=flatgeobuf", "/stac/search?f=flatgeobuf", "/stac/search?f=geoparquet",
                "/api/search_datasets?search=d", "/api/dataset_coords", "/api/dataset/" + READ + '/',
                "/api/account/", "/api/account/me/", "/api/token/")) {
            for (String method : List.of("GET", "GET", "HEAD", "OPTIONS")) {
                calls.add(new Call(method, path));
            }
        }
        String json = "{\"dataset_name\": \"aborted\", \"coordinates\": [1, 2]}";
        calls.add(new Call("POST", Listing.PATH, Caller.JSON, json));
        calls.add(new Call("POST", Listing.PATH, "application/x-www-form-urlencoded", "dataset_name=aborted"));
        calls.add(new Call("POST", Listing.PATH, Bulk.NDJSON, Bulk.line(READ).encode() + '\n'));
        calls.add(new Call("PUT", Listing.PATH + READ + '/', Caller.JSON, json));
        calls.add(new Call("PATCH", Listing.PATH + READ + '/', Caller.JSON, json));
        calls.add(new Call("DELETE", Listing.PATH + DELETED + '/'));
        calls.add(new Call("OPTIONS", Listing.PATH + READ + "/thumbnail/"));
        calls.add(new Call("PUT", Listing.PATH + READ + "/thumbnail/", "image/png", "not a picture, but long enough"));
        calls.add(new Call("POST", "/api/account/", Caller.JSON, "{\"username\": \"\"}"));
        calls.add(new Call("POST", "/api/token/", Caller.JSON, "{\"user\": 0, \"right\": \"none\"}"));
        calls.add(new Call("DELETE", "/api/token/999999/"));
        calls.add(new Call("GET", "/api/unknown/"));
        return calls;
    }

    /** The moments at which a client disconnects. */
    private enum Moment {
        IN_THE_HEAD, AFTER_THE_HEAD, IN_THE_BODY, MALFORMED_CHUNK, AFTER_THE_REQUEST, PIPELINED, IN_THE_ANSWER
    }

    @Test
    void abortedRequestsReleaseAllResources() throws Exception {
        List<Caller> callers = List.of(Caller.anonymous(), Caller.writer("aborts"), Caller.admin());
        List<Call> calls = calls();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(done));
        Random random = new Random(18);
        try {
            for (int i = 0; i < ABORTS;) {
                int together = random.nextInt(4) == 0 ? AT_ONCE : 1;
                List<Socket> clients = new ArrayList<>();
                boolean same = random.nextBoolean();
                Call call = calls.get(random.nextInt(calls.size()));
                for (int n = 0; n < together; n++, i++) {
                    call = same ? call : calls.get(random.nextInt(calls.size()));
                    clients.add(begin(call, callers.get(random.nextInt(callers.size())),
                            Moment.values()[random.nextInt(Moment.values().length)]));
                }
                for (Socket client : clients) {
                    if (random.nextBoolean()) {
                        // Closes by a reset.
                        client.setSoLinger(true, 0);
                    }
                    client.close();
                }
            }
        } finally {
            done.set(true);
            writer.join();
        }
        nothingIsInUse();
        for (Call call : calls) {
            for (Caller caller : callers) {
                if (!call.method.equals("HEAD")) {
                    int status = caller.send(call.method, call.path, call.type == null ? "*/*" : call.type,
                            call.body == null ? "" : call.body).statusCode();
                    assertTrue(status < 500, call + " of " + caller + ": " + status);
                }
            }
        }
    }

    private Socket begin(Call call, Caller caller, Moment moment) throws IOException {
        Socket client = new Socket(service.getHost(), service.getPort());
        // Shorter than the time that a request may wait for a database connection.
        client.setSoTimeout(8_000);
        String body = call.body == null ? "a body that nobody asked for" : call.body;
        String request = switch (moment) {
            case IN_THE_HEAD -> call.head(caller).substring(0, 30);
            case AFTER_THE_HEAD -> call.head(caller, "Content-Length: " + body.length() + "\r\n");
            case IN_THE_BODY -> call.head(caller, "Content-Length: " + 2 * body.length() + "\r\n") + body;
            case MALFORMED_CHUNK ->
                call.head(caller, "Transfer-Encoding: chunked\r\n") + "5\r\n{\"a\":\r\nno length\r\n";
            case AFTER_THE_REQUEST, IN_THE_ANSWER -> call.whole(caller);
            case PIPELINED -> call.whole(caller) + call.whole(caller) + call.whole(caller);
        };
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        if (moment == Moment.IN_THE_ANSWER) {
            assertEquals('H', client.getInputStream().read());
        }
        return client;
    }

    /** Changes a dataset continuously, so that no response comes from the page cache. */
    private void write(AtomicBoolean done) {
        for (int i = 0; !done.get(); i++) {
            int status = Caller.admin().patch(Listing.PATH + WRITTEN + '/', "{\"dataset_name\": \"" + i + "\"}")
                    .statusCode();
            // Forty concurrent exports use all connections for a while.
            assertTrue(status == 200 || status == 503, "status " + status);
        }
    }

    @Test
    void requestsAbortedWhileTheyWaitForAConnectionTakeNone() throws Exception {
        for (String path : List.of("/api/search_datasets?search=d", "/api/dataset_coords",
                Listing.PATH + "?format=ndjson", Listing.PATH + READ + '/')) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                clients.add(begin(new Call("GET", path), Caller.anonymous(), Moment.AFTER_THE_REQUEST));
            }
            for (Socket client : clients) {
                client.close();
            }
            nothingIsInUse();
        }
    }
}
