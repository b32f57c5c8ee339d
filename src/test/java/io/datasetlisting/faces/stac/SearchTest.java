package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.ItemPage.ids;
import static io.datasetlisting.support.ItemPage.link;
import static io.datasetlisting.support.ItemPage.path;
import static io.datasetlisting.support.Listing.encoded;
import static io.datasetlisting.support.Listing.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the items, the pages and the parameters of searches by examples. */
@QuarkusTest
class SearchTest {

    private static final String SEARCH = "/stac/search";
    private static final String ITEMS = "/stac/collections/datasets/items";
    private static final String GEO_JSON = "application/geo+json";

    @Inject
    Catalogue catalogue;

    @Inject
    DatasetFields fields;

    /** Five public datasets of 2001 to 2005 from west to east, one private dataset, a draft, and a deleted dataset. */
    @BeforeEach
    void fill() {
        catalogue.replaceWith(Stream.concat(
                IntStream.rangeClosed(1, 5).mapToObj(i -> dataset(i, d -> {
                    d.datasetName = i == 4 ? "" : "flight " + (char) ('f' - i);
                    d.capturedDate = Instant.parse("200" + i + "-06-01T00:00:00Z");
                    d.coordinates = new double[]{10.5, 10 * i + 0.5};
                    d.bbox = new double[]{10, 10 * i, 11, 10 * i + 1};
                    d.category = i == 2 ? new String[]{"Desert", "Rocky"} : new String[]{"Forest"};
                    d.availableRasters = new String[]{"ortho"};
                    d.bandStats = i == 3
                            ? "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"b1\":{\"min\":1,\"max\":2,"
                                    + "\"mean\":1,\"stddev\":1},\"band_descr\":{\"nir\":\"b1\"}}}"
                            : d.bandStats;
                    d.thumbnailKey = i == 1 ? "thumbnails/one.JPG" : null;
                })), Stream.of(dataset(6, d -> d.isPrivate = true), dataset(7, d -> d.coordinates = null),
                        dataset(8, d -> d.isDeleted = true)))
                .toList());
    }

    private static JsonObject get(String path) {
        return Caller.anonymous().json(path);
    }

    private static JsonObject post(String body) {
        return ok(Caller.anonymous().post(SEARCH, body));
    }

    private static JsonObject follow(JsonObject page, String relation) {
        JsonObject link = link(page, relation);
        assertEquals(GEO_JSON, link.getString("type"));
        return get(path(page, relation));
    }

    /** As in JSON Schema. */
    @Test
    void anIntegerMayHaveAFraction() {
        assertEquals(2, post("{\"limit\":2.0}").getJsonArray("features").size());
        assertEquals(5, post("{\"limit\":1e2}").getJsonArray("features").size());
        assertEquals(400, Caller.anonymous().post(SEARCH, "{\"limit\":2.5}").statusCode());
    }

    /** Map sheets overlap. */
    @Test
    void aMultiPolygonWithOverlappingPartsIsTheAreaOfAllParts() {
        String sheets = "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[9,9],[22,9],[22,12],[9,12],[9,9]]],"
                + "[[[20,9],[32,9],[32,12],[20,12],[20,9]]]]}";
        assertEquals(List.of("1", "2", "3"), ids(post("{\"intersects\":" + sheets + "}")));
        assertEquals(List.of("1", "2", "3"),
                ids(get(SEARCH + "?filter=" + encoded("s_intersects(geometry, multipolygon("
                        + "((9 9,22 9,22 12,9 12,9 9)),((20 9,32 9,32 12,20 12,20 9))))"))));
    }

