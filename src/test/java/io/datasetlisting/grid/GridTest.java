package io.datasetlisting.grid;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the counts of datasets on a grid. */
@QuarkusTest
class GridTest {

    private static final String PATH = "/datasets/grid/";
    private static final double[] WORLD = {-180, -90, 180, 90};
    private static final int MANY = 30_000;
    private static final int MAX_CELLS = 17 * 17;

    private static final Map<String, Predicate<Dataset>> FILTERS = Map.of("", d -> true,
            "category=Forest", d -> Arrays.asList(d.category).contains("Forest"),
            "category=Forest&is_shareable=true", d -> Arrays.asList(d.category).contains("Forest") && d.isShareable,
            "is_shareable=false", d -> !d.isShareable,
            "search=everglades", d -> d.datasetName.toLowerCase().matches("(?s)(.*[^\\p{L}\\p{N}])?everglades.*"));

    @Inject
    Catalogue catalogue;

    private List<Dataset> datasets = List.of();

    /** The counts of a cell and the sums of the places, as the response and the model have them. */
    private record Cell(double west, double south, double side) {
    }

    private record Counted(long count, double longitude, double latitude) {
    }

    private void fill() {
        datasets = Catalogue.generated(MANY);
        catalogue.replaceWith(datasets);
    }

    private List<Dataset> listed(Caller caller) {
        return datasets.stream().filter(d -> !d.isDeleted && d.coordinates != null
                && (!d.isPrivate || caller.id() == 0 || d.ownerId == caller.id())).toList();
    }

    private static JsonObject grid(Caller caller, String query) {
        Response response = caller.get(PATH + "?x=1&" + query);
        assertEquals(200, response.statusCode(), response::asString);
        return new JsonObject(response.asString());
    }

    private static Map<Cell, Counted> cells(JsonObject grid) {
        Map<Cell, Counted> cells = new HashMap<>();
        Set<Double> sides = new HashSet<>();
        grid.getJsonArray("cells").forEach(each -> {
            JsonObject cell = (JsonObject) each;
            JsonArray box = cell.getJsonArray("bbox");
            double side = box.getDouble(2) - box.getDouble(0);
            sides.add(side);
            assertEquals(side, box.getDouble(3) - box.getDouble(1));
            cells.put(new Cell(box.getDouble(0), box.getDouble(1), side), new Counted(cell.getLong("count"),
                    cell.getDouble("longitude"), cell.getDouble("latitude")));
        });
        assertEquals(grid.getJsonArray("cells").size(), cells.size(), "a cell occurs once");
        assertTrue(cells.size() <= MAX_CELLS && sides.size() <= 1, () -> cells.size() + " cells of sides " + sides);
        return cells;
    }

    private static double[] footprint(Dataset d) {
        return d.bbox.length == 4
                ? new double[]{d.bbox[1], d.bbox[0], d.bbox[3], d.bbox[2]}
                : new double[]{d.coordinates[1], d.coordinates[0], d.coordinates[1], d.coordinates[0]};
    }

    private static boolean touches(Dataset d, double[] box) {
        double[] f = footprint(d);
        boolean isInside = f[1] <= box[3] && f[3] >= box[1];
        return isInside && (box[0] <= box[2]
                ? f[0] <= box[2] && f[2] >= box[0]
                : f[0] <= box[2] || f[2] >= box[0]);
    }

