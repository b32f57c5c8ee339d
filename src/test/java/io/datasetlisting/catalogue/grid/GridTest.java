package io.datasetlisting.catalogue.grid;

import static io.datasetlisting.catalogue.grid.GridModel.WORLD;
import static io.datasetlisting.catalogue.grid.GridModel.assertCounts;
import static io.datasetlisting.catalogue.grid.GridModel.cells;
import static io.datasetlisting.catalogue.grid.GridModel.touches;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
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
        return caller.json(PATH + "?x=1&" + query);
    }

    private static String text(double[] box) {
        return "in_bbox=" + box[0] + ',' + box[1] + ',' + box[2] + ',' + box[3];
    }

    /** Some across the antimeridian, and one without an area. {@code CombinationTest} has others. */
    private static final List<double[]> BOXES = List.of(WORLD, new double[]{-10, 35, 30, 60},
            new double[]{90, -90, -90, 90}, new double[]{100, -40, 180, 40}, new double[]{180, -90, -180, 90},
            new double[]{5, 5, 5, 5}, new double[]{0, -90, 0, 90}, new double[]{-180, 0, 180, 0},
            new double[]{22.5, 0, 45, 45});

    @Test
    void theCountsAreThoseOfAPlainComputation() {
        fill();
        List<Dataset> listed = listed(anonymous());
        for (double[] box : BOXES) {
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
