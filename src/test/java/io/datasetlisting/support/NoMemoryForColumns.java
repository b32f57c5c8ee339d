package io.datasetlisting.support;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile in which no column fits into memory, so that a chunk is one part. It has a provider of identities with the
 * default settings: with those of {@link LowLimits} a new key is not read at once, because the keys were read just before.
 */
public class NoMemoryForColumns implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.cache.columns", "1K");
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(TestProvider.class));
    }
}
