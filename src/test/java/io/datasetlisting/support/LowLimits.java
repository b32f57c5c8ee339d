package io.datasetlisting.support;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with one bulk transfer at a time, short limits of streams, little memory for events that clients have not read,
 * few bytes of temporary files, frequent progress, small arrays and frequent folds. No column fits into memory, so that a chunk
 * is one part. It has a provider of identities, whose keys are read again each second. Several tests share one start of the
 * application.
 */
public class LowLimits implements QuarkusTestProfile {

    public static final int ARRAY_SIZE = 300;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.ofEntries(entry("dataset.bulk.max-transfers", "1"),
                entry("dataset.bulk.progress-interval", "PT0.1S"),
                entry("dataset.listing.max-array-size", Integer.toString(ARRAY_SIZE)),
                entry("dataset.database.fold-interval", "PT0.05S"),
                entry("dataset.bulk.min-rate", "64K"),
                entry("dataset.bulk.max-delay", "PT1S"),
                entry("dataset.bulk.max-export-time", "PT8S"),
                entry("dataset.bulk.spool-size", "1200K"),
                entry("dataset.changes.max-unread", "200K"),
                entry("dataset.oidc.keys-max-age", "PT1S"),
                entry("dataset.oidc.keys-kept", "PT8S"),
                entry("dataset.cache.columns", "1K"));
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(TestProvider.class));
    }
}
