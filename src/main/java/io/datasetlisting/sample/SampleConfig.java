package io.datasetlisting.sample;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Data to try the service with. */
@ConfigMapping(prefix = "dataset.sample")
public interface SampleConfig {

    /** Whether an empty catalogue is filled at start. */
    @WithDefault("false")
    boolean enabled();

    /** How many datasets to generate beside the real ones. */
    @WithDefault("120")
    int generated();

    /** The same seed generates the same datasets. */
    @WithDefault("1")
    long seed();
}
