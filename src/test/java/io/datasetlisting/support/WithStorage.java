package io.datasetlisting.support;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with an S3 server, tile servers, a licence and an allowed origin. Several tests share one start of the
 * application.
 */
public class WithStorage implements QuarkusTestProfile {

    /** In bytes. */
    public static final int MAX_THUMBNAIL_SIZE = 1 << 20;

    /** The tiles of public rasters, which begin with this. */
    public static final String VIEWER = "https://titiler.example.org/cog/tiles/WebMercatorQuad/{z}/{x}/{y}?url=";

    /** Name of the catalogue, with a character that HTML escapes. */
    public static final String CATALOGUE = "Flights & fields";

    @Override
    public Map<String, String> getConfigOverrides() {
        // More transfers than the tests run at once, because further transfers get 503.
        return Map.of("dataset.bulk.max-transfers", "100", "dataset.stac.license", "CC-BY-4.0",
                "dataset.page.title", CATALOGUE, "dataset.rasters.viewer", VIEWER + "{href}",
                "dataset.rasters.folder", "{path}/{id}-{uav_uid}", "dataset.rasters.hosts",
                "Imagery.example.org,tiles.example.org:8443",
                "dataset.storage.max-thumbnail-size",
                Integer.toString(MAX_THUMBNAIL_SIZE));
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(OtherOrigin.class), new TestResourceEntry(S3Resource.class));
    }
}
