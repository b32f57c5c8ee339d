package io.datasetlisting.support;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with one bulk transfer at a time, short limits of streams, little memory for events that clients have not read,
 * frequent progress, small arrays and frequent folds. It has a provider of identities, whose keys are read again each second.
 * Several tests share one start of the application.
 */
public class LowLimits implements QuarkusTestProfile {

    public static final int ARRAY_SIZE = 300;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.bulk.max-transfers", "1", "dataset.bulk.progress-interval", "PT0.1S",
                "dataset.listing.max-array-size", Integer.toString(ARRAY_SIZE), "dataset.database.fold-interval",
                "PT0.05S", "dataset.bulk.min-rate", "64K", "dataset.bulk.max-delay", "PT1S",
                "dataset.bulk.max-export-time", "PT8S", "dataset.changes.max-unread", "200K",
                "dataset.oidc.keys-max-age", "PT1S", "dataset.oidc.keys-kept", "PT8S");
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(TestProvider.class));
    }
}
