package io.datasetlisting.faces.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Sends filters that take the database as long as the limits allow. Datasets, tokens and readiness do not wait for them. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class CostlyFilterTest {

    private static final int SEARCHES = 16;
    /**
     * The part of a query that selects the running statements of searches. PostgreSQL shows the first 1,024 bytes of a statement;
     * the one of a snapshot begins with the version.
     */
    private static final String RUNNING = Catalogue.OTHERS
            + " and state = 'active' and (query like '%collate%' or query like 'with version as materialized%')";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    private Api api;
    private Api reader;
    private long dataset;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(7_500));
        api = new Api(service.toString().replaceFirst("/$", ""), null);
        reader = api.with(Caller.reader("reader").key());
        dataset = catalogue
                .sql("select min(id) from dataset where not is_private and not is_deleted and coordinates is not null")
                .get(0).getLong(0);
    }

    @AfterEach
    void nothingRuns() {
        catalogue.awaitNoTransaction();
    }

    /** As many comparisons as a filter may have, none of which holds; each search is another one. */
    private static String costly(int search) {
        return body(IntStream.range(0, 600).mapToObj(i -> "casei(title)>'z" + (search * 600 + i) + "'")
                .collect(Collectors.joining(" or ")));
    }

    private static String body(String filter) {
        return new JsonObject().put("filter-lang", "cql2-text").put("filter", filter).encode();
    }

    private long running() {
        return catalogue.sql("select count(*) from " + RUNNING).get(0).getLong(0);
    }

    /** The addresses of a dataset, of an account that needs its token, and of readiness. */
    private void assertServed() {
        List<CompletableFuture<HttpResponse<String>>> answers = List.of(
                api.send("GET", "/api/dataset/" + dataset + "/", null), reader.send("GET", "/api/account/me/", null),
                api.send("GET", "/q/health/ready", null), api.send("GET", "/api/dataset/?p=3", null));
        assertEquals(List.of(200, 200, 200, 200), answers.stream()
                .map(answer -> answer.orTimeout(1, TimeUnit.SECONDS).join().statusCode()).toList());
    }

    @Test
    void whileCostlySearchesRunOthersAreServed() {
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, SEARCHES)
                .mapToObj(i -> api.send("POST", "/stac/search", costly(i))).toList();
        Patience.await("searches run").until(() -> running() > 0);
        while (!answers.stream().allMatch(CompletableFuture::isDone)) {
            assertServed();
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.join();
            assertTrue(response.statusCode() == 200 || response.statusCode() == 503, response::body);
        }
    }

    /** A lock stands for a search that takes long. It would be waited for for three seconds. */
    @Test
    void aStatementIsCancelledAndAWaitingOneIsNotStartedWhenTheClientHasGone() {
        ErrorLog log = ErrorLog.open();
        catalogue.during("lock table dataset", () -> {
            List<RawConnection> clients = new ArrayList<>();
            for (int i = 0; i < SEARCHES; i++) {
                clients.add(send(costly(i)));
            }
            Patience.await("all connections of costly searches wait").until(() -> running() >= 3);
            // Of the token, too, which is looked up now.
            assertEquals(List.of(200, 200), Stream.of(reader.send("GET", "/api/account/me/", null),
                    api.send("GET", "/q/health/ready", null))
                    .map(answer -> answer.orTimeout(1, TimeUnit.SECONDS).join().statusCode()).toList());
            clients.forEach(CostlyFilterTest::close);
            Patience.await("no search runs").atMost(Duration.ofSeconds(1)).until(() -> running() == 0);
            assertEquals(200, api.get("/q/health/ready").statusCode());
        });
        log.close();
        log.assertEmpty();
        assertServed();
    }

    private RawConnection send(String body) {
        try {
            return new RawConnection(service).write("POST /stac/search HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(RawConnection client) {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"casei(title) like casei('%q1%z%')", "title like '%a%'",
            "casei(dataset:category) = casei('forest')", "casei(dataset:bands) in ('a', 'b')", "dataset:category > 'z'",
            "dataset:bands between 'a' and 'b'", "dataset:category <> 'Forest'"})
    void aFilterHasALimitedNumberOfCostlyConditions(String condition) {
        // On a busy machine the search may take too long.
        assertNotEquals(400, search(condition, 50).statusCode());
        HttpResponse<String> refused = search(condition, 51);
        assertEquals(400, refused.statusCode());
        assertTrue(refused.body().contains("More than 50 conditions with LIKE or on single elements of arrays"),
                refused::body);
        assertTrue(refused.body().contains("character"), refused::body);
    }

    @Test
    void cheapConditionsAreNotCounted() {
        assertEquals(200, search("dataset:category = 'Forest'", 200).statusCode());
        assertEquals(200, search("casei(title) = 'x'", 200).statusCode());
    }

    private HttpResponse<String> search(String condition, int count) {
        return api.call("POST", "/stac/search",
                body(Stream.generate(() -> condition).limit(count).collect(Collectors.joining(" or "))));
    }
}
