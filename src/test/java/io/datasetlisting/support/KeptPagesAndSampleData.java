package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with sample data, few connections, and a page cache of an hour, so that a test detects the use of
 * cached pages. Several tests share one start of the application.
 */
public class KeptPagesAndSampleData implements QuarkusTestProfile {

    public static final int CONNECTIONS = 4;

    /** More datasets than fit into a batch. */
    public static final int GENERATED = 1_034;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("quarkus.datasource.reactive.max-size", Integer.toString(CONNECTIONS),
                "dataset.database.page-connections", Integer.toString(CONNECTIONS), "dataset.cache.max-age", "PT1H",
                "dataset.sample.enabled", "true", "dataset.sample.generated", Integer.toString(GENERATED),
                "dataset.storage.url", "http://127.0.0.1:" + FreePort.find());
    }
}
