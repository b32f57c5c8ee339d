package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;

/** Opens streams over HTTP/2 whose windows stay empty. All other requests are served. */
@QuarkusTest
class UnreadStreamsTest {

    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 100;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    private final Vertx vertx = Vertx.vertx();
    private Api api;
    private Api admin;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(4_000));
        api = new Api(service.toString().replaceFirst("/$", ""), null);
        admin = api.with(Caller.admin().key());
    }

    @AfterEach
    void theServiceIsFreeAgain() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        awaitMetric(api, "dataset_requests_running", 0);
        awaitMetric(api, "sql_pool_active{pool_name=\"primary-streams\",pool_type=\"sql\"}", 0);
        catalogue.awaitNoTransaction();
    }

    /** Sends requests on connections of their own, and reads nothing of the responses. */
    private void open(String path, String token, int connections, int streams) {
        for (int i = 0; i < connections; i++) {
            HttpClient client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false).setHttp2MaxPoolSize(1)
                    .setInitialSettings(new Http2Settings().setInitialWindowSize(0)));
            for (int j = 0; j < streams; j++) {
                client.request(HttpMethod.GET, service.getPort(), service.getHost(), path).onSuccess(request -> {
                    request.putHeader("Accept", "*/*");
                    if (token != null) {
                        request.putHeader("Authorization", "Token " + token);
                    }
                    request.response(response -> {
                        if (response.succeeded()) {
                            response.result().exceptionHandler(end -> {
                            }).pause();
                        }
                    });
                    request.send();
                });
            }
        }
    }

    private void assertServed(String... paths) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (String path : paths) {
            answers.add(api.send("GET", path, null));
        }
        assertEquals(IntStream.range(0, paths.length).mapToObj(i -> 200).toList(), answers.stream()
                .map(answer -> answer.join().statusCode()).toList(),
                String.join(" ", paths));
    }

    private long dataset() {
        return catalogue
                .sql("select min(id) from dataset where not is_private and not is_deleted and coordinates is not null")
                .get(0).getLong(0);
    }

    /** For longer than the time in which requests without a slot would be late. */
    @Test
    @Tag(NightlySuite.TAG)
    void unreadPartsOfTheSitemapLeaveRoomForAllOtherRequests() {
        open("/sitemap-1.xml", null, CONNECTIONS, STREAMS);
        Patience.await("streams run").until(() -> metric(api, "dataset_requests_running") > 4);
        String dataset = "/api/dataset/" + dataset() + "/";
        int[] page = {0};
        Patience.await("twelve seconds").pollInterval(Duration.ofMillis(500)).until(() -> {
            page[0]++;
            assertServed("/api/dataset/?page=" + page[0], "/datasets/?page=" + page[0], dataset,
                    "/stac/search?limit=3", "/q/health/ready", "/q/health/live");
            return page[0] == 24;
        });
    }

    /** As many exports as are allowed, and more arrays than the general pool has connections. */
    @Test
    void unreadExportsAndArraysDelayNoFilter() {
        long dataset = dataset();
        // One client has half of the places.
        open("/api/dataset/?format=ndjson", admin.token(), 1, 2);
        open("/api/dataset/?format=ndjson", null, 1, 2);
        open("/api/search_datasets", null, 10, 4);
        Patience.await("streams hold connections").until(() -> metric(api, "sql_pool_active") >= 8);
        assertServed("/api/dataset/?category=Forest&page_size=7", "/stac/search?filter=casei(title)%20like%20'%25a%25'",
                "/datasets/grid/?category=Forest", "/api/dataset/" + dataset + "/", "/q/health/ready");
        assertTrue(metric(api, "sql_pool_active") >= 8, "the streams have ended");
    }

    /** The time that a client takes is not the service's. */
    @Test
    void aStreamThatHasBegunIsNoRunningRequest() {
        open("/api/dataset/?format=ndjson", admin.token(), 1, 2);
        awaitMetric(api, "dataset_transfers_running", 2);
        awaitMetric(api, "dataset_requests_running", 0);
        assertEquals(2, metric(api, "dataset_transfers_running"));
    }
}
