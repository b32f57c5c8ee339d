package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.item.StacConfig;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Tests on which threads searches are parsed: long ones and filters on two threads for the whole process, others on
 * the event loop.
 */
@QuarkusTest
class LongSearchTest {

    private static final String SEARCH = "/stac/search";
    private static final String LONG = "{\"limit\":1}" + " ".repeat(10_000);

    private static final List<String> THREADS = new CopyOnWriteArrayList<>();
    private static volatile CountDownLatch latch = new CountDownLatch(0);

    /** Records the thread, and holds it while a test wants so. */
    @Alternative
    @Priority(1)
    @Singleton
    static class WatchedBody extends SearchBody {

        WatchedBody(ItemProperties properties, StacConfig config) {
            super(properties, config);
        }

        @Override
        Request parse(ObjectNode body, ItemCollection in) {
            THREADS.add(Thread.currentThread().getName());
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.parse(body, in);
        }
    }

    @TestHTTPResource
    URI service;

    @BeforeEach
    void clear() {
        THREADS.clear();
    }

    private static String threadOf(Runnable request) {
        THREADS.clear();
        request.run();
        assertEquals(1, THREADS.size());
        return THREADS.get(0).replaceAll("-\\d+$", "");
    }

    private static void post(String body) {
        assertEquals(200, Caller.anonymous().post(SEARCH, body).statusCode());
    }

    private static void get(String query) {
        assertEquals(200, Caller.anonymous().get(SEARCH + query).statusCode());
    }

    @Test
    void longBodiesAndFiltersAreParsedBesideTheEventLoop() {
        String filter = "{\"filter-lang\":\"cql2-text\",\"filter\":\"true\"}";
        assertEquals("request-parsers", threadOf(() -> post(LONG)));
        assertEquals("request-parsers", threadOf(() -> post(filter)));
        assertEquals("request-parsers", threadOf(() -> get("?filter=true")));
        assertEquals("request-parsers", threadOf(() -> get("?ids=" + "10000,".repeat(999) + "1")));
        assertTrue(threadOf(() -> post("{\"limit\":1}")).contains("eventloop"), THREADS::toString);
        assertTrue(threadOf(() -> get("?limit=1")).contains("eventloop"), THREADS::toString);
    }

    @Test
    void aRequestThatHasEndedIsNotParsed() throws Exception {
        latch = new CountDownLatch(1);
        try {
            List<CompletableFuture<Void>> first = List.of(CompletableFuture.runAsync(() -> post(LONG)),
                    CompletableFuture.runAsync(() -> post(LONG)));
            Patience.await("both threads parse").until(() -> THREADS.size() == 2);
            try (RawConnection third = new RawConnection(service)) {
                third.write("POST " + SEARCH + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + LONG.length() + "\r\n\r\n" + LONG);
                awaitMetric("dataset_requests_running", 3);
            }
            awaitMetric("dataset_requests_running", 2);
            CompletableFuture<Void> fourth = CompletableFuture.runAsync(() -> post(LONG));
            awaitMetric("dataset_requests_running", 3);
            latch.countDown();
            for (CompletableFuture<Void> request : first) {
                request.join();
            }
            fourth.join();
            assertEquals(3, THREADS.size());
        } finally {
            latch.countDown();
        }
    }

}
