package io.datasetlisting.write.exports;

import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Metrics.metric;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.OpenFiles;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.Requirement;
import io.datasetlisting.support.SlowClient;
import io.datasetlisting.support.StoredExports;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.VertxContextSupport;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.smallrye.mutiny.Uni;

/** Tests stored exports in a folder, with the readers of their formats. */
@QuarkusTest
@TestProfile(StoredExports.class)
class StoredExportTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path ALERTS = Path.of("src/main/kubernetes/monitoring/alerts.yaml");
    private static final String BEHIND = "dataset_exports_behind_seconds";

    @Inject
    Catalogue catalogue;

    @Inject
    StoredExportRepository repository;

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    private void awaitExport() {
        Patience.await("an export of the present catalogue").until(() -> {
            StoredExportRepository.State state = state();
            return state.exists() && state.isCurrent();
        });
    }

    private StoredExportRepository.State state() {
        return await(repository::state);
    }

    private static <T> T await(Supplier<Uni<T>> work) {
        try {
            return VertxContextSupport.subscribeAndAwait(work);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(Dataset... datasets) {
        catalogue.replaceWith(datasets);
        awaitExport();
    }

    /** The path of the newest file. */
    private static String newest(ExportFormat format) {
        Response response = Listing.client().get(format.path());
        response.then().statusCode(302).header("Cache-Control", "no-store");
        return URI.create(response.header("Location")).getPath();
    }

    private static byte[] file(ExportFormat format) {
        return Listing.client().get(newest(format)).then().statusCode(200).contentType(format.mediaType).extract()
                .asByteArray();
    }

    private static String unsigned(String json) {
        return json.replaceAll("(\"thumbnail_image\":\"[^\"?]+)\\?[^\"]+\"", "$1\"");
    }

    private static List<String> lines() throws IOException {
        try (GZIPInputStream lines = new GZIPInputStream(new ByteArrayInputStream(file(ExportFormat.LINES)))) {
            return new String(lines.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static List<Long> ids() throws IOException {
        List<Long> ids = new ArrayList<>();
        for (String line : lines()) {
            ids.add(JSON.readTree(line).get("id").longValue());
        }
        return ids;
    }

    @Test
    void allFilesHaveWhatEveryoneSees() throws Exception {
        List<Dataset> datasets = new ArrayList<>(generated(2_000));
        datasets.add(dataset(900_001, d -> d.isPrivate = true));
        datasets.add(dataset(900_002, d -> d.coordinates = null));
        datasets.add(dataset(900_003, d -> d.isDeleted = true));
        catalogue.replaceWith(datasets);
        awaitExport();
        List<String> expected = Bulk.exported(Caller.anonymous(), "").stream().map(StoredExportTest::unsigned).sorted()
                .toList();
        List<String> lines = lines();
        assertEquals(expected, lines.stream().sorted().toList());
        assertTrue(lines.stream().noneMatch(line -> line.contains("Signature=")));
        List<Long> ids = ids();
        try (DuckDb parquet = new DuckDb(file(ExportFormat.PARQUET))) {
            assertEquals(ids, parquet.query("select id from read_parquet(" + DuckDb.FILE + ")"));
        }
        assertEquals(ids.stream().sorted().toList(), gdal("/vsicurl/" + address(ExportFormat.FLAT_GEOBUF)));
        catalogue.awaitNoTransaction();
    }

    private String address(ExportFormat format) {
        return service.resolve(newest(format)).toString();
    }

    /** The ids that GDAL reads. */
    private List<Long> gdal(String... arguments) throws IOException, InterruptedException {
        File program = Program.find("ogr2ogr");
        Requirement.require(program != null, "GDAL (Debian's package gdal-bin)");
        String output = new Program(program.toPath(), folder).run(Stream.concat(
                Stream.of("-f", "GeoJSONSeq", "/vsistdout/", "-select", "id"), Stream.of(arguments))
                .toArray(String[]::new));
        List<Long> ids = new ArrayList<>();
        for (String line : output.split("\n")) {
            if (!line.isEmpty()) {
                ids.add(JSON.readTree(line).at("/properties/id").longValue());
            }
        }
        return ids.stream().sorted().toList();
    }

    @Test
    void gdalReadsABoxByRanges() throws Exception {
        catalogue.replaceWith(generated(2_000));
        awaitExport();
        String address = "/vsicurl/" + address(ExportFormat.FLAT_GEOBUF);
        long before = ranges();
        List<Long> found = gdal(address, "-spat", "-180", "0", "0", "90");
        List<Long> all = gdal(address);
        assertTrue(found.size() < all.size() && !found.isEmpty(), () -> found.size() + " of " + all.size());
        assertTrue(ranges() > before);
    }

    private static long ranges() {
        return Listing.client().get("/q/metrics").asString().lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_count") && line.contains("/exports/")
                        && line.contains("status=\"206\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }

    @Test
    void neighboursOnTheCurveAreNeighboursOnTheMap() {
        assertEquals(0L, catalogue.sql("""
                select count(*) from (
                    select x, y, lag(x) over curve as before_x, lag(y) over curve as before_y
                    from generate_series(0, 31) x cross join generate_series(0, 31) y
                    window curve as (order by curve_place(point((x + 0.5) * 360 / 32 - 180, (y + 0.5) * 180 / 32 - 90)))
                ) step where abs(x - before_x) + abs(y - before_y) <> 1""").get(0).getLong(0));
    }

    /** The groups of rows of a box are few, because their rows are neighbours. */
    @Test
    void aReaderOfABoxSkipsMostGroupsOfRows() throws Exception {
        Random random = new Random(55);
        catalogue.replaceWith(IntStream.range(1, 20_500).mapToObj(i -> dataset(i, d -> d.coordinates = new double[]{
                random.nextDouble() * 180 - 90, random.nextDouble() * 360 - 180})).toList());
        awaitExport();
        byte[] file = file(ExportFormat.PARQUET);
        try (DuckDb parquet = new DuckDb(file)) {
            String groups = """
                    select row_group_id, any_value(row_group_num_rows) as rows, sum(total_compressed_size) as bytes,
                        max(try_cast(stats_min as double)) filter (where path_in_schema = 'geometry_bbox, xmin') as xmin,
                        max(try_cast(stats_max as double)) filter (where path_in_schema = 'geometry_bbox, xmax') as xmax,
                        max(try_cast(stats_min as double)) filter (where path_in_schema = 'geometry_bbox, ymin') as ymin,
                        max(try_cast(stats_max as double)) filter (where path_in_schema = 'geometry_bbox, ymax') as ymax
                    from parquet_metadata({file}) group by row_group_id""";
            Object all = parquet.query("select count(*) from (" + groups + ")").get(0);
            Object read = parquet.query("select count(*) from (" + groups
                    + ") where xmin <= 15 and xmax >= 14 and ymin <= 47 and ymax >= 46").get(0);
            assertTrue(((Number) all).longValue() >= 3, all::toString);
            assertTrue(2 * ((Number) read).longValue() <= ((Number) all).longValue(), () -> read + " of " + all);
        }
    }

    @Test
    void anAddressWithAVersionHasRanges() throws IOException {
        catalogue.replaceWith(plain(400));
        awaitExport();
        for (ExportFormat format : ExportFormat.values()) {
            String path = newest(format);
            Response whole = Listing.client().get(path);
            byte[] bytes = whole.asByteArray();
            assertArrayEquals(Files.readAllBytes(StoredExports.FOLDER.resolve(path.replaceFirst(".*/", ""))), bytes);
            whole.then().statusCode(200).contentType(format.mediaType).header("Accept-Ranges", "bytes")
                    .header("Content-Length", Integer.toString(bytes.length))
                    .header("Cache-Control", "public, max-age=3600, immutable");
            Response head = Listing.client().head(path);
            assertEquals(200, head.statusCode());
            for (String name : List.of("ETag", "Last-Modified", "Content-Length", "Accept-Ranges", "Cache-Control",
                    "Content-Type")) {
                assertEquals(whole.header(name), head.header(name), name);
            }
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            int step = bytes.length / 3 + 1;
            for (int from = 0; from < bytes.length; from += step) {
                Response part = asking("Range", "bytes=" + from + '-' + (from + step - 1)).get(path);
                int last = Math.min(from + step, bytes.length) - 1;
                part.then().statusCode(206).contentType(format.mediaType)
                        .header("Content-Range", "bytes " + from + '-' + last + '/' + bytes.length)
                        .header("ETag", whole.header("ETag"));
                parts.writeBytes(part.asByteArray());
            }
            assertArrayEquals(bytes, parts.toByteArray());
            byte[] end = asking("Range", "bytes=-4").get(path).then().statusCode(206).extract().asByteArray();
            assertArrayEquals(Arrays.copyOfRange(bytes, bytes.length - 4, bytes.length), end);
            asking("Range", "bytes=" + bytes.length + "-").get(path).then().statusCode(416)
                    .header("Content-Range", "bytes */" + bytes.length).header("Cache-Control", "no-store");
            asking("Range", "bytes=0-0").header("If-Range", whole.header("ETag")).get(path).then().statusCode(206);
            asking("Range", "bytes=0-0").header("If-Range", whole.header("Last-Modified")).get(path).then()
                    .statusCode(206);
            for (String other : List.of("\"1-x\"", "W/" + whole.header("ETag"), "Sun, 29 Nov 2020 13:15:09 GMT")) {
                assertEquals(bytes.length, asking("Range", "bytes=0-0").header("If-Range", other).get(path).then()
                        .statusCode(200).extract().asByteArray().length);
            }
            asking("If-None-Match", whole.header("ETag")).get(path).then().statusCode(304)
                    .header("ETag", whole.header("ETag"));
            asking("If-Modified-Since", whole.header("Last-Modified")).get(path).then().statusCode(304);
            asking("If-None-Match", "\"1-x\"").get(path).then().statusCode(200);
            asking("Accept-Encoding", "gzip").get(path).then().statusCode(200).header("Content-Encoding",
                    equalTo(null));
        }
        Listing.client().get("/exports/datasets-20200101T000000Z-00000000.parquet").then().statusCode(404);
        Listing.client().get("/exports/datasets-x.parquet").then().statusCode(404);
        Listing.client().get("/exports/datasets.csv").then().statusCode(404);
    }

    private static RequestSpecification asking(String header, String value) {
        return Listing.client().header(header, value);
    }

    /** Without it, a withdrawn export is 404 as soon as it is removed. */
    private void whileExportsAreKept(Runnable work) {
        catalogue.during("select from stored_export for key share", work);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"is_private\":true}", ""})
    void anExportIsWithdrawnWhenADatasetLeaves(String change) throws IOException {
        write(dataset(1), dataset(2));
        String before = newest(ExportFormat.PARQUET);
        Caller ada = Caller.owner().token("writer");
        String path = Listing.PATH + "1/";
        whileExportsAreKept(() -> {
            (change.isEmpty() ? ada.delete(path) : ada.patch(path, change)).then()
                    .statusCode(change.isEmpty() ? 204 : 200);
            Listing.client().get(before).then().statusCode(410).header("Cache-Control", "no-store");
            Listing.client().head(before).then().statusCode(410);
            asking("If-None-Match", "*").get(before).then().statusCode(410);
            asking("Range", "bytes=0-9").get(before).then().statusCode(410);
        });
        awaitExport();
        assertNotEquals(before, newest(ExportFormat.PARQUET));
        assertEquals(List.of(2L), ids());
        Patience.await("the files are gone").until(() -> isGone(before));
    }

    /** A rebuild may follow writes without triggers. */
    @ParameterizedTest
    @ValueSource(strings = {"truncate dataset", "call rebuild_ranks()"})
    void anExportIsWithdrawnWithAllDatasets(String statement) {
        write(dataset(1));
        String before = newest(ExportFormat.PARQUET);
        catalogue.sql(statement);
        Listing.client().get(before).then().statusCode(410);
    }

    @Test
    void anotherChangeKeepsTheExportUntilTheNextOne() throws IOException {
        write(dataset(1), dataset(2, d -> d.isPrivate = true));
        String before = newest(ExportFormat.LINES);
        Caller ada = Caller.owner().token("writer");
        ada.patch(Listing.PATH + "1/", "{\"dataset_name\":\"another\"}").then().statusCode(200);
        ada.delete(Listing.PATH + "2/").then().statusCode(204);
        Listing.client().get(before).then().statusCode(200);
        awaitExport();
        Listing.client().get(before).then().statusCode(200);
        assertTrue(lines().get(0).contains("\"another\""));
    }

    /** The same check removes the first export and leaves the second one. */
    @Test
    void anExportStaysForADayAfterItsSuccessor() {
        List<String> made = new ArrayList<>();
        write(dataset(1));
        Caller ada = Caller.owner().token("writer");
        for (String name : List.of("second", "third")) {
            made.add(newest(ExportFormat.PARQUET));
            ada.patch(Listing.PATH + "1/", "{\"dataset_name\":\"" + name + "\"}").then().statusCode(200);
            awaitExport();
        }
        made.add(newest(ExportFormat.PARQUET));
        assertEquals(3, made.stream().distinct().count());
        catalogue.sql("update stored_export set made = made - case version when '" + version(made.get(1))
                + "' then interval '24 hours 1 minute' else interval '23 hours 59 minutes' end where version in ('"
                + version(made.get(1)) + "', '" + version(made.get(2)) + "')");
        Patience.await("the first export is gone").until(() -> isGone(made.get(0)));
        for (String path : made.subList(1, 3)) {
            Listing.client().get(path).then().statusCode(200);
        }
        catalogue.sql("update stored_export set made = made - interval '2 days' where version = '"
                + version(made.get(2)) + "'");
        Patience.await("the second export is gone").until(() -> isGone(made.get(1)));
        Listing.client().get(made.get(2)).then().statusCode(200);
    }

    private static String version(String path) {
        return path.replaceAll(".*/datasets-|\\.parquet", "");
    }

    private static boolean isGone(String path) {
        return Listing.client().get(path).statusCode() == 404
                && Stream.of(ExportFormat.values()).noneMatch(format -> Files.exists(
                        StoredExports.FOLDER.resolve(format.file(version(path)))));
    }

    /** Its snapshot may be from before a transaction that ends much later. */
    @Test
    void aTransactionThatEndsAfterTheExportWithdrawsIt() throws IOException {
        write(dataset(1), dataset(2));
        AtomicReference<String> made = new AtomicReference<>();
        catalogue.during("update dataset set is_private = true, version = version + 1 where id = 1", other -> {
            Caller.owner().token("writer")
                    .patch(Listing.PATH + "2/", "{\"dataset_name\":\"another\"}").then().statusCode(200);
            awaitExport();
            made.set(newest(ExportFormat.PARQUET));
            Listing.client().get(made.get()).then().statusCode(200);
            whileExportsAreKept(() -> {
                await(() -> other.query("commit").execute());
                Listing.client().get(made.get()).then().statusCode(410);
            });
            return Uni.createFrom().voidItem();
        });
    }

    @Test
    void theNameOfAnErasedAccountIsWithdrawn() {
        write(dataset(1));
        String before = newest(ExportFormat.PARQUET);
        String account = Caller.ACCOUNTS + OWNER.id() + "/";
        Caller.admin().patch(account, "{\"disabled\":true}").then().statusCode(200);
        Listing.client().get(before).then().statusCode(200);
        whileExportsAreKept(() -> {
            Caller.admin().post(account + "erase/", "").then().statusCode(200);
            Listing.client().get(before).then().statusCode(410);
        });
    }

    /** Changes dataset 1, whose next export finds no folder, and then runs work. */
    private static void whileExportsFail(Runnable work) throws IOException {
        Path elsewhere = StoredExports.FOLDER.resolveSibling("elsewhere");
        Files.move(StoredExports.FOLDER, elsewhere);
        try {
            Caller.owner().token("writer").patch(Listing.PATH + "1/", "{\"dataset_name\":\"another\"}").then()
                    .statusCode(200);
            work.run();
        } finally {
            Files.move(elsewhere, StoredExports.FOLDER);
        }
    }

    @Test
    void anExportThatFailsLeavesNothingAndTheOneBeforeStays() throws IOException {
        write(dataset(1));
        String before = newest(ExportFormat.LINES);
        double failed = metric("dataset_exports_failures_total");
        whileExportsFail(() -> {
            Patience.await("the export fails").until(() -> metric("dataset_exports_failures_total") > failed);
            Patience.await("nothing is left").until(() -> metric("dataset_spool_bytes") == 0
                    && metric("dataset_transfers_running") == 0
                    && catalogue.sql("select from stored_export where made is null").isEmpty());
            catalogue.awaitNoTransaction();
            assertTrue(metric(BEHIND) > 0);
            Listing.client().get(before).then().statusCode(503);
            assertEquals(before, newest(ExportFormat.LINES));
        });
        Listing.client().get(before).then().statusCode(200);
    }

    @Test
    void theAlertFiresWhenTheNewestExportHasLackedChangesForADay() throws IOException {
        write(dataset(1));
        whileExportsFail(() -> {
            begun("23 hours");
            Patience.await("the age of the export").until(() -> metric(BEHIND) > 23 * 3600);
            assertFalse(isAlert());
            begun("2 hours");
            Patience.await("the alert").until(StoredExportTest::isAlert);
        });
        awaitExport();
        Patience.await("no alert").until(() -> metric(BEHIND) == 0 && !isAlert());
    }

    private void begun(String earlier) {
        catalogue.sql("update stored_export set begun = begun - interval '" + earlier + "' where made is not null");
    }

    /** Whether the condition of the alert is true here. */
    private static boolean isAlert() {
        try {
            for (JsonNode rule : new YAMLMapper().readTree(ALERTS.toFile()).findParents("alert")) {
                if (rule.get("alert").asText().equals("DatasetExportsOld")) {
                    Matcher condition = Pattern.compile("min by \\(job\\) \\((\\w+)\\) > (\\d+)")
                            .matcher(rule.get("expr").asText());
                    assertTrue(condition.matches() && condition.group(1).equals(BEHIND), rule::toString);
                    return metric(BEHIND) > Double.parseDouble(condition.group(2));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("no alert");
    }

    @ParameterizedTest
    @EnumSource(ExportFormat.class)
    void aClientThatDisconnectsGivesEverythingBack(ExportFormat format) throws IOException {
        catalogue.replaceWith(generated(6_000));
        awaitExport();
        String path = newest(format);
        for (int i = 0; i < 5; i++) {
            SlowClient client = new SlowClient(service).write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            if (i > 0) {
                assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            }
            client.abort();
        }
        Patience.await("nothing is in use").until(() -> metric("dataset_exports_readers") == 0
                && metric("dataset_requests_running") == 0 && OpenFiles.count("stored-exports") == 0);
    }

    @Test
    void documentsAndPagesNameTheFiles() throws IOException {
        write(dataset(1));
        for (String path : List.of("/stac", "/stac/collections/datasets")) {
            JsonNode document = JSON.readTree(Listing.client().get(path).asString());
            List<String> types = new ArrayList<>();
            document.get("links").forEach(link -> {
                if (link.get("rel").asText().equals("alternate") && link.get("href").asText().contains("/exports/")) {
                    types.add(link.get("type").asText());
                }
            });
            assertEquals(Stream.of(ExportFormat.values()).map(format -> format.mediaType).toList(), types);
        }
        Listing.client().get("/stac/collections/datasets").then()
                .body("assets.geoparquet.href", equalTo(service.resolve("/exports/datasets.parquet").toString()))
                .body("assets.geoparquet.type", equalTo("application/vnd.apache.parquet"))
                .body("assets.geoparquet.roles", hasItem("data"));
        assertFalse(JSON.readTree(Listing.client().get("/stac/collections/areas").asString()).has("assets"));
        Listing.client().header("Accept", "text/html").get("/datasets/").then()
                .body(containsString("href=\"../exports/datasets.parquet\""));
    }
}
