package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** One bulk transfer at a time, with frequent progress; small arrays; frequent folds. One start of the application for several tests. */
public class LowLimits implements QuarkusTestProfile {

    public static final int ARRAY_SIZE = 300;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.bulk.max-transfers", "1", "dataset.bulk.progress-interval", "PT0.1S",
                "dataset.listing.max-array-size", Integer.toString(ARRAY_SIZE), "dataset.database.fold-interval",
                "PT0.05S");
    }
}
