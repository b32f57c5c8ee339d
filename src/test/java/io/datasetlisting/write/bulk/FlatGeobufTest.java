package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.exported;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Envelope;
import org.wololo.flatgeobuf.HeaderMeta;
import org.wololo.flatgeobuf.PackedRTree;
import org.wololo.flatgeobuf.PackedRTree.SearchHit;
import org.wololo.flatgeobuf.generated.ColumnType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Gdal;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.OpenFiles;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the export as FlatGeobuf: GDAL reads each file, and its features are compared with the lines of NDJSON. */
@QuarkusTest
class FlatGeobufTest {

    private static final String TYPE = "application/vnd.flatgeobuf";
    private static final Caller ADA = Caller.owner();
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    private static byte[] file(Caller caller, String query) {
        Response response = caller.request().header("Accept", TYPE).get(Listing.PATH + query);
        assertEquals(200, response.statusCode(), response::asString);
        assertEquals(TYPE, response.header("Content-Type"));
        return response.asByteArray();
    }

    private String path(byte[] file) throws IOException {
        return Files.write(folder.resolve("datasets.fgb"), file).toString();
    }

    private List<JsonNode> features(byte[] file, String... arguments) throws IOException, InterruptedException {
        return Gdal.features(path(file), folder, arguments);
    }

    /** What ogrinfo says of a file, without its features. */
    private List<String> layer(byte[] file) throws IOException, InterruptedException {
        return Program.ofGdal("ogrinfo", folder).run("-al", "-so", path(file)).lines().map(String::strip).toList();
    }

