package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests that items can be created, replaced, changed and deleted, with the rights and the rules of the API of the listing. */
@QuarkusTest
class TransactionTest {

    private static final String COLLECTION = "/stac/collections/datasets";
    private static final String ITEMS = COLLECTION + "/items";
    private static final String GEO_JSON = "application/geo+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String BOX = "{\"type\":\"Polygon\",\"coordinates\":[[[7,46],[8,46],[8,47],[7,47],[7,46]]]}";
    private static final String STRICT = "handling=strict";
    private static final String LEFT_OUT = "Dataset-Left-Out";

    @Inject
    Catalogue catalogue;

    @TempDir
    Path folder;

    private Caller owner;

    @BeforeEach
    void createOwner() {
        catalogue.replaceWith();
        owner = Caller.writer("owner");
    }

    /** An item with these properties, and a time if they have none. */
    private static JsonObject feature(String geometry, Map<String, Object> properties) {
        return new JsonObject().put("type", "Feature").put("geometry", new JsonObject(geometry))
                .put("properties", new JsonObject().put("datetime", "2024-01-02T03:04:05Z")
                        .mergeIn(new JsonObject(properties)));
    }

    private static Response send(Caller caller, String method, String path, String prefer, Object body) {
        return send(caller, method, path, method.equals("PATCH") ? MERGE_PATCH : GEO_JSON, prefer, body);
    }

    private static Response send(Caller caller, String method, String path, String type, String prefer, Object body) {
        RequestSpecification request = caller.request().contentType(type)
                .body(body.toString().getBytes(StandardCharsets.UTF_8));
        return (prefer == null ? request : request.header("Prefer", prefer)).request(method, path);
    }

    private Response create(Object item) {
        return send(owner, "POST", ITEMS, null, item);
    }

    private long created(Object item) {
        Response answer = create(item);
        assertEquals(201, answer.statusCode(), answer::asString);
        return Long.parseLong(new JsonObject(answer.asString()).getString("id"));
    }

    private static String address(long id) {
        return ITEMS + '/' + id;
    }

    private static JsonObject item(Caller caller, long id) {
        return caller.json(address(id));
    }

    private JsonObject item(long id) {
        return item(owner, id);
    }

    private JsonObject dataset(long id) {
        JsonObject dataset = owner.json(Listing.PATH + id + "/");
        dataset.remove("thumbnail_image");
        return dataset;
    }

    /** The places that a refusal names. */
    private static Set<String> refused(Response answer) {
        assertEquals(400, answer.statusCode(), answer::asString);
        JsonObject body = new JsonObject(answer.asString());
        assertEquals("BadRequest", body.getString("code"));
        assertEquals(body.getString("detail"), body.getString("description"));
        return body.getJsonObject("errors", new JsonObject()).fieldNames();
    }

    @Test
    void aFeatureBecomesADataset() {
        Response answer = create(feature(BOX, Map.of("title", " Alps ", "datetime", "2024-05-06T07:08:09Z",
                "dataset:category", List.of("Forest"), "dataset:rasters", List.of("ortho"), "dataset:is_private",
                true)));
        assertEquals(201, answer.statusCode(), answer::asString);
        long id = Long.parseLong(answer.path("id"));
        assertEquals(GEO_JSON, answer.contentType());
        assertTrue(answer.header("Location").endsWith(address(id)), answer.header("Location"));
        Response read = owner.get(address(id));
        assertEquals(read.header("ETag"), answer.header("ETag"));
        assertEquals(read.asString(), answer.asString());
        JsonObject stored = dataset(id);
        assertEquals("Alps", stored.getString("dataset_name"));
        assertEquals("2024-05-06T07:08:09Z", stored.getString("captured_date"));
        assertEquals(new JsonArray().add("Forest"), stored.getJsonArray("category"));
        assertEquals(new JsonArray().add("ortho"), stored.getJsonArray("available_rasters"));
        assertEquals(new JsonArray("[46.0,7.0,47.0,8.0]"), stored.getJsonArray("bbox"));
        assertEquals(new JsonArray("[46.5,7.5]"), stored.getJsonArray("coordinates"));
        assertEquals(owner.user(), stored.getString("user"));
        assertEquals(owner.workspace(), stored.getLong("workspace"));
        assertTrue(stored.getBoolean("is_private"));
        assertEquals(404, anonymous().get(address(id)).statusCode());
    }

    @Test
    void anEmptyFeatureHasTheDefaultsOfTheListing() {
        long id = created("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[7.5,46.5,400]},"
                + "\"properties\":{\"datetime\":\"2024-01-02T03:04:05Z\"}}");
        long other = owner.create("{\"coordinates\":[46.5,7.5]}");
        JsonObject expected = dataset(other);
        for (String own : List.of("id", "uav_uid", "captured_date")) {
            expected.put(own, dataset(id).getValue(own));
        }
        assertEquals(expected, dataset(id));
        assertEquals("Dataset " + id, item(id).getJsonObject("properties").getString("title"));
    }

    @Test
    void theBodyOfTheResponseIsWhatTheClientPrefers() {
        Object item = feature(BOX, Map.of());
        Response minimal = send(owner, "POST", ITEMS, "return=minimal", item);
        assertEquals(201, minimal.statusCode());
        assertEquals("", minimal.asString());
        assertEquals("return=minimal", minimal.header("Preference-Applied"));
        assertTrue(minimal.header("Location").matches("http://[^/]+" + ITEMS + "/\\d+"));
        String path = minimal.header("Location").replaceFirst("^http://[^/]+", "");
        assertEquals(owner.get(path).header("ETag"), minimal.header("ETag"));

        Response whole = send(owner, "PUT", path, "handling=lenient, Return = \"representation\"; x=1, return=minimal",
                item);
        assertEquals(200, whole.statusCode());
        assertEquals("handling=lenient, return=representation", whole.header("Preference-Applied"));
        assertEquals(owner.get(path).asString(), whole.asString());
        for (String method : List.of("PUT", "PATCH")) {
            Response none = send(owner, method, path, "return=minimal", item);
            assertEquals(204, none.statusCode());
            assertEquals(owner.get(path).header("ETag"), none.header("ETag"));
        }
        assertNull(
                send(owner, "PUT", path, "respond-async, wait=10, handling=other", item).header("Preference-Applied"));
    }

    /** The datasets of the generator have names without characters, times with fractions, points and areas, statistics. */
    @Test
    void anItemThatIsSentBackChangesNothing() {
        int datasets = RandomTests.times(40, 120);
        catalogue.replaceWith(Catalogue.generated(datasets));
        catalogue.sql("update dataset set captured_date = captured_date + interval '1 microsecond' where id % 2 = 0");
        catalogue.sql("update dataset set dataset_name = '  space  ' where id % 7 = 0");
        catalogue.sql("update dataset set bbox = array[10, 20, 10, 20] where id % 11 = 0 and bbox <> '{}'");
        List<Object> versions = versions();
        List<JsonObject> all = items(admin());
        assertTrue(all.size() > datasets * 3 / 4);
        for (JsonObject item : all) {
            String path = ITEMS + '/' + item.getString("id");
            Response read = admin().get(path);
            for (String method : List.of("PUT", "PATCH")) {
                for (String prefer : List.of("handling=lenient", STRICT)) {
                    Response answer = send(admin(), method, path, prefer, read.asString());
                    assertEquals(200, answer.statusCode(), answer::asString);
                    assertEquals(read.asString(), answer.asString());
                    assertEquals(read.header("ETag"), answer.header("ETag"));
                }
            }
        }
        assertEquals(versions, versions());
    }

    private List<Object> versions() {
        List<Object> versions = new ArrayList<>();
        catalogue.sql("select id, version, updated_at, coordinates::text, bbox::text from dataset order by id")
                .forEach(row -> versions.add(row.deepToString()));
        return versions;
    }

    private static List<JsonObject> items(Caller caller) {
        return caller.json(ITEMS + "?limit=1000").getJsonArray("features").stream()
                .map(JsonObject.class::cast).toList();
    }

    @Test
    void aReplacementWithoutAnOptionalPropertyClearsIt() {
        long id = created(feature(BOX, Map.of("title", "A", "dataset:category", List.of("Forest"), "dataset:rasters",
                List.of("dsm"), "dataset:is_private", true, "datetime", "2020-01-01T00:00:00Z", "dataset:workspace", 77,
                "dataset:band_stats",
                new JsonObject("{\"dsm\":{\"b1\":{\"max\":1,\"min\":0,\"mean\":1,\"stddev\":0}}}"))));
        assertEquals(200,
                send(owner, "PUT", address(id), null, "{\"type\":\"Feature\",\"properties\":{}}").statusCode());
        JsonObject replaced = dataset(id);
        assertEquals("", replaced.getString("dataset_name"));
        assertEquals(new JsonArray().add("Other"), replaced.getJsonArray("category"));
        assertEquals(new JsonArray(), replaced.getJsonArray("available_rasters"));
        assertEquals(new JsonObject("{\"dsm\":{},\"dtm\":{},\"ortho\":{}}"), replaced.getJsonObject("band_stats"));
        // A replacement that does not say so neither publishes a dataset nor moves it in time, in space, or to another workspace.
        assertTrue(replaced.getBoolean("is_private"));
        assertEquals("2020-01-01T00:00:00Z", replaced.getString("captured_date"));
        assertEquals(77, replaced.getInteger("workspace"));
        assertEquals(new JsonArray("[46.0,7.0,47.0,8.0]"), replaced.getJsonArray("bbox"));
    }

    @Test
    void aMergePatchChangesWhatItNames() {
        long id = created(feature(BOX, Map.of("title", "A", "dataset:category", List.of("Forest"), "dataset:rasters",
                List.of("dsm"), "dataset:band_stats",
                new JsonObject("{\"dsm\":{\"b1\":{\"max\":1,\"min\":0,\"mean\":1,\"stddev\":0}}}"))));
        JsonObject before = dataset(id);
        for (String type : List.of(MERGE_PATCH, "application/json", GEO_JSON + "; charset=utf-8")) {
            assertEquals(200, send(owner, "PATCH", address(id), type, STRICT,
                    "{\"properties\":{\"dataset:band_stats\":{\"dsm\":{\"b1\":{\"max\":2}}}}}").statusCode());
        }
        before.getJsonObject("band_stats").getJsonObject("dsm").getJsonObject("b1").put("max", 2);
        assertEquals(before, dataset(id));

        assertEquals(200, send(owner, "PATCH", address(id), STRICT, "{\"properties\":{\"title\":null,"
                + "\"dataset:rasters\":null,\"dataset:category\":null}}").statusCode());
        before.put("dataset_name", "").put("available_rasters", new JsonArray()).put("category",
                new JsonArray().add("Other"));
        assertEquals(before, dataset(id));

        assertEquals(200, send(owner, "PATCH", address(id), STRICT,
                "{\"geometry\":{\"coordinates\":[[[7,46],[7,48],[9,48],[9,46],[7,46]]]}}").statusCode());
        before.put("bbox", new JsonArray("[46.0,7.0,48.0,9.0]")).put("coordinates", new JsonArray("[47.0,8.0]"));
        assertEquals(before, dataset(id));
        assertEquals(200, send(owner, "PATCH", address(id), STRICT, "{\"bbox\":[1,2,3,4]}").statusCode());
        before.put("bbox", new JsonArray("[2.0,1.0,4.0,3.0]")).put("coordinates", new JsonArray("[3.0,2.0]"));
        assertEquals(before, dataset(id));
        assertEquals(200, send(owner, "PATCH", address(id), STRICT,
                "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,6]}}").statusCode());
        before.put("bbox", new JsonArray()).put("coordinates", new JsonArray("[6.0,5.0]"));
        assertEquals(before, dataset(id));
        assertEquals(200, send(owner, "PATCH", address(id), STRICT,
                "{\"properties\":{\"keywords\":[\"Desert\"]}}").statusCode());
        before.put("category", new JsonArray().add("Desert"));
        assertEquals(before, dataset(id));
        assertEquals(before, dataset(id));
    }

    /** STAC writes a range of time as null and two other properties. */
    @Test
    void aRangeIsStoredWithItsStartAndTheResponseSaysSo() {
        JsonObject range = feature(BOX, Map.of("start_datetime", "2019-04-15T09:00:00Z", "end_datetime",
                "2019-04-15T10:00:00Z"));
        range.getJsonObject("properties").putNull("datetime");
        Response created = create(range);
        assertEquals(201, created.statusCode(), created::asString);
        assertEquals("2019-04-15T09:00:00Z", created.path("properties.datetime"));
        assertEquals("properties.datetime=start_datetime, properties.end_datetime", created.header(LEFT_OUT));
        assertEquals(Set.of("properties.start_datetime", "properties.end_datetime"),
                refused(send(owner, "POST", ITEMS, STRICT, range)));
        Response both = create(new JsonObject().put("type", "FeatureCollection").put("features",
                new JsonArray().add(feature(BOX, Map.of())).add(range)));
        assertEquals("2019-04-15T09:00:00Z", both.path("features[1].properties.datetime"));
        assertEquals("features.1.properties.datetime=start_datetime, features.1.properties.end_datetime",
                both.header(LEFT_OUT));

        long id = created(feature(BOX, Map.of()));
        for (String method : List.of("PUT", "PATCH")) {
            Response changed = send(owner, method, address(id), null, range);
            assertEquals("2019-04-15T09:00:00Z", changed.path("properties.datetime"));
            assertEquals("properties.datetime=start_datetime, properties.end_datetime", changed.header(LEFT_OUT));
            assertEquals(Set.of("properties.start_datetime", "properties.end_datetime"),
                    refused(send(owner, method, address(id), STRICT, range)));
            send(owner, "PATCH", address(id), null, "{\"properties\":{\"datetime\":\"2024-01-02T03:04:05Z\"}}").then()
                    .statusCode(200);
        }
        Response instant = create(feature(BOX, Map.of("start_datetime", "2019-04-15T09:00:00Z")));
        assertEquals("2024-01-02T03:04:05Z", instant.path("properties.datetime"));
        assertEquals("properties.start_datetime", instant.header(LEFT_OUT));
        range.getJsonObject("properties").put("start_datetime", "spring");
        assertEquals(Set.of("properties.start_datetime"), refused(create(range)));
    }

    @Test
    void anItemWithoutATimeIsRefused() {
        JsonObject item = feature(BOX, Map.of("title", "A", "end_datetime", "2019-04-15T10:00:00Z"));
        for (String prefer : List.of("handling=lenient", STRICT)) {
            item.getJsonObject("properties").putNull("datetime");
            assertTrue(refused(send(owner, "POST", ITEMS, prefer, item)).contains("properties.datetime"));
            item.getJsonObject("properties").putNull("start_datetime").remove("datetime");
            assertTrue(refused(send(owner, "POST", ITEMS, prefer, item)).contains("properties.datetime"));
            assertEquals(Set.of("properties.datetime"), refused(send(owner, "POST", ITEMS, prefer,
                    new JsonObject().put("type", "Feature").put("geometry", new JsonObject(BOX)))));
        }
        assertEquals(List.of(), items(owner));
    }

    @Test
    void aLenientWriteNamesWhatItLeavesOut() {
        JsonObject item = feature(BOX, Map.of("eo:cloud_cover", 5, "updated", "2020-01-01T00:00:00Z"))
                .put("id", "flight-7").put("bbox", new JsonArray("[1,2,3]"))
                .put("stac_extensions", new JsonArray().add("https://example.org/schema.json"))
                .put("links", new JsonArray().add(new JsonObject().put("rel", "self").put("href", "x"))
                        .add(new JsonObject().put("rel", "license").put("href", "x"))
                        .add(new JsonObject().put("rel", "alternate").put("href", "https://example.org/7.html")))
                .put("assets", new JsonObject().put("data", new JsonObject().put("href", "x")).put("thumbnail",
                        new JsonObject().put("href", "https://example.org/picture.png")));
        Set<String> names = new TreeSet<>(List.of(create(item).header(LEFT_OUT).split(", ")));
        assertEquals(new TreeSet<>(Set.of("id", "bbox", "stac_extensions", "links.1", "links.2", "assets.data",
                "assets.thumbnail", "properties.eo:cloud_cover", "properties.updated")), names);
        assertEquals("name2", create(new JsonObject().put("type", "FeatureCollection").put("name2", 1)
                .put("features", new JsonArray().add(feature(BOX, Map.of())))).header(LEFT_OUT));
        Response whole = create(feature(BOX, Map.of("title", "A")));
        assertNull(whole.header(LEFT_OUT));
        String own = address(Long.parseLong(whole.path("id")));
        for (String method : List.of("PUT", "PATCH")) {
            assertNull(send(owner, method, own, null, owner.get(own).asString()).header(LEFT_OUT));
            assertEquals("properties.eo:cloud_cover", send(owner, method, own, "return=minimal",
                    "{\"type\":\"Feature\",\"properties\":{\"eo:cloud_cover\":1}}").header(LEFT_OUT));
        }
    }

    @Test
    void aTimeHasTheFractionThatTheClientSends() {
        long id = created(feature(BOX, Map.of("datetime", "2020-01-02T03:04:05.25Z")));
        for (String time : List.of("2020-01-02T03:04:05Z", "2020-01-02T03:04:05.000001Z")) {
            send(owner, "PATCH", address(id), STRICT, "{\"properties\":{\"datetime\":\"" + time + "\"}}").then()
                    .statusCode(200);
            assertEquals(time, item(id).getJsonObject("properties").getString("datetime"));
        }
        String tag = owner.get(address(id)).header("ETag");
        send(owner, "PATCH", address(id), STRICT,
                "{\"properties\":{\"datetime\":\"2020-01-02T04:04:05.000001+01:00\"}}").then().statusCode(200)
                .header("ETag", tag);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"properties":{"datetime":null}}                       | properties.datetime
            {"properties":{"dataset:is_private":null}}             | properties.dataset:is_private
            {"properties":{"dataset:workspace":null}}              | properties.dataset:workspace
            {"properties":{"title":{}}}                            | properties.title
            {"properties":{"dataset:category":["Zed"]}}            | properties.dataset:category
            {"properties":{"dataset:category":[]}}                 | properties.dataset:category
            {"properties":{"dataset:rasters":["x"],"datetime":1}}  | properties.dataset:rasters,properties.datetime
            {"properties":{"dataset:band_stats":{"x":{}}}}         | properties.dataset:band_stats
            {"properties":{"id":"0"}}                              | properties.id
            {"properties":{"id":null}}                             | properties.id
            {"properties":null}                                    | properties
            {"properties":[]}                                      | properties
            {"id":"0"}                                             | id
            {"id":null}                                            | id
            {"collection":"areas"}                                 | collection
            {"type":"FeatureCollection"}                           | type
            {"type":null}                                          | type
            []                                                     | type
            {"geometry":null}                                      | geometry
            {"geometry":{"type":"Point","coordinates":[]}}         | geometry
            {"geometry":{"type":"Point","coordinates":[181,0]}}    | geometry
            {"geometry":{"type":"Point","coordinates":["1",0]}}    | geometry
            {"geometry":{"type":"Sphere"}}                         | geometry
            {"geometry":7}                                         | geometry
            {"bbox":[1,2,3]}                                       | bbox
            {"bbox":[1,3,2,2]}                                     | bbox
            {"bbox":[170,0,-170,10]}                               | bbox
            {"bbox":[0,0,0,91]}                                    | bbox
            {"bbox":{"a":1,"b":2,"c":3,"d":4}}                     | bbox
            {"crs":{"type":"name","properties":{"name":"EPSG:2056"}}} | crs
            {"coordRefSys":"http://www.opengis.net/def/crs/EPSG/0/2056"} | coordRefSys
            """)
    void aMalformedChangeIsRefusedWithItsPlace(String change, String places) {
        long id = created(feature(BOX, Map.of("title", "A")));
        JsonObject before = dataset(id);
        assertEquals(Set.of(places.split(",")), refused(send(owner, "PATCH", address(id), null, change)));
        assertEquals(before, dataset(id));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"description":"x"}                                    | description
            {"properties":{"eo:cloud_cover":5}}                    | properties.eo:cloud_cover
            {"properties":{"updated":"2020-01-01T00:00:00Z"}}      | properties.updated
            {"properties":{"updated":null}}                        | properties.updated
            {"properties":{"dataset:user":"other"}}                | properties.dataset:user
            {"properties":{"dataset:bands":["nir"]}}               | properties.dataset:bands
            {"properties":{"keywords":"Forest"}}                   | properties.keywords
            {"properties":{"keywords":["Forest"],"dataset:category":["Desert"]}} | properties.keywords.0
            {"properties":{"keywords":["Forest","alps"],"dataset:tags":["sea"]}} | properties.keywords.1
            {"properties":{"providers":[]}}                        | properties.providers
            {"stac_extensions":["https://example.org/x.json"]}     | stac_extensions
            {"links":[{"rel":"self","href":"x"},{"rel":"license","href":"x"}]} | links.1
            {"links":null}                                         | links
            {"assets":{"ortho":{"href":"x"}}}                      | assets.ortho
            {"assets":{"thumbnail":{"href":"x"}}}                  | assets.thumbnail
            {"assets":{"metadata":null}}                           | assets.metadata
            {"bbox":null}                                          | bbox
            {"bbox":[0,0,0,1,1,9]}                                 | bbox
            {"geometry":{"type":"Point","coordinates":[1,2,3]}}    | geometry
            {"geometry":{"type":"Point","coordinates":[1,2]},"bbox":[1,2,1,3]} | bbox
            {"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}} | geometry
            {"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}} | geometry
            {"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}} | geometry
            """)
    void whatADatasetCannotKeepIsRefusedOnlyIfTheClientPrefersThat(String change, String place) {
        long id = created(feature(BOX, Map.of("title", "A")));
        JsonObject before = dataset(id);
        assertEquals(Set.of(place), refused(send(owner, "PATCH", address(id), STRICT, change)));
        assertEquals(before, dataset(id));
        Response lenient = send(owner, "PATCH", address(id), "handling=lenient", change);
        assertEquals(200, lenient.statusCode());
        assertEquals(place, lenient.header(LEFT_OUT));
        assertEquals(200, send(owner, "PATCH", address(id), "return=representation", change).statusCode());
        if (!place.equals("geometry") && !place.startsWith("properties.keywords") && !change.contains("[0,0,0,1,1,9]")
                && !change.contains("geometry")) {
            assertEquals(before, dataset(id));
        }
    }

