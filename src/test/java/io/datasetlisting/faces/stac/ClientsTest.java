package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Listing.several;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.Requirement;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests that GDAL and pystac-client find in the catalogue what the listing finds, also with the commands of docs/api.md. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class ClientsTest {

    private static final Path DOCUMENT = Path.of("docs", "api.md");
    private static final String ADDRESS_IN_DOCUMENT = "http://localhost:8080";
    /** Indented and empty lines. */
    private static final Pattern BLOCK = Pattern.compile("(?m)(?:^(?:    .*)?\\n)+");

    private static final String BOX = "-60,-35,75,55";
    private static final String IN_BOX = "in_bbox=" + BOX;
    private static final String POLYGON = "{\"type\":\"Polygon\",\"coordinates\":"
            + "[[[-60,-35],[75,-35],[75,55],[-60,55],[-60,-35]]]}";
    /** Both ends are times of public datasets, so the tests notice an end that does not count. */
    private static final String FIRST = "2018-06-10T17:04:48Z";
    private static final String LAST = "2023-11-22T19:39:51Z";
    private static final String IN_TIME = "captured_after=" + FIRST + "&captured_before=2023-11-22T19:39:52Z";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(200));
    }

    private String address() {
        return service.toString().replaceFirst("/$", "");
    }

    private String source() {
        return "OAPIF:" + address() + "/stac";
    }

    /** The features that ogr2ogr reads, by their ids. */
    private Map<Long, JsonObject> features(String source, String layer, String... arguments)
            throws IOException, InterruptedException {
        String lines = Program.ofGdal("ogr2ogr", folder)
                .run(Stream.concat(Stream.of("-f", "GeoJSONSeq", "/vsistdout/", source, layer),
                        Stream.of(arguments)).toArray(String[]::new));
        Map<Long, JsonObject> features = new TreeMap<>();
        lines.lines().map(JsonObject::new).forEach(feature -> assertNull(features
                .put(Long.valueOf(feature.getJsonObject("properties").getString("id")), feature)));
        return features;
    }

    private void assertRead(List<Long> expected, String... arguments) throws IOException, InterruptedException {
        assertEquals(expected, List.copyOf(features(source(), "datasets", arguments).keySet()));
    }

    @Test
    void ogrinfoCountsTheDatasetsOfTheCaller() throws IOException, InterruptedException {
        Program anonymous = Program.ofGdal("ogrinfo", folder);
        Program admin = anonymous.with("GDAL_HTTP_HEADERS", "Authorization: Token " + Caller.admin().key());
        long visible = Listing.page("").count();
        long all = Caller.admin().json(Listing.PATH).getLong("count");
        assertTrue(all > visible);
        assertTrue(anonymous.run("-ro", "-so", "-al", source()).contains("\nFeature Count: " + visible + '\n'));
        assertTrue(admin.run("-ro", "-so", "-al", source()).contains("\nFeature Count: " + all + '\n'));
    }

    /** QGIS draws one type of geometry in a layer. */
    @Test
    void theLayersOfAreasAndPointsHaveEachDatasetOnceAndOneTypeOfGeometry() throws IOException, InterruptedException {
        List<Long> all = new ArrayList<>();
        for (String layer : List.of("areas", "points")) {
            Map<Long, JsonObject> features = features(source(), layer);
            assertEquals(Set.of(layer.equals("areas") ? "Polygon" : "Point"), features.values().stream()
                    .map(feature -> feature.getJsonObject("geometry").getString("type")).collect(Collectors.toSet()));
            all.addAll(features.keySet());
        }
        all.sort(null);
        assertEquals(several(""), all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"19", "1000"})
    void ogr2ogrReadsTheWholeListing(String pageSize) throws IOException, InterruptedException {
        assertRead(several(""), "-oo", "PAGE_SIZE=" + pageSize);
    }

    @Test
    void ogr2ogrFindsInABoxAndInATimeWhatTheListingFinds() throws IOException, InterruptedException {
        String[] box = BOX.split(",");
        String where = "datetime >= '" + FIRST + "' AND datetime <= '2023/11/22 19:39:51'";
        assertRead(several(IN_BOX), "-spat", box[0], box[1], box[2], box[3]);
        assertRead(several(IN_TIME), "-where", where);
        assertRead(several(IN_BOX + '&' + IN_TIME), "-spat", box[0], box[1], box[2], box[3], "-where", where);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            "dataset:user" = 'drone_ops',           user=drone_ops
            "dataset:user" = 'Иван Петров',         user=Иван%20Петров
            "dataset:is_shareable" = 1,             is_shareable=true
            "dataset:workspace" < 30,               `workspace=20,21,22`
            """)
    void ogr2ogrFindsByAPropertyWhatTheListingFinds(String where, String query)
            throws IOException, InterruptedException {
        assertRead(several(query), "-where", where);
    }

    /** The indented blocks of the document that begin with a text, with the address of this service. */
    private List<String> documented(String beginning) throws IOException {
        return BLOCK.matcher(Files.readString(DOCUMENT)).results()
                .map(block -> block.group().replaceAll("(?m)^    ", "").strip())
                .filter(block -> block.startsWith(beginning))
                .map(block -> block.replace(ADDRESS_IN_DOCUMENT, address())).toList();
    }

    /** Datasets of which the examples in the document find some. */
    private void replaceByExamples() {
        catalogue.replaceWith(example(1, "2020-03-07T00:00:00Z", 36.1), example(2, "2020-03-09T12:00:00Z", 36.1),
                example(3, "2020-03-06T23:59:59Z", 36.1), example(4, "2020-03-08T00:00:00Z", 37),
                Catalogue.dataset(5), example(6, "2020-04-01T00:00:00Z", 36.1));
    }

    private static Dataset example(long id, String captured, double south) {
        return Catalogue.dataset(id, dataset -> {
            dataset.ownerId = 1L;
            dataset.ownerName = "noaa";
            dataset.datasetName = "Nashville " + id;
            dataset.category = new String[]{"Forest", "Artificial - terrestrial"};
            dataset.capturedDate = Instant.parse(captured);
            dataset.coordinates = new double[]{south, -86.5};
            dataset.bbox = new double[]{south, -86.6, south + 0.1, -86.5};
        });
    }

    @Test
    void theCommandsOfTheDocumentFillGeoPackages() throws IOException, InterruptedException {
        replaceByExamples();
        Program.ofGdal("ogr2ogr", folder);
        for (String command : documented("$ ogr2ogr ")) {
            new Program(Path.of("/bin/sh"), folder).run("-c", command.substring(2));
        }
        Map<Long, JsonObject> all = features(folder.resolve("catalogue.gpkg").toString(), "datasets");
        JsonArray listed = new JsonObject(Listing.list("?format=geojson").asString()).getJsonArray("features");
        assertEquals(listed.size(), all.size());
        listed.stream().map(JsonObject.class::cast).forEach(feature -> assertEquals(feature.getJsonObject("geometry"),
                all.get(feature.getLong("id")).getJsonObject("geometry")));
        assertEquals("Point", all.get(5L).getJsonObject("geometry").getString("type"));
        assertEquals(List.of(1L, 2L, 6L),
                List.copyOf(features(folder.resolve("nashville.gpkg").toString(), "datasets").keySet()));
    }

    /** The line of a list makes a GeoPackage of all of its pages. */
    @Test
    void theCommandOfAListFillsAGeoPackage() throws IOException, InterruptedException {
        Program.ofGdal("ogr2ogr", folder);
        String query = "category=Forest,Grassland&ordering=-captured_date&" + IN_BOX;
        String page = Caller.anonymous().request().accept("text/html").get("/datasets/?page_size=5&" + query)
                .asString();
        String line = page.substring(page.indexOf("<code>ogr2ogr ") + 6);
        new Program(Path.of("/bin/sh"), folder).run("-c",
                line.substring(0, line.indexOf("</code>")).replace("&#39;", "'").replace("&amp;", "&"));
        String lines = Program.ofGdal("ogr2ogr", folder).run("-f", "GeoJSONSeq", "/vsistdout/",
                folder.resolve("datasets.gpkg").toString(), "datasets");
        assertEquals(new TreeSet<>(several(query)), lines.lines()
                .map(feature -> new JsonObject(feature).getJsonObject("properties").getLong("id"))
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Debian's Python, because Debian's packages are for no other. */
    private Program python() throws IOException, InterruptedException {
        Program python = new Program(Path.of("/usr/bin/python3"), folder);
        Requirement.require(Files.isExecutable(python.file()) && python.succeeds("-c", "import pystac_client"),
                "pystac-client (Debian's package python3-pystac-client)");
        return python;
    }

    @Test
    void theProgramOfTheDocumentPrintsDatasets() throws IOException, InterruptedException {
        replaceByExamples();
        String line = "%d %s+00:00 Nashville %1$d " + address() + "/api/dataset/%1$d/thumbnail/\n";
        assertEquals(
                "3 datasets\n" + line.formatted(2, "2020-03-09 12:00:00") + line.formatted(1, "2020-03-07 00:00:00")
                        + line.formatted(3, "2020-03-06 23:59:59"),
                python().run("-c", documented("from pystac_client ").get(0)));
    }

    /**
     * @param query
     *            of the listing that finds the same in the same order
     */
    private record Search(JsonObject arguments, String query) {

        static Search of(String name, Object value, String query) {
            return new Search(new JsonObject().put(name, value), query);
        }

        /** The client sends a filter that is an object only by POST. */
        JsonObject with(String method) {
            JsonObject all = arguments.copy().put("method", method);
            return method.equals("GET") && all.getValue("filter") instanceof JsonObject filter
                    ? all.put("filter", filter.encode()).put("filter_lang", "cql2-json")
                    : all;
        }
    }

    private static List<Search> searches() {
        JsonArray box = new JsonArray(Stream.of(BOX.split(",")).map(Integer::valueOf).toList());
        String text = "\"dataset:user\" in ('drone_ops', 'user 7') and not \"dataset:is_shareable\"";
        String ofText = "user=drone_ops,user%207&is_shareable=false";
        JsonObject json = new JsonObject("{\"op\":\"or\",\"args\":["
                + "{\"op\":\"=\",\"args\":[{\"property\":\"dataset:category\"},\"Forest\"]},"
                + "{\"op\":\"=\",\"args\":[{\"property\":\"dataset:category\"},\"Desert\"]}]}");
        return List.of(
                Search.of("limit", 10, ""),
                Search.of("bbox", box, IN_BOX),
                Search.of("intersects", new JsonObject(POLYGON), IN_BOX),
                Search.of("datetime", FIRST + '/' + LAST, IN_TIME),
                Search.of("datetime", FIRST + "/..", "captured_after=" + FIRST),
                Search.of("filter", text, ofText),
                Search.of("filter", json, "category=Forest,Desert"),
                Search.of("sortby", "-properties.datetime", "ordering=-captured_date"),
                Search.of("collections", "datasets", ""),
                new Search(new JsonObject().put("bbox", box).put("datetime", FIRST + '/' + LAST).put("filter", text)
                        .put("sortby", "+datetime").put("limit", 2),
                        IN_BOX + '&' + IN_TIME + '&' + ofText + "&ordering=captured_date"));
    }

    @Test
    void pystacClientSearchesCollections() throws IOException, InterruptedException {
        replaceByExamples();
        String program = """
                from pystac_client import Client
                catalogue = Client.open("%s/stac")
                print(catalogue.conforms_to("COLLECTION_SEARCH"), catalogue.conforms_to("COLLECTION_SEARCH_FREE_TEXT"),
                      catalogue.collection_search(q="workspace 70").matched())
                for search in ({}, {"q": "area"}, {"bbox": [170, 80, 171, 81]}, {"datetime": "1990-01-01/1991-01-01"},
                               {"limit": 1}):
                    print(",".join(sorted(each.id for each in catalogue.collection_search(**search).collections())))
                """.formatted(address());
        assertEquals("""
                True True 1
                areas,datasets,points,workspace-70
                areas


                areas,datasets,points,workspace-70
                """, python().run("-c", program));
    }

    /** The script also validates every object by the schemas of STAC. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void pystacClientFindsWhatTheListingFinds(String method) throws IOException, InterruptedException {
        List<Long> all = several("");
        JsonArray arguments = new JsonArray();
        searches().forEach(search -> arguments.add(search.with(method)));
        arguments.add(new JsonObject().put("method", method).put("ids", new JsonArray(all.subList(3, 5).stream()
                .map(String::valueOf).toList())));
        arguments.add(new JsonObject().put("method", method).put("max_items", 7).put("fields",
                new JsonArray().add("title")));
        JsonObject found = new JsonObject(python().runWithInput(new JsonObject().put("url", address() + "/stac")
                .put("id", all.get(2).toString()).put("searches", arguments).encode(), "-c", script()));

        assertEquals(all, ids(found.getJsonArray("items")));
        for (String views : List.of("others", "workspaces")) {
            assertEquals(all.stream().sorted().toList(),
                    found.getJsonArray(views).stream().map(id -> ((Number) id).longValue()).toList());
        }
        assertEquals(all.get(2).toString(), found.getString("item"));
        assertNull(found.getString("unknown_item"));
        assertTrue(found.getJsonArray("queryables").contains("dataset:category"));
        List<JsonObject> results = found.getJsonArray("searches").stream().map(JsonObject.class::cast).toList();
        for (int i = 0; i < searches().size(); i++) {
            assertFound(several(searches().get(i).query), results.get(i));
        }
        assertFound(all.subList(3, 5), results.get(searches().size()));
        assertEquals(all.subList(0, 7), ids(results.get(searches().size() + 1).getJsonArray("ids")));
        assertEquals(new JsonArray().add("datetime").add("title"),
                results.get(searches().size() + 1).getJsonArray("properties"));
    }

    private static void assertFound(List<Long> expected, JsonObject result) {
        assertEquals(expected, ids(result.getJsonArray("ids")));
        assertEquals(expected.size(), result.getInteger("matched"));
    }

    private static List<Long> ids(JsonArray ids) {
        return ids.stream().map(id -> Long.valueOf((String) id)).toList();
    }

    private static String script() throws IOException {
        try (InputStream file = ClientsTest.class.getResourceAsStream("/stac/searches.py")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
