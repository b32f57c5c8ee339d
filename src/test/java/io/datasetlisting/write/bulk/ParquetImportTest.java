package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.exported;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Metrics.metric;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.parquet.ParquetRowsTest;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests the import of Parquet: files of the service, and items of others that DuckDB writes. */
@QuarkusTest
class ParquetImportTest {

    private static final String TYPE = "application/vnd.apache.parquet";
    private static final String EXPORT = Listing.PATH + "?format=geoparquet&include=drafts,deleted";
    private static final String ITEM = "/stac/collections/datasets/items/";
    /** Well-known binary of the point 5 46, and of the box from 5 45 to 7 47. */
    private static final String POINT = "unhex('010100000000000000000014400000000000004740')";
    private static final String BOX = """
            unhex('01030000000100000005000000\
            00000000000014400000000000804640\
            0000000000001c400000000000804640\
            0000000000001c400000000000804740\
            00000000000014400000000000804740\
            00000000000014400000000000804640')""";
    /** A triangle, whose box is that one. */
    private static final String TRIANGLE = """
            unhex('01030000000100000004000000\
            00000000000014400000000000804640\
            0000000000001c400000000000804640\
            0000000000001c400000000000804740\
            00000000000014400000000000804640')""";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @BeforeEach
    void emptyCatalogue() {
        catalogue.replaceWith();
    }

    private static Response send(Caller caller, byte[] file) {
        return caller.send("POST", Listing.PATH, TYPE, file);
    }

    private static JsonObject imported(byte[] file) {
        Response response = send(Caller.admin(), file);
        assertEquals(200, response.statusCode(), response::asString);
        assertEquals(Bulk.NDJSON, response.header("Content-Type"));
        List<String> lines = response.asString().lines().toList();
        return new JsonObject(lines.get(lines.size() - 1));
    }

    private static byte[] file(Caller caller) {
        return caller.get(EXPORT).asByteArray();
    }

    /** The values of all datasets, without the time of their last change. */
    private List<JsonObject> stored() {
        return catalogue.sql("""
                select (to_jsonb(d) - 'version' - 'updated_at' - 'created_at')::text from dataset d order by id""")
                .stream().map(row -> new JsonObject(row.getString(0))).toList();
    }

    @Test
    void anExportThatIsImportedIsTheNdjsonOfTheSameDatasets() {
        compareWithLines(400);
    }

    @Test
    @Tag(NightlySuite.TAG)
    void tenThousandDatasetsAreTheNdjsonOfTheSameDatasets() {
        compareWithLines(10_500);
    }

    private void compareWithLines(int count) {
        catalogue.replaceWith(GeoParquetTest.random(count));
        catalogue.sql("update dataset set rasters = '{\"ortho\": \"https://example.org/o.tif\"}' where id % 3 = 0");
        // As clients can store them: without spaces at an end, for example. A column of doubles has no 0.50.
        String body = String.join("\n", exported(Caller.admin(), "")).replace("\"mean\":0.5,", "\"mean\":0.50,");
        assertTrue(body.contains(":0.50,"));
        catalogue.replaceWith();
        Bulk.importAll(body);
        byte[] file = file(Caller.admin());
        List<String> lines = exported(Caller.admin(), "");
        String digest = digest();
        assertEquals(Outcome.of(0, count), Outcome.of(imported(file).encode()));
        assertEquals(lines, exported(Caller.admin(), ""));
        assertEquals(digest, digest());
        catalogue.replaceWith();
        assertEquals(Outcome.of(count, 0), Bulk.importAll(String.join("\n", lines)));
        List<JsonObject> expected = stored();
        catalogue.replaceWith();
        JsonObject last = imported(file);
        assertEquals(Outcome.of(count, 0), Outcome.of(last.encode()));
        assertEquals("[]", last.getJsonArray("left_out").encode());
        assertEquals(expected, stored());
        assertEquals(lines, exported(Caller.admin(), ""));
        // Equal datasets are not written, so that the feed of changes says nothing of them.
        String elsewhere = digest();
        assertEquals(Outcome.of(0, count), Outcome.of(imported(file).encode()));
        assertEquals(elsewhere, digest());
    }

