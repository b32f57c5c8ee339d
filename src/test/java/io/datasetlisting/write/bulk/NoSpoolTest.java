package io.datasetlisting.write.bulk;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.Supplier;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.specification.RequestSpecification;

/** Tests the service without a folder for temporary files. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class NoSpoolTest {

    private static final String FILE = Listing.PATH + "?format=flatgeobuf";

    @Inject
    Catalogue catalogue;

    @Test
    void anImportOfParquetIs503AndNamesTheKey() {
        catalogue.replaceWith(Catalogue.plain(3));
        byte[] file = Caller.anonymous().get(Listing.PATH + "?format=geoparquet").asByteArray();
        Caller.admin().send("POST", Listing.PATH, "application/vnd.apache.parquet", file).then().statusCode(503)
                .contentType("application/json").header("Retry-After", nullValue())
                .body("detail", containsString("dataset.bulk.spool"));
        assertEquals(403, Caller.owner().token("writer")
                .send("POST", Listing.PATH, "application/vnd.apache.parquet", file).statusCode());
    }

    @Test
    void aFormatThatNeedsATemporaryFileIs503AndNamesTheKey() {
        catalogue.replaceWith(Catalogue.plain(3));
        for (Caller caller : List.of(Caller.anonymous(), Caller.admin())) {
            for (String file : List.of(FILE, "/stac/search?limit=1", "/stac/collections/datasets/items?limit=1")) {
                Supplier<RequestSpecification> asking = () -> caller.request().header("Accept",
                        "application/vnd.flatgeobuf");
                asking.get().get(file).then().statusCode(503).contentType("application/json")
                        .header("Retry-After", nullValue()).body("detail", containsString("dataset.bulk.spool"));
                assertEquals(503, asking.get().head(file).statusCode());
                assertEquals(400, asking.get().get(file + "&workspace=x").statusCode());
            }
        }
        assertEquals(3, Bulk.exportedIds(Caller.anonymous(), "").size());
        assertEquals(200, Caller.anonymous().get(Listing.PATH + "?format=geoparquet").statusCode());
    }
}
