package io.datasetlisting.http.input;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of bodies that are held in memory, besides those of {@link io.datasetlisting.http.HttpConfig}. */
@ConfigMapping(prefix = "dataset.http")
public interface BodyConfig {

    /** Largest size of the body of a search or an aggregation, in bytes. A larger body gets 413. */
    @WithDefault("256K")
    MemorySize maxSearchBodySize();

    /** Time limit for the arrival of the body of a search or an aggregation. Then the request gets 408. */
    @WithDefault("PT3S")
    Duration searchBodyTimeout();

    /**
     * Largest number of incomplete bodies of callers without a token, and of callers with a token. A further body
     * takes the place of the one that has waited longest, which gets 408.
     */
    @WithDefault("32")
    int maxIncompleteBodies();
}