    private static List<Long> ids(List<JsonNode> features) {
        return features.stream().map(feature -> feature.at("/properties/id").longValue()).sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?ordering=-dataset_name", "?category=Forest&p=99&page_size=1",
            "?fields=dataset_name,band_stats", "?in_bbox=-180,-60,180,60", "?workspace=999999"})
    void aFileHasTheLinesOfTheListingsDatasets(String query) throws Exception {
        catalogue.replaceWith(GeoParquetTest.random(500));
        for (Caller caller : RandomTests.some(1, List.of(Caller.anonymous(), ADA.token("reader"), Caller.admin()))) {
            compare(caller, query);
        }
    }

    private void compare(Caller caller, String query) throws Exception {
        String more = query + (query.isEmpty() ? "?" : "&");
        Map<String, JsonNode> expected = new LinkedHashMap<>();
        for (JsonNode feature : JSON.readTree(caller.get(Listing.PATH + more + "format=geojson&all=true").asByteArray())
                .get("features")) {
            expected.put(feature.get("id").asText(), feature);
        }
        boolean hasId = !query.contains("fields=");
        if (hasId) {
            // With the details, which GeoJSON lacks. Of an admin, lines also have drafts and deleted datasets.
            for (String line : exported(caller, more + "x=")) {
                JsonNode dataset = JSON.readTree(line);
                JsonNode feature = expected.get(dataset.get("id").asText());
                if (feature != null) {
                    ((ObjectNode) feature).set("properties", dataset);
                }
            }
        }
        List<String> wanted = expected.values().stream().map(Gdal::comparable).sorted().toList();
        List<String> found = features(file(caller, query)).stream().map(Gdal::comparable).sorted().toList();
        assertEquals(wanted.size(), found.size());
        for (int i = 0; i < wanted.size(); i++) {
            assertEquals(wanted.get(i), found.get(i));
        }
    }

    @Test
    void aFileDescribesItsFieldsAndItsExtent() throws Exception {
        catalogue.replaceWith(dataset(1, d -> d.bbox = new double[]{1, 2, 3, 4}), dataset(2, d -> {
            d.coordinates = new double[]{-5, 6};
        }));
        byte[] file = file(Caller.anonymous(), "");
        List<String> layer = layer(file);
        for (String line : List.of("Layer name: datasets", "Geometry: Unknown (any)", "Feature Count: 2",
                "Extent: (2.000000, -5.000000) - (6.000000, 3.000000)", "ID[\"EPSG\",4326]]", "id: Integer64 (0.0)",
                "dataset_name: String (0.0)", "captured_date: DateTime (0.0)", "is_private: Integer(Boolean) (0.0)",
                "gcps_file: String (0.0)")) {
            assertTrue(layer.contains(line), () -> line + " is not in " + layer);
        }
        // GDAL 3.6 shows JSON as text.
        assertEquals(List.of("category", "available_rasters", "band_stats", "bbox", "coordinates", "tags", "rasters",
                "raster_headers"),
                HeaderMeta.read(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN)).columns.stream()
                        .filter(column -> column.type == ColumnType.Json).map(column -> column.name).toList());
    }

    @Test
    void anEmptyResultIsAFileWithItsFieldsAndNoFeature() throws Exception {
        catalogue.replaceWith(plain(3));
        byte[] file = file(Caller.anonymous(), "?workspace=999999");
        List<String> layer = layer(file);
        assertTrue(layer.contains("Feature Count: 0"), layer::toString);
        assertTrue(layer.contains("captured_date: DateTime (0.0)"), layer::toString);
        assertEquals(List.of(), features(file));
    }

    @Test
    void oneDatasetHasAnIndexToo() throws Exception {
        catalogue.replaceWith(dataset(7, d -> d.coordinates = new double[]{10, 20}));
        byte[] file = file(Caller.anonymous(), "");
        assertEquals(List.of(7L), ids(features(file, "-spat", "19", "9", "21", "11")));
        assertEquals(List.of(), ids(features(file, "-spat", "21", "9", "22", "11")));
    }

    @Test
    void namesInAllScriptsArrive() throws Exception {
        List<String> names = Arrays.stream(Locale.getISOLanguages()).map(Locale::forLanguageTag)
                .map(language -> language.getDisplayLanguage(language) + " [" + language.getDisplayLanguage() + "]")
                .distinct().toList();
        assertTrue(names.size() > 50);
        catalogue.replaceWith(IntStream.range(0, names.size()).mapToObj(i -> dataset(i + 1, d -> {
            d.datasetName = names.get(i);
            d.coordinates = new double[]{0, i % 180};
        })).toList());
        assertEquals(names, features(file(Caller.anonymous(), "?fields=id,dataset_name")).stream()
                .sorted(Comparator.comparing(feature -> feature.at("/properties/id").longValue()))
                .map(feature -> feature.at("/properties/dataset_name").textValue()).toList());
    }

    /** All other features are overwritten, so a reader that looks at one of them fails. */
    @Test
    void aReaderOfABoxReadsTheNodesAndTheFeaturesOfTheBoxOnly() throws Exception {
        Random random = new Random(55);
        catalogue.replaceWith(IntStream.range(1, 3_000).mapToObj(i -> dataset(i, d -> d.coordinates = new double[]{
                random.nextDouble() * 180 - 90, random.nextDouble() * 360 - 180})).toList());
        byte[] file = file(Caller.anonymous(), "");
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        HeaderMeta header = HeaderMeta.read(bytes);
        assertEquals(2_999, header.featuresCount);
        int features = header.offset + (int) PackedRTree.calcSize((int) header.featuresCount, header.indexNodeSize);
        Set<Long> hits = new HashSet<>();
        for (SearchHit hit : PackedRTree.search(bytes.position(0), header.offset, (int) header.featuresCount,
                header.indexNodeSize, new Envelope(10, 40, -20, 15))) {
            hits.add(hit.offset);
        }
        List<Long> listed = Listing.page("?page_size=100&in_bbox=10,-20,40,15").idsToTheEnd();
        assertEquals(listed.size(), hits.size());
        assertTrue(listed.size() > 20);
        for (int next = features; next < file.length;) {
            int length = Integer.BYTES + bytes.getInt(next);
            if (!hits.contains((long) next - features)) {
                Arrays.fill(file, next, next + length, (byte) 0xFF);
            }
            next += length;
        }
        assertEquals(listed.stream().sorted().toList(), ids(features(file, "-spat", "10", "-20", "40", "15")));
        assertFalse(Program.ofGdal("ogr2ogr", folder).succeeds("-f", "GeoJSONSeq", "/vsistdout/", path(file)));
    }

    @Test
    void theCommandOfTheDocumentReadsABox() throws Exception {
        catalogue.replaceWith(dataset(1, d -> d.coordinates = new double[]{36.5, -86}),
                dataset(2, d -> d.coordinates = new double[]{38, -86}));
        Matcher command = Pattern.compile("(?m)^ {4}ogrinfo (.*) forests[.]fgb$")
                .matcher(Files.readString(Path.of("docs/api.md")));
        assertTrue(command.find());
        String path = path(file(Caller.anonymous(), "?category=Forest"));
        String said = Program.ofGdal("ogrinfo", folder).run((command.group(1) + ' ' + path).split(" "));
        assertTrue(said.contains("Feature Count: 1\n"), said);
    }

    @Test
    void eachFileIsOfOneSnapshot() throws Exception {
        catalogue.replaceWith(plain(600));
        catalogue.whileWorkspacesChange(() -> {
            for (int i = 0; i < 4; i++) {
                List<JsonNode> features = features(file(Caller.anonymous(), "?fields=workspace"));
                assertEquals(600, features.size());
                assertEquals(1, features.stream().map(each -> each.get("properties")).distinct().count());
            }
        });
    }

    /** The file is complete before its first byte leaves. */
    @Test
    void aClientThatDoesNotReadHoldsNoSnapshot() throws IOException {
        catalogue.replaceWith(generated(20_000));
        try (SlowClient client = SlowClient.exporting(service, Caller.anonymous(), TYPE)) {
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            catalogue.awaitNoTransaction();
            assertTrue(metric("dataset_spool_bytes") > 5_000_000);
            assertEquals(1, metric("dataset_transfers_running"));
            assertEquals(15, Listing.page("").ids().size());
            assertTrue(client.body().transferTo(OutputStream.nullOutputStream()) > 5_000_000);
        }
        catalogue.awaitNothingInUse();
    }

    @Test
    void aClientThatDisconnectsGivesItsFileItsTransferAndItsConnectionBack() throws IOException {
        catalogue.replaceWith(plain(20_500));
        for (int i = 0; i < 6; i++) {
            SlowClient client = SlowClient.exporting(service, Caller.anonymous(), TYPE);
            if (i > 2) {
                assertTrue(client.head().startsWith("HTTP/1.1 200 "));
                assertTrue(OpenFiles.count(".spool") > 0 || !OpenFiles.areKnown());
            } else if (i > 0) {
                Patience.await("the file is being written").until(() -> metric("dataset_spool_bytes") > 0);
            }
            client.abort();
            catalogue.awaitNothingInUse();
        }
    }
}
