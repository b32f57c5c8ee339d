package io.datasetlisting.support;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** An S3 server, and a page of another origin that may call. One start for several tests. */
public class WithStorage implements QuarkusTestProfile {

    /** In bytes. */
    public static final int MAX_THUMBNAIL_SIZE = 1 << 20;

    @Override
    public Map<String, String> getConfigOverrides() {
        // More transfers than are on their way at once, or some would rightly get 503.
        return Map.of("dataset.bulk.max-transfers", "100", "dataset.storage.max-thumbnail-size",
                Integer.toString(MAX_THUMBNAIL_SIZE));
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(OtherOrigin.class), new TestResourceEntry(S3Resource.class));
    }
}
