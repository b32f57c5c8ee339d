package io.datasetlisting.write.exports;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FaultyStorage;
import io.datasetlisting.support.FaultyStorage.Fault;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.SlowClient;
import io.datasetlisting.support.StoredExports;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Tests stored exports in a bucket of a real S3 server. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(StoredExports.InBucket.class)
class StoredExportInBucketTest {

    private static final String PREFIX = "exports/";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    S3Server s3;

    FaultyStorage storage;

    private List<String> keys() {
        return s3.list(S3Resource.BUCKET).stream().filter(key -> key.startsWith(PREFIX)).toList();
    }

    private String newest(ExportFormat format) {
        catalogue.awaitThat("exists (select from stored_export where made is not null and begun > (select"
                + " coalesce(max(updated_at), '-infinity') from dataset) and not exists (select from public_departure"
                + " where not pg_visible_in_snapshot(xid, snapshot)))");
        Response response = Listing.client().get(format.path());
        assertEquals(302, response.statusCode(), response::asString);
        return URI.create(response.header("Location")).getPath();
    }

    @Test
    void theFilesAreObjectsOfTheBucketWhoseRangesTheServiceAnswers() throws IOException {
        // FlatGeobuf then has several parts.
        catalogue.replaceWith(generated(12_000));
        for (ExportFormat format : ExportFormat.values()) {
            String path = newest(format);
            byte[] stored = s3.get(S3Resource.BUCKET, path.substring(1)).content();
            Response whole = Listing.client().get(path);
            whole.then().statusCode(200).contentType(format.mediaType).header("Content-Length",
                    Integer.toString(stored.length));
            assertArrayEquals(stored, whole.asByteArray());
            int from = stored.length / 2;
            Response part = Listing.client().header("Range", "bytes=" + from + "-").get(path);
            part.then().statusCode(206);
            assertArrayEquals(Arrays.copyOfRange(stored, from, stored.length), part.asByteArray());
            assertEquals(whole.header("ETag"), Listing.client().head(path).header("ETag"));
        }
    }

    @Test
    void aWithdrawnExportLeavesTheBucket() {
        catalogue.replaceWith(dataset(1), dataset(2));
        String before = newest(ExportFormat.PARQUET);
        assertTrue(keys().contains(before.substring(1)));
        Caller.owner().token("writer").delete(Listing.PATH + "1/").then().statusCode(204);
        Listing.client().get(before).then().statusCode(410);
        Patience.await("the objects are gone").until(() -> !keys().contains(before.substring(1)));
        newest(ExportFormat.PARQUET);
    }

    @Test
    void aStorageThatFailsPublishesNoExport() {
        catalogue.replaceWith(dataset(1));
        String before = newest(ExportFormat.PARQUET);
        storage.set(Fault.FAILING);
        storage.cut();
        try {
            Listing.client().get(before).then().statusCode(503);
            Caller.owner().token("writer")
                    .patch(Listing.PATH + "1/", "{\"dataset_name\":\"another\"}").then().statusCode(200);
            Patience.await("the export fails").until(() -> Listing.client().get("/q/metrics").asString()
                    .matches("(?s).*\\ndataset_exports_failures_total [1-9].*"));
        } finally {
            storage.set(Fault.NONE);
            storage.cut();
        }
        Patience.await("the export before").until(() -> Listing.client().get(before).statusCode() == 200);
        newest(ExportFormat.PARQUET);
        assertEquals(List.of(), catalogue.sql("select from stored_export where made is null"));
    }

    @Test
    void aStorageThatBreaksOffEndsTheResponseAtOnce() {
        catalogue.replaceWith(dataset(1));
        String path = newest(ExportFormat.PARQUET);
        storage.set(Fault.HALF_AN_ANSWER);
        storage.cut();
        long start = System.nanoTime();
        try {
            Response response = Listing.client().get(path);
            response.asByteArray();
            // The end of the storage's response may overtake its first bytes.
            assertEquals(503, response.statusCode());
        } catch (Exception brokenOff) {
            // What a client gets of which the first bytes were sent.
        } finally {
            storage.set(Fault.NONE);
            storage.cut();
        }
        assertTrue(System.nanoTime() - start < 5_000_000_000L);
        Listing.client().get(path).then().statusCode(200);
    }

    @Test
    void aClientThatDisconnectsGivesItsPlaceBack() throws IOException {
        catalogue.replaceWith(generated(12_000));
        String path = newest(ExportFormat.FLAT_GEOBUF);
        for (int i = 0; i < 140; i++) {
            SlowClient client = new SlowClient(service).write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            if (i % 2 > 0) {
                assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            }
            client.abort();
        }
        Patience.await("nothing is in use").until(() -> Listing.client().get("/q/metrics").asString()
                .contains("\ndataset_exports_readers 0.0"));
        Listing.client().header("Range", "bytes=0-9").get(path).then().statusCode(206);
    }
}
