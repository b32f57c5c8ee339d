package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.exported;
import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the export as GeoParquet: DuckDB reads each file, and its rows are compared with the lines of NDJSON. */
@QuarkusTest
class GeoParquetTest {

    private static final String TYPE = "application/vnd.apache.parquet";
    private static final Caller ADA = Caller.owner();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> SCRIPTS = List.of("岩", "ü", "🛰", "\u2028", "\"", "\\", "ع", "'", "\n", "", "a b",
            "हि");

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    /** Datasets with each kind of value: no place, no name, no area, twelve bands. */
    static List<Dataset> random(int count) {
        Random random = new Random(55);
        return generated(count).stream().map(generated -> {
            generated.bbox = switch (random.nextInt(8)) {
                case 0 -> new double[]{-18.5, 179.5, -17, 180};
                case 1 -> new double[]{10, 20, 10, 21};
                case 2 -> new double[0];
                case 3 -> new double[]{-90, -180, 90, 180};
                default -> generated.bbox;
            };
            if (generated.bbox.length > 0 && generated.coordinates == null) {
                generated.coordinates = new double[]{0.1, 0.2};
            }
            generated.datasetName = text(random, generated.datasetName);
            generated.description = random.nextInt(3) > 0 ? null : text(random, "a field of rice") + '.';
            generated.institutionName = random.nextInt(3) > 0 ? null : "institution " + text(random, "");
            generated.tags = random.nextInt(3) > 0 ? null : new String[]{"a", "b" + text(random, "c")};
            generated.capturedDate = Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 200_000_000_000L),
                    random.nextInt(1_000_000) * 1_000L);
            if (random.nextInt(4) == 0) {
                generated.ownerId = OWNER.id();
                generated.ownerName = OWNER.username();
                generated.isPrivate = random.nextBoolean();
                generated.bandStats = statistics(random);
            }
            return generated;
        }).toList();
    }

    private static String text(Random random, String text) {
        return random.nextInt(3) > 0 ? text : SCRIPTS.get(random.nextInt(SCRIPTS.size())) + random.nextInt(9);
    }

    private static String statistics(Random random) {
        ObjectNode stats = JSON.createObjectNode();
        List.of("dsm", "dtm", "ortho").forEach(stats::putObject);
        ObjectNode bands = stats.putObject("multispec_ortho");
        ObjectNode labels = JSON.createObjectNode();
        for (int band = 1; band <= 12; band++) {
            bands.putObject("b" + band).put("max", random.nextDouble()).put("min", -random.nextInt()).put("mean", 0.5)
                    .put("stddev", 1e-7);
            labels.put("band " + band + SCRIPTS.get(band % 4), band);
        }
        return bands.set("band_descr", labels).isNull() ? null : stats.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?ordering=-dataset_name", "?category=Forest&ordering=captured_date,-id",
            "?fields=dataset_name,band_stats", "?in_bbox=-180,-60,180,60&p=99&page_size=1", "?workspace=999999"})
    void aFileHasTheLinesOfTheListingsDatasets(String query) throws Exception {
        catalogue.replaceWith(random(500));
        for (Caller caller : RandomTests.some(1, List.of(Caller.anonymous(), ADA.token("reader"), Caller.admin()))) {
            compare(caller, query);
        }
    }

    private static void compare(Caller caller, String query) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : exported(caller, query + (query.isEmpty() ? "?" : "&") + "x=")) {
            lines.add(JSON.readTree(line));
        }
        boolean hasFlags = query.indexOf("fields=") < 0;
        List<JsonNode> features = new ArrayList<>();
        JSON.readTree(caller.get(Listing.PATH + query + (query.isEmpty() ? "?" : "&") + "format=geojson&all=true")
                .asByteArray()).get("features").forEach(features::add);
        if (hasFlags) {
            // Of an admin, lines also have drafts and deleted datasets.
            lines.removeIf(line -> line.get("is_deleted").booleanValue() || line.get("coordinates").isEmpty());
        } else {
            lines.clear();
            features.forEach(feature -> lines.add(feature.get("properties")));
        }
        byte[] file = file(caller, query);
        try (DuckDb duckDb = new DuckDb(file)) {
            List<JsonNode> rows = duckDb.rows(hasFlags
                    ? "* exclude (geometry, geometry_bbox) replace (epoch_us(captured_date) as captured_date)"
                    : "* exclude (geometry, geometry_bbox)");
            assertEquals(lines.size(), rows.size());
            for (int i = 0; i < rows.size(); i++) {
                assertEquals(comparable((ObjectNode) lines.get(i)), comparable((ObjectNode) rows.get(i)));
            }
            List<Object> geometries = duckDb.query("select hex(geometry) from " + DuckDb.FILE);
            // The digits of a float are not exact.
            List<JsonNode> boxes = duckDb
                    .rows("geometry_bbox.xmin::double as xmin, geometry_bbox.ymin::double as ymin, "
                            + "geometry_bbox.xmax::double as xmax, geometry_bbox.ymax::double as ymax");
            for (int i = 0; i < features.size(); i++) {
                Geometry geometry = geometry(geometries.get(i));
                assertEquals(features.get(i).at("/geometry/type").textValue(), geometry.getGeometryType());
                assertArrayEquals(DuckDb.numbers(features.get(i).at("/geometry/coordinates")).toArray(),
                        Arrays.stream(geometry.getCoordinates()).flatMap(each -> List.of(each.x, each.y).stream())
                                .toArray());
                Envelope box = geometry.getEnvelopeInternal();
                List<Double> edges = DuckDb.numbers(boxes.get(i));
                Envelope covering = new Envelope(edges.get(0), edges.get(2), edges.get(1), edges.get(3));
                assertTrue(covering.covers(box), () -> covering + " " + box);
                box.expandBy(0.00002);
                assertTrue(box.covers(covering), () -> covering + " " + box);
            }
        }
    }

    @Test
    void adminsIncludeDraftsAndDeletedDatasets() throws Exception {
        catalogue.replaceWith(random(300));
        List<JsonNode> lines = new ArrayList<>();
        for (String line : exported(Caller.admin(), "")) {
            lines.add(JSON.readTree(line));
        }
        for (String sets : List.of("drafts,deleted", "drafts", "deleted", "deleted&include=drafts")) {
            List<Object> expected = new ArrayList<>();
            for (JsonNode line : lines) {
                boolean isDeleted = line.get("is_deleted").booleanValue();
                boolean isDraft = !isDeleted && line.get("coordinates").isEmpty();
                if ((!isDeleted || sets.contains("deleted")) && (!isDraft || sets.contains("drafts"))) {
                    expected.add(line.get("id").longValue());
                }
            }
            assertTrue(expected.size() > exported(Caller.anonymous(), "").size());
            try (DuckDb duckDb = new DuckDb(file(Caller.admin(), "?include=" + sets))) {
                assertEquals(expected, duckDb.query("select id from " + DuckDb.FILE));
            }
            List<Object> features = new ArrayList<>();
            JSON.readTree(Caller.admin().get(Listing.PATH + "?format=geojson&all=true&include=" + sets).asByteArray())
                    .get("features").forEach(feature -> features.add(feature.get("id").longValue()));
            assertEquals(expected, features);
        }
        for (String format : List.of("geoparquet", "geojson&all=true", "csv", "ndjson")) {
            String path = Listing.PATH + "?format=" + format + "&include=";
            assertEquals(403, ADA.token("reader").get(path + "drafts").statusCode());
            assertEquals(401, Caller.anonymous().get(path + "deleted").statusCode());
            assertEquals(200, Caller.anonymous().get(path).statusCode());
            Response wrong = Caller.admin().get(path + "drafts,others");
            assertEquals(400, wrong.statusCode());
            assertEquals("{\"include\":[\"\\\"others\\\" is not a valid choice.\"]}", wrong.asString());
            assertEquals(403, ADA.token("reader").request().head(path + "drafts").statusCode());
        }
        assertEquals(400, Caller.admin().get(Listing.PATH + "?format=flatgeobuf&include=deleted").statusCode());
    }

    private static Geometry geometry(Object hex) throws ParseException {
        return new WKBReader().read(HexFormat.of().parseHex((String) hex));
    }

    private static byte[] file(Caller caller, String query) {
        Response response = caller.request().header("Accept", TYPE).get(Listing.PATH + query);
        assertEquals(200, response.statusCode(), response::asString);
        return response.asByteArray();
    }

    /** Without the members that are null, with times in microseconds, and with statistics as the file has them. */
    private static Map<String, Object> comparable(ObjectNode dataset) {
        if (dataset.path("captured_date").isTextual()) {
            dataset.put("captured_date",
                    Instant.parse(dataset.get("captured_date").textValue()).getEpochSecond() * 1_000_000);
        }
        DuckDb.formStatistics(dataset.path("band_stats"));
        return DuckDb.members(dataset);
    }

    @Test
    void aFileDescribesItsGeometriesAndItsTypes() throws Exception {
        catalogue.replaceWith(dataset(1, d -> d.bbox = new double[]{1, 2, 3, 4}), dataset(2));
        try (DuckDb duckDb = new DuckDb(file(Caller.anonymous(), ""))) {
            JsonNode geo = duckDb.metadata("geo");
            assertEquals("1.1.0", geo.get("version").textValue());
            JsonNode column = geo.at("/columns/geometry");
            assertEquals("[\"Point\",\"Polygon\"]", column.get("geometry_types").toString());
            assertEquals("[2.0,1.0,4.0,3.0]", column.get("bbox").toString());
            assertEquals("WKB", column.get("encoding").textValue());
            assertEquals("CRS84", column.at("/crs/id/code").textValue());
            assertEquals("[\"geometry_bbox\",\"xmin\"]", column.at("/covering/bbox/xmin").toString());
            Map<Object, Object> types = new LinkedHashMap<>();
            List<Object> names = duckDb.query("select column_name from (describe select * from " + DuckDb.FILE + ")");
            List<Object> kinds = duckDb.query("select column_type from (describe select * from " + DuckDb.FILE + ")");
            IntStream.range(0, names.size()).forEach(i -> types.put(names.get(i), kinds.get(i)));
            assertEquals("BIGINT", types.get("id"));
            assertEquals("TIMESTAMP WITH TIME ZONE", types.get("captured_date"));
            assertEquals("VARCHAR[]", types.get("tags"));
            assertEquals("DOUBLE[]", types.get("bbox"));
            assertEquals("BOOLEAN", types.get("is_private"));
            assertEquals("STRUCT(xmin FLOAT, ymin FLOAT, xmax FLOAT, ymax FLOAT)", types.get("geometry_bbox"));
            assertEquals("MAP(VARCHAR, STRUCT(bands MAP(VARCHAR, STRUCT(max DOUBLE, min DOUBLE, mean DOUBLE, "
                    + "stddev DOUBLE)), band_descr MAP(VARCHAR, BIGINT)))", types.get("band_stats"));
            assertEquals(List.of("ZSTD"),
                    duckDb.query("select distinct compression from parquet_metadata(" + DuckDb.FILE
                            + ")"));
            assertEquals(List.of(), duckDb.query("select path_in_schema from parquet_metadata(" + DuckDb.FILE
                    + ") where path_in_schema not like '%,%' and stats_null_count < num_values and stats_min_value is null"));
            assertEquals(List.of(true), duckDb.query("select encodings like '%DICTIONARY%' from parquet_metadata("
                    + DuckDb.FILE + ") where path_in_schema = 'category, list, element'"));
            assertEquals(List.of("1"),
                    duckDb.query("select stats_min_value from parquet_metadata(" + DuckDb.FILE
                            + ") where path_in_schema = 'id'"));
        }
    }

    @Test
    void aFileOfManyDatasetsHasRowGroupsOfTenThousandRows() throws Exception {
        catalogue.replaceWith(plain(20_500));
        try (DuckDb duckDb = new DuckDb(file(Caller.anonymous(), "?format=geoparquet&fields=id"))) {
            assertEquals(List.of(10_000L, 10_000L, 500L), duckDb.query(
                    "select distinct row_group_num_rows, row_group_id from parquet_metadata(" + DuckDb.FILE
                            + ") order by row_group_id"));
            assertEquals(List.of(20_500L), duckDb.query("select count(*) from " + DuckDb.FILE));
        }
    }

    @Test
    void theQueryOfTheDocumentRuns() throws Exception {
        catalogue.replaceWith(generated(300));
        Matcher query = Pattern.compile("duckdb -c \"(select [^\"]*)'forests[.]parquet'([^\"]*)\"")
                .matcher(Files.readString(Path.of("docs/api.md")));
        assertTrue(query.find());
        try (DuckDb duckDb = new DuckDb(file(Caller.anonymous(), ""))) {
            assertTrue(duckDb.query(query.group(1) + DuckDb.FILE + query.group(2)).size() > 10);
        }
    }

    @Test
    @Tag(NightlySuite.TAG)
    void tenThousandDatasetsAreTheLinesOfEachCaller() throws Exception {
        catalogue.replaceWith(random(10_000));
        for (Caller caller : List.of(Caller.anonymous(), ADA.token("reader"), Caller.admin())) {
            compare(caller, "?ordering=dataset_name");
        }
    }

    @Test
    @Tag(NightlySuite.TAG)
    void eachFileIsOfOneSnapshot() throws Exception {
        catalogue.replaceWith(plain(600));
        catalogue.whileWorkspacesChange(() -> {
            for (int i = 0; i < 20; i++) {
                try (DuckDb duckDb = new DuckDb(file(Caller.anonymous(), "?fields=workspace"))) {
                    assertEquals(List.of("1 600"), duckDb.query(
                            "select count(distinct workspace) || ' ' || count(*) from " + DuckDb.FILE));
                }
            }
        });
    }

    @Test
    @Tag(NightlySuite.TAG)
    void aClientThatDoesNotReadPausesItsCursorAndThenReceivesAll() throws IOException {
        catalogue.replaceWith(generated(40_000));
        try (SlowClient client = SlowClient.exporting(service, Caller.anonymous(), TYPE)) {
            catalogue.awaitThat("exists (select from " + Catalogue.OTHERS
                    + " and state = 'idle in transaction' and query like '%from dataset%'"
                    + " and state_change < clock_timestamp() - interval '0.3 s')");
            assertEquals(15, Listing.page("").ids().size());
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            assertTrue(client.body().transferTo(OutputStream.nullOutputStream()) > 5_000_000);
        }
        catalogue.awaitNoTransaction();
    }

    @Test
    void aClientThatDisconnectsGivesItsTransferAndItsConnectionBack() throws IOException {
        catalogue.replaceWith(plain(20_500));
        for (int i = 0; i < 6; i++) {
            SlowClient client = SlowClient.exporting(service, Caller.anonymous(), TYPE);
            if (i > 0) {
                assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            }
            client.abort();
        }
        catalogue.awaitNoTransaction();
        awaitMetric("dataset_transfers_running", 0);
    }
}