    /** The digest of the feed of changes, with the versions and times of all datasets. */
    private String digest() {
        catalogue.awaitThat("not exists (select from listing_change)");
        Copy copy = Copy.of(Caller.admin(), "");
        copy.awaitEqual();
        return copy.blocks().encode();
    }

    @Test
    void refusalsAreThoseOfTheSameLines() {
        List<String> lines = Bulk.body(IntStream.range(1, 240).mapToObj(Bulk::line).map(line -> {
            switch (line.getLong("id").intValue() % 12) {
                case 1 -> line.put("captured_date", "yesterday");
                case 2 -> line.put("user", "nobody");
                case 3 -> line.put("coordinates", List.of(91.0, 500.5));
                case 4 -> line.put("uav_uid", "x");
                case 5 -> line.put("workspace", -1);
                case 6 -> line.put("bbox", List.of(3.5, 2.5, 1.5, 4.5));
                case 7 -> line.put("category", List.of("Zed", "Forest", "Zod"));
                case 8 -> line.put("dataset_name", "n".repeat(300)).put("description", "\u0000");
                case 9 -> line.putNull("workspace").putNull("captured_date");
                default -> {
                }
            }
            return line;
        })).lines().toList();
        // A row has all columns, and a line need not.
        JsonObject all = new JsonObject().put("id", 1).put("uav_uid", "").put("user", "").put("workspace", 1)
                .put("captured_date", "").put("coordinates", List.of(1.0)).put("bbox", List.of(1.0))
                .put("category", List.of("Other")).put("dataset_name", "").put("description", "");
        List<String> complete = lines.stream().map(JsonObject::new).map(line -> {
            JsonObject row = new JsonObject();
            all.fieldNames().forEach(name -> row.put(name, line.containsKey(name)
                    ? line.getValue(name)
                    : name.equals("bbox")
                            ? List.of()
                            : name.equals("category") ? List.of("Other") : name.equals("dataset_name") ? "" : null));
            return row.encode();
        }).toList();
        Outcome expected = Bulk.importAll(String.join("\n", complete));
        assertEquals(180, expected.refused());
        catalogue.replaceWith();
        String values = String.join(",", complete.stream().map(line -> "('" + line.replace("\\u0000", "\\\\u0000")
                .replace("'", "''") + "'::json)").toList());
        byte[] file = DuckDb.parquet("""
                select (j->>'id')::bigint as id, j->>'uav_uid' as uav_uid, j->>'user' as user,
                    (j->>'workspace')::bigint as workspace, j->>'captured_date' as captured_date,
                    (j->'coordinates')::double[] as coordinates, (j->'bbox')::double[] as bbox,
                    (j->'category')::varchar[] as category, j->>'dataset_name' as dataset_name,
                    case when (j->>'description') is null then null else chr(0) end as description
                from (values %s) t(j)""".formatted(values), "compression snappy");
        assertEquals(expected, Outcome.of(imported(file).encode()));
    }

    private static String items(String more, String rows) {
        return "select *" + more + " from (values " + rows + ") t(id, geometry, datetime, title)";
    }

    private static final String LAYOUT = """
            , 'things' as collection, '1.1.0' as stac_version, ['x'] as stac_extensions,
            {'xmin': 5.0, 'ymin': 45.0, 'xmax': 7.0, 'ymax': 47.0} as bbox, 'Feature' as "type",
            {'visual': {'href': 'https://example.org/a.tif', 'roles': ['data']}} as assets,
            [{'rel': 'self', 'href': 'https://example.org/a.json'}] as links, 32632 as "proj:epsg",
            0.5::double as "eo:cloud_cover", ['Forest', 'bog'] as keywords, 'a text' as description""";

