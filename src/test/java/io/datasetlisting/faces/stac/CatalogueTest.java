package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.Sha256;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/**
 * Tests the documents that describe the catalogue. The client of the tests compares each response with the OpenAPI document and
 * with the schemas of the standards.
 */
@QuarkusTest
class CatalogueTest {

    private static final String JSON = "application/json";
    private static final String GEO_JSON = "application/geo+json";
    private static final String SCHEMA = "application/schema+json";
    private static final String OPEN_API = "application/vnd.oai.openapi+json;version=3.0";
    private static final String OGC = "http://www.opengis.net/def/rel/ogc/1.0/";
    private static final String COLLECTION = "/stac/collections/datasets";

    @Inject
    Catalogue catalogue;

    @Inject
    Endpoints endpoints;

    @TestHTTPResource("/stac")
    URI root;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(
                dataset(1, d -> {
                    d.bbox = new double[]{10, 20, 11, 21};
                    d.coordinates = new double[]{10.5, 20.5};
                    d.availableRasters = new String[]{"ortho"};
                    d.bandStats = "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":"
                            + "{\"b1\":{\"min\":1,\"max\":2,\"mean\":1,\"stddev\":1},\"band_descr\":{\"nir\":1}}}";
                    d.capturedDate = Instant.parse("2020-01-02T03:04:05Z");
                }),
                dataset(2, d -> {
                    d.coordinates = new double[]{-5, 30};
                    d.capturedDate = Instant.parse("2021-01-02T03:04:05Z");
                }),
                dataset(3, d -> {
                    d.coordinates = new double[]{60, -170};
                    d.isPrivate = true;
                    d.capturedDate = Instant.parse("1999-01-02T03:04:05Z");
                }),
                dataset(4, d -> {
                    d.coordinates = new double[]{-80, 170};
                    d.isDeleted = true;
                    d.capturedDate = Instant.parse("2025-01-02T03:04:05Z");
                }),
                dataset(5, d -> {
                    d.coordinates = null;
                    d.capturedDate = Instant.parse("1990-01-02T03:04:05Z");
                }),
                dataset(6, d -> {
                    d.ownerId = 8;
                    d.ownerName = "another owner";
                    d.isPrivate = true;
                    d.coordinates = new double[]{-60, 0};
                    d.capturedDate = Instant.parse("2024-01-02T03:04:05Z");
                }));
    }

    private static Response get(String path) {
        return Caller.anonymous().get(path);
    }

    private static JsonPath json(String path) {
        Response response = get(path);
        response.then().statusCode(200);
        return response.jsonPath();
    }

    /** Relation, address and media type of each link, in their order; a method precedes the relation. */
    private List<String> links(JsonPath json) {
        List<Map<String, String>> links = json.getList("links");
        return links.stream()
                .map(link -> (link.containsKey("method") ? link.get("method") + ' ' : "") + link.get("rel") + ' '
                        + link.get("href").replaceFirst("^" + root, "") + ' ' + link.get("type"))
                .toList();
    }

    @Test
    void theLandingPageLeadsToAllAddresses() {
        assertEquals(List.of("self  " + JSON, "alternate ?f=html text/html", "root  " + JSON,
                "service-desc /api " + OPEN_API,
                "service-doc /api.html text/html", "conformance /conformance " + JSON, "data /collections " + JSON,
                "GET search /search " + GEO_JSON, "POST search /search " + GEO_JSON,
                OGC + "queryables /queryables " + SCHEMA, OGC + "sortables /sortables " + SCHEMA,
                OGC + "tilesets-vector /tiles " + JSON, OGC + "tiling-schemes /tileMatrixSets " + JSON,
                "aggregations /aggregations " + JSON, "GET aggregate /aggregate " + JSON,
                "POST aggregate /aggregate " + JSON, "changes /changes " + JSON,
                "child /collections/datasets " + JSON), links(json("/stac")));
    }

    @Test
    void theLinkToSelfIsTheAddressAsItWasAsked() {
        assertEquals(root + "/", json("/stac/").getString("links[0].href"));
        assertEquals(List.of("self /collections " + JSON, "alternate /collections?f=html text/html",
                "root  " + JSON), links(json("/stac/collections")));
    }

    @Test
    void theConformanceClassesAreThoseOfTheContract() {
        List<String> expected = List.of("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
                "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
                "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
                "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
                "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
                "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
                "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/schemas",
                "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/returnables-and-receivables",
                "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/queryables",
                "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/sortables",
                "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/advanced-property-roles",
                "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
                "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
                "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
                "http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators",
                "http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison",
                "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions",
                "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions-plus",
                "https://api.stacspec.org/v1.0.0/core", "https://api.stacspec.org/v1.0.0/collections",
                "https://api.stacspec.org/v1.0.0/ogcapi-features", "https://api.stacspec.org/v1.0.0/item-search",
                "https://api.stacspec.org/v1.0.0/item-search#sort",
                "https://api.stacspec.org/v1.0.0/item-search#fields",
                "https://api.stacspec.org/v1.0.0/item-search#filter",
                "https://api.stacspec.org/v1.0.0/ogcapi-features#sort",
                "https://api.stacspec.org/v1.0.0/ogcapi-features#fields",
                "https://api.stacspec.org/v1.1.0/item-search#sort",
                "https://api.stacspec.org/v1.1.0/ogcapi-features#sort",
                "https://api.stacspec.org/v1.1.0/item-search#sortables",
                "https://api.stacspec.org/v1.0.0-rc.1/item-search#free-text",
                "https://api.stacspec.org/v1.0.0-rc.1/ogcapi-features#free-text",
                "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query",
                "https://api.stacspec.org/v1.0.0/collection-search",
                "https://api.stacspec.org/v1.0.0/collection-search#free-text",
                "https://api.stacspec.org/v0.3.0/aggregation", "https://api.stacspec.org/v0.3.0/aggregation#filter",
                "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core",
                "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset",
                "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list",
                "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/dataset-tilesets",
                "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets",
                "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/create-replace-delete",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/update",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/optimistic-locking-etags",
                "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/features",
                "https://api.stacspec.org/v1.0.0/ogcapi-features/extensions/transaction",
                "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html");
        assertEquals(expected, json("/stac").getList("conformsTo"));
        assertEquals(expected, json("/stac/conformance").getList("conformsTo"));
    }

    @Test
    void theCollectionIsTheSameInBothResponses() {
        JsonPath collection = json(COLLECTION);
        assertEquals(collection.getMap(""), json("/stac/collections").getMap("collections[0]"));
        assertEquals(List.of("self /collections/datasets " + JSON, "alternate /collections/datasets?f=html text/html",
                "root  " + JSON, "parent  " + JSON, "items /collections/datasets/items " + GEO_JSON,
                "items /collections/datasets/items?f=html text/html", "license /collections/datasets " + JSON,
                OGC + "queryables /collections/datasets/queryables " + SCHEMA,
                OGC + "schema /collections/datasets/schema " + SCHEMA,
                OGC + "sortables /collections/datasets/sortables " + SCHEMA,
                OGC + "tilesets-vector /collections/datasets/tiles " + JSON,
                "aggregations /collections/datasets/aggregations " + JSON,
                "GET aggregate /collections/datasets/aggregate " + JSON,
                "POST aggregate /collections/datasets/aggregate " + JSON), links(collection));
        assertEquals("other", collection.getString("license"));
        assertEquals(List.of("thumbnail", "metadata", "ortho", "dsm", "multispec_ortho"),
                List.copyOf(collection.getMap("item_assets").keySet()));
    }

    /** A layer of QGIS has one type of geometry, and the list of layers is that of the collections. */
    @Test
    void theListAlsoHasTheCollectionsOfAreasAndOfPoints() {
        JsonPath list = json("/stac/collections");
        assertEquals(List.of("datasets", "areas", "points", "workspace-70"), list.getList("collections.id"));
        for (String id : List.of("areas", "points")) {
            JsonPath collection = json("/stac/collections/" + id);
            assertEquals(collection.getMap(""), list.getMap("collections.find { it.id == '" + id + "' }"));
            assertEquals(links(json(COLLECTION)).stream().map(link -> link.replace("/datasets", "/" + id)).toList(),
                    links(collection));
            for (String schema : List.of("queryables", "sortables", "schema")) {
                assertEquals(json(COLLECTION + "/" + schema).getMap("properties"),
                        json("/stac/collections/" + id + "/" + schema).getMap("properties"));
            }
        }
    }

    @Test
    void eachCollectionHasTheExtentOfItsDatasets() {
        Caller owner = Caller.existing(7, "Ada van Dyk").token("writer");
        assertEquals("[20.0, 10.0, 21.0, 11.0] [2020-01-02T03:04:05Z, 2020-01-02T03:04:05Z]",
                extent(Caller.anonymous(), "areas"));
        assertEquals("[30.0, -5.0, 30.0, -5.0] [2021-01-02T03:04:05Z, 2021-01-02T03:04:05Z]",
                extent(Caller.anonymous(), "points"));
        assertEquals("[20.0, 10.0, 21.0, 11.0] [2020-01-02T03:04:05Z, 2020-01-02T03:04:05Z]", extent(owner, "areas"));
        assertEquals("[-170.0, -5.0, 30.0, 60.0] [1999-01-02T03:04:05Z, 2021-01-02T03:04:05Z]",
                extent(owner, "points"));
        owner.patch("/api/dataset/1/", "{\"bbox\":[10,20,10,21],\"coordinates\":[10,20]}").then().statusCode(200);
        assertEquals("[-180.0, -90.0, 180.0, 90.0] [null, null]", extent(Caller.anonymous(), "areas"));
        assertEquals(extent(Caller.anonymous()), extent(Caller.anonymous(), "points"));
    }

    private static String extent(Caller caller) {
        return extent(caller, "datasets");
    }

    private static String extent(Caller caller, String id) {
        JsonPath collection = caller.get("/stac/collections/" + id).jsonPath();
        return collection.getList("extent.spatial.bbox[0]", Double.class) + " "
                + collection.getList("extent.temporal.interval[0]");
    }

    @Test
    void theExtentIsThatOfWhatTheCallerSees() {
        assertEquals("[20.0, -5.0, 30.0, 11.0] [2020-01-02T03:04:05Z, 2021-01-02T03:04:05Z]",
                extent(Caller.anonymous()));
        assertEquals("[-170.0, -5.0, 30.0, 60.0] [1999-01-02T03:04:05Z, 2021-01-02T03:04:05Z]",
                extent(Caller.existing(7, "Ada van Dyk").token("writer")));
        assertEquals("[-170.0, -60.0, 30.0, 60.0] [1999-01-02T03:04:05Z, 2024-01-02T03:04:05Z]",
                extent(Caller.admin()));
        assertEquals("[20.0, -5.0, 30.0, 11.0] [2020-01-02T03:04:05Z, 2021-01-02T03:04:05Z]",
                extent(Caller.reader("without datasets")));
    }

    @Test
    void theExtentFollowsTheDatasets() {
        String tag = get(COLLECTION).header("ETag");
        assertEquals(tag, get(COLLECTION).header("ETag"));
        Caller.admin().patch("/api/dataset/2/", "{\"is_private\":true}").then().statusCode(200);
        assertEquals("[20.0, 10.0, 21.0, 11.0] [2020-01-02T03:04:05Z, 2020-01-02T03:04:05Z]",
                extent(Caller.anonymous()));
        assertTrue(!tag.equals(get(COLLECTION).header("ETag")));
        Caller.admin().delete("/api/dataset/1/").then().statusCode(204);
        assertEquals("[-180.0, -90.0, 180.0, 90.0] [null, null]", extent(Caller.anonymous()));
    }

    @Test
    void anEmptyCatalogueHasTheWholeWorldAsItsExtent() {
        catalogue.replaceWith();
        for (Caller caller : List.of(Caller.anonymous(), Caller.admin())) {
            assertEquals("[-180.0, -90.0, 180.0, 90.0] [null, null]", extent(caller));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac/queryables", "/stac/sortables", "/stac/collections/datasets/queryables",
            "/stac/collections/datasets/sortables", "/stac/collections/datasets/schema",
            "/stac/collections/areas/queryables", "/stac/collections/points/schema",
            "/stac/collections/workspace-70/schema"})
    void theIdOfASchemaIsItsOwnAddress(String path) {
        Response response = get(path);
        response.then().statusCode(200).contentType(SCHEMA).body("'$id'", equalTo(root.resolve(path).toString()));
    }

    private static Map<String, String> types(String path) {
        Map<String, Map<String, Object>> properties = json(path).getMap("properties");
        return properties.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
                property -> property.getValue().get("type") + " " + property.getValue().get("format") + " "
                        + property.getValue().get("x-ogc-role"),
                (one, other) -> one, TreeMap::new));
    }

    @Test
    void theQueryablesHaveTheTypesOfTheProperties() {
        Map<String, String> types = types("/stac/queryables");
        assertEquals(types, types(COLLECTION + "/queryables"));
        assertEquals("string null id", types.get("id"));
        assertEquals("null geometry-any primary-geometry", types.get("geometry"));
        assertEquals("string date-time primary-instant", types.get("datetime"));
        assertEquals("string uuid null", types.get("dataset:uav_uid"));
        assertEquals("array null null", types.get("dataset:rasters"));
        assertEquals("integer null null", types.get("dataset:workspace"));
        assertEquals("boolean null null", types.get("dataset:is_private"));
        assertEquals("number null null", types.get("dataset:cumulative_adjustment"));
        assertEquals(List.of("datasets"), json("/stac/queryables").getList("properties.collection.enum"));
        assertEquals(21, types.size(), types::toString);
    }

    @Test
    void theSortablesAreQueryablesWithoutArrays() {
        Map<String, String> sortables = types("/stac/sortables");
        assertEquals(sortables, types(COLLECTION + "/sortables"));
        Map<String, String> queryables = types("/stac/queryables");
        sortables.forEach((name, type) -> assertEquals(queryables.get(name), type));
        assertTrue(sortables.keySet().containsAll(List.of("id", "datetime", "updated", "title")), sortables::toString);
        assertTrue(sortables.values().stream().noneMatch(type -> type.startsWith("array")), sortables::toString);
    }

    @Test
    void theDocumentNamesEachPropertyThatNoFilterKnows() throws IOException {
        Set<String> unknown = types(COLLECTION + "/schema").keySet();
        unknown.removeAll(types("/stac/queryables").keySet());
        String sentence = Files.readString(Path.of("docs/api.md"))
                .replaceFirst("(?s).*Every property can be queried but", "").replaceFirst("(?s)\\. .*", "");
        assertEquals(unknown, Pattern.compile("`([^`]+)`").matcher(sentence).results().map(name -> name.group(1))
                .filter(name -> !name.equals("q")).collect(Collectors.toCollection(TreeSet::new)));
    }

    /** QGIS shows only the properties that are listed. */
    @Test
    void theSchemaListsEachPropertyOfAnItem() {
        Map<String, String> types = types(COLLECTION + "/schema");
        TreeSet<String> expected = new TreeSet<>(
                json(COLLECTION + "/items/1").<String, Object>getMap("properties").keySet());
        expected.addAll(List.of("id", "geometry"));
        // This item has none of them.
        expected.addAll(List.of("description", "dataset:tags", "dataset:data_credits", "dataset:data_captured_by",
                "dataset:institution_name", "dataset:location_name", "license", "sci:citation", "sci:doi",
                "dataset:raster_locations", "gsd"));
        assertEquals(expected, types.keySet());
        assertEquals("string null id", types.get("id"));
        assertEquals("null geometry-any primary-geometry", types.get("geometry"));
        assertEquals("string date-time primary-instant", types.get("datetime"));
        assertEquals("array null null", types.get("providers"));
        assertEquals("object null null", types.get("dataset:band_stats"));
    }

    /** A new property of items is in the lists, or here. */
    @Test
    void eachPropertyIsQueryableAndSortableWithTheseExceptions() {
        Set<String> all = new TreeSet<>(types(COLLECTION + "/schema").keySet());
        all.add("collection");
        Set<String> queryables = types("/stac/queryables").keySet();
        Set<String> others = new TreeSet<>(all);
        others.removeAll(queryables);
        // Texts and objects; the parameter q searches the texts.
        assertEquals(new TreeSet<>(Set.of("keywords", "providers", "description", "dataset:band_stats", "dataset:tags",
                "dataset:data_credits", "dataset:data_captured_by", "dataset:institution_name",
                "dataset:location_name", "license", "sci:citation", "sci:doi", "dataset:raster_locations")),
                others);
        assertTrue(all.containsAll(queryables), queryables::toString);
        Set<String> unsorted = new TreeSet<>(queryables);
        unsorted.removeAll(types("/stac/sortables").keySet());
        // One value for all, shapes, lists, ids of another system, and a time that older datasets do not have.
        assertEquals(new TreeSet<>(Set.of("collection", "geometry", "dataset:category", "dataset:rasters",
                "dataset:bands", "dataset:latest_adjustment_id", "created")), unsorted);
        for (String condition : List.of("created%3Etimestamp('2000-01-01T00:00:00Z')", "not(created%20is%20null)")) {
            assertEquals(2, json("/stac/search?filter=" + condition).getInt("numberMatched"));
        }
        assertEquals(0,
                json("/stac/search?filter=created%3Ctimestamp('2000-01-01T00:00:00Z')").getInt("numberMatched"));
    }

    /** pystac-client sends these parameters to every catalogue. */
    @Test
    void theListOfCollectionsIsSearchedAndHasPages() {
        assertEquals("datasets areas points workspace-70", ids("?limit=10"));
        assertEquals("datasets points workspace-70", ids("?bbox=25,-10,35,0"));
        assertEquals("datasets areas workspace-70", ids("?bbox=20.5,10.5,-170,80"));
        assertEquals("", ids("?bbox=25,-10,1,35,0,2"));
        assertEquals("datasets areas workspace-70", ids("?datetime=../2020-06-01T00:00:00Z"));
        assertEquals("datasets points workspace-70", ids("?datetime=2021-01-02T03:04:05Z"));
        assertEquals("", ids("?datetime=2021-01-02T03:04:05.0000001Z/.."));
        assertEquals("points", ids("?q=POINTS"));
        assertEquals("areas points", ids("?q=points,%20areas"));
        assertEquals("", ids("?q=satellites"));
        JsonPath page = json("/stac/collections?limit=1&q=points,areas");
        assertEquals(List.of("areas"), page.getList("collections.id"));
        assertEquals(2, page.getInt("numberMatched"));
        assertEquals(1, page.getInt("numberReturned"));
        JsonPath next = json(page.getString("links.find { it.rel == 'next' }.href").replaceFirst("^http://[^/]+", ""));
        assertEquals(List.of("points"), next.getList("collections.id"));
        assertNull(next.getString("links.find { it.rel == 'next' }"));
        for (String wrong : List.of("limit=0", "limit=x", "bbox=1", "bbox=0,0,0,91", "datetime=2020", "token=x",
                "ids=1",
                "q=" + "x".repeat(256), "limit=1&limit=1")) {
            get("/stac/collections?" + wrong).then().statusCode(400);
        }
    }

    private static String ids(String query) {
        return String.join(" ", json("/stac/collections" + query).<String>getList("collections.id"));
    }

    /** A client offers the listed collections as choices of a search. */
    @Test
    void aSearchFindsTheItemsOfTheNamedCollections() {
        Map.of("areas", "1", "points", "2", "areas,points", "1,2", "x,points", "2", "datasets,points", "1,2", "x", "")
                .forEach((names, found) -> assertEquals(found,
                        String.join(",", json("/stac/search?collections=" + names).<String>getList("features.id")),
                        names));
        assertEquals(0, json("/stac/collections/areas/items?collections=points").getInt("numberMatched"));
        assertEquals(1, json("/stac/collections/areas/items?collections=areas").getInt("numberMatched"));
        assertEquals(1, json("/stac/aggregate?aggregations=total_count&collections=points")
                .getInt("aggregations[0].value"));
    }

    @Test
    void theLandingPageNamesTheLimitsThatErrorsName() {
        Map<String, Integer> limits = json("/stac").getMap("limits");
        assertEquals(10, limits.get("default_limit"));
        assertEquals(1000, limits.get("max_limit"));
        int vertices = limits.get("max_vertices");
        Caller.anonymous().post("/stac/search", "{\"intersects\":{\"type\":\"MultiPoint\",\"coordinates\":["
                + "[0,0],".repeat(vertices) + "[0,0]]}}").then().statusCode(400)
                .body("detail", containsString("More than " + vertices + " vertices"));
        Caller.anonymous().post("/stac/search", "{\"ids\":[" + "\"1\",".repeat(limits.get("max_ids")) + "\"1\"]}")
                .then().statusCode(400).body("detail", containsString("at most " + limits.get("max_ids")));
        Caller.anonymous().post("/stac/search", "{\"filter-lang\":\"cql2-text\",\"filter\":\"title='"
                + "x".repeat(limits.get("max_filter_length")) + "'\"}").then().statusCode(400)
                .body("detail", containsString("More than " + limits.get("max_filter_length") + " characters"));
        Caller.anonymous().post("/stac/search", "{\"filter-lang\":\"cql2-text\",\"filter\":\""
                + "(".repeat(limits.get("max_filter_depth") + 1) + "true"
                + ")".repeat(limits.get("max_filter_depth") + 1) + "\"}").then().statusCode(400)
                .body("detail", containsString("More than " + limits.get("max_filter_depth") + " levels"));
        assertEquals(1 << 20, limits.get("max_body_bytes"));
        String body = "{\"limit\":1" + " ".repeat(limits.get("max_search_body_bytes") - 11) + "}";
        Caller.anonymous().post("/stac/search", body).then().statusCode(200);
        Caller.anonymous().post("/stac/search", body + " ").then().statusCode(413);
    }

    @Test
    void theOpenApiDocumentNamesItsServer() {
        Response response = get("/stac/api");
        response.then().statusCode(200).header("Content-Type", OPEN_API).body("openapi", equalTo("3.0.3"))
                .body("servers.url", equalTo(List.of(root.toString())))
                .body("paths.keySet()", hasItems("/", "/conformance", "/collections/datasets/items", "/search"))
                .body("components.parameters.limit.schema.maximum", equalTo(1000));
        // The media type has a parameter, so that some clients ask for JSON.
        Caller.anonymous().request().accept(JSON).get("/stac/api").then().statusCode(200).header("Content-Type", JSON);
    }

    /** The files of the page, and all addresses of the catalogue. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/conformance", "/api", "/api.html", "/api/page.js",
            "/collections", "/collections/datasets", "/queryables", "/sortables", "/collections/datasets/queryables",
            "/collections/datasets/sortables",
            "/collections/datasets/schema", "/collections/areas", "/collections/points/sortables", "/tiles",
            "/tiles/WebMercatorQuad", "/tileMatrixSets", "/tileMatrixSets/WebMercatorQuad", "/collections/areas/tiles",
            "/collections/points/tiles/WebMercatorQuad", "/tiles/WebMercatorQuad/0/0/0",
            "/collections/areas/tiles/WebMercatorQuad/0/0/0", "/aggregations", "/aggregate",
            "/collections/areas/aggregations", "/collections/areas/aggregate", "/collections/workspace-70",
            "/collections/workspace-70/schema", "/collections/workspace-70/tiles/WebMercatorQuad",
            "/collections/workspace-70/aggregate"})
    void eachAddressIsCompressedAndRefusesUnknownParameters(String path) {
        Response full = get("/stac" + path);
        full.then().statusCode(200).header("ETag", not(equalTo(null)));
        String tag = full.header("ETag");
        if (full.asByteArray().length >= 1024) {
            Response compressed = Caller.anonymous().request().header("Accept-Encoding", "gzip").get("/stac" + path);
            compressed.then().statusCode(200).header("Content-Encoding", "gzip")
                    .header("ETag", equalTo(tag));
            assertTrue(compressed.asByteArray().length < full.asByteArray().length);
        }
        Response refused = Caller.anonymous().get("/stac" + path + "?x=json");
        refused.then().statusCode(400);
        if (full.contentType().startsWith("text/html")) {
            refused.then().contentType("text/html");
            assertEquals("There is no parameter \"x\".", HtmlPage.parse(refused.asString()).one("//h:main/h:p[1]"));
        } else {
            refused.then().body("detail", equalTo("There is no parameter \"x\"."))
                    .body("description", equalTo("There is no parameter \"x\".")).body("code", equalTo("BadRequest"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac/conformance/", "/stac/collections/", "/stac/collections/other", "/stac/nothing",
            "/stac/api/", "/stac/api/page.css", "/stac/collections/datasets/items/1/x",
            "/webjars/leaflet/1.9.4/dist/leaflet.css"})
    void otherAddressesAreNotFound(String path) {
        get(path).then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource({"/stac, text/csv", "/stac/queryables, application/geo+json", "/stac/api.html, application/json"})
    void aClientThatAcceptsNoMediaTypeOfTheAddressGets406(String path, String accept) {
        Caller.anonymous().request().accept(accept).get(path).then().statusCode(406)
                .body("code", equalTo("NotAcceptable"));
    }

    /** Web clients of STAC are pages of other origins. */
    @Test
    void pagesOfEveryOriginReadTheCatalogueWithoutAToken() {
        for (String path : List.of("", "/collections", "/search?limit=1", "/collections/areas/items", "/nothing")) {
            for (String method : List.of("GET", "HEAD")) {
                Response answer = Caller.anonymous().request().header("Origin", "https://map.example.org")
                        .request(method, "/stac" + path);
                assertEquals("*", answer.header("Access-Control-Allow-Origin"), path);
                assertTrue(answer.header("Access-Control-Expose-Headers").contains("ETag"));
                assertEquals(null, answer.header("Access-Control-Allow-Credentials"));
            }
        }
        // Caches keep one response for all origins.
        get("/stac").then().header("Access-Control-Allow-Origin", "*").header("Vary", "Accept, Accept-Encoding");
        Caller.anonymous().request().header("Origin", "https://map.example.org").contentType(JSON).body("{}")
                .post("/stac/search").then().statusCode(200).header("Access-Control-Allow-Origin", "*");
        Response preflight = Caller.anonymous().request().header("Origin", "https://map.example.org")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type").options("/stac/search");
        preflight.then().statusCode(200).header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", "GET,HEAD,POST,OPTIONS")
                .header("Access-Control-Allow-Headers", "Accept,Content-Type,If-None-Match,Range,If-Range")
                .header("Access-Control-Max-Age", "3600");
        Response withToken = Caller.admin().request().header("Origin", "https://map.example.org").get("/stac");
        assertEquals(null, withToken.header("Access-Control-Allow-Origin"));
        assertEquals(null, get("/api/dataset/").header("Access-Control-Allow-Origin"));
    }

    @Test
    void cachesKeepOnlyFilesWhoseAddressHasAVersion() {
        String script = HtmlPage.parse(get("/stac/api.html").asString())
                .one("//h:script[contains(@src, '/page.js') and not(@type)]/@src");
        get(URI.create("/stac/api.html").resolve(script).toString()).then().header("Cache-Control",
                "public, max-age=31536000, immutable");
        get("/stac/api/page.js").then().header("Cache-Control", "public, max-age=0, must-revalidate");
    }

    @Test
    void thePageAllowsNoOtherInlinePartsAndNoHostButTheStorage() {
        Response page = get("/stac/api.html");
        List<String> policies = page.headers().getValues("Content-Security-Policy");
        assertEquals(List.of("default-src 'none'; script-src 'self' " + source(page, "script") + "; style-src 'self' "
                + source(page, "style") + "; "
                + "img-src 'self' data: http://localhost:9000; connect-src 'self'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'"), policies);
        get("/stac").then().header("Content-Security-Policy", startsWith("default-src 'none'; frame-ancestors"));
    }

    /** The hash of the only part of this kind that a page contains. */
    private static String source(Response page, String element) {
        Matcher parts = Pattern.compile("<" + element + ">(.*?)</" + element + ">", Pattern.DOTALL)
                .matcher(page.asString());
        assertTrue(parts.find(), element);
        String part = parts.group(1);
        assertFalse(parts.find(), element);
        return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(part)) + "'";
    }
}
