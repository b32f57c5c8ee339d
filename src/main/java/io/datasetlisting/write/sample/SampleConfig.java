package io.datasetlisting.write.sample;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the sample data. */
@ConfigMapping(prefix = "dataset.sample")
public interface SampleConfig {

    /** Whether the service fills an empty catalogue at start. */
    @WithDefault("false")
    boolean enabled();

    /** Number of generated datasets, in addition to the real ones. */
    @WithDefault("120")
    int generated();

    /** Seed of the generator. The same seed generates the same datasets. */
    @WithDefault("1")
    long seed();
}