    @Test
    void theBoxOfAnotherGeometryIsKept() {
        String star = "{\"type\":\"MultiPolygon\",\"coordinates\":"
                + "[[[[0,0],[4,4],[0,4],[4,0],[0,0]]],[[[5,5],[6,5],[6,9],[5,5]]]]}";
        long id = created(feature(star, Map.of()));
        assertEquals(new JsonArray("[0.0,0.0,9.0,6.0]"), dataset(id).getJsonArray("bbox"));
        assertEquals(Set.of("geometry"), refused(send(owner, "POST", ITEMS, STRICT, feature(star, Map.of()))));
        String split = "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[170,0],[180,0],[180,5],[170,5],[170,0]]],"
                + "[[[-180,0],[-175,0],[-175,5],[-180,5],[-180,0]]]]}";
        assertEquals(Set.of("geometry"), refused(create(feature(split, Map.of()))));
        String single = "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[8,46],[7,46],[7,47],[8,47],[8,46]]]]}";
        assertEquals(201, send(owner, "POST", ITEMS, STRICT, feature(single, Map.of())).statusCode());
    }

    /** A dataset may have another position than the centre of its area. An item with an area shows only the area. */
    @Test
    void thePositionOfADatasetStaysInItsArea() {
        long id = owner.create("{\"bbox\":[46,7,47,8],\"coordinates\":[46.1,7.1]}");
        send(owner, "PATCH", address(id), STRICT, "{\"bbox\":[7,46,9,48]}").then().statusCode(200);
        assertEquals(new JsonArray("[46.1,7.1]"), dataset(id).getJsonArray("coordinates"));
        send(owner, "PATCH", address(id), STRICT, "{\"bbox\":[8,46,9,48]}").then().statusCode(200);
        assertEquals(new JsonArray("[47.0,8.5]"), dataset(id).getJsonArray("coordinates"));
    }

