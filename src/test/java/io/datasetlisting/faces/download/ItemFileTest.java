package io.datasetlisting.faces.download;

import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.query.FilterModel;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.Gdal;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the files of items: DuckDB reads each of them, and its rows are compared with the items of all pages. */
@QuarkusTest
class ItemFileTest {

    private static final String TYPE = "application/vnd.apache.parquet";
    private static final String INDEXED = "application/vnd.flatgeobuf";
    private static final String SEARCH = "/stac/search";
    private static final String ITEMS = "/stac/collections/datasets/items";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> TIMES = List.of("datetime", "created", "updated");

    @Inject
    Catalogue catalogue;

    @TempDir
    Path folder;

    private static List<Dataset> datasets() {
        List<Dataset> datasets = generated(400);
        for (int i = 0; i < datasets.size(); i += 3) {
            datasets.get(i).description = "Rice " + i;
            datasets.get(i).tags = new String[]{"岩", "tag " + i};
            datasets.get(i).institutionName = "Institute";
            datasets.get(i).rasterHeaders = FilterModel.header("ortho", i + 0.5);
            datasets.get(i).ownerId = OWNER.id();
            datasets.get(i).ownerName = OWNER.username();
            datasets.get(i).isPrivate = i % 2 == 0;
            datasets.get(i).capturedDate = datasets.get(i).capturedDate.plusNanos(123_456_000);
        }
        return datasets;
    }

    @ParameterizedTest
    @ValueSource(strings = {SEARCH + "?sortby=id", SEARCH + "?sortby=-title&bbox=-180,-90,180,60",
            SEARCH + "?sortby=-gsd",
            SEARCH + "?filter=dataset:category='Forest'&sortby=-datetime", ITEMS + "?sortby=%2Bdataset:user",
            "/stac/collections/dataset-points/items?sortby=id",
            SEARCH + "?fields=title,assets.thumbnail,-links,-properties.datetime",
            SEARCH + "?fields=-assets", SEARCH + "?ids=1"})
    void aFileHasTheItemsOfAllPages(String path) throws Exception {
        catalogue.replaceWith(datasets());
        String query = path.replace("dataset-points", points());
        for (Caller caller : RandomTests.some(1, List.of(Caller.anonymous(),
                Caller.owner().token("reader"), Caller.admin()))) {
            List<ObjectNode> items = items(caller, query);
            assertEquals(!query.contains("ids="), items.size() > 10);
            Response response = caller.get(query + "&f=geoparquet&limit=3");
            assertEquals(200, response.statusCode(), response::asString);
            assertEquals(TYPE, response.header("Content-Type"));
            try (DuckDb duckDb = new DuckDb(response.asByteArray())) {
                compare(items, duckDb);
            }
        }
    }

    /** The items of all pages. */
    private static List<ObjectNode> items(Caller caller, String query) throws IOException {
        List<ObjectNode> items = new ArrayList<>();
        for (String next = query + "&limit=150"; next != null;) {
            JsonNode page = JSON.readTree(caller.get(next).asByteArray());
            page.get("features").forEach(item -> items.add((ObjectNode) item));
            next = null;
            for (JsonNode link : page.get("links")) {
                if (link.get("rel").textValue().equals("next")) {
                    next = link.get("href").textValue();
                }
            }
        }
        return items;
    }