    @Test
    void anItemHasWhatTheDatasetHas() {
        Response response = Caller.anonymous().get(ITEMS + "/1");
        JsonObject item = ok(response);
        String base = link(item, "root").getString("href").replace("/stac", "");
        assertEquals(new JsonObject("""
                {"type":"Feature","stac_version":"1.1.0","stac_extensions":[],"id":"1","collection":"datasets",
                "geometry":{"type":"Polygon","coordinates":[[[10.0,10.0],[11.0,10.0],[11.0,11.0],[10.0,11.0],[10.0,10.0]]]},
                "bbox":[10.0,10.0,11.0,11.0],
                "properties":{"datetime":"2001-06-01T00:00:00Z","created":"%s","updated":"%s","title":"flight e",
                "keywords":["Forest"],"providers":[{"name":"Ada van Dyk","roles":["producer"]}],"dataset:user":"Ada van Dyk",
                "dataset:uav_uid":"00000000-0000-4000-0000-000000000001","dataset:workspace":70,
                "dataset:category":["Forest"],"dataset:is_private":false,"dataset:is_shareable":false,
                "dataset:rasters":["ortho"],"dataset:band_stats":{"dsm":{},"dtm":{},"ortho":{}},
                "dataset:cant_orthomosaic":false,"dataset:is_dem_processing":false,"dataset:cumulative_adjustment":0.0,
                "dataset:latest_adjustment_status":"","dataset:latest_adjustment_id":""},
                "links":[{"rel":"self","href":"B/stac/collections/datasets/items/1","type":"application/geo+json"},
                {"rel":"alternate","href":"B/datasets/1/","type":"text/html"},
                {"rel":"root","href":"B/stac","type":"application/json"},
                {"rel":"parent","href":"B/stac/collections/datasets","type":"application/json"},
                {"rel":"collection","href":"B/stac/collections/datasets","type":"application/json"}],
                "assets":{"thumbnail":{"href":"B/api/dataset/1/thumbnail/","type":"image/jpeg","roles":["thumbnail"]},
                "metadata":{"href":"B/api/dataset/1/","type":"application/json","roles":["metadata"]},
                "ortho":{"href":"B/api/dataset/1/raster/ortho",
                "type":"image/tiff; application=geotiff; profile=cloud-optimized","title":"Orthomosaic",
                "roles":["data","visual"]}}}"""
                .formatted(item.getJsonObject("properties").getString("created"),
                        item.getJsonObject("properties").getString("updated"))
                .replace("B/", base + "/")), item);
        assertEquals(GEO_JSON, response.contentType());
        assertEquals(item, get(SEARCH + "?ids=1").getJsonArray("features").getJsonObject(0));
        assertEquals("Dataset 4", get(ITEMS + "/4").getJsonObject("properties").getString("title"));
        assertEquals(new JsonArray().add("nir"),
                get(ITEMS + "/3").getJsonObject("properties").getJsonArray("dataset:bands"));
        assertEquals("image/png", get(ITEMS + "/3").getJsonObject("assets").getJsonObject("thumbnail")
                .getString("type"));
    }

    @Test
    void aDatasetWhoseNameShowsNothingHasTheTitleOfADatasetWithoutName() {
        List<String> blank = blank().filter(Character::isBmpCodePoint).mapToObj(Character::toString).toList();
        catalogue.replaceWith(Stream.concat(
                IntStream.range(0, blank.size()).mapToObj(i -> dataset(i + 1, d -> d.datasetName = blank.get(i))),
                Stream.of(dataset(901, d -> d.datasetName = "Dataset 3"),
                        dataset(902, d -> d.datasetName = String.join("", blank)),
                        dataset(903, d -> d.datasetName = "\udb40\udc01\u200b\udb40\udd00"),
                        dataset(904, d -> d.datasetName = "\u00a0\ufeffa\u3164"),
                        dataset(905, d -> d.datasetName = "\u0001"), dataset(906, d -> d.datasetName = "\u2800")))
                .toList());
        JsonObject page = get(SEARCH + "?limit=1000&filter=" + encoded("title LIKE 'Dataset %'"));
        assertEquals(blank.size() + 3, ids(page).size());
        page.getJsonArray("features").stream().map(JsonObject.class::cast)
                .forEach(item -> assertEquals(
                        "Dataset " + (item.getString("id").equals("901") ? "3" : item.getString("id")),
                        item.getJsonObject("properties").getString("title")));
        assertEquals(List.of("3", "901"), ids(get(SEARCH + "?filter=" + encoded("title = 'Dataset 3'"))));
        assertEquals(List.of(),
                ids(get(SEARCH + "?filter=" + encoded("title IN (' ', '\t', '\u00a0', '\u3164') OR title IS NULL"))));
        assertEquals("\u00a0\ufeffa\u3164", get(ITEMS + "/904").getJsonObject("properties").getString("title"));
    }

    @Test
    void javaAndPostgresqlTakeTheSameCharactersForBlank() {
        String blankInSql = """
                select id::int from (select id, chr(id) collate "und-x-icu" as dataset_name
                    from generate_series(1, %d) id where id not between %d and %d) each
                where %s = 'Dataset ' || id order by id""".formatted(Character.MAX_CODE_POINT,
                (int) Character.MIN_SURROGATE, (int) Character.MAX_SURROGATE,
                fields.get("dataset_name").queryable().sql());
        List<Integer> expected = blank().boxed().toList();
        assertEquals(expected, catalogue.sql(blankInSql).stream().map(row -> row.getInteger(0)).toList());
        assertEquals(expected, IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
                .filter(c -> BlankText.isBlank(Character.toString(c))).boxed().toList());
    }

