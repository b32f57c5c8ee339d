package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.greaterThan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.io.OutputDecorator;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.KeptPagesAndSampleData;
import io.datasetlisting.support.Listing;
import io.quarkus.jackson.ObjectMapperCustomizer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;

/** Tests that resources and JSON run on the event loop, and that concurrent requests share the connections. */
@QuarkusTest
@TestProfile(KeptPagesAndSampleData.class)
class EventLoopTest {

    private static final int REQUESTS = 200;
    /** Each ordering has its own statement. */
    private static final List<String> ORDERINGS = List.of("id", "-id", "dataset_name", "-dataset_name", "workspace",
            "-workspace", "captured_date", "-captured_date", "user", "uav_uid");

    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
    private static final Set<String> OFF_THE_EVENT_LOOP = ConcurrentHashMap.newKeySet();

    private static void record(String what) {
        SEEN.add(what);
        if (!Context.isOnEventLoopThread()) {
            OFF_THE_EVENT_LOOP.add(what + " on " + Thread.currentThread().getName());
        }
    }

    /** Records the thread of the resource method, which asks this class for the URL. */
    @Alternative
    @Priority(1)
    @Singleton
    static class WatchedUrl extends PublicUrl {

        WatchedUrl(HttpConfig config) {
            super(config);
        }

        @Override
        public String of(String path, HttpServerRequest request) {
            record("resource");
            return super.of(path, request);
        }
    }

    /** Records the thread that writes JSON. */
    @Singleton
    static class WatchedJson extends OutputDecorator implements ObjectMapperCustomizer {

        private static final long serialVersionUID = 1L;

        // The factory already exists, so that its builder cannot be used.
        @SuppressWarnings("deprecation")
        @Override
        public void customize(ObjectMapper mapper) {
            mapper.getFactory().setOutputDecorator(this);
        }

        @Override
        public OutputStream decorate(IOContext context, OutputStream out) {
            record("json");
            return out;
        }

        @Override
        public Writer decorate(IOContext context, Writer out) {
            return out;
        }
    }

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/api/dataset/")
    URI listing;

    @BeforeEach
    void clearRecords() {
        SEEN.clear();
        OFF_THE_EVENT_LOOP.clear();
    }

    @Test
    void createsExportsAndImportsRunOnTheEventLoop() {
        catalogue.replaceWith(generated(1_000));
        // A connection of HTTP/2 has few streams.
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest.Builder request = HttpRequest.newBuilder(listing).header("Authorization", "Token test-admin-token");
        List<CompletableFuture<HttpResponse<String>>> creates = IntStream.range(0, 50)
                .mapToObj(i -> client.sendAsync(
                        request.copy().header("Idempotency-Key", "key-" + i).POST(BodyPublishers.ofString("")).build(),
                        HttpResponse.BodyHandlers.ofString()))
                .toList();
        HttpRequest export = request.copy().header("Accept", "application/x-ndjson").build();
        String catalogue = client.sendAsync(export, HttpResponse.BodyHandlers.ofString()).join().body();
        HttpRequest replace = request.copy().header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(catalogue)).build();
        assertEquals(200, client.sendAsync(replace, HttpResponse.BodyHandlers.ofString()).join().statusCode());
        creates.forEach(answer -> assertEquals(201, answer.join().statusCode()));
        assertEquals(Set.of("resource", "json"), SEEN);
        assertEquals(Set.of(), OFF_THE_EVENT_LOOP);
    }

    /** The lock blocks every statement until all requests have arrived. */
    @Test
    void twoHundredConcurrentRequestsShareFourConnectionsOnTheEventLoop() {
        catalogue.replaceWith(generated(1_000));
        // A connection of HTTP/2 has few streams.
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        String waiting = Catalogue.OTHERS + " and wait_event_type = 'Lock' and query not like '%lock table%'";
        catalogue.during("lock table dataset in access exclusive mode", () -> {
            for (int i = 0; i < REQUESTS; i++) {
                String page = "?ordering=" + ORDERINGS.get(i % ORDERINGS.size()) + "&page_size=20&p="
                        + (1 + i / ORDERINGS.size());
                answers.add(client.sendAsync(HttpRequest.newBuilder(listing.resolve(page)).build(),
                        HttpResponse.BodyHandlers.ofString()));
            }
            awaitMetric("dataset_requests_running", REQUESTS);
            catalogue.awaitThat(
                    "(select count(*) >= %d from %s)".formatted(KeptPagesAndSampleData.CONNECTIONS, waiting));
            assertEquals(KeptPagesAndSampleData.CONNECTIONS, catalogue.sql("select from " + waiting).size());
            assertTrue(answers.stream().noneMatch(CompletableFuture::isDone));
        });
        answers.forEach(answer -> assertEquals(200, answer.join().statusCode()));
        assertEquals(Set.of("resource", "json"), SEEN);
        assertEquals(Set.of(), OFF_THE_EVENT_LOOP);
    }

    @Test
    void aPageForPeopleIsRenderedOnTheEventLoop() {
        catalogue.replaceWith(generated(20));
        for (String query : List.of("", "?p=99", "?workspace=x")) {
            given().get("/datasets/" + query);
        }
        assertEquals(Set.of("resource"), SEEN);
        assertEquals(Set.of(), OFF_THE_EVENT_LOOP);
    }

    @Test
    void aPageDoesNotWaitForConnectionsThatOtherTransactionsHold() {
        catalogue.replaceWith(generated(20));
        String held = "select";
        catalogue.during(held, () -> catalogue.during(held, () -> catalogue.during(held, () -> catalogue.during(held,
                () -> Listing.list("?ordering=dataset_name").then().statusCode(200).body("count", greaterThan(0))))));
    }
}
