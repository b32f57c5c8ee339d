package io.datasetlisting.write.sample;

import static io.datasetlisting.support.Listing.list;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.KeptPagesAndSampleData;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the sample data that the start adds to an empty catalogue. */
@QuarkusTest
@TestProfile(KeptPagesAndSampleData.class)
class SampleDataTest {

    private static final int DATASETS = 163 + KeptPagesAndSampleData.GENERATED;

    @Inject
    Catalogue catalogue;
    @Inject
    SampleData sample;

    /** Adds the sample data as the start of the application does, because other tests may have replaced it. */
    static void fill(Catalogue catalogue, SampleData sample) throws Throwable {
        if (count(catalogue) != DATASETS) {
            catalogue.replaceWith();
            sample.onStart(null);
        }
    }

    private static long count(Catalogue catalogue) {
        return catalogue.sql("select count(*) from dataset").get(0).getLong(0);
    }

    @BeforeEach
    void fill() throws Throwable {
        fill(catalogue, sample);
    }

    @Test
    void anEmptyCatalogueIsFilledWithRealAndGeneratedDatasets() {
        assertEquals(DATASETS, count(catalogue));
        list("?page_size=100").then().body("results.user", everyItem(equalTo("noaa 1")))
                .body("results[0].dataset_name", equalTo("Nashville Tornado 20200307aC0852700w360900"))
                .body("results[0].bbox", equalTo(java.util.List.of(36.1249f, -85.4501f, 36.1501f, -85.4249f)));
    }

    @Test
    void newIdsFollowTheIdsOfTheSample() {
        catalogue.sql("insert into account (username) values ('somebody new')");
        assertTrue(catalogue.sql("select nextval(pg_get_serial_sequence('dataset', 'id')) > max(id) from dataset")
                .get(0).getBoolean(0));
    }
}
