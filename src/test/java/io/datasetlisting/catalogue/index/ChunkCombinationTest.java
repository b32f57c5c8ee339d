package io.datasetlisting.catalogue.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** The same combinations, without memory for columns: the counters receive each snapshot part by part. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(LowLimits.class)
class ChunkCombinationTest extends CombinationTest {

    private static final int DISCONNECTED = 60;

    @Override
    boolean hasColumns() {
        return false;
    }

    @Test
    void theMetricsNameTheMemoryThatIsNeeded() {
        catalogue.replaceWith(Catalogue.plain(1_000));
        assertEquals(200, Caller.anonymous().get("/datasets/grid/").statusCode());
        assertEquals(1 << 10, meters.get("dataset.columns.limit.bytes").gauge().value());
        assertTrue(meters.get("dataset.columns.needed.bytes").gauge().value() > 1 << 10);
    }

    /** PostgreSQL is asked for the words of eight chunks at once. */
    @Test
    void wordsAreFoundInEachChunk() {
        catalogue.replaceWith(Catalogue.plain(10_000));
        catalogue.sql("update dataset set dataset_name = 'Everglades ' || id where id % 2 = 0");
        catalogue.sql("call rebuild_ranks()");
        long parts = catalogue.sql("select count(*) from listing_part").get(0).getLong(0);
        assertTrue(parts > 16, () -> parts + " parts");
        for (String query : List.of("search=everg", "search=everg&category=Rocky", "search=everg&workspace=7")) {
            assertEquals(Caller.anonymous().get("/api/dataset/?" + query).jsonPath().getInt("count"),
                    Caller.anonymous().get("/api/dataset/facets/?" + query).jsonPath().getInt("count"), query);
        }
        assertEquals(5_000, Caller.anonymous().get("/api/dataset/facets/?search=everg").jsonPath().getInt("count"));
    }

    /** More datasets than fit into memory: pages come from the table, and counts wait for the fold. Each has two changes. */
    @Test
    void aBacklogThatDoesNotFitWaitsForTheFold() throws Exception {
        catalogue.replaceWith(Catalogue.plain(1_000));
        String path = "/api/dataset/facets/?workspace=4711";
        assertEquals(0, Caller.anonymous().get(path).jsonPath().getInt("count"));
        AtomicReference<Future<Response>> facets = new AtomicReference<>();
        catalogue.during(
                "select pg_advisory_xact_lock(fold::oid::int, 0) from unnest('{rank,part_fold}'::regclass[]) fold",
                () -> {
                    catalogue.sql("update dataset set workspace = 4711 where id in (select id from dataset limit 499)");
                    assertEquals(499, Caller.anonymous().get(path).jsonPath().getInt("count"));
                    catalogue.sql("update dataset set workspace = 4711");
                    facets.set(CompletableFuture.supplyAsync(() -> Caller.anonymous().get(path)));
                    assertThrows(TimeoutException.class, () -> facets.get().get(2, TimeUnit.SECONDS));
                    for (String list : List.of("/api/dataset/?workspace=4711&p=67",
                            "/api/dataset/?ordering=workspace&p=67")) {
                        JsonPath page = Caller.anonymous().get(list).jsonPath();
                        assertEquals(List.of(1_000, 10), List.of(page.getInt("count"), page.getList("results").size()),
                                list);
                    }
                });
        assertEquals(1_000, facets.get().get(8, TimeUnit.SECONDS).jsonPath().getInt("count"));
    }

    @Test
    void suggestionsAreCounted() {
        catalogue.replaceWith(
                Catalogue.plain(1_500).stream().peek(dataset -> dataset.datasetName = "Everglades").toList());
        assertEquals(1_500, Caller.anonymous().get("/datasets/suggest/?q=everg").jsonPath()
                .getInt("suggestions.find { it.kind == 'name' }.count"));
    }

    @Test
    void aPageForPeopleHasItsDatasetsAndNoCounts() {
        catalogue.replaceWith(Catalogue.plain(1_500));
        for (Caller caller : List.of(Caller.anonymous(), Caller.admin())) {
            for (String query : List.of("", "?p=100", "?search=dataset",
                    "?category=Forest&ordering=dataset_name&p=last")) {
                HtmlPage page = HtmlPage
                        .parse(caller.request().accept("text/html").get("/datasets/" + query).asString());
                assertEquals(15, page.ids().size(), query);
                assertEquals("1500", page.one("//*[@id='count']/h:data[3]/@value"));
                assertEquals(List.of(), page.select("//*[@class='choice']/h:data"));
                assertEquals(List.of(), page.select("//*[@id='time']"));
            }
        }
    }

    /** Neither a turn nor a connection is lost, whenever a client disconnects. */
    @Test
    void clientsThatDisconnectLeaveNothingBehind() throws IOException {
        catalogue.replaceWith(Catalogue.plain(1_500));
        for (int i = 0; i < DISCONNECTED; i++) {
            try (Socket client = new Socket(service.getHost(), service.getPort())) {
                client.getOutputStream()
                        .write(("GET /api/dataset/facets/?workspace=" + i + "&search=dataset HTTP/1.1\r\n"
                                + "Host: localhost\r\n\r\n").getBytes(StandardCharsets.UTF_8));
                client.setSoTimeout(1 + i);
                if (i % 3 == 0) {
                    client.getInputStream().read();
                }
            } catch (java.net.SocketTimeoutException e) {
                // The client has waited for a part of the time.
            }
        }
        Patience.await("no connection is in use").untilAsserted(() -> {
            for (String gauge : List.of("sql.pool.active", "sql.pool.queue.size", "dataset.requests.running")) {
                assertEquals(0, meters.find(gauge).gauges().stream().mapToDouble(each -> each.value()).sum(), gauge);
            }
        });
        assertEquals(1_500, Caller.anonymous().get("/api/dataset/facets/").jsonPath().getInt("count"));
    }
}