    @Test
    void aCollectionIsStoredWholeOrNotAtAll() {
        JsonArray features = new JsonArray();
        for (int i = 0; i < 1_000; i++) {
            features.add(
                    feature("{\"type\":\"Point\",\"coordinates\":[" + i / 100.0 + ",1]}", Map.of("title", "n" + i)));
        }
        JsonObject collection = new JsonObject().put("type", "FeatureCollection").put("name", "layer")
                .put("features", features);
        Response answer = send(owner, "POST", ITEMS, "application/json", STRICT, collection);
        assertEquals(201, answer.statusCode(), answer::asString);
        assertNull(answer.header("Location"));
        List<JsonObject> stored = new JsonObject(answer.asString()).getJsonArray("features").stream()
                .map(JsonObject.class::cast).toList();
        for (int i = 0; i < 1_000; i++) {
            assertEquals("n" + i, stored.get(i).getJsonObject("properties").getString("title"));
        }
        assertEquals(items(owner), stored);

        JsonObject wrong = collection.copy();
        wrong.getJsonArray("features").getJsonObject(998).getJsonObject("properties").put("dataset:category", "Zed");
        wrong.getJsonArray("features").getJsonObject(3).remove("geometry");
        assertEquals(Set.of("features.3.geometry", "features.998.properties.dataset:category"),
                refused(create(wrong)));
        features.add(features.getJsonObject(0));
        assertEquals(Set.of("features"), refused(create(collection)));
        assertEquals(Set.of("features"), refused(create("{\"type\":\"FeatureCollection\",\"features\":[]}")));
        assertEquals(Set.of("foo"), refused(send(owner, "POST", ITEMS, STRICT, new JsonObject()
                .put("type", "FeatureCollection").put("foo", 1)
                .put("features", new JsonArray().add(features.getValue(0))))));
        assertEquals(1_000, items(owner).size());
        assertEquals(201, send(owner, "POST", ITEMS, "return=minimal", new JsonObject().put("type", "FeatureCollection")
                .put("features", new JsonArray().add(features.getValue(0)))).statusCode());
        assertEquals(1_001L, catalogue.sql("select count(*) from dataset").get(0).getLong(0));
    }