    @Test
    void itemsOfOthersBecomeDatasetsOfTheCaller() {
        byte[] file = DuckDb.parquet(
                items(LAYOUT, "('S2A_1', " + BOX + ", timestamptz '2021-05-06 07:08:09.25Z', 'one'),"
                        + "('S2A_2', " + POINT + ", timestamptz '2021-05-07 07:08:09Z', null),"
                        + "('S2A_3', " + TRIANGLE + ", timestamptz '2021-05-08 07:08:09Z', 'three')"),
                "compression zstd");
        JsonObject last = imported(file);
        assertEquals(Outcome.of(3, 0), Outcome.of(last.encode()));
        assertEquals("[\"assets\",\"eo:cloud_cover\",\"geometry=bbox\",\"links\",\"proj:epsg\",\"stac_extensions\"]",
                last.getJsonArray("left_out").encode());
        List<JsonObject> datasets = exported(Caller.admin(), "").stream().map(JsonObject::new).toList();
        JsonObject one = datasets.get(0);
        assertEquals("one", one.getString("dataset_name"));
        assertEquals("[45.0,5.0,47.0,7.0]", one.getJsonArray("bbox").encode());
        assertEquals("[46.0,6.0]", one.getJsonArray("coordinates").encode());
        assertEquals("2021-05-06T07:08:09Z", one.getString("captured_date"));
        assertEquals("[\"Forest\"]", one.getJsonArray("category").encode());
        assertEquals("[\"bog\"]", one.getJsonArray("tags").encode());
        assertEquals("a text", one.getString("description"));
        JsonObject me = Caller.admin().json("/api/account/me/");
        assertEquals(me.getString("username") + ' ' + me.getLong("id"), one.getString("user"));
        assertEquals(me.getLong("workspace"), one.getLong("workspace"));
        assertEquals("[]", datasets.get(1).getJsonArray("bbox").encode());
        assertEquals("[46.0,5.0]", datasets.get(1).getJsonArray("coordinates").encode());
        assertEquals("", datasets.get(1).getString("dataset_name"));
        assertEquals("[45.0,5.0,47.0,7.0]", datasets.get(2).getJsonArray("bbox").encode());
        assertEquals("2021-05-06T07:08:09.250Z",
                Caller.anonymous().json(ITEM + one.getLong("id")).getJsonObject("properties").getString("datetime"));
    }

    @Test
    void itemsThatAreImportedAgainReplaceTheirDatasets() {
        String rows = "('a', " + BOX + ", timestamptz '2021-05-06 07:08:09Z', 'one'),"
                + "('b', " + POINT + ", timestamptz '2021-05-06 07:08:09Z', 'two'),"
                + "('a', " + BOX + ", timestamptz '2021-05-06 07:08:09Z', 'three')";
        assertEquals(Outcome.of(2, 1),
                Outcome.of(imported(DuckDb.parquet(items("", rows), "compression zstd")).encode()));
        // Its owner is another account.
        Bulk.importAll(Bulk.line(1_000_000));
        List<Long> ids = Bulk.exportedIds(Caller.admin(), "");
        catalogue.sql("update dataset set owner_id = 7, owner_name = 'Ada van Dyk', thumbnail_key = 'a.jpg'"
                + " where dataset_name = 'three'");
        assertEquals(Outcome.of(0, 3), Outcome.of(
                imported(DuckDb.parquet(items("", rows.replace("three", "four")), "compression zstd")).encode()));
        assertEquals(ids, Bulk.exportedIds(Caller.admin(), ""));
        JsonObject one = exported(Caller.admin(), "").stream().map(JsonObject::new)
                .filter(line -> line.getString("dataset_name").equals("four")).findFirst().orElseThrow();
        assertEquals("Ada van Dyk 7", one.getString("user"));
        assertTrue(one.getString("thumbnail_image").contains("a.jpg"), one::encode);
        // An item of another collection is another one.
        assertEquals(Outcome.of(2, 1), Outcome.of(
                imported(DuckDb.parquet(items(", 'other' as collection", rows), "compression zstd")).encode()));
    }

