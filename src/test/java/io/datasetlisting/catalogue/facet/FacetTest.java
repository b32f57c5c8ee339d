package io.datasetlisting.catalogue.facet;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the counts of the choices of filters, and the histogram, with pending changes and without. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class FacetTest {

    private static final String FACETS = Listing.PATH + "facets/";
    private static final String HISTOGRAM = Listing.PATH + "histogram/";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI root;

    /** Other tests of this profile expect folded changes of their own. */
    @AfterEach
    void emptyTheCatalogue() {
        catalogue.replaceWith();
    }

    private void fold() {
        catalogue.fold();
    }

    @Test
    void onlyTheFacetsOfTheRequestAreCounted() {
        catalogue.replaceWith(dataset(1, d -> d.category = new String[]{"Forest", "Desert"}), dataset(2));
        anonymous().get(FACETS + "?facets=user,year&facets=user").then().statusCode(200)
                .header("Content-Type", "application/json").header("Cache-Control", startsWith("public, max-age=0"))
                .body(equalTo("{\"count\":2,\"facets\":{\"user\":[{\"value\":\"Ada van Dyk\",\"id\":7,\"count\":2}],"
                        + "\"year\":[{\"value\":\"2021\",\"count\":2}]}}"));
        assertEquals(6, anonymous().json(FACETS + "?facets=").getJsonObject("facets").size());
        anonymous().get(FACETS + "?facets=available_rasters&category=Desert").then().body(equalTo(
                "{\"count\":1,\"facets\":{\"available_rasters\":[{\"value\":\"ortho\",\"count\":0},"
                        + "{\"value\":\"dsm\",\"count\":0},{\"value\":\"dtm\",\"count\":0},"
                        + "{\"value\":\"multispec_ortho\",\"count\":0}]}}"));
    }

    @Test
    void aFacetIgnoresItsOwnParameters() {
        catalogue.replaceWith(dataset(1), dataset(2, d -> d.category = new String[]{"Desert"}),
                dataset(3, d -> d.capturedDate = Instant.parse("0001-01-01T00:00:00Z")));
        JsonObject facets = anonymous().json(
                FACETS + "?facets=category,year&category=Desert&captured_after=2021-01-01");
        assertEquals(1, facets.getInteger("count"));
        List<JsonObject> filled = facets.getJsonObject("facets").getJsonArray("category").stream()
                .map(JsonObject.class::cast).filter(each -> each.getInteger("count") > 0).toList();
        assertEquals("[{\"value\":\"Desert\",\"count\":1}, {\"value\":\"Forest\",\"count\":1}]",
                filled.stream().map(JsonObject::encode).toList().toString());
        assertEquals("[{\"value\":\"2021\",\"count\":1}]",
                facets.getJsonObject("facets").getJsonArray("year").encode());
        assertEquals("[{\"value\":\"2021\",\"count\":2},{\"value\":\"0001\",\"count\":1}]",
                anonymous().json(FACETS + "?facets=year&captured_before=1970-01-01").getJsonObject("facets")
                        .getJsonArray("year").encode());
    }

    /** The ids of accounts may be far apart. */
    @Test
    void theTwentyLargestUsersAreShown() {
        List<Dataset> datasets = LongStream.range(0, 60).mapToObj(i -> dataset(i + 1, d -> {
            d.ownerId = i < 50 ? 1 + i % 25 * 40_000_000_000_000L : 1;
            d.ownerName = "user " + (d.ownerId == 1 ? 0 : i % 25);
        })).toList();
        catalogue.replaceWith(datasets);
        for (int i = 0; i < 2; i++) {
            JsonArray users = anonymous().json(FACETS + "?facets=user").getJsonObject("facets").getJsonArray("user");
            assertEquals(20, users.size());
            assertEquals("{\"value\":\"user 0\",\"id\":1,\"count\":12}", users.getJsonObject(0).encode());
            assertEquals(new FacetModel(catalogue.nameOrder(datasets.stream().map(d -> d.ownerName).toList()))
                    .choices("user", datasets).stream().map(each -> ((JsonObject) each).getString("value")).toList(),
                    users.stream().map(each -> ((JsonObject) each).getString("value")).toList());
            fold();
        }
    }

    private static Dataset withBands(long id, String... labels) {
        JsonObject bands = new JsonObject();
        Stream.of(labels).forEach(label -> bands.put(label, bands.size() + 1));
        return dataset(id, d -> d.bandStats = new JsonObject(d.bandStats)
                .put("multispec_ortho", new JsonObject().put("band_descr", bands)).encode());
    }

    /** The columns have bits for 62 labels. */
    @Test
    void bandsWithoutABitAreCounted() {
        List<Dataset> datasets = LongStream.rangeClosed(1, 80).mapToObj(i -> withBands(i, "nir", "label " + i / 2))
                .toList();
        List<Dataset> more = LongStream.rangeClosed(1, 130).mapToObj(i -> withBands(i, "nir", "more " + i / 2))
                .toList();
        for (List<Dataset> all : List.of(datasets, more)) {
            catalogue.replaceWith(all);
            for (int i = 0; i < 2; i++) {
                assertEquals(new FacetModel(null).choices("band", all),
                        anonymous().json(FACETS + "?facets=band&band=nir").getJsonObject("facets")
                                .getJsonArray("band"));
                fold();
            }
        }
    }

    @Test
    void aHistogramCoversAllYears() {
        catalogue.replaceWith();
        for (String interval : List.of("", "?interval=day")) {
            assertEquals("[]", anonymous().json(HISTOGRAM + interval).getJsonArray("buckets").encode());
        }
        catalogue.replaceWith(dataset(1, d -> d.capturedDate = Instant.parse("9999-12-31T23:59:59.999999Z")),
                dataset(2, d -> d.capturedDate = Instant.parse("9998-12-31T23:59:59.999999Z")));
        anonymous().get(HISTOGRAM).then().body(equalTo("{\"count\":2,\"interval\":\"year\",\"buckets\":["
                + "{\"from\":\"9998-01-01T00:00:00Z\",\"until\":\"9999-01-01T00:00:00Z\",\"count\":1},"
                + "{\"from\":\"9999-01-01T00:00:00Z\",\"until\":null,\"count\":1}]}"));
        assertEquals(366, anonymous().json(HISTOGRAM + "?interval=day").getJsonArray("buckets").size());
        catalogue.replaceWith(dataset(1, d -> d.capturedDate = Instant.parse("0001-01-01T00:00:00Z")),
                dataset(2, d -> d.capturedDate = Instant.parse("0004-02-29T23:59:59Z")));
        for (String interval : List.of("year", "month")) {
            JsonArray buckets = anonymous().json(HISTOGRAM + "?interval=" + interval).getJsonArray("buckets");
            assertEquals("0001-01-01T00:00:00Z", buckets.getJsonObject(0).getString("from"));
            assertEquals(interval.equals("year") ? 4 : 38, buckets.size());
        }
        catalogue.replaceWith(dataset(1, d -> d.capturedDate = Instant.parse("0001-01-01T00:00:00Z")),
                dataset(2, d -> d.capturedDate = Instant.parse("9999-12-31T00:00:00Z")));
        String always = "captured_after=0001-01-01&captured_before=9999-12-31T23:59:59.999999Z";
        for (String query : List.of("", '?' + always)) {
            anonymous().get(HISTOGRAM + query).then().body(equalTo("{\"count\":2,\"interval\":\"year\","
                    + "\"empty_left_out\":true,\"buckets\":["
                    + "{\"from\":\"0001-01-01T00:00:00Z\",\"until\":\"0002-01-01T00:00:00Z\",\"count\":1},"
                    + "{\"from\":\"9999-01-01T00:00:00Z\",\"until\":null,\"count\":1}]}"));
        }
    }

    /** One typing error in a date, or two, leaves the histogram of all others as it is. */
    @Test
    void datesFarAwayLeaveOutOnlyEmptyBuckets() {
        List<Dataset> plain = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            Instant captured = Instant.parse("2020-03-01T00:00:00Z").plus(20L * i, ChronoUnit.DAYS);
            plain.add(dataset(i, d -> d.capturedDate = captured));
        }
        catalogue.replaceWith(plain);
        JsonArray before = anonymous().json(HISTOGRAM + "?interval=month").getJsonArray("buckets");
        assertEquals(20, before.size());
        plain.add(dataset(98, d -> d.capturedDate = Instant.parse("0001-01-01T00:00:00Z")));
        plain.add(dataset(99, d -> d.capturedDate = Instant.parse("9999-12-31T00:00:00Z")));
        catalogue.replaceWith(plain);
        for (String interval : List.of("month", "day")) {
            JsonObject after = anonymous().json(HISTOGRAM + "?interval=" + interval);
            assertEquals(interval, after.getString("interval"));
            assertTrue(after.getBoolean("empty_left_out"));
            JsonArray buckets = after.getJsonArray("buckets");
            assertEquals("0001-01-01T00:00:00Z", buckets.getJsonObject(0).getString("from"));
            assertEquals(32, after.getInteger("count"));
            buckets.remove(buckets.size() - 1);
            buckets.remove(0);
            assertEquals(interval.equals("month") ? before.size() : 30, buckets.size());
            if (interval.equals("month")) {
                assertEquals(before, buckets);
            }
        }
    }

    /** The interval is longer if more than 1,000 days have datasets. */
    @Test
    void aHistogramOfMoreThan1000BucketsHasALongerInterval() {
        catalogue.replaceWith(LongStream.range(0, 1001).mapToObj(i -> dataset(1 + i,
                d -> d.capturedDate = Instant.parse("2020-01-01T00:00:00Z").plus(i, ChronoUnit.DAYS))).toList());
        JsonObject days = anonymous().json(HISTOGRAM + "?interval=day&captured_before=2022-09-27");
        assertEquals("day", days.getString("interval"));
        assertEquals(1000, days.getJsonArray("buckets").size());
        JsonObject longer = anonymous().json(HISTOGRAM + "?interval=day");
        assertEquals("month", longer.getString("interval"));
        assertFalse(longer.containsKey("empty_left_out"));
        assertEquals(33, longer.getJsonArray("buckets").size());
        assertEquals(1001, longer.getInteger("count"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            facets/?facets=year,Year    | {"facets":["\\"Year\\" is not a valid choice."]}
            facets/?facets=x&band=%00   | {"band":["Null characters are not allowed."]}
            facets/?user=%00&workspace=a | {"workspace":["A valid integer is required."],\
            "user":["Null characters are not allowed."]}
            histogram/?interval=week    | {"interval":["\\"week\\" is not a valid choice."]}
            histogram/?in_bbox=1,5,3,4  | {"in_bbox":["min_lat is greater than max_lat."]}
            """)
    void aWrongParameterIs400(String address, String error) {
        anonymous().get(Listing.PATH + address).then().statusCode(400).body(equalTo(error));
    }

    /** Each has five filters and 2,000 pending changes. Statuses: the counts; no time, or no free connection. */
    @Test
    void aHundredCostlyQuestionsAtOnceLeaveTheServiceAlive() {
        catalogue.replaceWith(generated(5_000));
        fold();
        catalogue.sql("update dataset set workspace = workspace + 1, is_shareable = not is_shareable where id % 5 < 2");
        Api api = new Api(root.toString().replaceFirst("/$", ""), null);
        String filters = "?category=Forest,Desert,Rocky&has_stats=ortho,dsm&search=a&in_bbox=-170,-80,170,80&captured_after=";
        String before = anonymous().get(FACETS + filters + "2000-01-01").asString();
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 100)
                .mapToObj(
                        i -> api.send("GET", (i % 4 == 0 ? HISTOGRAM : FACETS) + filters + (1900 + i) + "-01-01", null))
                .toList();
        for (int i = 0; i < 20; i++) {
            assertEquals(200, api.get(Listing.PATH).statusCode());
        }
        assertTrue(answers.stream().map(answer -> answer.join().statusCode()).allMatch(Set.of(200, 503)::contains));
        assertTrue(answers.stream().anyMatch(answer -> answer.join().statusCode() == 200));
        assertEquals(before, anonymous().get(FACETS + filters + "2000-01-01").asString());
        catalogue.awaitNoTransaction();
    }

    @ParameterizedTest
    @ValueSource(strings = {FACETS, HISTOGRAM})
    void theAddressIsOneOfTheApi(String path) {
        catalogue.replaceWith(Catalogue.plain(3));
        anonymous().request().options(path).then().statusCode(200).body("name", startsWith("Dataset "));
        assertTrue(anonymous().get(path).header("ETag").startsWith("W/"));
        anonymous().get(path.replaceFirst("/$", "")).then().statusCode(301).header("Location", path);
        anonymous().get(path + "?format=csv").then().statusCode(404);
        anonymous().holding("wrong").get(path).then().statusCode(401);
        assertTrue(admin().get(path).header("Cache-Control").startsWith("private"));
    }

    /** As after a failover that loses a commit: the change is gone, and no fold has written its part. */
    @Test
    @Tag(NightlySuite.TAG)
    void aLostChangeOfANameDoesNotStayInTheCache() {
        catalogue.replaceWith(Catalogue.plain(10_100));
        catalogue.sql("update dataset set dataset_name = case when id = 5001 then 'Zzz' else 'Common' end");
        fold();
        catalogue.sql("update dataset set dataset_name = 'Common' where id = 5001");
        assertEquals(10_100, count("/api/dataset/?search=common"));
        catalogue.sql("""
                begin; set local session_replication_role = replica;
                alter table dataset disable trigger dataset_replication_is_recorded;
                update dataset set (dataset_name, updated_at) = (
                    select 'Zzz', min(updated_at) from dataset where id <> 5001) where id = 5001;
                alter table dataset enable replica trigger dataset_replication_is_recorded;
                delete from listing_change; commit""");
        assertEquals(10_099, count("/api/dataset/?search=common"));
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
    }

    /** Two kinds of requests read many changes at the same time, and this takes longer than a search may. */
    @Test
    @Tag(NightlySuite.TAG)
    void manyPendingChangesAreReadToTheEnd() {
        catalogue.replaceWith(Catalogue.plain(700));
        fold();
        String view = catalogue.sql("select pg_get_viewdef('listing_element')").get(0).getString(0).replace(";", "");
        String replace = "create or replace view listing_element as ";
        catalogue.sql(replace + "select part.* from (" + view + ") part, (select pg_sleep(6) offset 0) slow");
        try {
            catalogue.sql("update dataset set category = '{Forest}' where id % 2 = 0");
            catalogue.sql("update dataset set category = '{Forest}' where id % 2 = 1");
            List<CompletableFuture<Integer>> counts = Stream
                    .of("?category=Forest", "?category=Forest&p=2", "facets/?p=1")
                    .map(query -> CompletableFuture.supplyAsync(() -> count("/api/dataset/" + query))).toList();
            counts.forEach(read -> assertEquals(700, read.join()));
        } finally {
            catalogue.sql(replace + view);
        }
    }

    private static int count(String path) {
        return RestAssured.get(path).then().statusCode(200).extract().path("count");
    }
}