    /** The service numbers items itself, as the standard allows. The extension of STAC asks for an id, and for 409. */
    @Test
    void anIdOfTheBodyIsNotKept() {
        long id = created(feature(BOX, Map.of()).put("id", "flight-7").put("collection", "flights")
                .put("stac_version", "1.0.0"));
        assertFalse(item(id).encode().contains("flight"));
        JsonObject copy = item(id);
        assertEquals(409, create(copy).statusCode());
        assertEquals(409, create(new JsonObject().put("type", "FeatureCollection").put("features",
                new JsonArray().add(feature(BOX, Map.of())).add(copy))).statusCode());
        copy.remove("id");
        assertEquals(201, send(owner, "POST", ITEMS, STRICT, copy).statusCode());
        assertEquals(Set.of("id"), refused(send(owner, "POST", ITEMS, STRICT, copy.copy().put("id", "x"))));

        send(owner, "PATCH", address(id), null, "{\"properties\":{\"dataset:is_private\":true}}").then()
                .statusCode(200);
        Caller other = Caller.writer("other");
        assertEquals(201, send(other, "POST", ITEMS, null, feature(BOX, Map.of()).put("id", Long.toString(id)))
                .statusCode());
        assertEquals(201, create(feature(BOX, Map.of()).put("id", Long.MAX_VALUE)).statusCode());
    }