    @Test
    void itemsThatADatasetCannotBeAreRefusedWithTheNamesOfTheirColumns() {
        String at = ", timestamptz '2021-05-06 07:08:09Z', ";
        byte[] file = DuckDb.parquet(items(", null::timestamptz as start_datetime",
                "('a', " + BOX + ", null, 'one'), (null, " + BOX + at + "'two'), ('c', null" + at + "'three'),"
                        + "('d', '\\x01\\x02'::blob" + at + "'four'), ('e', " + BOX + at + "repeat('x', 300)),"
                        + "('f', unhex('0101000000000000000000f03f0000000000c06240')" + at + "'six')"),
                "compression zstd");
        Outcome outcome = Outcome.of(imported(file).encode());
        assertEquals(6, outcome.refused());
        assertEquals("{\"datetime\":[\"An item has a time: datetime, or start_datetime and end_datetime.\"]}",
                outcome.refusals().get(1));
        assertEquals("{\"id\":[\"This field is required.\"]}", outcome.refusals().get(2));
        assertTrue(outcome.refusals().get(3).startsWith("{\"geometry\":[\"An item has a geometry"),
                outcome.refusals()::toString);
        assertEquals("{\"geometry\":[\"Expected well-known binary.\"]}", outcome.refusals().get(4));
        assertTrue(outcome.refusals().get(5).startsWith("{\"title\":["), outcome.refusals()::toString);
        assertTrue(outcome.refusals().get(6).startsWith("{\"geometry\":"), outcome.refusals()::toString);
    }

    @Test
    void aRangeOfTimeIsItsStart() {
        byte[] file = DuckDb
                .parquet(items(", timestamp '2020-01-02' as start_datetime, timestamp '2020-01-03' as end_datetime",
                        "('a', " + BOX + ", null::timestamptz, 'one')"), "compression zstd");
        JsonObject last = imported(file);
        assertEquals("[\"datetime=start_datetime\",\"end_datetime\"]", last.getJsonArray("left_out").encode());
        assertEquals("2020-01-02T00:00:00Z",
                new JsonObject(exported(Caller.admin(), "").get(0)).getString("captured_date"));
    }

    /** The items of the service itself have their uav_uid, so that they find their datasets, whose owners they do not name. */
    @Test
    void theItemsOfTheServiceFindTheirDatasets() {
        catalogue.replaceWith(GeoParquetTest.random(200));
        List<Long> ids = Bulk.exportedIds(Caller.anonymous(), "");
        byte[] file = Caller.anonymous().get("/stac/search?f=geoparquet").asByteArray();
        Outcome outcome = Outcome.of(imported(file).encode());
        assertEquals(0, outcome.created());
        assertEquals(outcome.replaced() + outcome.refused(), new JsonObject(Listing.client().get("/stac/search?limit=1")
                .asString()).getInteger("numberMatched").longValue());
        outcome.refusals().values().forEach(
                reason -> assertTrue(reason.contains("antimeridian"), reason));
        assertEquals(ids, Bulk.exportedIds(Caller.anonymous(), ""));
    }

