package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Tests aggregations. {@link SearchModelTest} compares them for random searches. */
@QuarkusTest
class AggregationTest {

    private static final String AGGREGATE = "/stac/aggregate?aggregations=";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(
                dataset(1, d -> {
                    d.bbox = new double[]{57.6, 10.4, 57.7, 10.414};
                    d.coordinates = new double[]{57.65, 10.407};
                    d.availableRasters = new String[]{"dtm", "ortho"};
                    d.bandStats = bands("nir", "red");
                    d.capturedDate = Instant.parse("2019-12-30T00:00:00Z");
                }),
                dataset(2, d -> {
                    d.coordinates = new double[]{0, 0};
                    d.availableRasters = new String[]{"ortho"};
                    d.bandStats = bands("red");
                    d.capturedDate = Instant.parse("2020-03-31T23:59:59.999999Z");
                }),
                dataset(3, d -> {
                    d.coordinates = new double[]{90, 180};
                    d.category = new String[]{"Desert", "Forest"};
                    d.isPrivate = true;
                    d.ownerId = 12;
                    d.ownerName = "Bea";
                    d.capturedDate = Instant.parse("2020-04-01T00:00:00Z");
                }));
    }

    private static String bands(String... labels) {
        return List.of(labels).stream().map(label -> '"' + label + "\":1").collect(Collectors.joining(",",
                "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":"
                        + "{\"b1\":{\"min\":1,\"max\":2,\"mean\":1,\"stddev\":1},\"band_descr\":{",
                "}}}"));
    }

    /** The value or the buckets of one aggregation. */
    private static String one(Caller caller, String aggregation) {
        Response response = caller.get(AGGREGATE + aggregation);
        response.then().statusCode(200).body("type", equalTo("AggregationCollection"));
        JsonPath json = response.jsonPath();
        List<Map<String, Object>> buckets = json.getList("aggregations[0].buckets");
        Object value = json.get("aggregations[0].value");
        return buckets == null
                ? String.valueOf(value)
                : buckets.stream().map(bucket -> bucket.get("key") + " " + bucket.get("frequency"))
                        .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            total_count                        | 3
            datetime_min                       | 2019-12-30T00:00:00Z
            datetime_max                       | 2020-04-01T00:00:00Z
            dataset_category_frequency         | Forest 3, Desert 1
            dataset_rasters_frequency          | ortho 2, dtm 1
            dataset_bands_frequency            | red 2, nir 1
            dataset_user_frequency             | Ada van Dyk 2, Bea 1
            centroid_geohash_grid_frequency    | s 1, u 1, z 1
            centroid_geohash_grid_frequency&centroid_geohash_grid_frequency_precision=5 \
            | s0000 1, u4pru 1, zzzzz 1
            centroid_geotile_grid_frequency    | 0/0/0 3
            centroid_geotile_grid_frequency&centroid_geotile_grid_frequency_precision=2 | 2/2/1 1, 2/2/2 1, 2/3/0 1
            datetime_frequency&datetime_frequency_interval=year \
            | 2019-01-01T00:00:00.000Z 1, 2020-01-01T00:00:00.000Z 2
            datetime_frequency&datetime_frequency_interval=quarter \
            | 2019-10-01T00:00:00.000Z 1, 2020-01-01T00:00:00.000Z 1, 2020-04-01T00:00:00.000Z 1
            datetime_frequency | 2019-12-01T00:00:00.000Z 1, 2020-01-01T00:00:00.000Z 0, \
            2020-02-01T00:00:00.000Z 0, 2020-03-01T00:00:00.000Z 1, 2020-04-01T00:00:00.000Z 1
            datetime_frequency&datetime_frequency_interval=week&datetime=2020-03-31T00:00:00Z/.. \
            | 2020-03-30T00:00:00.000Z 2
            datetime_frequency&datetime_frequency_interval=day&datetime=2020-03-31T00:00:00Z/.. \
            | 2020-03-31T00:00:00.000Z 1, 2020-04-01T00:00:00.000Z 1
            total_count&bbox=10,57,11,58       | 1
            total_count&filter=dataset:user='Bea' | 1
            total_count&ids=1,3,77             | 2
            total_count&collections=nothing    | 0
            datetime_min&ids=77                | null
            datetime_frequency&ids=77          | ''
            """)
    void eachAggregationIsOfTheMatchesThatTheCallerSees(String aggregation, String expected) {
        assertEquals(expected, one(Caller.admin(), aggregation));
    }

    @Test
    void privateDatasetsCountForTheirOwnerAndForAdmins() {
        assertEquals("2", one(Caller.anonymous(), "total_count"));
        assertEquals("Ada van Dyk 2", one(Caller.anonymous(), "dataset_user_frequency"));
        assertEquals("2", one(Caller.existing(7, "Ada van Dyk").token("reader"), "total_count"));
        assertEquals("3", one(Caller.existing(12, "Bea").token("reader"), "total_count"));
        assertEquals("1",
                Caller.anonymous().get("/stac/collections/areas/aggregate?aggregations=total_count").jsonPath()
                        .getString("aggregations[0].value"));
        assertEquals("1", Caller.anonymous().get("/stac/collections/points/aggregate?aggregations=total_count")
                .jsonPath().getString("aggregations[0].value"));
    }

    @Test
    void theDescriptionNamesEachAggregationWithItsTypes() {
        JsonPath all = Caller.anonymous().get("/stac/aggregations").jsonPath();
        assertEquals(AggregationModel.NAMES, all.getList("aggregations.name"));
        assertEquals("{name=total_count, data_type=integer}", all.getMap("aggregations[0]").toString());
        assertEquals("{name=datetime_frequency, data_type=frequency_distribution,"
                + " frequency_distribution_data_type=datetime}", all.getMap("aggregations[3]").toString());
        for (String id : List.of("datasets", "areas", "points")) {
            JsonPath ofCollection = Caller.anonymous().get("/stac/collections/" + id + "/aggregations").jsonPath();
            assertEquals(all.getList("aggregations"), ofCollection.getList("aggregations"));
            assertEquals(List.of("self", "alternate", "root", "collection"), ofCollection.getList("links.rel"));
        }
        JsonPath none = Caller.anonymous().get("/stac/collections/areas/aggregate").jsonPath();
        assertEquals(List.of(), none.getList("aggregations"));
        assertEquals(List.of("self", "root", "collection", "aggregations"), none.getList("links.rel"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            aggregations=total_count,sum | aggregations: there is no aggregation "sum".
            limit=1                      | There is no parameter "limit".
            sortby=id                    | There is no parameter "sortby".
            datetime_frequency_interval=hour \
            | datetime_frequency_interval: one of "day", "week", "month", "quarter", "year" is expected.
            centroid_geohash_grid_frequency_precision=0 \
            | centroid_geohash_grid_frequency_precision: an integer from 1 to 12 is expected.
            centroid_geotile_grid_frequency_precision=30 \
            | centroid_geotile_grid_frequency_precision: an integer from 0 to 29 is expected.
            centroid_geotile_grid_frequency_precision=x \
            | centroid_geotile_grid_frequency_precision: an integer from 0 to 29 is expected.
            aggregations=total_count&aggregations=datetime_min | aggregations: the parameter is repeated.
            """)
    void malformedRequestsAreRefused(String query, String sentence) {
        for (String path : List.of("/stac", "/stac/collections/points")) {
            Caller.anonymous().get(path + "/aggregate?" + query).then().statusCode(400)
                    .body("code", equalTo("BadRequest")).body("description", equalTo(sentence))
                    .body("detail", equalTo(sentence));
        }
        Caller.anonymous().post("/stac/aggregate", "{\"aggregations\":\"total_count\"}").then().statusCode(400)
                .body("detail", equalTo("aggregations: an array of texts is expected."));
    }

    @Test
    void moreThan10000BucketsAreRefused() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 10_001)
                .mapToObj(id -> dataset(id, d -> {
                    d.coordinates = new double[]{id % 150 - 75, id / 150.0};
                    d.capturedDate = Instant.ofEpochSecond(id * 86_400);
                })).toList());
        String precision = "centroid_geohash_grid_frequency&centroid_geohash_grid_frequency_precision=";
        Caller.anonymous().get(AGGREGATE + precision + 12).then().statusCode(400).body("detail", equalTo(
                "centroid_geohash_grid_frequency_precision: the result would have more than 10000 buckets."
                        + " Use a smaller precision, or further conditions."));
        Caller.anonymous().get(AGGREGATE + "datetime_frequency&datetime_frequency_interval=day").then().statusCode(200)
                .body("aggregations[0].interval", equalTo("week"))
                .body("aggregations[0].empty_left_out", nullValue())
                .body("aggregations[0].buckets", hasSize(1430));
        String condition = "&filter=id%3C%3E%2710001%27";
        assertEquals(10_000, one(Caller.anonymous(), precision + 12 + condition).split(",").length);
    }

    /** Every caller may read the frequency by month, which is the default, whatever dates other owners write. */
    @Test
    void datesFarAwayLeaveOutOnlyEmptyBuckets() {
        catalogue.sql("update dataset set captured_date = '0001-01-01T00:00:00Z' where id = 1");
        catalogue.sql("update dataset set captured_date = '9999-12-31T00:00:00Z' where id = 3");
        for (String interval : List.of("", "&datetime_frequency_interval=day")) {
            Caller.admin().get(AGGREGATE + "datetime_frequency" + interval).then().statusCode(200)
                    .body("aggregations[0].interval", equalTo(interval.isEmpty() ? "month" : "day"))
                    .body("aggregations[0].empty_left_out", equalTo(true))
                    .body("aggregations[0].buckets.key", equalTo(interval.isEmpty()
                            ? List.of("0001-01-01T00:00:00.000Z", "2020-03-01T00:00:00.000Z",
                                    "9999-12-01T00:00:00.000Z")
                            : List.of("0001-01-01T00:00:00.000Z", "2020-03-31T00:00:00.000Z",
                                    "9999-12-31T00:00:00.000Z")));
        }
        assertEquals(9999,
                one(Caller.admin(), "datetime_frequency&datetime_frequency_interval=year").split(",").length);
    }

    /** The difference of -0.0 and 0.0 is a negative zero. */
    @Test
    void aBoxTouchesADatasetThatEndsAtZero() {
        catalogue.replaceWith(dataset(1, d -> d.bbox = new double[]{-1, -1, -0.0, -0.0}),
                dataset(2, d -> d.bbox = new double[]{0, 0, 1, 1}));
        for (String box : List.of("0,0,1,1", "-1,-1,0,0", "-1,-1,-0.0,-0.0", "-0.0,-0.0,1,1")) {
            assertEquals("2", one(Caller.anonymous(), "total_count&bbox=" + box), box);
        }
    }

    /** 62 labels have a bit in the columns. */
    @Test
    void labelsOfBandsAreCountedWhateverTheirNumber() {
        List<String> labels = IntStream.range(100, 170).mapToObj(Integer::toString).toList();
        catalogue.replaceWith(LongStream.range(0, 140).mapToObj(id -> dataset(id, d -> {
            d.bandStats = bands(labels.get((int) id / 2), labels.get((int) id / 2 * 7 % 70));
        })).toList());
        compare(Caller.anonymous());
    }

    private static void compare(Caller caller) {
        AggregationModel model = new AggregationModel(AggregationModel.NAMES, "week", 4, 9);
        List<JsonNode> items = new ArrayList<>();
        String page = "/stac/search?limit=1000";
        while (page != null) {
            JsonNode found = json(caller.get(page));
            found.path("features").forEach(items::add);
            page = StreamSupport.stream(found.path("links").spliterator(), false)
                    .filter(link -> link.path("rel").asText().equals("next"))
                    .map(link -> link.path("href").asText().replaceFirst("^https?://[^/]+", "")).findAny().orElse(null);
        }
        assertEquals(model.of(items),
                json(caller.get("/stac/aggregate?" + String.join("&", model.query()))).get("aggregations"));
    }

    private static JsonNode json(Response response) {
        try {
            return MAPPER.readTree(response.asString());
        } catch (IOException e) {
            throw new AssertionError(response.asString(), e);
        }
    }

    @Test
    void theTagIsWeakAndABrowserGetsJson() {
        String path = AGGREGATE + "dataset_category_frequency";
        assertTrue(Caller.anonymous().get(path).header("ETag").startsWith("W/"));
        Caller.anonymous().request().header("Accept", "text/html,*/*;q=0.8").get(path).then().statusCode(200)
                .contentType("application/json");
    }
}