    /** The expected cells: the place of each dataset is moved into the box. */
    private static Map<Cell, Counted> model(List<Dataset> matching, double[] box) {
        double width = box[2] - box[0] + (box[0] > box[2] ? 360 : 0);
        int power = 4;
        while (Math.max(width, box[3] - box[1]) * Math.pow(2, power) / 360 <= 8 && power < 20) {
            power++;
        }
        double side = 360 / Math.pow(2, power);
        Map<Cell, Counted> cells = new HashMap<>();
        for (Dataset d : matching) {
            double[] f = footprint(d);
            double fromWest = (f[0] + f[2]) / 2 - box[0];
            // To the nearer edge of the box, either way around the world.
            if (fromWest < 0) {
                fromWest = fromWest + 360 - width < -fromWest ? Math.min(fromWest + 360, width) : 0;
            }
            double x = box[0] + Math.min(fromWest, width);
            double y = Math.max(box[1], Math.min(box[3], (f[1] + f[3]) / 2));
            double west = Math.floor((x + 180) / side) * side - 180;
            double south = Math.floor((y + 90) / side) * side - 90;
            // The last column and the last row also have their far edge.
            if (west == box[0] + width && width > 0) {
                west -= side;
            }
            if (south == box[3] && box[3] > box[1]) {
                south -= side;
            }
            double x0 = x;
            cells.merge(new Cell(west >= 180 ? west - 360 : west, south, side), new Counted(1, x0, y),
                    (a, b) -> new Counted(a.count + b.count, a.longitude + b.longitude, a.latitude + b.latitude));
        }
        cells.replaceAll((cell, sum) -> {
            double longitude = sum.longitude / sum.count;
            return new Counted(sum.count, longitude - cell.west >= 180 ? longitude - 360 : longitude,
                    sum.latitude / sum.count);
        });
        return cells;
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
        for (int i = 0; i < 30; i++) {
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

    private static void assertCounts(List<Dataset> expected, double[] box, JsonObject grid, String view) {
        assertEquals(expected.size(), grid.getLong("count"), view);
        assertSame(model(expected, box), cells(grid), view);
        assertEquals(bounds(expected), grid.getJsonArray("bbox"), view);
    }

    /** The narrower of the bounds that go around the world either way, or null without datasets. */
    private static JsonArray bounds(List<Dataset> datasets) {
        List<double[]> plain = datasets.stream().map(GridTest::footprint).toList();
        List<double[]> turned = plain.stream().map(f -> f[0] + f[2] < 0
                ? new double[]{f[0] + 360, f[1], f[2] + 360, f[3]}
                : f).toList();
        double[] one = around(plain);
        double[] other = around(turned);
        boolean crosses = other[2] - other[0] < one[2] - one[0] && other[0] <= 180 && other[2] > 180;
        return datasets.isEmpty()
                ? null
                : crosses
                        ? JsonArray.of(other[0], one[1], other[2] - 360, one[3])
                        : JsonArray.of(one[0], one[1], one[2], one[3]);
    }

    private static double[] around(List<double[]> boxes) {
        return new double[]{boxes.stream().mapToDouble(f -> f[0]).min().orElse(0),
                boxes.stream().mapToDouble(f -> f[1]).min().orElse(0),
                boxes.stream().mapToDouble(f -> f[2]).max().orElse(0),
                boxes.stream().mapToDouble(f -> f[3]).max().orElse(0)};
    }

    @Test
    void theBoundsMayCrossTheAntimeridian() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{-18, 177}),
                dataset(2, d -> d.coordinates = new double[]{-20, -178}));
        assertEquals(JsonArray.of(177.0, -20.0, -178.0, -18.0), grid(anonymous(), "").getJsonArray("bbox"));
    }

    private static void assertSame(Map<Cell, Counted> expected, Map<Cell, Counted> actual, String view) {
        assertEquals(expected.keySet(), actual.keySet(), view);
        expected.forEach((cell, counted) -> {
            assertEquals(counted.count, actual.get(cell).count, () -> view + cell);
            assertEquals(counted.longitude, actual.get(cell).longitude, 2e-6, () -> view + cell);
            assertEquals(counted.latitude, actual.get(cell).latitude, 2e-6, () -> view + cell);
        });
    }

    /** A change is counted before a fold has merged it into the columns. */
    @Test
    void theCountsOfTheWorldAreExactForEachCallerAlsoAfterChanges() {
        datasets = Catalogue.generated(MANY);
        catalogue.replaceWith(datasets);
        Caller owner = privateOwner();
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

    /** The owner of a private dataset that is listed. */
    private Caller privateOwner() {
        Dataset dataset = datasets.stream().filter(d -> d.isPrivate && !d.isDeleted && d.coordinates != null)
                .findFirst().orElseThrow();
        return Caller.existing(dataset.ownerId, dataset.ownerName).token("reader");
    }

    @Test
    void eachCallerGetsTheCountsOfTheDatasetsThatItMaySee() {
        fill();
        Caller owner = privateOwner();
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
