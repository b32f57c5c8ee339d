package io.datasetlisting.support;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile in which only the test folds pending changes, each cache has one megabyte, and there is no page for people.
 * Clients that do not read have little memory and little time. It has a provider of identities with the default settings: with
 * those of {@link LowLimits} a new key is not read at once, because the keys were read just before. Several tests share one start
 * of the application.
 */
public class NoFoldsSmallCaches implements QuarkusTestProfile {

    public static final int CLIENT_MEMORY = 16 << 20;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.database.fold-interval", "PT24H", "dataset.cache.pages", "1M", "dataset.cache.datasets",
                "1M", "dataset.page.enabled", "false", "dataset.http.max-client-silence", "PT1S",
                "dataset.http.search-body-timeout", "PT1S",
                "dataset.search.max-intersects-candidates", "20", "dataset.bulk.spool", "",
                "dataset.http.client-memory",
                Integer.toString(CLIENT_MEMORY));
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(TestProvider.class));
    }
}