    /** The white space of Unicode, the separators that Python adds to it, and the default-ignorable code points. */
    private static IntStream blank() {
        return Stream.of("9-d", "1c-20", "85-85", "a0-a0", "ad-ad", "34f-34f", "61c-61c", "115f-1160", "1680-1680",
                "17b4-17b5", "180b-180f", "2000-200f", "2028-202f", "205f-206f", "3000-3000", "3164-3164", "fe00-fe0f",
                "feff-feff", "ffa0-ffa0", "fff0-fff8", "1bca0-1bca3", "1d173-1d17a", "e0000-e0fff")
                .map(range -> range.split("-"))
                .flatMapToInt(ends -> IntStream.rangeClosed(Integer.parseInt(ends[0], 16),
                        Integer.parseInt(ends[1], 16)));
    }

    /** QGIS up to 3.40 takes the end of a text that ends in a backslash for an escaped quote. */
    @Test
    void quotesAndBackslashesAreWrittenAsUnicodeEscapes() {
        String name = "\\C:\\flights\\ \"quoted\"\n\\\"\\";
        String label = "\"nir\"\\";
        JsonObject stats = new JsonObject(
                "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"band_descr\":{}}}");
        stats.getJsonObject("multispec_ortho")
                .put("b1", new JsonObject("{\"min\":1,\"max\":2,\"mean\":1,\"stddev\":1}"))
                .getJsonObject("band_descr").put(label, 1);
        catalogue.replaceWith(dataset(1, d -> {
            d.datasetName = name;
            d.bandStats = stats.encode();
        }));
        String filter = "?f=json&filter=" + encoded("title = '\\\"'");
        for (Response response : List.of(Caller.anonymous().get(ITEMS), Caller.anonymous().get(ITEMS + "/1"),
                Caller.anonymous().get(SEARCH + "?fields=title,dataset:bands,dataset:band_stats"),
                Caller.anonymous().post(SEARCH, "{\"ids\":[\"1\"]}"), Caller.anonymous().get("/stac/api"),
                Caller.anonymous().get(ITEMS + filter), Caller.anonymous().get("/stac?x%22=1"),
                Caller.anonymous().request().put("/stac"),
                Caller.anonymous().request().accept("application/problem+json").get("/stac?x%22=1"))) {
            String text = response.asString();
            assertFalse(text.contains("\\\"") || text.contains("\\\\"), text);
            JsonObject json = new JsonObject(text);
            JsonObject item = json.containsKey("features") && !json.getJsonArray("features").isEmpty()
                    ? json.getJsonArray("features").getJsonObject(0)
                    : json;
            if (item.containsKey("properties")) {
                JsonObject properties = item.getJsonObject("properties");
                assertEquals(name, properties.getString("title"));
                assertEquals(stats, properties.getJsonObject("dataset:band_stats"));
                assertEquals(new JsonArray().add(label), properties.getJsonArray("dataset:bands"));
            }
        }
        assertTrue(Caller.anonymous().get("/stac?x%22=1").jsonPath().getString("detail").contains("\"x\"\""));
        assertTrue(Caller.anonymous().get("/api/dataset/1/").asString().contains("\\\"quoted\\\""));
    }

    @Test
    void anItemIsValidUntilItsDatasetChanges() {
        Caller writer = Caller.owner().token("writer");
        Response first = Caller.anonymous().get(ITEMS + "/1");
        String tag = first.header("ETag");
        assertEquals(304, conditional(ITEMS + "/1", tag).statusCode());
        Response head = Caller.anonymous().request().head(ITEMS + "/1");
        assertEquals(200, head.statusCode());
        assertEquals(tag, head.header("ETag"));
        assertEquals(Integer.toString(first.asByteArray().length), head.header("Content-Length"));
        writer.patch("/api/dataset/1/", "{\"dataset_name\":\"renamed\"}").then().statusCode(200);
        Response changed = conditional(ITEMS + "/1", tag);
        assertEquals("renamed", ok(changed).getJsonObject("properties").getString("title"));
        assertNotEquals(tag, changed.header("ETag"));
    }

    private static Response conditional(String path, String tag) {
        return Caller.anonymous().request().header("If-None-Match", tag).get(path);
    }

