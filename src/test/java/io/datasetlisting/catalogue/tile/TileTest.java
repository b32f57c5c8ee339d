package io.datasetlisting.catalogue.tile;

import static io.datasetlisting.catalogue.grid.GridModel.footprint;
import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.Polygon;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests vector tiles: each is compared with a plain computation from all datasets. */
@QuarkusTest
class TileTest {

    private static final String STAC = "/stac/tiles/WebMercatorQuad/";
    private static final int MANY = RandomTests.times(4_000, 12_000);

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    private List<Dataset> datasets = List.of();

    /** The same filter in the words of both interfaces, and what it finds. */
    private record Question(String listing, String stac, Predicate<Dataset> filter) {
    }

    private static final Polygon TRIANGLE = new GeometryFactory().createPolygon(new Coordinate[]{
            new Coordinate(-150, -40), new Coordinate(60, -40), new Coordinate(60, 50), new Coordinate(-150, -40)});

    private static final List<Question> QUESTIONS = List.of(new Question("", "", d -> true),
            new Question("category=Forest", "filter=%22dataset:category%22='Forest'",
                    d -> Arrays.asList(d.category).contains("Forest")),
            new Question("is_shareable=true&captured_after=2020-01-01T00:00:00Z",
                    "filter=%22dataset:is_shareable%22=true&datetime=2020-01-01T00:00:00Z/..",
                    d -> d.isShareable && !d.capturedDate.isBefore(Instant.parse("2020-01-01T00:00:00Z"))),
            new Question("search=everglades", "filter=CASEI(title)%20LIKE%20CASEI('%25everglades%25')",
                    d -> d.datasetName.toLowerCase().contains("everglades")),
            new Question("intersects=POLYGON((-150%20-40,60%20-40,60%2050,-150%20-40))",
                    "intersects=" + PercentEncoding.form("{\"type\":\"Polygon\",\"coordinates\":"
                            + "[[[-150,-40],[60,-40],[60,50],[-150,-40]]]}"),
                    d -> TRIANGLE.intersects(TRIANGLE.getFactory().toGeometry(
                            new Envelope(footprint(d)[0], footprint(d)[2], footprint(d)[1], footprint(d)[3])))),
            new Question("captured_until=1999-12-31", "datetime=../1999-12-31T23:59:59.999999Z",
                    d -> d.capturedDate.isBefore(Instant.parse("2000-01-01T00:00:00Z"))));

    private void fill() {
        datasets = Catalogue.generated(MANY);
        catalogue.replaceWith(datasets);
    }

    private List<Dataset> listed(Caller caller) {
        return datasets.stream().filter(caller::lists).toList();
    }

    private static void assertSame(DecodedTile expected, Response response, String what) {
        assertEquals(200, response.statusCode(), () -> what + response.asString());
        assertEquals("application/vnd.mapbox-vector-tile", response.contentType());
        DecodedTile actual = DecodedTile.of(response.asByteArray());
        assertEquals(expected.density(), actual.density(), what);
        assertEquals(expected.datasets() == null ? null : expected.datasets().keySet(),
                actual.datasets() == null ? null : actual.datasets().keySet(), what);
        if (expected.datasets() != null) {
            expected.datasets().forEach((id, footprint) -> assertSame(footprint, actual.datasets().get(id), what));
        }
    }

    /** A corner may lie in the middle between two units. */
    private static void assertSame(DecodedTile.Footprint expected, DecodedTile.Footprint actual, String what) {
        assertEquals(expected.title(), actual.title(), what);
        assertEquals(expected.time(), actual.time(), what);
        Envelope[] boxes = {expected.units(), actual.units()};
        assertEquals(expected.isPoint(), actual.isPoint(), what);
        // A thin footprint has the width of a unit.
        double wide = boxes[0].getWidth() < 1 ? 1.51 : 0.51;
        double high = boxes[0].getHeight() < 1 ? 1.51 : 0.51;
        assertEquals(boxes[0].getMinX(), boxes[1].getMinX(), wide, what);
        assertEquals(boxes[0].getMinY(), boxes[1].getMinY(), high, what);
        assertEquals(boxes[0].getMaxX(), boxes[1].getMaxX(), wide, what);
        assertEquals(boxes[0].getMaxY(), boxes[1].getMaxY(), high, what);
        assertTrue(actual.isPoint() || boxes[1].getWidth() >= 1 && boxes[1].getHeight() >= 1, what);
    }

