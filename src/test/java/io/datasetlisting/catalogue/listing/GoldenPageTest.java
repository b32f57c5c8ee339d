package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Listing.client;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Compares one full page with a golden file, byte by byte. */
@QuarkusTest
class GoldenPageTest {

    @Inject
    Catalogue catalogue;

    @Test
    void aFullPageEqualsTheGoldenFile() throws IOException {
        catalogue.replaceWith(Stream.concat(Stream.of(datasetWithAllFields()), generated(40).stream()).toList());
        byte[] page = client().header("Host", "imagery.example.org").get("/api/dataset/?format=api").asByteArray();
        assertEquals(golden(), new String(page, StandardCharsets.UTF_8));
    }

    private static Dataset datasetWithAllFields() {
        return dataset(1, d -> {
            d.datasetName = "\"Żółw\" \\ 🛰\t岩";
            d.category = new String[]{"Artificial - terrestrial", "Neritic"};
            d.thumbnailKey = "a path/with +%/1-ü/thumb nail.jpg";
            d.capturedDate = Instant.parse("1999-12-31T23:59:59Z");
            d.isShareable = true;
            d.availableRasters = new String[]{"ortho", "multispec_ortho"};
            d.bandStats = "{\"dsm\": {\"b1\": {\"max\": 10.5, \"min\": -3, \"mean\": 1e-7, \"stddev\": 0.10}}, \"dtm\": {},"
                    + " \"ortho\": {}, \"multispec_ortho\": {\"b1\": {\"max\": 65535, \"min\": 0, \"mean\": 2.50, \"stddev\": 1},"
                    + " \"band_descr\": {\"a \\\"label\\\": , \\\\\": 1}}}";
            d.bbox = new double[]{-0.1, 2, 1e-5, 179.999999};
            d.coordinates = new double[]{0, 2e-3};
            d.cantOrthomosaic = true;
            d.isDemProcessing = true;
            d.cumulativeAdjustment = 123456789.125;
            d.latestAdjustmentStatus = "finished";
            d.latestAdjustmentId = "a1";
        });
    }

    private static String golden() throws IOException {
        try (InputStream file = GoldenPageTest.class.getResourceAsStream("/golden/page.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theKeysAreInTheOrderOfTheContract() {
        catalogue.replaceWith(datasetWithAllFields());
        assertEquals(List.of("id", "uav_uid", "user", "workspace", "dataset_name", "category", "thumbnail_image",
                "captured_date", "is_private", "is_shareable", "available_rasters", "is_deleted", "gcps_file",
                "band_stats",
                "bbox", "coordinates", "cant_orthomosaic", "is_dem_processing", "cumulative_adjustment",
                "latest_adjustment_status", "latest_adjustment_id"),
                List.copyOf(new JsonObject(client().get("/api/dataset/").asString()).getJsonArray("results")
                        .getJsonObject(0).fieldNames()));
    }
}
