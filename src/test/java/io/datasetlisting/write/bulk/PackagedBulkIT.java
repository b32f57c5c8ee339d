package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.line;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.SlowClient;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests exports from one running package and imports into another. */
class PackagedBulkIT {

    private static final String SECRET = "-Ddataset.storage.secret-access-key=secret";
    private static final String ADMIN = "-Ddataset.admin-token=" + Caller.admin().key();

    @AutoClose
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    private static final String PARQUET = "application/vnd.apache.parquet";

    @TempDir
    Path spool;

    private static String newDatabase(String name) throws Exception {
        try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("create database " + name);
        }
        return postgres.getPort() + "/" + name;
    }

    @Test
    void anImportedExportIsExportedUnchanged() throws Exception {
        try (ServiceProcess first = ServiceProcess.start(newDatabase("first"), ADMIN, "-Ddataset.sample.enabled=true",
                "-Ddataset.sample.generated=3000", "-Ddataset.storage.access-key-id=first", SECRET);
                ServiceProcess second = ServiceProcess.start(newDatabase("second"), ADMIN,
                        "-Ddataset.storage.access-key-id=second", SECRET)) {
            first.use();
            createUnusualDatasets(Caller.writer("Zoë \"Ziggy\" 12"));
            createUnusualDatasets(Caller.admin());
            byte[] catalogue = Bulk.export(Caller.admin(), "").asByteArray();
            String publicPage = Listing.list("?page_size=100&ordering=-dataset_name").asString();
            long lines = text(catalogue).lines().count();
            assertEquals(163 + 3_000 + 10, lines);

            second.use();
            assertEquals(Outcome.of(lines, 0), Bulk.importAs(Caller.admin(), catalogue));
            byte[] copy = Bulk.export(Caller.admin(), "").asByteArray();
            assertEquals(lines, metric("dataset_rows_imported_total"));
            assertEquals(lines, metric("dataset_rows_streamed_total"));
            assertNotEquals(text(catalogue), text(copy));
            assertEquals(unsigned(text(catalogue)), unsigned(text(copy)));
            assertEquals(atAnyHost(unsigned(publicPage)),
                    atAnyHost(unsigned(Listing.list("?page_size=100&ordering=-dataset_name").asString())));
            assertTrue(Caller.writer("of the second alone").create("{}") > 0);

            first.use();
            assertEquals(Outcome.of(0, lines), Bulk.importAs(Caller.admin(), copy));
            // The signatures of links change twice an hour.
            assertEquals(unsigned(text(catalogue)), unsigned(text(Bulk.export(Caller.admin(), "").asByteArray())));
        }
    }

    /** A native executable lacks what parquet-java and its codecs ask of the JDK unless the build says so. */
    @Test
    void parquetOfTheServiceAndOfEachUsualCodecIsImported() throws Exception {
        String temporary = "-Ddataset.bulk.spool=" + spool;
        try (ServiceProcess first = ServiceProcess.start(newDatabase("parquet"), ADMIN, temporary,
                "-Ddataset.sample.enabled=true", "-Ddataset.sample.generated=300");
                ServiceProcess second = ServiceProcess.start(newDatabase("of_parquet"), ADMIN, temporary)) {
            first.use();
            byte[] file = Caller.admin().get(Listing.PATH + "?format=geoparquet").asByteArray();
            byte[] flat = Caller.admin().get(Listing.PATH + "?format=flatgeobuf").asByteArray();
            assertEquals("fgb", new String(flat, 0, 3, StandardCharsets.US_ASCII));
            String page = page();
            long count = Caller.admin().get(Listing.PATH).jsonPath().getLong("count");

            second.use();
            assertEquals(Outcome.of(count, 0), importFile(file));
            assertEquals(page, page());
            for (String codec : List.of("uncompressed", "gzip", "snappy", "zstd", "lz4_raw")) {
                assertEquals(Outcome.of(300, 0), importFile(DuckDb.parquet("""
                        select '%s ' || i as id, timestamptz '2021-05-06 07:08:09Z' as datetime,
                            unhex('0101000000000000000000f03f0000000000000040') as geometry, 'text ' || i %% 20 as title
                        from range(300) numbers(i)""".formatted(codec), "compression " + codec)), codec);
            }
            assertFalse(second.log().contains("ERROR"), second::log);
        }
    }

    private static Outcome importFile(byte[] file) {
        Response response = Caller.admin().send("POST", Listing.PATH, PARQUET, file);
        assertEquals(200, response.statusCode(), response::asString);
        return Outcome.of(response.asString());
    }

    /** The statistics of bands are doubles in a file. */
    private static String page() {
        return Listing.list("?page_size=100&ordering=-dataset_name&fields=id,uav_uid,user,dataset_name,category,"
                + "captured_date,coordinates,bbox,available_rasters,cumulative_adjustment").jsonPath()
                .getString("results");
    }

    private static void createUnusualDatasets(Caller writer) {
        writer.create("{\"dataset_name\":\"  a draft \"}");
        writer.create("{\"is_private\":true,\"coordinates\":[-90,180],\"dataset_name\":\"private \\\" \\\\ \\t 🛰\"}");
        writer.delete(Listing.PATH + writer.create("{\"bbox\":[1,2,3,4]}") + "/").then().statusCode(204);
        long changed = writer.create("""
                {"bbox":[-0.1,1e-7,0.30000000000000004,179.99999999999997],"category":["Wetlands","Other"],
                 "captured_date":"0001-01-01T00:00:00Z","available_rasters":["dtm","ortho"],
                 "band_stats":{"multispec_ortho":{"b1":{"max":1e300,"min":-1E-300,"mean":0.10,"stddev":1.50E2},
                                                  "band_descr":{"a \\"label\\" , : ü":1}}}}""");
        writer.patch(Listing.PATH + changed + "/", "{\"dataset_name\":\"岩\",\"is_shareable\":true}").then()
                .statusCode(200);
        writer.create("{\"coordinates\":[-0.0,5e-324],\"captured_date\":\"9999-12-31T23:59:59Z\"}");
    }

    private static String unsigned(String json) {
        return json.replaceAll("(\"thumbnail_image\":\"[^\"?]+)\\?[^\"]+\"", "$1\"");
    }

    private static String atAnyHost(String json) {
        return json.replaceAll("127.0.0.1:\\d+", "host");
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Test
    void aServiceKilledDuringAnImportKeepsAllConfirmedRows() throws Exception {
        String database = newDatabase("killed");
        int all = 20_000;
        long confirmed = 0;
        try (ServiceProcess service = ServiceProcess.start(database, ADMIN, "-Ddataset.bulk.progress-interval=PT0.1S");
                SlowClient client = SlowClient.importing(service.url(), Caller.admin(),
                        "Transfer-Encoding: chunked")) {
            CompletableFuture<Boolean> sentAll = CompletableFuture.supplyAsync(() -> send(client, all));
            client.head();
            confirmed = created(client.lineWhere(line -> created(line) >= 2_000));
            service.kill();
            try {
                while (true) {
                    confirmed = created(client.line());
                }
            } catch (IOException brokenOff) {
                assertEquals(false, sentAll.join());
            }
        }
        try (ServiceProcess service = ServiceProcess.start(database, ADMIN)) {
            service.use();
            long stored = Listing.page("").count();
            assertTrue(stored >= confirmed && stored < all, stored + " rows are stored, confirmed rows: " + confirmed);
            Outcome again = Bulk.importAll(Bulk.body(LongStream.rangeClosed(1, all).mapToObj(Bulk::line)));
            assertEquals(Outcome.of(all - stored, stored), again);
            assertEquals(all, Listing.page("").count());
            assertTrue(Caller.admin().create("{}") > all);
        }
    }

    private static long created(String progress) {
        return new JsonObject(progress).getLong("created");
    }

    /** Returns whether the service accepted all lines. */
    private static boolean send(SlowClient client, int lines) {
        try {
            for (int first = 1; first <= lines; first += 100) {
                client.chunk(Bulk.body(LongStream.range(first, first + 100).mapToObj(id -> line(id))));
            }
            client.chunk("");
            return true;
        } catch (IOException killed) {
            return false;
        }
    }
}
