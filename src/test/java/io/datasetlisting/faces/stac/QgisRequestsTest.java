package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.ItemPage.numbers;
import static io.datasetlisting.support.Listing.several;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Tests what QGIS reads of the catalogue. QGIS is too large for a build, so the requests are these of its sources.
 *
 * @see <a href="https://github.com/qgis/QGIS/tree/master/src/providers/wfs/oapif">The provider of QGIS</a>
 */
@QuarkusTest
class QgisRequestsTest {

    private static final String OPEN_API = "application/vnd.oai.openapi+json;version=3.0";
    private static final String SCHEMA = "application/schema+json";
    private static final String GEO_JSON = "application/geo+json";
    private static final String ACCEPT_FEATURES = GEO_JSON + ", application/json";

    @Inject
    Catalogue catalogue;

    private String items;

    @BeforeEach
    void open() {
        catalogue.replaceWith(Catalogue.generated(200));
        JsonObject landing = get("/stac", "application/json");
        items = link(landing, "data", "application/json") + "/datasets/items";
    }

    private static JsonObject get(String address, String accept) {
        return Listing.ok(Listing.client().accept(accept).get(address));
    }

    /** The address of the first link with this relation and this media type. */
    private static String link(JsonObject document, String relation, String type) {
        return document.getJsonArray("links").stream().map(JsonObject.class::cast)
                .filter(link -> link.getString("rel").equals(relation) && link.getString("type").equals(type))
                .findFirst().map(link -> link.getString("href")).orElse(null);
    }

    /** The ids of the features on all pages. */
    private List<Long> features(String query) {
        List<Long> ids = new ArrayList<>();
        for (String next = items + query; next != null;) {
            JsonObject page = get(next, ACCEPT_FEATURES);
            ids.addAll(numbers(page));
            next = link(page, "next", GEO_JSON);
        }
        return ids;
    }

    @Test
    void theAddressInTheDocumentIsThatOfTheLandingPage() throws IOException {
        assertTrue(Files.readString(Path.of("docs", "api.md")).contains("URL\n`http://localhost:8080/stac`"));
    }

    @Test
    void theDocumentsHaveWhatQgisReadsOfThem() {
        JsonObject landing = get("/stac", "application/json");
        JsonObject api = get(link(landing, "service-desc", OPEN_API),
                OPEN_API + ", application/openapi+json;version=3.0, application/json");
        JsonObject limit = api.getJsonObject("components").getJsonObject("parameters").getJsonObject("limit")
                .getJsonObject("schema");
        assertEquals(List.of(10, 1_000), List.of(limit.getInteger("default"), limit.getInteger("maximum")));
        assertTrue(api.getJsonObject("paths").containsKey("/collections/datasets/items"));

        JsonObject collection = get(items.replaceFirst("/items$", ""), "application/json");
        assertFalse(collection.containsKey("crs") || collection.containsKey("storageCrs"));
        JsonArray conformance = get(link(landing, "conformance", "application/json"), "application/json")
                .getJsonArray("conformsTo");
        assertTrue(Stream.of("http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
                "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
                "http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators",
                "http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison",
                "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
                "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
                "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/schemas").allMatch(conformance::contains));
        JsonObject queryables = get(items.replaceFirst("items$", "queryables"), SCHEMA).getJsonObject("properties");
        assertEquals("date-time", queryables.getJsonObject("datetime").getString("format"));
    }

    @Test
    void theFieldsOfTheLayerAreThePropertiesOfTheFeatures() {
        JsonObject collection = get(items.replaceFirst("/items$", ""), "application/json");
        JsonObject schema = get(link(collection, "http://www.opengis.net/def/rel/ogc/1.0/schema", SCHEMA), SCHEMA)
                .getJsonObject("properties");
        Set<String> fields = new TreeSet<>();
        schema.forEach(property -> {
            if (((JsonObject) property.getValue()).getValue("type") instanceof String) {
                fields.add(property.getKey());
            }
        });
        Set<String> properties = new TreeSet<>(Set.of("id"));
        catalogue.sql("update dataset set description = 'd', tags = '{a}', data_credits = 'c', data_captured_by = 'p',"
                + " institution_name = 'i', location_name = 'l', license = 'MIT', citation = 'c',"
                + " doi = '10.5281/z', rasters = '{\"ortho\": \"o.tif\"}',"
                + " raster_headers = '{\"ortho\": {\"gsd\": 0.05, \"proj:shape\": [2, 2], \"file:size\": 9, \"is_cog\": true}}'"
                + " where not is_private");
        get(items + "?limit=200", ACCEPT_FEATURES).getJsonArray("features").stream()
                .forEach(feature -> properties.addAll(((JsonObject) feature).getJsonObject("properties").fieldNames()));
        assertEquals(properties, fields);
    }

    @Test
    void theFeaturesCannotBeEditedWithoutAToken() {
        Response answer = Listing.client().options(items);
        assertEquals(200, answer.statusCode());
        assertEquals("GET, HEAD, OPTIONS", answer.header("Allow"));
    }

    @Test
    void theFeaturesOfAMapAndOfAllPagesAreThoseOfTheListing() {
        assertEquals(several("").size(), get(items + "?limit=1", ACCEPT_FEATURES).getInteger("numberMatched"));
        assertEquals(several(""), features("?limit=1000"));
        assertEquals(several(""), features("?limit=37"));
        assertEquals(several("in_bbox=-60,-35.5,75.25,55"), features("?limit=1000&bbox=-60,-35.5,75.25,55"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            (%22dataset:user%22%20=%20'drone_ops')                                           | user=drone_ops
            (datetime%20%3E=%20TIMESTAMP('2020-01-01T00:00:00.000Z'))                        | captured_after=2020-01-01T00:00:00Z
            (NOT%20((%22dataset:workspace%22%20%3C%3E%2030)))                                | workspace=30
            (CASEI(%22dataset:user%22)%20LIKE%20CASEI('DRONE%25'))                           | user=drone_ops
            (%22dataset:is_shareable%22%20=%20TRUE)                                          | is_shareable=true
            (%22dataset:category%22%20IN%20('Forest','Desert'))                              | category=Forest,Desert
            (%22dataset:workspace%22%20%3E%20(%20-%20(1)))%20AND%20(%22dataset:user%22%20=%20'drone_ops') | user=drone_ops
            """)
    void theFiltersOfALayerAreEvaluated(String filter, String query) {
        assertEquals(several(query), features("?limit=1000&filter=" + filter + "&filter-lang=cql2-text"));
    }
}