    /** Of an empty list at first, GDAL makes a column of JSON. */
    @Test
    void emptyListsAreLeftOut() {
        catalogue.replaceWith(dataset(1));
        Set<String> names = get(ITEMS + "/1").getJsonObject("properties").fieldNames();
        assertFalse(names.contains("dataset:rasters") || names.contains("dataset:bands"), names::toString);
        assertTrue(names.containsAll(List.of("keywords", "dataset:category")), names::toString);
        assertEquals(List.of("1"), ids(get(SEARCH + "?filter=" + encoded("NOT dataset:bands = 'nir'"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"6", "7", "8", "9", "0", "x", "01", "1.0", "-1", "99999999999999999999", "%20"})
    void otherIdsAreNotFound(String id) {
        Response response = Caller.anonymous().get(ITEMS + "/" + id);
        assertEquals(404, response.statusCode());
        assertEquals("NotFound", new JsonObject(response.asString()).getString("code"));
    }

    @Test
    void callersSeeWhatTheySeeInTheListing() {
        Caller owner = Caller.owner().token("reader");
        assertEquals(5, get(SEARCH).getInteger("numberMatched"));
        assertEquals(6, ok(owner.get(SEARCH)).getInteger("numberMatched"));
        assertEquals(6, ok(Caller.admin().get(SEARCH)).getInteger("numberMatched"));
        assertEquals(5, ok(Caller.reader("other").get(SEARCH)).getInteger("numberMatched"));
        assertEquals(200, owner.get(ITEMS + "/6").statusCode());
        assertEquals(404, owner.get(ITEMS + "/7").statusCode());
        assertEquals(List.of("6"), ids(ok(owner.get(SEARCH + "?filter=" + encoded("dataset:is_private")))));
    }

    /** A layer of QGIS does not draw the features of another type than that of the first one. */
    @Test
    void areasAndPointsAreTheItemsByTheTypeOfTheirGeometry() {
        List<double[]> boxes = List.of(new double[]{10, 20, 11, 21}, new double[0], new double[]{10, 20, 10, 21},
                new double[]{10, 20, 11, 20}, new double[]{10, 20, 10, 20}, new double[]{-5, 170, 5, 180},
                new double[]{-0.0, 20, 0.0, 21}, new double[]{0, 20, Double.MIN_VALUE, 21},
                new double[]{-90, -180, 90, 180});
        catalogue.replaceWith(IntStream.range(0, 18).mapToObj(i -> dataset(i + 1, d -> {
            d.bbox = boxes.get(i % 9);
            d.isPrivate = i >= 9;
        })).toList());
        Caller owner = Caller.owner().token("reader");
        for (Caller caller : List.of(Caller.anonymous(), owner, Caller.admin())) {
            JsonArray all = ok(caller.get(ITEMS + "?limit=99")).getJsonArray("features");
            for (String id : List.of("areas", "points")) {
                String address = "/stac/collections/" + id + "/items";
                List<Object> expected = all.stream().filter(item -> ((JsonObject) item).getJsonObject("geometry")
                        .getString("type").equals("Point") == id.equals("points")).toList();
                JsonObject page = ok(caller.get(address + "?limit=99"));
                assertEquals(new JsonArray(expected), page.getJsonArray("features"));
                assertEquals(caller.equals(Caller.anonymous()) ? id.equals("areas") ? 4 : 5 : expected.size(),
                        page.getInteger("numberMatched"));
                assertTrue(link(page, "collection").getString("href").endsWith("/stac/collections/" + id));
                assertEquals(ids(page), ids(ok(caller.get(address + "?limit=99&collections=" + id
                        + "&filter="
                        + encoded("collection = 'datasets' and S_INTERSECTS(geometry, BBOX(-180,-90,180,90))")))));
                for (Object item : all) {
                    Response one = caller.get(address + '/' + ((JsonObject) item).getString("id"));
                    assertEquals(expected.contains(item) ? item : "NotFound",
                            expected.contains(item) ? ok(one) : new JsonObject(one.asString()).getString("code"));
                }
            }
        }
        assertEquals(9, get(SEARCH + "?collections=areas,points").getInteger("numberMatched"));
        assertEquals(9, get(SEARCH + "?collections=areas,datasets").getInteger("numberMatched"));
    }

    @Test
    void tokensBelongToOneCollection() {
        catalogue.replaceWith(IntStream.rangeClosed(1, 6).mapToObj(i -> dataset(i, d -> d.bbox = i % 2 == 0
                ? new double[]{10, 20, 11, 21}
                : new double[0])).toList());
        JsonObject first = get("/stac/collections/areas/items?limit=2");
        assertEquals(List.of("2", "4"), ids(first));
        assertEquals(List.of("6"), ids(follow(first, "next")));
        assertEquals(List.of("2", "4"), ids(follow(follow(first, "last"), "first")));
        String next = link(first, "next").getString("href").replaceFirst("^https?://[^/]*", "");
        for (String other : List.of("points", "datasets")) {
            assertError(400, Caller.anonymous().get(next.replace("/areas/", "/" + other + "/")), "token: ");
        }
    }

    @Test
    void pagesLeadForwardsAndBackwards() {
        JsonObject first = get(ITEMS + "?limit=2");
        assertEquals(List.of("1", "2"), ids(first));
        assertEquals(5, first.getInteger("numberMatched"));
        assertEquals(2, first.getInteger("numberReturned"));
        assertNull(link(first, "prev"));
        JsonObject second = follow(first, "next");
        assertEquals(List.of("3", "4"), ids(second));
        JsonObject last = follow(second, "next");
        assertEquals(List.of("5"), ids(last));
        assertEquals(5, last.getInteger("numberMatched"));
        assertNull(link(last, "next"));
        assertEquals(List.of("3", "4"), ids(follow(last, "prev")));
        JsonObject again = follow(follow(last, "prev"), "prev");
        assertEquals(List.of("1", "2"), ids(again));
        assertNull(link(again, "prev"));
        assertEquals(List.of("1", "2"), ids(follow(last, "first")));
        JsonObject end = follow(first, "last");
        assertEquals(List.of("4", "5"), ids(end));
        assertNull(link(end, "next"));
        assertEquals(List.of("2", "3"), ids(follow(end, "prev")));
        assertTrue(link(first, "self").getString("href").endsWith(ITEMS + "?limit=2"));
        assertEquals(GEO_JSON, link(first, "self").getString("type"));
        assertEquals(GEO_JSON, link(post("{}"), "self").getString("type"));
    }

    @Test
    void pagesByPostHaveATokenInTheirBody() {
        JsonObject body = new JsonObject().put("limit", 3).put("sortby",
                new JsonArray().add(new JsonObject().put("field", "properties.datetime").put("direction", "desc")));
        JsonObject first = post(body.encode());
        assertEquals(List.of("5", "4", "3"), ids(first));
        JsonObject next = link(first, "next");
        assertEquals("POST", next.getString("method"));
        assertTrue(next.getBoolean("merge"));
        assertEquals(Set.of("token"), next.getJsonObject("body").fieldNames());
        JsonObject second = post(body.copy().mergeIn(next.getJsonObject("body")).encode());
        assertEquals(List.of("2", "1"), ids(second));
        assertNull(link(second, "next"));
        JsonObject start = link(second, "first").getJsonObject("body");
        assertTrue(start.containsKey("token") && start.getValue("token") == null);
        assertEquals(first.getJsonArray("features"),
                post(body.copy().mergeIn(start).encode()).getJsonArray("features"));
        assertEquals(List.of("3", "2", "1"),
                ids(post(body.copy().mergeIn(link(first, "last").getJsonObject("body")).encode())));
    }

    @Test
    void theCountOfATokenHoldsUntilTheListingChanges() {
        JsonObject first = get(SEARCH + "?limit=1&filter=" + encoded("dataset:workspace = 70"));
        catalogue.sql("delete from dataset where id = 2");
        JsonObject second = follow(first, "next");
        assertEquals(List.of("3"), ids(second));
        assertEquals(4, second.getInteger("numberMatched"));
        JsonObject whole = follow(get(SEARCH + "?limit=1"), "next");
        assertEquals(4, whole.getInteger("numberMatched"));
    }

    private static void assertError(int status, Response response, String start) {
        JsonObject error = new JsonObject(response.asString());
        assertEquals(status, response.statusCode(), error::encode);
        assertEquals(Set.of("code", "description", "detail"), error.fieldNames());
        assertTrue(error.getString("description").startsWith(start), error::encode);
        assertEquals(error.getString("description"), error.getString("detail"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"bbox=9,9,22,12 | 1,2", "bbox=9,9,-1,22,12,1 | 1,2", "bbox=9,9,1,22,12,2 |",
            "bbox=40,10,-170,11 | 4,5", "bbox=11,11,11,11 | 1", "bbox=0,0,180,5 |",
            "datetime=2003-06-01T00:00:00Z | 3", "datetime=2003-06-01t02:00:00%2B02:00 | 3",
            "datetime=2003-06-01T00:00:00.0000001Z |", "datetime=2002-06-01T00:00:00Z/2003-06-01T00:00:00Z | 2,3",
            "datetime=2002-06-01T00:00:00.0000001Z/.. | 3,4,5", "datetime=/2002-06-01T00:00:00Z | 1,2",
            "datetime=../2002-05-31T23:59:60z | 1,2", "datetime=0000-01-01T00:00:00Z/2001-12-31T00:00:00Z | 1",
            "ids=3,1,9,x,03 | 1,3", "ids= | 1,2,3,4,5", "collections=&intersects=&filter= | 1,2,3,4,5",
            "bbox=9,9,22,12&intersects= | 1,2", "ids=x |",
            "collections=datasets,other&ids=2 | 2", "collections=other |",
            "sortby=title | 4,5,3,2,1", "sortby=-properties.title | 1,2,3,5,4", "sortby=%2Bid | 1,2,3,4,5",
            "sortby=dataset:workspace,-datetime | 5,4,3,2,1", "sortby= datetime | 1,2,3,4,5",
            "filter=title%3D'Dataset 4' | 4", "filter=title%3D'' |", "filter=title LIKE 'flight%25' | 1,2,3,5",
            "filter=CASEI(title)%3DCASEI('FLIGHT E') | 1", "filter=\"dataset:category\" %3D 'Rocky' | 2",
            "filter=dataset:bands%3D'nir' | 3", "filter=properties.datetime>TIMESTAMP('2004-01-01T00:00:00Z') | 4,5",
            "filter=id IN ('2','3','x') AND NOT dataset:category%3D'Desert' | 3",
            "filter=collection%3D'datasets' | 1,2,3,4,5",
            "filter=S_INTERSECTS(geometry,POLYGON((0 0,15 0,15 15,0 0))) | 1",
            "filter=S_INTERSECTS(geometry,POLYGON((0 0,10.5 10.2,0 15,0 0))) | 1",
            "filter=S_INTERSECTS(geometry,BBOX(20.5,0,31,90)) | 2,3", "filter-lang=cql2-text | 1,2,3,4,5",
            "filter-lang=cql2-json&filter={\"op\":\"%3D\",\"args\":[{\"property\":\"id\"},\"2\"]} | 2",
            "filter=id%3D'1'&filter-crs=http://www.opengis.net/def/crs/OGC/1.3/CRS84 | 1",
            "intersects={\"type\":\"Point\",\"coordinates\":[10,10]} | 1",
            "intersects={\"type\":\"LineString\",\"coordinates\":[[0,10.5],[25,10.5]]} | 1,2"})
    void parametersSelectAndOrder(String query, String expected) {
        assertEquals(expected == null ? List.of() : List.of(expected.split(",")),
                ids(get(SEARCH + '?' + query.replace(" ", "%20").replace("\"", "%22").replace("<", "%3C")
                        .replace(">", "%3E").replace("{", "%7B").replace("}", "%7D"))));
    }

    @Test
    void itemsOfTheCollectionKnowFewerParameters() {
        Stream.of("ids=1", "intersects=x")
                .forEach(query -> assertError(400, Caller.anonymous().get(ITEMS + '?' + query),
                        "There is no parameter"));
        assertError(400, Caller.anonymous().get(ITEMS + "/1?x=json"), "There is no parameter");
    }

    @Test
    void aLimitAboveTheMaximumIsTheMaximum() {
        assertEquals(5, get(SEARCH + "?limit=1001").getInteger("numberReturned"));
        assertEquals(5, get(SEARCH + "?limit=99999999999999999999").getInteger("numberReturned"));
        assertEquals(5, post("{\"limit\":100000}").getInteger("numberReturned"));
    }

    @Test
    void bodiesAreCheckedLikeQueries() {
        assertEquals(List.of("2"), ids(post("""
                {"collections":["datasets"],"bbox":[0,0,50,50],"datetime":"2002-01-01T00:00:00Z/..","fields":null,
                "filter-lang":"cql2-json","filter":{"op":"=","args":[{"property":"dataset:category"},"Rocky"]}}""")));
        assertEquals(List.of("3"), ids(post("{\"filter\":\"id = '3'\",\"filter-lang\":\"cql2-text\"}")));
        assertEquals(5, post("").getInteger("numberMatched"));
        assertEquals(List.of("1"), ids(post("""
                {"ids":[],"collections":[],"intersects":{},"filter":{},"bbox":[0,0,12,50]}""")));
        assertEquals(5, post("{\"filter-lang\":\"cql2-text\",\"filter\":\"\"}").getInteger("numberMatched"));
        Stream.of("{\"limit\":1,\"limit\":2}", "{\"fields\":{\"include\":[],\"include\":[\"id\"]}}",
                "{\"filter\":{\"op\":\"=\",\"op\":\"<>\",\"args\":[{\"property\":\"id\"},\"1\"]}}",
                "{\"ids\":[],\"" + "x".repeat(50_000) + "\":1,\"" + "x".repeat(50_000) + "\":1}")
                .forEach(body -> assertError(400, Caller.anonymous().post(SEARCH, body),
                        "JSON parse error - Duplicate"));
        assertError(400, Caller.anonymous().post(SEARCH + "?limit=1", "{}"), "There is no parameter");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "| type,stac_version,id,collection,geometry,bbox,properties,links,assets | datetime",
            "title | type,stac_version,id,collection,geometry,bbox,properties,links,assets | datetime,title",
            "+properties.title,-geometry,-links,-assets | type,stac_version,id,collection,bbox,properties | datetime,title",
            "properties,-properties.dataset:band_stats,-dataset:user,-created,-updated,-providers,-keywords |"
                    + " type,stac_version,id,collection,geometry,bbox,properties,links,assets |"
                    + " datetime,title,dataset:uav_uid,dataset:workspace,dataset:category,dataset:is_private,"
                    + "dataset:is_shareable,dataset:rasters,dataset:cant_orthomosaic,dataset:is_dem_processing,"
                    + "dataset:cumulative_adjustment,dataset:latest_adjustment_status,dataset:latest_adjustment_id",
            "-properties,nothing | type,stac_version,id,collection,geometry,bbox,links,assets |",
            "-geometry | type,stac_version,stac_extensions,id,collection,bbox,properties,links,assets | ALL",
            "-properties | type,stac_version,stac_extensions,id,collection,geometry,bbox,links,assets |",
            "-updated,-properties.datetime,-type | stac_version,stac_extensions,id,collection,geometry,bbox,properties,"
                    + "links,assets | ALL,-updated,-datetime",
            "-properties,properties.title | type,stac_version,id,collection,geometry,bbox,properties,links,assets | title",
            "properties.title,-title,-geometry,geometry | type,stac_version,id,collection,geometry,bbox,properties,links,"
                    + "assets | datetime,title",
            "-properties,properties | type,stac_version,id,collection,geometry,bbox,properties,links,assets | ALL"})
    void fieldsSelectMembers(String fields, String members, String properties) {
        JsonObject item = get(SEARCH + "?ids=1&fields=" + encoded(fields == null ? "" : fields))
                .getJsonArray("features").getJsonObject(0);
        Map<Boolean, List<String>> names = Stream.of(fields == null ? new String[0] : fields.split(","))
                .collect(Collectors.partitioningBy(name -> name.startsWith("-"),
                        Collectors.mapping(name -> name.replaceFirst("^[+-]", ""), Collectors.toList())));
        JsonObject body = new JsonObject().put("ids", List.of("1")).put("fields",
                new JsonObject().put("include", names.get(false)).put("exclude", names.get(true)));
        assertEquals(item, post(body.encode()).getJsonArray("features").getJsonObject(0));
        if (properties != null && properties.startsWith("ALL")) {
            Set<String> all = new HashSet<>(get(ITEMS + "/1").getJsonObject("properties").fieldNames());
            Stream.of(properties.split(",")).forEach(name -> all.remove(name.substring(1)));
            assertEquals(Set.of(members.split(",")), item.fieldNames());
            assertEquals(all, item.getJsonObject("properties").fieldNames());
            return;
        }
        assertEquals(Set.of(members.split(",")), item.fieldNames());
        assertEquals(properties == null ? Set.of() : Set.of(properties.split(",")),
                item.getJsonObject("properties", new JsonObject()).fieldNames());
    }

    /** The listing shows whole seconds. */
    @Test
    void fractionsOfSecondsAreThoseOfTheColumn() {
        Caller admin = Caller.admin();
        List<String> times = List.of("2021-03-04T05:06:07.25Z", "2021-03-04T05:06:07Z", "2021-03-04T05:06:07.999999Z");
        List<String> ids = times.stream().map(time -> admin.post("/api/dataset/",
                "{\"coordinates\":[1,2],\"captured_date\":\"" + time + "\"}").jsonPath().getString("id")).toList();
        for (int i = 0; i < 3; i++) {
            JsonObject properties = get(ITEMS + '/' + ids.get(i)).getJsonObject("properties");
            assertEquals(Instant.parse(times.get(i)), Instant.parse(properties.getString("datetime")));
            assertEquals("2021-03-04T05:06:07Z",
                    get("/api/dataset/" + ids.get(i) + '/').getString("captured_date"));
            // Written back as it was read.
            String address = "/api/dataset/" + ids.get(i) + '/';
            admin.patch(address, admin.get(address).asString()).then().statusCode(200);
            assertEquals(List.of(ids.get(i)), ids(get(SEARCH + "?datetime=" + times.get(i))));
        }
        assertTrue(Caller.anonymous().get("/api/dataset/?format=csv&fields=captured_date").asString()
                .contains("\n2021-03-04T05:06:07Z\r"));
        List<String> order = List.of(ids.get(1), ids.get(0), ids.get(2));
        String since = "2021-03-04T05:06:07Z";
        assertEquals(order, ids(get(SEARCH + "?sortby=datetime&datetime=" + since + "/..")));
        assertEquals(order.subList(1, 3), ids(get(SEARCH + "?sortby=datetime&filter="
                + encoded(
                        "datetime > TIMESTAMP('2021-03-04T05:06:07Z') AND datetime < TIMESTAMP('2021-03-04T05:06:08Z')"))));
        assertEquals(order, Caller.anonymous().get("/api/dataset/?ordering=captured_date&captured_after=" + since)
                .jsonPath().getList("results.id").stream().map(Object::toString).toList());
        assertEquals(order.subList(2, 3), Caller.anonymous()
                .get("/api/dataset/?captured_after=2021-03-04T05:06:07.250001Z").jsonPath().getList("results.id")
                .stream()
                .map(Object::toString).toList());
    }

    @Test
    void aKnownPageIsNotSentAgain() {
        Response first = Caller.anonymous().get(SEARCH + "?limit=2");
        String tag = first.header("ETag");
        assertTrue(tag.startsWith("W/\""), tag);
        Response known = conditional(SEARCH + "?limit=2", tag);
        assertEquals(304, known.statusCode());
        assertEquals("public, max-age=0, must-revalidate", known.header("Cache-Control"));
        assertEquals(tag, Caller.anonymous().request().head(SEARCH + "?limit=2").header("ETag"));
        catalogue.sql("update dataset set version = version + 1, dataset_name = 'other' where id = 2");
        assertEquals(200, conditional(SEARCH + "?limit=2", tag).statusCode());
        assertFalse(Caller.anonymous().post(SEARCH, "{}").headers().hasHeaderWithName("ETag"));
    }

    @Test
    void compressedPagesAndOtherMediaTypes() {
        Response zipped = Caller.anonymous().request().header("Accept-Encoding", "gzip").get(SEARCH);
        assertEquals("gzip", zipped.header("Content-Encoding"));
        assertEquals("application/json",
                Caller.anonymous().request().header("Accept", "application/json").get(SEARCH).contentType());
        assertError(406, Caller.anonymous().request().header("Accept", "text/csv").get(SEARCH),
                "Could not satisfy");
    }

    /** More matches than are sorted at once, behind more other datasets than are looked through for them. */
    @Test
    @Tag(NightlySuite.TAG)
    void manyMatchesAtTheEndOfTheOrderAreFound() {
        catalogue.sql("""
                insert into dataset (id, owner_id, owner_name, workspace, category, captured_date, coordinates, bbox)
                select 1000 + i, 7, 'Ada van Dyk', case when i <= 50000 then 71 else 72 end, '{Other}',
                       timestamptz '2010-01-01' + i * interval '1 minute', '{1, 2}',
                       case when i % 3 = 0 then '{}' else '{1, 2, 3, 4}' end::float8[]
                from generate_series(1, 70005) i""");
        String filter = "&filter=" + encoded("dataset:workspace = 72");
        for (String order : List.of("id", "datetime", "dataset:workspace,id", "dataset:workspace,-datetime")) {
            boolean isReversed = order.endsWith("-datetime");
            JsonObject first = get(SEARCH + "?limit=2&sortby=" + order + filter);
            assertEquals(20_005, first.getInteger("numberMatched"));
            List<String> start = isReversed ? List.of("71005", "71004") : List.of("51001", "51002");
            assertEquals(start, ids(first));
            JsonObject second = follow(first, "next");
            assertEquals(isReversed ? List.of("71003", "71002") : List.of("51003", "51004"), ids(second));
            assertEquals(start, ids(follow(second, "prev")));
            assertNull(link(follow(second, "prev"), "prev"));
            JsonObject last = follow(first, "last");
            assertEquals(isReversed ? List.of("51002", "51001") : List.of("71004", "71005"), ids(last));
            assertNull(link(last, "next"));
        }
        assertEquals(70_010, get(SEARCH).getInteger("numberMatched"));
        Caller owner = Caller.owner().token("reader");
        for (Caller caller : List.of(Caller.anonymous(), owner)) {
            JsonObject areas = ok(caller.get("/stac/collections/areas/items?limit=2"));
            assertEquals(46_670 + 5, areas.getInteger("numberMatched"));
            assertEquals(List.of("1", "2"), ids(areas));
            JsonObject points = ok(caller.get("/stac/collections/points/items?limit=2&sortby=-id"));
            assertEquals(caller.equals(owner) ? 23_336 : 23_335, points.getInteger("numberMatched"));
            assertEquals(List.of("71005", "71002"), ids(points));
        }
    }

    /** A page is read by its position: datasets that are added before it change nothing. */
    @Test
    void changesBetweenPagesNeitherRepeatNorHideItems() {
        List<String> seen = new ArrayList<>();
        JsonObject page = get(SEARCH + "?limit=1&sortby=datetime");
        while (page != null) {
            seen.addAll(ids(page));
            int round = seen.size();
            catalogue.sql("update dataset set captured_date = '1999-01-01T00:00:00Z' where id = " + round);
            page = link(page, "next") == null ? null : follow(page, "next");
        }
        assertEquals(IntStream.rangeClosed(1, 5).mapToObj(Integer::toString).collect(Collectors.toList()), seen);
    }
}
