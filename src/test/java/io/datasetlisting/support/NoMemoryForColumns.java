package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** A test profile in which no column fits into memory, so that a chunk is one part. */
public class NoMemoryForColumns implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.cache.columns", "1K");
    }
}