    private static String query(String parameters) {
        return parameters.isEmpty() ? "" : '?' + parameters;
    }

    private void check(Caller caller, Question question, int zoom, int x, int y) {
        List<Dataset> matching = listed(caller).stream().filter(question.filter).toList();
        String what = caller.username() + ' ' + zoom + '/' + x + '/' + y + ' ' + question.listing + ' ';
        DecodedTile expected = TileModel.of(matching, zoom, x, y);
        assertSame(expected, caller.get("/tiles/" + zoom + '/' + x + '/' + y + ".mvt" + query(question.listing)), what);
        assertSame(expected, caller.get(STAC + zoom + '/' + y + '/' + x + query(question.stac)), what);
    }

    /** A tile with the centre of a dataset, or a neighbour of it. */
    private void checkRandom(Caller caller, Random random) {
        int zoom = random.nextInt(21);
        List<Dataset> listed = listed(caller);
        double[] f = footprint(listed.get(random.nextInt(listed.size())));
        int last = (1 << zoom) - 1;
        int x = (int) TileModel.east((f[0] + f[2]) / 2, zoom) + random.nextInt(5) / 4;
        int y = (int) TileModel.south((f[1] + f[3]) / 2, zoom) - random.nextInt(5) / 4;
        check(caller, QUESTIONS.get(random.nextInt(QUESTIONS.size())), zoom, Math.min(x, last),
                Math.max(0, Math.min(y, last)));
    }

    @Test
    void aTileHasWhatAPlainComputationFindsForEachCallerAlsoAfterChanges() {
        fill();
        Random random = new Random(RandomTests.seed(33));
        Caller owner = Caller.privateOwner(datasets);
        for (int change = 0; change < RandomTests.times(2, 4); change++) {
            for (Caller caller : List.of(anonymous(), owner, admin())) {
                for (Question question : QUESTIONS) {
                    check(caller, question, change % 2, 0, change % 2);
                }
                for (int i = 0; i < RandomTests.times(5, 25); i++) {
                    checkRandom(caller, random);
                }
            }
            Dataset changed = listed(anonymous()).get(change);
            changed.coordinates = new double[]{89, 180};
            changed.bbox = new double[]{88, 179, 90, 180};
            changed.isPrivate = change == 1;
            changed.datasetName = "Everglades " + change;
            admin().patch(Listing.PATH + changed.id + "/",
                    "{\"coordinates\":[89,180],\"bbox\":[88,179,90,180],\"is_private\":" + changed.isPrivate
                            + ",\"dataset_name\":\"" + changed.datasetName + "\"}")
                    .then().statusCode(200);
        }
        datasets = List.of();
    }

    /** A dataset is in one tile of a zoom. */
    @Test
    void theDensitiesOfAllTilesOfAZoomSumToTheDatasetsOfTheListing() {
        fill();
        for (String query : List.of("", "category=Forest&captured_after=2020-01-01")) {
            long listed = Listing.page(query(query)).count();
            for (int zoom = 0; zoom < RandomTests.times(3, 4); zoom++) {
                long sum = 0;
                for (int tile = 0; tile < 1 << 2 * zoom; tile++) {
                    sum += DecodedTile.of(anonymous().get("/tiles/" + zoom + '/' + (tile >> zoom) + '/'
                            + (tile & (1 << zoom) - 1) + ".mvt" + query(query)).asByteArray()).count();
                }
                assertEquals(listed, sum, query + " at zoom " + zoom);
            }
        }
    }

