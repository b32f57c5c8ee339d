package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** Only the test folds pending changes; the caches have one megabyte each. One start of the application for several tests. */
public class NoFoldsSmallCaches implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.database.fold-interval", "PT24H", "dataset.cache.pages", "1M", "dataset.cache.datasets",
                "1M");
    }
}