    @Test
    void theFeedOfChangesAndTheListingHaveTheWrites() {
        long id = created(feature(BOX, Map.of("title", "A")));
        send(owner, "PATCH", address(id), null, "{\"properties\":{\"title\":\"B\"}}").then().statusCode(200);
        assertEquals("B", new JsonObject(Listing.list("").asString()).getJsonArray("results").getJsonObject(0)
                .getString("dataset_name"));
        Patience.await("the change is in the feed")
                .until(() -> anonymous().get("/stac/changes").asString().contains("\"" + id + "\""));
        assertEquals(204, owner.delete(address(id)).statusCode());
        assertEquals(0, new JsonObject(Listing.list("").asString()).getInteger("count"));
        assertEquals(404, owner.get(address(id)).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aWriteOfAnItemHasTheRightsOfTheApiOfTheListing(String method) {
        long open = created(feature(BOX, Map.of("title", "open")));
        long hidden = created(feature(BOX, Map.of("dataset:is_private", true)));
        long draft = owner.create("{}");
        Caller other = Caller.writer("other");
        Caller reader = owner.token("reader");
        Object body = "{\"type\":\"Feature\"}";
        for (long id : List.of(open, hidden, draft, 999_999L)) {
            assertEquals(401, send(anonymous(), method, address(id), null, body).statusCode());
            assertEquals(403, send(reader, method, address(id), null, body).statusCode());
            assertEquals(401, send(owner.holding("wrong"), method, address(id), null, body).statusCode());
        }
        assertEquals(403, send(other, method, address(open), null, body).statusCode());
        for (long id : List.of(hidden, draft, 999_999L)) {
            String refusal = send(other, method, address(id), null, body).asString();
            assertTrue(refusal.contains("No Dataset matches the given query."), refusal);
            assertEquals(404, send(other, method, address(id), null, body).statusCode());
        }
        assertEquals(404, send(owner, method, address(draft), null, body).statusCode());
        for (String id : List.of("0" + open, "x", "-1", "1e3", "99999999999999999999")) {
            assertEquals(404, send(owner, method, ITEMS + '/' + id, null, body).statusCode(), id);
        }
        assertEquals("open", dataset(open).getString("dataset_name"));
        int success = method.equals("DELETE") ? 204 : 200;
        assertEquals(success, send(admin(), method, address(open), null, body).statusCode());
        assertEquals(success, send(owner, method, address(hidden), null, body).statusCode());
    }

    @Test
    void onlyWritersCreateAndOnlyInTheCollectionOfAllDatasets() {
        Object body = feature(BOX, Map.of());
        Response refused = send(anonymous(), "POST", ITEMS, null, body);
        assertEquals(401, refused.statusCode());
        assertEquals("Token", refused.header("WWW-Authenticate"));
        assertEquals("Unauthorized", refused.path("code"));
        assertEquals(403, send(owner.token("reader"), "POST", ITEMS, null, body).statusCode());
        for (String collection : List.of("areas", "points")) {
            String items = "/stac/collections/" + collection + "/items";
            for (Caller caller : List.of(owner, admin())) {
                assertEquals(405, send(caller, "POST", items, null, body).statusCode());
                assertEquals(405, send(caller, "PUT", items + "/1", null, body).statusCode());
            }
            assertEquals("GET, HEAD, OPTIONS", owner.request().options(items).header("Allow"));
        }
        assertEquals(404, send(owner, "POST", "/stac/collections/other/items", null, body).statusCode());
        Response unknown = send(owner, "PUT", ITEMS, null, body);
        assertEquals(405, unknown.statusCode());
        assertEquals("GET, POST, HEAD, OPTIONS", unknown.header("Allow"));
        assertEquals(0L, catalogue.sql("select count(*) from dataset").get(0).getLong(0));
    }

    /** QGIS reads the header as permission. */
    @Test
    void onlyCallersWhoMayWriteSeeTheMethodsThatWrite() {
        long id = created(feature(BOX, Map.of()));
        for (Caller caller : List.of(owner, Caller.writer("other"), admin())) {
            assertEquals("GET, POST, HEAD, OPTIONS", caller.request().options(ITEMS).header("Allow"));
            assertEquals("GET, PUT, PATCH, DELETE, HEAD, OPTIONS",
                    caller.request().options(address(id)).header("Allow"));
            assertEquals("GET, PUT, PATCH, DELETE, HEAD, OPTIONS",
                    caller.request().options(ITEMS + "/unknown_id").header("Allow"));
        }
        for (Caller caller : List.of(anonymous(), owner.token("reader"))) {
            for (String path : List.of(ITEMS, address(id))) {
                Response answer = caller.request().options(path);
                assertEquals(200, answer.statusCode());
                assertEquals("GET, HEAD, OPTIONS", answer.header("Allow"));
                assertEquals("GET, HEAD, OPTIONS", caller.get(path).header("Allow"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aPreconditionIsChecked(String method) {
        long id = created(feature(BOX, Map.of("title", "A")));
        String tag = owner.get(address(id)).header("ETag");
        assertTrue(tag.startsWith("\""), tag);
        send(owner, "PATCH", address(id), null, "{\"properties\":{\"title\":\"B\"}}").then().statusCode(200);
        String current = owner.get(address(id)).header("ETag");
        assertNotEquals(tag, current);
        for (Map.Entry<String, String> stale : List.of(Map.entry("If-Match", tag),
                Map.entry("If-Match", "W/" + tag),
                Map.entry("If-Match", "\"x\""), Map.entry("If-None-Match", "*"), Map.entry("If-None-Match", current))) {
            assertEquals(412, write(method, id, stale.getKey(), stale.getValue()), () -> stale.toString());
        }
        assertEquals("B", dataset(id).getString("dataset_name"));
        assertEquals(method.equals("PUT") ? 412 : 404, write(method, 999_999, "If-Match", "*"));
        assertEquals(404, write(method, 999_999, "If-None-Match", "*"));
        assertEquals(method.equals("DELETE") ? 204 : 200, write(method, id, "If-Match", "\"x\", W/" + current));
    }

    private int write(String method, long id, String header, String value) {
        return owner.request().header(header, value).contentType(GEO_JSON).body("{\"type\":\"Feature\"}")
                .request(method, address(id)).statusCode();
    }

    @Test
    void onlyOneOf20ConcurrentChangesWithTheSameTagSucceeds() {
        long id = created(feature(BOX, Map.of()));
        String tag = owner.get(address(id)).header("ETag");
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 20).mapToObj(i -> CompletableFuture
                .supplyAsync(() -> owner.request().header("If-Match", tag).contentType(MERGE_PATCH)
                        .body("{\"properties\":{\"title\":\"" + i + "\"}}").patch(address(id)).statusCode()))
                .toList();
        assertEquals(1, answers.stream().filter(answer -> answer.join() == 200).count());
        assertEquals(19, answers.stream().filter(answer -> answer.join() == 412).count());
    }

    @Test
    void aCreateWithTheSameKeyStoresOnce() {
        Object item = feature(BOX, Map.of("title", "once"));
        Object both = new JsonObject().put("type", "FeatureCollection").put("features",
                new JsonArray().add(item).add(feature(BOX, Map.of("title", "two"))));
        for (Object body : List.of(item, both)) {
            String key = "key-" + body.hashCode();
            Response first = create(body, key);
            assertEquals(201, first.statusCode(), first::asString);
            Response again = create(body, key);
            assertEquals(201, again.statusCode(), again::asString);
            assertEquals(first.asString(), again.asString());
            assertEquals(first.header("Location"), again.header("Location"));
            assertEquals(422, create(feature(BOX, Map.of("title", "other")), key).statusCode());
        }
        assertEquals(3L, catalogue.sql("select count(*) from dataset").get(0).getLong(0));
        assertEquals(400, create(item, "ä").statusCode());
    }

    @Test
    void aRepeatedCreateShowsNoItemThatIsNoLongerThere() {
        for (String change : List.of("is_deleted = true", "bbox = '{}', coordinates = null",
                "is_private = true, owner_id = 0, owner_name = 'operator'")) {
            assertEquals(201, create(feature(BOX, Map.of("title", change)), change.substring(0, 5)).statusCode());
            catalogue.sql("update dataset set " + change
                    + ", version = version + 1 where id = (select max(id) from dataset)");
            Response again = create(feature(BOX, Map.of("title", change)), change.substring(0, 5));
            assertEquals(409, again.statusCode(), again::asString);
        }
    }

    /** The check of keywords against tags is not a loop in a loop. */
    @Test
    void manyKeywordsAndTagsAreRefused() {
        JsonArray words = new JsonArray();
        IntStream.range(0, 20_000).forEach(i -> words.add("w" + i));
        Response refused = send(owner, "PATCH", address(created(feature(BOX, Map.of()))), null, new JsonObject()
                .put("properties", new JsonObject().put("keywords", words).put("dataset:tags", words)).encode());
        assertEquals(400, refused.statusCode());
    }

    private Response create(Object body, String key) {
        return owner.request().header("Idempotency-Key", key).contentType(GEO_JSON)
                .body(body.toString().getBytes(StandardCharsets.UTF_8)).post(ITEMS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST  | text/plain                        | {"type":"Feature"} | 415
            POST  | application/x-www-form-urlencoded | title=x            | 415
            POST  | application/merge-patch+json      | {"type":"Feature"} | 415
            PUT   | application/merge-patch+json      | {"type":"Feature"} | 415
            PATCH | application/json-patch+json       | []                 | 415
            POST  | application/geo+json              | {"type":"Feature", | 400
            POST  | application/geo+json              | {"id":1,"id":2}    | 400
            POST  | application/geo+json              | ``                 | 400
            PATCH | application/geo+json              | ``                 | 400
            POST  | application/geo+json              | 7                  | 400
            POST  | application/geo+json              | {}                 | 400
            """)
    void anUnreadableBodyIsRefused(String method, String type, String body, int status) {
        long id = created(feature(BOX, Map.of()));
        Response answer = send(owner, method, method.equals("POST") ? ITEMS : address(id), type, null,
                body == null ? "" : body);
        assertEquals(status, answer.statusCode(), answer::asString);
        assertTrue(new JsonObject(answer.asString()).containsKey("description"));
    }

    @Test
    void theBoundsOfBodiesHold() {
        JsonObject item = feature(BOX, Map.of("title", "x".repeat(300_000)));
        assertEquals(Set.of("properties.title"), refused(create(item)));
        assertEquals(413, create(feature(BOX, Map.of("x", "x".repeat(1 << 20)))).statusCode());
        assertEquals(400, create("[".repeat(5_000)).statusCode());
        String many = "[0,0],".repeat(80_000);
        assertEquals(400, create("{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[" + many
                + "[0,0]]}}").statusCode());
        assertEquals(400, send(owner, "POST", ITEMS + "?limit=1", null, feature(BOX, Map.of())).statusCode());
        Response crs = owner.request().header("Content-Crs", "<http://www.opengis.net/def/crs/EPSG/0/2056>")
                .contentType(GEO_JSON).body(feature(BOX, Map.of()).encode()).post(ITEMS);
        assertEquals(400, crs.statusCode());
        JsonObject unknown = new JsonObject();
        IntStream.range(0, 5_000).forEach(i -> unknown.put("x" + i, 1));
        assertEquals(100, refused(send(owner, "POST", ITEMS, STRICT, unknown)).size());
        unknown.mergeIn(feature(BOX, Map.of("x\u00e4,%\r\n", 1)));
        Response lenient = create(unknown);
        assertEquals(201, lenient.statusCode());
        assertTrue(lenient.header(LEFT_OUT).length() <= 256);
        assertTrue(lenient.header(LEFT_OUT).matches("x0, x1, x2, .*, \\.\\.\\."), lenient.header(LEFT_OUT));
        assertEquals("properties.x%C3%A4%2C%25%0D%0A",
                create(feature(BOX, Map.of("x\u00e4,%\r\n", 1))).header(LEFT_OUT));
        assertEquals("...", create(feature(BOX, Map.of("x".repeat(250), 1))).header(LEFT_OUT));
        catalogue.sql("delete from dataset");
        assertEquals(406, owner.request().accept("text/csv").contentType(GEO_JSON).body(feature(BOX, Map.of()).encode())
                .post(ITEMS).statusCode());
        assertEquals(0L, catalogue.sql("select count(*) from dataset").get(0).getLong(0));
        Response json = owner.request().accept("application/json").contentType(GEO_JSON)
                .header("Content-Crs", "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>")
                .body(feature(BOX, Map.of()).encode()).post(ITEMS);
        assertEquals(201, json.statusCode());
        assertEquals("application/json", json.contentType());
    }

    @Test
    void theClassesOfBothStandardsAreDeclared() {
        JsonArray classes = anonymous().json("/stac/conformance").getJsonArray("conformsTo");
        for (String each : List.of("http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/create-replace-delete",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/update",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/optimistic-locking-etags",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/features",
                "https://api.stacspec.org/v1.0.0/ogcapi-features/extensions/transaction")) {
            assertTrue(classes.contains(each), each);
        }
    }

    /** Part 4 asks for writes that meet the schema to be accepted, and Part 5 marks what clients cannot write. */
    @Test
    void theSchemaMarksWhatClientsCannotWrite() {
        JsonObject schema = anonymous().json(COLLECTION + "/schema").getJsonObject("properties");
        Set<String> written = new TreeSet<>();
        schema.forEach(property -> {
            if (!((JsonObject) property.getValue()).getBoolean("readOnly", false)) {
                written.add(property.getKey());
            }
        });
        assertEquals(new TreeSet<>(Set.of("geometry", "datetime", "title", "keywords", "dataset:workspace",
                "dataset:category", "dataset:is_private", "dataset:is_shareable", "dataset:rasters",
                "dataset:band_stats", "description", "dataset:tags", "dataset:data_credits", "dataset:data_captured_by",
                "dataset:institution_name", "dataset:location_name", "license", "sci:citation", "sci:doi",
                "dataset:raster_locations")), written);
        long id = created(feature(BOX, Map.of()));
        for (String property : written) {
            if (!property.equals("geometry")) {
                Object value = switch (schema.getJsonObject(property).getValue("type").toString()) {
                    case "boolean" -> true;
                    case "integer" -> 7;
                    case "object" -> new JsonObject();
                    case "array" -> new JsonArray().add(schema.getJsonObject(property).getJsonObject("items")
                            .getJsonArray("enum", new JsonArray().add("alps")).getValue(0));
                    default -> switch (property) {
                        case "datetime" -> "2001-02-03T04:05:06Z";
                        case "sci:doi" -> "10.5281/zenodo.42";
                        default -> "x".repeat(schema.getJsonObject(property).getInteger("maxLength", 100));
                    };
                };
                Response answer = send(owner, "PATCH", address(id), STRICT,
                        new JsonObject().put("properties", new JsonObject().put(property, value)));
                assertEquals(200, answer.statusCode(), answer::asString);
            }
        }
    }

    /** The requests of the provider of QGIS, which leaves out the id and the bbox, and sends null for empty fields. */
    @Test
    void qgisEditsALayer() {
        assertTrue(owner.request().options(ITEMS).header("Allow").contains("POST"));
        JsonObject empty = new JsonObject().put("datetime", "2024-01-02T03:04:05Z").put("title", "New")
                .put("dataset:is_private", null)
                .put("dataset:user", null).put("created", null);
        Response created = owner.request().contentType(GEO_JSON)
                .body(feature(BOX, Map.of()).put("properties", empty).encode()).post(ITEMS);
        assertEquals(201, created.statusCode(), created::asString);
        String location = created.header("Location");
        long id = Long.parseLong(location.substring(location.lastIndexOf("/items/") + 7));
        assertEquals("New", item(id).getJsonObject("properties").getString("title"));

        assertEquals(200, send(owner, "PATCH", address(id), null,
                "{\"properties\":{\"title\":\"Renamed\",\"dataset:is_shareable\":true}}").statusCode());
        assertEquals(200, send(owner, "PATCH", address(id), null,
                "{\"geometry\":{\"coordinates\":[[[[0,0],[2,0],[2,2],[0,2],[0,0]]]],\"type\":\"MultiPolygon\"}}")
                .statusCode());
        JsonObject edited = item(id);
        assertEquals("Renamed", edited.getJsonObject("properties").getString("title"));
        assertTrue(edited.getJsonObject("properties").getBoolean("dataset:is_shareable"));
        assertEquals(new JsonArray("[0.0,0.0,2.0,2.0]"), edited.getJsonArray("bbox"));

        edited.remove("bbox");
        edited.remove("links");
        edited.remove("assets");
        edited.put("id", id).getJsonObject("properties").put("title", "Put");
        assertEquals(200, send(owner, "PUT", address(id), null, edited).statusCode());
        assertEquals("Put", item(id).getJsonObject("properties").getString("title"));
        assertEquals(204, owner.delete(address(id)).statusCode());
        assertEquals(404, owner.get(address(id)).statusCode());
    }

    /** The driver of GDAL only reads, but what GDAL writes as GeoJSON is a collection of items. */
    @Test
    void gdalsGeoJsonIsACollectionOfItems() throws Exception {
        Program gdal = Program.ofGdal("ogr2ogr", folder);
        Files.writeString(folder.resolve("flights.csv"), """
                id,title,WKT,datetime,pilot
                1,North,"POLYGON ((7 46,8 46,8 47,7 47,7 46))",2024-05-06T07:08:09Z,Ann
                2,South,"POINT (7.5 40.25)",2024-05-07T00:00:00Z,
                """);
        String geoJson = gdal.run("-f", "GeoJSON", "/vsistdout/", "-a_srs", "OGC:CRS84",
                "-oo", "KEEP_GEOM_COLUMNS=NO", "-oo", "EMPTY_STRING_AS_NULL=YES", "-sql",
                "select title, datetime, pilot from flights", "flights.csv");
        assertEquals(Set.of("features.0.properties.pilot"), refused(send(owner, "POST", ITEMS, STRICT, geoJson)));
        assertEquals(201, send(owner, "POST", ITEMS, null, geoJson).statusCode());
        assertEquals(
                List.of("North 2024-05-06T07:08:09Z [7.0,46.0,8.0,47.0]",
                        "South 2024-05-07T00:00:00Z [7.5,40.25,7.5,40.25]"),
                items(anonymous()).stream().map(item -> item.getJsonObject("properties").getString("title") + ' '
                        + item.getJsonObject("properties").getString("datetime") + ' ' + item.getJsonArray("bbox"))
                        .toList());
    }
}
