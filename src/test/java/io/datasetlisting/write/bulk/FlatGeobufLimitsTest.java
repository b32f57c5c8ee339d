package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Catalogue.generated;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests an export whose temporary files reach their limit of bytes. */
@QuarkusTest
@TestProfile(LowLimits.class)
class FlatGeobufLimitsTest {

    private static final String PARQUET = "application/vnd.apache.parquet";
    private static final String FILE = Listing.PATH + "?format=flatgeobuf";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @Test
    void aFileThatIsTooLargeIs503AndGivesItsBytesBack() {
        catalogue.replaceWith(generated(4_000));
        for (int i = 0; i < 3; i++) {
            Caller.anonymous().get(FILE).then().statusCode(503).contentType("application/json")
                    .header("Retry-After", nullValue()).body("detail", containsString("dataset.bulk.spool-size"));
            catalogue.awaitNothingInUse();
        }
        assertEquals(200, Caller.anonymous().get(FILE + "&fields=id").statusCode());
    }

    @Test
    void anImportThatIsTooLargeIs503AndGivesItsBytesBack() {
        Caller.admin().send("POST", Listing.PATH, PARQUET, new byte[2 << 20]).then().statusCode(503)
                .contentType("application/json").header("Retry-After", nullValue())
                .body("detail", containsString("dataset.bulk.spool-size"));
        catalogue.awaitNothingInUse();
    }

    /** The export holds the only transfer, and all temporary files that exports can have. */
    @Test
    void anImportHasAPlaceBesideExportsWhoseClientsDoNotRead() throws IOException {
        catalogue.replaceWith(generated(3_000));
        byte[] file = Caller.admin().get(Listing.PATH + "?format=geoparquet&workspace=1").asByteArray();
        try (SlowClient client = SlowClient.exporting(service, Caller.anonymous(), "application/x-ndjson")) {
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            Caller.anonymous().get(Listing.PATH + "?format=ndjson").then().statusCode(503).header("Retry-After", "1");
            assertEquals(200, Caller.admin().send("POST", Listing.PATH, PARQUET, file).statusCode());
            assertEquals(Bulk.Outcome.of(1, 0), Bulk.importAll(Bulk.line(99_999)));
            client.abort();
        }
        catalogue.awaitNothingInUse();
    }

    @Test
    void aClientThatSendsTooSlowlyGets408AndGivesEverythingBack() throws IOException {
        try (SlowClient client = SlowClient.sending(service, Caller.admin(), PARQUET, "Content-Length: 1000000")) {
            client.write(new byte[1_000]);
            String head = client.head();
            assertTrue(head.startsWith("HTTP/1.1 408 "), head);
        }
        catalogue.awaitNothingInUse();
    }
}
