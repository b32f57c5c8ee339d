package io.datasetlisting.catalogue.grid;

import static io.datasetlisting.catalogue.grid.GridModel.WORLD;
import static io.datasetlisting.catalogue.grid.GridModel.assertCounts;
import static io.datasetlisting.catalogue.grid.GridModel.assertSame;
import static io.datasetlisting.catalogue.grid.GridModel.cells;
import static io.datasetlisting.catalogue.grid.GridModel.footprint;
import static io.datasetlisting.catalogue.grid.GridModel.model;
import static io.datasetlisting.catalogue.grid.GridModel.touches;
import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.catalogue.grid.GridModel.Cell;
import io.datasetlisting.catalogue.grid.GridModel.Counted;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the counts of datasets on a grid. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class GridTest {

    private static final String PATH = "/datasets/grid/";
    private static final int MANY = RandomTests.times(4_000, 12_000);

    private static final Map<String, Predicate<Dataset>> FILTERS = Map.of("", d -> true,
            "category=Forest", d -> Arrays.asList(d.category).contains("Forest"),
            "category=Forest&is_shareable=true", d -> Arrays.asList(d.category).contains("Forest") && d.isShareable,
            "is_shareable=false", d -> !d.isShareable,
            "search=everglades", d -> d.datasetName.toLowerCase().matches("(?s)(.*[^\\p{L}\\p{N}])?everglades.*"));

    @Inject
    Catalogue catalogue;

    private List<Dataset> datasets = List.of();

    private void fill() {
        datasets = Catalogue.generated(MANY);
        catalogue.replaceWith(datasets);
    }

    private List<Dataset> listed(Caller caller) {
        return datasets.stream().filter(caller::lists).toList();
    }

    private static JsonObject grid(Caller caller, String query) {
        Response response = caller.get(PATH + "?x=1&" + query);
        assertEquals(200, response.statusCode(), response::asString);
        return new JsonObject(response.asString());
    }

    private static String text(double[] box) {
        return "in_bbox=" + box[0] + ',' + box[1] + ',' + box[2] + ',' + box[3];
    }

    /** Boxes of all sizes, some of them across the antimeridian, and boxes without an area. */
    private static List<double[]> boxes(Random random) {
        List<double[]> boxes = new ArrayList<>(List.of(WORLD, new double[]{-10, 35, 30, 60},
                new double[]{90, -90, -90, 90}, new double[]{100, -40, 180, 40}, new double[]{180, -90, -180, 90},
                new double[]{5, 5, 5, 5}, new double[]{0, -90, 0, 90}, new double[]{-180, 0, 180, 0},
                new double[]{22.5, 0, 45, 45}));
        for (int i = 0; i < RandomTests.times(6, 30); i++) {
            double width = Math.pow(10, random.nextDouble() * 3.5 - 1) % 360;
            double height = Math.min(170, width * (0.2 + random.nextDouble()));
            double west = Math.round((random.nextDouble() * 360 - 180) * 1000) / 1000.0;
            double south = Math.round((random.nextDouble() * (180 - height) - 90) * 1000) / 1000.0;
            double east = Math.round((west + width) * 1000) / 1000.0;
            boxes.add(new double[]{west, south, east > 180 ? Math.round((east - 360) * 1000) / 1000.0 : east,
                    Math.min(90, Math.round((south + height) * 1000) / 1000.0)});
        }
        return boxes;
    }

    @Test
    void theCountsAreThoseOfAPlainComputation() {
        fill();
        List<Dataset> listed = listed(anonymous());
        for (double[] box : boxes(new Random(23))) {
            List<Dataset> inside = listed.stream().filter(d -> touches(d, box)).toList();
            FILTERS.forEach((query, filter) -> assertCounts(inside.stream().filter(filter).toList(), box,
                    grid(anonymous(), text(box) + '&' + query), query + " in " + Arrays.toString(box)));
        }
    }

    @Test
    void theBoundsMayCrossTheAntimeridian() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{-18, 177}),
                dataset(2, d -> d.coordinates = new double[]{-20, -178}));
        assertEquals(JsonArray.of(177.0, -20.0, -178.0, -18.0), grid(anonymous(), "").getJsonArray("bbox"));
    }

    /** A change is counted before a fold has merged it into the columns. */
    @Test
    void theCountsOfTheWorldAreExactForEachCallerAlsoAfterChanges() {
        datasets = Catalogue.generated(MANY);
        catalogue.replaceWith(datasets);
        Caller owner = Caller.privateOwner(datasets);
        for (int change = 0; change < 3; change++) {
            for (Caller caller : List.of(anonymous(), owner, admin())) {
                for (String query : List.of("", "is_shareable=false", "in_bbox=-170,-80,175,85&is_shareable=0")) {
                    double[] box = query.contains("in_bbox") ? new double[]{-170, -80, 175, 85} : WORLD;
                    List<Dataset> matching = listed(caller).stream().filter(d -> touches(d, box))
                            .filter(d -> query.isEmpty() || !d.isShareable).toList();
                    assertCounts(matching, box, grid(caller, query), change + caller.username() + ' ' + query);
                }
            }
            Dataset changed = listed(anonymous()).get(change);
            changed.coordinates = new double[]{-12.5, 33.25};
            changed.bbox = new double[0];
            changed.isPrivate = change == 1;
            changed.isShareable = false;
            admin().patch(Listing.PATH + changed.id + "/", "{\"coordinates\":[-12.5,33.25],\"bbox\":[],\"is_private\":"
                    + changed.isPrivate + ",\"is_shareable\":false}").then().statusCode(200);
        }
    }

    @Test
    void eachCallerGetsTheCountsOfTheDatasetsThatItMaySee() {
        fill();
        Caller owner = Caller.privateOwner(datasets);
        Dataset hidden = listed(owner).stream().filter(d -> d.isPrivate).findFirst().orElseThrow();
        double[] f = footprint(hidden);
        double[] box = {Math.max(-180, f[0] - 30), Math.max(-90, f[1] - 30), Math.min(180, f[2] + 30),
                Math.min(90, f[3] + 30)};
        Set<String> counts = new HashSet<>();
        for (Caller caller : List.of(anonymous(), owner, admin())) {
            for (String query : List.of("", "category=" + hidden.category[0].replace(" ", "%20"))) {
                List<Dataset> matching = listed(caller).stream().filter(d -> touches(d, box))
                        .filter(d -> query.isEmpty() || Arrays.asList(d.category).contains(hidden.category[0]))
                        .toList();
                JsonObject grid = grid(caller, text(box) + '&' + query);
                assertEquals(matching.size(), grid.getLong("count"), caller.username());
                assertSame(model(matching, box), cells(grid), caller.username());
                counts.add(query + grid.getLong("count"));
            }
        }
        assertEquals(6, counts.size(), "the callers see different datasets");
        anonymous().holding("wrong").get(PATH).then().statusCode(401);
    }

    @Test
    void aViewThatMovesKeepsItsCells() {
        fill();
        Map<Cell, Counted> before = cells(grid(anonymous(), "in_bbox=-10,35,30,60"));
        Map<Cell, Counted> after = cells(grid(anonymous(), "in_bbox=-7,37,33,62"));
        long kept = before.entrySet().stream().filter(cell -> cell.getValue().equals(after.get(cell.getKey()))).count();
        assertTrue(kept > before.size() / 2, () -> kept + " of " + before.size());
    }

    @Test
    void aViewWithoutDatasetsHasNoCells() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = null));
        assertEquals("{\"count\":0,\"cells\":[]}", anonymous().get(PATH).asString());
    }

    @Test
    void theLastDayOfThePageIncludesItsDatasets() {
        catalogue.replaceWith(List.of("2020-01-01T23:59:59Z", "2020-01-02T00:00:00Z").stream()
                .map(time -> dataset(time.equals("2020-01-02T00:00:00Z") ? 1 : 2, d -> {
                    d.coordinates = new double[]{50, 10};
                    d.capturedDate = Instant.parse(time);
                })).toList());
        assertEquals(1, grid(anonymous(), "captured_until=2020-01-01").getLong("count"));
        assertEquals(2, grid(anonymous(), "captured_until=2020-01-02").getLong("count"));
        anonymous().get(PATH + "?captured_until=x").then().statusCode(400);
    }

    @Test
    void aCellHasItsCountItsPlaceAndItsBox() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{50, 10}), dataset(2, d -> {
            d.coordinates = new double[]{52, 14};
            d.bbox = new double[]{51, 13, 53, 15};
        }), dataset(3, d -> d.coordinates = new double[]{-90, 180}));
        anonymous().get(PATH).then().statusCode(200).header("Content-Type", "application/json")
                .header("Cache-Control", startsWith("public, max-age=0"))
                .body(equalTo("{\"count\":3,\"bbox\":[10.0,-90.0,180.0,53.0],\"cells\":["
                        + "{\"longitude\":180.0,\"latitude\":-90.0,\"count\":1,\"bbox\":[157.5,-90.0,180.0,-67.5]},"
                        + "{\"longitude\":12.0,\"latitude\":51.0,\"count\":2,\"bbox\":[0.0,45.0,22.5,67.5]}]}"));
    }

    @Test
    void anUnchangedCatalogueIs304() {
        catalogue.replaceWith(Catalogue.plain(3));
        for (Caller caller : List.of(anonymous(), admin())) {
            Response first = caller.get(PATH);
            String tag = first.header("ETag");
            for (int i = 0; i < 2; i++) {
                Response again = caller.request().header("If-None-Match", tag).get(PATH);
                assertEquals(304, again.statusCode());
                assertEquals(tag, again.header("ETag"));
                assertEquals(first.asString(), caller.get(PATH).asString());
            }
            assertEquals(304, caller.request().header("If-None-Match", tag).head(PATH).statusCode());
        }
        String before = anonymous().get(PATH).header("ETag");
        admin().patch(Listing.PATH + "3/", "{\"coordinates\":[50,50]}").then().statusCode(200);
        Response changed = anonymous().request().header("If-None-Match", before).get(PATH);
        assertEquals(200, changed.statusCode());
        assertNotEquals(before, changed.header("ETag"));
        assertEquals(2, new JsonObject(changed.asString()).getJsonArray("cells").size());
    }

    @Test
    void headHasTheHeadersOfGet() {
        catalogue.replaceWith(Catalogue.plain(3));
        Response get = anonymous().get(PATH);
        Response head = anonymous().request().head(PATH);
        assertEquals(200, head.statusCode());
        assertEquals("", head.asString());
        for (String name : List.of("Content-Length", "Content-Type", "ETag", "Cache-Control", "Vary", "Allow")) {
            assertEquals(get.header(name), head.header(name), name);
        }
        anonymous().request().options(PATH).then().statusCode(200).header("Allow", "GET, HEAD, OPTIONS");
        admin().post(PATH, "{}").then().statusCode(405);
        anonymous().get("/datasets/grid").then().statusCode(301).header("Location", PATH);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            in_bbox=1,2,3          | {"in_bbox":["Expected four numbers: min_lon,min_lat,max_lon,max_lat."]}
            in_bbox=1,2,3,91       | {"in_bbox":["Longitudes are between -180 and 180, latitudes between -90 and 90."]}
            in_bbox=1,5,3,4        | {"in_bbox":["min_lat is greater than max_lat."]}
            category=Zed           | {"category":["\\"Zed\\" is not a valid choice."]}
            search=%00&workspace=a | {"workspace":["A valid integer is required."],"search":["Null characters are not allowed."]}
            """)
    void aMalformedFilterIs400(String query, String error) {
        anonymous().get(PATH + '?' + query).then().statusCode(400).body(equalTo(error));
    }
}