    @ParameterizedTest
    @ValueSource(strings = {SEARCH + "?sortby=id", ITEMS + "?bbox=-180,-90,180,60",
            SEARCH + "?fields=title,assets.thumbnail,-links", SEARCH + "?filter=dataset:category='none'"})
    void anIndexedFileHasTheItemsOfAllPages(String query) throws Exception {
        List<Dataset> datasets = datasets();
        // GDAL writes milliseconds.
        datasets.forEach(dataset -> dataset.capturedDate = dataset.capturedDate.truncatedTo(ChronoUnit.SECONDS));
        catalogue.replaceWith(datasets);
        for (Caller caller : RandomTests.some(1, List.of(Caller.anonymous(),
                Caller.owner().token("reader"), Caller.admin()))) {
            List<String> expected = new ArrayList<>();
            for (ObjectNode item : items(caller, query)) {
                ObjectNode values = (ObjectNode) item.get("properties");
                values.remove(TIMES.subList(1, TIMES.size()));
                List.of("id", "collection", "stac_version").forEach(name -> values.set(name, item.get(name)));
                values.properties().removeIf(member -> member.getValue() == null);
                expected.add(Gdal.comparable(item));
            }
            Response response = caller.get(query + "&f=flatgeobuf&limit=3");
            assertEquals(200, response.statusCode(), response::asString);
            assertEquals(INDEXED, response.header("Content-Type"));
            assertEquals("attachment; filename=\"items.fgb\"", response.header("Content-Disposition"));
            String path = Files.write(folder.resolve("items.fgb"), response.asByteArray()).toString();
            List<String> found = new ArrayList<>();
            for (JsonNode feature : Gdal.features(path, folder)) {
                ObjectNode values = (ObjectNode) feature.get("properties");
                assertEquals(!query.contains("fields="), values.hasNonNull("updated"));
                values.remove(TIMES.subList(1, TIMES.size()));
                found.add(Gdal.comparable(feature));
            }
            assertEquals(!query.contains("none"), found.size() > 10);
            assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList());
        }
    }

    /** The collection of the datasets whose geometry is a point. */
    private static String points() {
        return Caller.anonymous().get("/stac/collections").jsonPath().<String>getList("collections.id").stream()
                .filter(id -> id.contains("point")).findFirst().orElseThrow();
    }

    private static void compare(List<ObjectNode> items, DuckDb duckDb) {
        List<Object> columns = duckDb.query("select column_name from (describe select * from " + DuckDb.FILE + ")");
        String times = TIMES.stream().filter(columns::contains).map(name -> "epoch_us(" + name + ") as " + name)
                .collect(Collectors.joining(", "));
        List<JsonNode> rows = duckDb
                .rows("*" + " exclude (geometry, bbox)" + (times.isEmpty() ? "" : " replace (" + times + ")"));
        assertEquals(items.size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            ObjectNode item = items.get(i);
            item.remove(List.of("type", "geometry", "bbox"));
            if (item.has("properties")) {
                item.setAll((ObjectNode) item.remove("properties"));
            }
            TIMES.stream().filter(item::has).forEach(name -> item.put(name,
                    ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(item.get(name).textValue()))));
            DuckDb.formStatistics(item.path("dataset:band_stats"));
            assertEquals(DuckDb.members(item), DuckDb.members(rows.get(i)));
        }
        assertEquals((long) items.size(), duckDb
                .query("select count(*) from " + DuckDb.FILE + " where bbox.xmin <= bbox.xmax and geometry is not null")
                .get(0));
    }

    @Test
    void aFileHasTheLayoutOfStacGeoparquet() throws Exception {
        catalogue.replaceWith(plain(3));
        try (DuckDb duckDb = new DuckDb(Caller.anonymous().get(ITEMS + "?f=geoparquet").asByteArray())) {
            assertEquals("1.1.0", duckDb.metadata("stac-geoparquet").get("version").textValue());
            assertEquals("[\"bbox\",\"xmin\"]",
                    duckDb.metadata("geo").at("/columns/geometry/covering/bbox/xmin").toString());
            List<Object> types = duckDb.query("select column_name || ' ' || column_type from (describe select * from "
                    + DuckDb.FILE + ")");
            assertTrue(types.containsAll(List.of("id VARCHAR", "stac_version VARCHAR", "stac_extensions VARCHAR[]",
                    "datetime TIMESTAMP WITH TIME ZONE",
                    "bbox STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)",
                    "links STRUCT(rel VARCHAR, href VARCHAR, \"type\" VARCHAR)[]", "dataset:is_private BOOLEAN",
                    "providers STRUCT(\"name\" VARCHAR, description VARCHAR, roles VARCHAR[])[]"))
                    || types.toString().contains("links STRUCT(rel VARCHAR, href VARCHAR, type VARCHAR)[]"),
                    types::toString);
        }
    }

    @Test
    void aSearchByPostAndTheHeaderAcceptAnswerTheFile() throws Exception {
        catalogue.replaceWith(plain(30));
        assertEquals(SEARCH + "?f=geoparquet&sortby=-id", Caller.anonymous().get(SEARCH + "?limit=2&sortby=-id")
                .jsonPath().getString("links.find { it.type == '" + TYPE + "' }.href")
                .replaceFirst("https?://[^/]+", ""));
        Response post = Caller.anonymous().request().header("Accept", TYPE).contentType("application/json")
                .body("{\"sortby\":[{\"field\":\"id\",\"direction\":\"desc\"}],\"limit\":1}").post(SEARCH);
        assertEquals(200, post.statusCode(), post::asString);
        try (DuckDb duckDb = new DuckDb(post.asByteArray())) {
            assertEquals("90", duckDb.query("select id from " + DuckDb.FILE).get(0));
            assertEquals(30, duckDb.query("select id from " + DuckDb.FILE).size());
        }
        Response indexed = Caller.anonymous().request().header("Accept", INDEXED).contentType("application/json")
                .body("{\"ids\":[\"3\",\"6\"]}").post(SEARCH);
        assertEquals(INDEXED, indexed.header("Content-Type"));
        String path = Files.write(folder.resolve("items.fgb"), indexed.asByteArray()).toString();
        assertEquals(2, Gdal.features(path, folder).size());
        Response indexedHead = Caller.anonymous().request().head(SEARCH + "?f=flatgeobuf");
        assertEquals(200, indexedHead.statusCode());
        assertEquals(indexed.header("Content-Disposition"), indexedHead.header("Content-Disposition"));
        assertEquals(0, indexedHead.asByteArray().length);
        Response head = Caller.anonymous().request().header("Accept", TYPE).head(ITEMS);
        assertEquals(200, head.statusCode());
        assertEquals("attachment; filename=\"items.parquet\"", head.header("Content-Disposition"));
        assertEquals(TYPE, head.header("Content-Type"));
        assertFalse(head.headers().hasHeaderWithName("ETag"));
        Caller.anonymous().get(SEARCH + "?f=geoparquet&limits=1").then().statusCode(400);
        Caller.anonymous().get(SEARCH + "?f=geoparquet&filter=x").then().statusCode(400)
                .header("Content-Type", "application/json");
        Caller.anonymous().get(ITEMS + "/3?f=geoparquet").then().statusCode(400)
                .body("detail", equalTo("f: one of \"json\" and \"html\" is expected."));
        Caller.anonymous().request().header("Accept", TYPE).get(SEARCH + "?f=json").then().statusCode(200)
                .header("Content-Type", "application/geo+json");
    }
}