    /** Latitudes beyond the projection are moved to its edge; the antimeridian and the equator belong to one tile each. */
    @Test
    void theEdgesOfTheWorldAreInTheOutermostTiles() {
        double[][] places = {{90, 180}, {-90, -180}, {86, -180}, {-85.06, 180}, {0, 0}, {85.05, 179.999}};
        List<Dataset> all = new ArrayList<>();
        for (double[] place : places) {
            all.add(dataset(all.size() + 1, d -> d.coordinates = place));
        }
        catalogue.replaceWith(all);
        datasets = all;
        for (int zoom : new int[]{0, 1, 2, 10, 20}) {
            int last = (1 << zoom) - 1;
            int middle = 1 << zoom >> 1;
            for (int[] tile : new int[][]{{0, 0}, {last, 0}, {0, last}, {last, last}, {middle, middle},
                    {Math.max(0, middle - 1), middle}}) {
                check(anonymous(), QUESTIONS.get(0), zoom, tile[0], tile[1]);
            }
        }
    }

    @Test
    void theTilesOfACollectionHaveItsDatasetsOnly() {
        fill();
        for (String collection : List.of("datasets", "areas", "points")) {
            long matched = anonymous().get("/stac/collections/" + collection + "/items?limit=1").jsonPath()
                    .getLong("numberMatched");
            assertEquals(matched, DecodedTile.of(anonymous()
                    .get("/stac/collections/" + collection + "/tiles/WebMercatorQuad/0/0/0").asByteArray()).count());
        }
        String polygon = "{\"type\":\"Polygon\",\"coordinates\":[[[-60,-35],[75,-35],[0,55],[-60,-35]]]}"
                .replace("\"", "%22").replace("{", "%7B").replace("}", "%7D").replace("[", "%5B").replace("]", "%5D");
        long matched = anonymous().get("/stac/search?limit=1&intersects=" + polygon).jsonPath()
                .getLong("numberMatched");
        assertEquals(matched,
                DecodedTile.of(anonymous().get(STAC + "0/0/0?intersects=" + polygon).asByteArray()).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"21/0/0", "0/1/0", "0/0/1", "3/8/0", "-1/0/0", "00/0/0", "1/0/1.0", "a/0/0", "20/1048576/0",
            "99999999999/0/0", "31/0/0", "4294967296/0/0", "9223372036854775808/0/0", "2/9223372036854775808/0",
            "2/0/-9223372036854775808", "20/-1/0"})
    void anAddressWithoutATileIs404(String tile) {
        anonymous().get(STAC + tile).then().statusCode(404).body("code", equalTo("NotFound"));
        anonymous().get("/tiles/" + tile + ".mvt").then().statusCode(404).body(equalTo("{\"detail\":\"Not found.\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tiles/0/0/0", "/tiles/0/0/0.png", "/tiles/0/0.mvt", "/tiles/0/0/0/0.mvt", "/tiles/",
            "/stac/tiles/WebMercatorQuad/0/0", "/stac/tiles/WGS84/0/0/0", "/stac/tiles/WebMercatorQuad/0/0/0/0",
            "/stac/tileMatrixSets/WGS84", "/stac/collections/datasets/tileMatrixSets"})
    void otherAddressesAreNotFound(String path) {
        anonymous().get(path).then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /tiles/0/0/0.mvt?category=Zed              | {"category":["\\"Zed\\" is not a valid choice."]}
            /tiles/tilejson.json?in_bbox=1             | {"in_bbox":["Expected four numbers: min_lon,min_lat,max_lon,max_lat."]}
            """)
    void aMalformedFilterIs400(String path, String error) {
        anonymous().get(path).then().statusCode(400).body(equalTo(error));
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=1", "filter=x%20=%201", "datetime=yesterday", "sortby=id", "category=Forest"})
    void aParameterThatNoTileOfTheCatalogueHasIs400(String query) {
        anonymous().request().get(STAC + "0/0/0?" + query).then().statusCode(400).body("code", equalTo("BadRequest"));
    }

    @Test
    void tilesAreCompressed() throws Exception {
        fill();
        for (String path : List.of("/tiles/0/0/0.mvt", STAC + "0/0/0")) {
            for (Caller caller : List.of(anonymous(), admin())) {
                Response first = caller.get(path);
                String tag = first.header("ETag");
                assertTrue(tag.startsWith("W/"), tag);
                Response zipped = caller.request().header("Accept-Encoding", "gzip").get(path);
                zipped.then().header("Content-Encoding", "gzip").header("ETag", tag);
                assertTrue(Arrays.equals(first.asByteArray(),
                        new GZIPInputStream(new ByteArrayInputStream(zipped.asByteArray())).readAllBytes()));
            }
            anonymous().holding("wrong").get(path).then().statusCode(401);
        }
    }

    @Test
    void aTileWithoutDatasetsHasNoBytes() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{50, 10}));
        Response empty = anonymous().get("/tiles/4/0/0.mvt");
        assertEquals(200, empty.statusCode());
        assertEquals(0, empty.asByteArray().length);
        assertNull(DecodedTile.of(empty.asByteArray()).datasets());
    }

    /** A footprint of a flight along a parallel, along a meridian, and of a place. */
    @Test
    void aThinFootprintIsAsLongAsItIsAndASmallOneIsAPointInTheMiddle() {
        catalogue.replaceWith(dataset(1, d -> d.bbox = new double[]{46.5, 20.0, 46.5003, 20.3}),
                dataset(2, d -> d.bbox = new double[]{40.0, 20.5, 40.3, 20.5}),
                dataset(3, d -> d.bbox = new double[]{42.0, 20.0, 42.0008, 20.0008}),
                dataset(4, d -> d.bbox = new double[]{-80, -20, -79.9999, 20}));
        for (int zoom = 3; zoom <= 8; zoom++) {
            double units = 4096;
            int x = (int) TileModel.east(20.1, zoom);
            for (double latitude : new double[]{46.5, 40.1, 42.0}) {
                int y = (int) TileModel.south(latitude, zoom);
                Map<Long, DecodedTile.Footprint> found = DecodedTile
                        .of(anonymous().get("/tiles/" + zoom + '/' + x + '/' + y + ".mvt").asByteArray()).datasets();
                if (latitude == 46.5) {
                    Envelope along = found.get(1L).units();
                    assertFalse(found.get(1L).isPoint(), "zoom " + zoom);
                    assertEquals((TileModel.east(20.3, zoom) - TileModel.east(20, zoom)) * units, along.getWidth(),
                            1.01);
                    assertTrue(along.getHeight() >= 1, "zoom " + zoom);
                } else if (latitude == 40.1) {
                    assertFalse(found.get(2L).isPoint(), "zoom " + zoom);
                    assertEquals(1, found.get(2L).units().getWidth());
                } else if (found.get(3L).isPoint()) {
                    assertEquals((TileModel.east(20.0004, zoom) - x) * units, found.get(3L).units().getMinX(), 0.51);
                    assertEquals((TileModel.south(42.0004, zoom) - y) * units, found.get(3L).units().getMinY(), 0.51);
                }
            }
        }
        DecodedTile.Footprint polar = DecodedTile.of(anonymous().get("/tiles/2/2/3.mvt").asByteArray()).datasets()
                .get(4L);
        assertFalse(polar.isPoint());
        assertEquals(0, polar.units().getMinX(), 64);
    }

    @Test
    void tileJsonLeadsToTheTilesWithTheSameFilters() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{50, 10}),
                dataset(2, d -> d.category = new String[]{"Desert"}));
        Response json = anonymous().get("/tiles/tilejson.json?category=Forest&search=dataset%201");
        json.then().statusCode(200).contentType("application/json").body("tilejson", equalTo("3.0.0"))
                .body("tiles", hasSize(1)).body("vector_layers.id", equalTo(List.of("density", "datasets")))
                .body("vector_layers.fields[1].keySet()", equalTo(new java.util.LinkedHashSet<>(
                        List.of("id", "title", "time"))))
                .body("vector_layers.fields[0]", equalTo(Map.of("count", "Number")))
                .body("vector_layers.fields[1]", equalTo(Map.of("id", "Number", "title", "String", "time", "String")));
        String tile = json.jsonPath().getString("tiles[0]").replace("{z}", "0").replace("{x}", "0").replace("{y}", "0");
        assertEquals(1, DecodedTile.of(anonymous().get(tile).asByteArray()).count());
    }

    @Test
    void theTilesetLeadsToItsTilesAndToTheDivisionOfTheWorld() {
        catalogue.replaceWith(Catalogue.plain(3));
        for (String parent : List.of("/stac", "/stac/collections/datasets")) {
            String sets = anonymous().get(parent).jsonPath()
                    .getString("links.find { it.rel.endsWith('/tilesets-vector') }.href");
            String set = anonymous().get(sets).jsonPath().getString("tilesets[0].links.find { it.rel == 'self' }.href");
            Response tileSet = anonymous().get(set);
            String tile = tileSet.jsonPath().getString("links.find { it.rel == 'item' }.href")
                    .replace("{tileMatrix}", "0").replace("{tileRow}", "0").replace("{tileCol}", "0");
            assertEquals(3, DecodedTile.of(anonymous().get(tile).asByteArray()).count());
            Response division = anonymous()
                    .get(tileSet.jsonPath().getString("links.find { it.rel.endsWith('/tiling-scheme') }.href"));
            division.then().body("id", equalTo("WebMercatorQuad")).body("tileMatrices", hasSize(21));
            assertEquals(559082264.0287178, division.jsonPath().getFloat("tileMatrices[0].scaleDenominator"), 64);
            assertEquals(1048576, division.jsonPath().getInt("tileMatrices[20].matrixWidth"));
        }
    }

    /** OpenLayers takes the address of a tileset. */
    @Test
    void theTilesetHandsItsFiltersOn() {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{50, 10}),
                dataset(2, d -> d.category = new String[]{"Desert"}));
        String filter = "?filter=%22dataset:category%22='Desert'&f=json";
        for (String parent : List.of("/stac", "/stac/collections/points")) {
            String set = anonymous().get(parent + "/tiles" + filter).jsonPath()
                    .getString("tilesets[0].links.find { it.rel == 'self' }.href");
            String tile = anonymous().get(set).jsonPath().getString("links.find { it.rel == 'item' }.href");
            assertFalse(tile.contains("f=json"), tile);
            assertEquals(1, DecodedTile.of(anonymous().get(tile.replace("{tileMatrix}", "0").replace("{tileRow}", "0")
                    .replace("{tileCol}", "0")).asByteArray()).count());
            for (String wrong : List.of("?filter=x=1", "?limit=1", "?bbox=1", "?datetime=2020")) {
                anonymous().get(parent + "/tiles/WebMercatorQuad" + wrong).then().statusCode(400);
            }
        }
        anonymous().get("/stac/tileMatrixSets" + filter).then().statusCode(400);
    }

    @Test
    void gdalReadsATile() throws Exception {
        catalogue.replaceWith(dataset(7, d -> {
            d.datasetName = "Moorea ✓";
            d.coordinates = new double[]{50.5, 10.5};
            d.bbox = new double[]{50, 10, 51, 11};
        }));
        String text = Program.ofGdal("ogrinfo", folder).run("-al", "-oo", "CLIP=NO", "-oo", "X=16", "-oo", "Y=10",
                "-oo", "Z=5", "MVT:" + service.resolve("/tiles/5/16/10.mvt"));
        for (String part : List.of("Layer name: density", "count (Integer) = 1", "Layer name: datasets",
                "id (Integer) = 7", "title (String) = Moorea ✓", "time (String) = 2021-03-04T05:06:07Z",
                "POLYGON ((1113")) {
            assertTrue(text.contains(part), () -> part + " in " + text);
        }
    }
}
