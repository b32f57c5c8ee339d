package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.LowLimits;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests an export whose temporary files reach their limit of bytes. */
@QuarkusTest
@TestProfile(LowLimits.class)
class FlatGeobufLimitsTest {

    private static final String FILE = Listing.PATH + "?format=flatgeobuf";

    @Inject
    Catalogue catalogue;

    @Test
    void aFileThatIsTooLargeIs503AndGivesItsBytesBack() {
        catalogue.replaceWith(generated(4_000));
        for (int i = 0; i < 3; i++) {
            Caller.anonymous().get(FILE).then().statusCode(503).contentType("application/json").body("detail",
                    containsString("dataset.bulk.spool-size"));
            awaitMetric("dataset_spool_bytes", 0);
            awaitMetric("dataset_transfers_running", 0);
        }
        assertEquals(200, Caller.anonymous().get(FILE + "&fields=id").statusCode());
    }
}