    @Test
    void onlyAdminsImport() {
        catalogue.replaceWith(plain(3));
        byte[] file = file(Caller.admin());
        assertEquals(401, send(Caller.anonymous(), file).statusCode());
        assertEquals(403, send(Caller.owner().token("writer"), file).statusCode());
        assertEquals(200, send(Caller.admin(), file).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PAR1", "PAR1PAR1PAR1", "{\"id\": 1}"})
    void aBodyThatIsNoFileIs400(String body) {
        Response response = send(Caller.admin(), body.getBytes(StandardCharsets.US_ASCII));
        response.then().statusCode(400).contentType("application/json").body("detail",
                containsString("no Parquet file that can be read"));
        catalogue.awaitNothingInUse();
    }

    @Test
    void aFileOfOtherColumnsIs400AndNothingIsStored() {
        send(Caller.admin(), DuckDb.parquet("select 1 as a, 'x' as b", "compression zstd")).then().statusCode(400)
                .body("detail", containsString("neither datasets"));
        catalogue.replaceWith(plain(3));
        byte[] damaged = file(Caller.admin());
        Arrays.fill(damaged, 4, 40, (byte) 0xFF);
        send(Caller.admin(), damaged).then().statusCode(400).body("detail", containsString("row group 1 is damaged"));
        catalogue.awaitNothingInUse();
    }

    @Test
    void aFileThatIsHugeWithoutItsCompressionIs413AndNothingIsStored() throws IOException {
        send(Caller.admin(), ParquetRowsTest.bomb("uav_uid", 600)).then().statusCode(413)
                .contentType("application/json").body("detail", containsString("50 times its bytes"));
        assertEquals(List.of(), exported(Caller.admin(), ""));
        catalogue.awaitNothingInUse();
    }

    /** The sizes of all row groups are known before the first row. */
    @Test
    void ofAFileWhoseLastRowGroupIsDamagedNothingIsStored() {
        catalogue.replaceWith(plain(10_500));
        byte[] damaged = file(Caller.admin());
        catalogue.replaceWith();
        try (DuckDb duckDb = new DuckDb(damaged)) {
            int offset = ((Number) duckDb.query("select max(data_page_offset) from parquet_metadata(" + DuckDb.FILE
                    + ") where path_in_schema = 'id'").get(0)).intValue();
            Arrays.fill(damaged, offset, offset + 8, (byte) 0xFF);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
        send(Caller.admin(), damaged).then().statusCode(400).body("detail", containsString("row group 2 is damaged"));
        assertEquals(List.of(), exported(Caller.admin(), ""));
    }

    @Test
    void theCompressionOfTheBodyIsTaken() throws IOException {
        catalogue.replaceWith(plain(3));
        byte[] file = file(Caller.admin());
        Response response = Caller.admin().request().header("Content-Encoding", "gzip").header("Content-Type", TYPE)
                .body(Bulk.gzip(file)).post(Listing.PATH);
        assertEquals(Outcome.of(0, 3), Outcome.of(response.asString()));
    }

    @Test
    void anUploadThatBreaksOffGivesEverythingBack() throws IOException {
        catalogue.replaceWith(plain(20_500));
        byte[] file = file(Caller.admin());
        for (int part = 0; part < 4; part++) {
            SlowClient client = SlowClient.sending(service, Caller.admin(), TYPE, "Content-Length: " + file.length);
            client.write(Arrays.copyOf(file, file.length * part / 4));
            if (part > 0) {
                Patience.await("the file arrives").until(() -> metric("dataset_spool_bytes") > 0);
                // A second file has to wait.
                assertEquals(503, send(Caller.admin(), file).statusCode());
            }
            client.abort();
            catalogue.awaitNothingInUse();
        }
        SlowClient client = SlowClient.sending(service, Caller.admin(), TYPE, "Content-Length: " + file.length);
        client.write(file).abort();
        catalogue.awaitNothingInUse();
        assertEquals(20_500, Outcome.of(imported(file).encode()).replaced());
    }

    @Test
    void anImportBeginsToAnswerWhenAllOfItHasArrived() throws IOException {
        catalogue.replaceWith(plain(10));
        byte[] file = file(Caller.admin());
        try (SlowClient client = SlowClient.sending(service, Caller.admin(), TYPE, "Content-Length: " + file.length,
                "Expect: 100-continue")) {
            assertTrue(client.head().startsWith("HTTP/1.1 100 "));
            client.write(file);
            String head = client.head();
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
        }
    }
}
