package io.datasetlisting.catalogue.query;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of the exact test whether datasets intersect a geometry. */
@ConfigMapping(prefix = "dataset.search")
public interface IntersectionConfig {

    /** Largest number of datasets in a geometry that PostgreSQL receives by their ids. */
    @WithDefault("100000")
    int maxIntersectsCandidates();

    /** Longest duration of the tests of one search, or of one of its chunks if columns do not fit into memory. */
    @WithDefault("PT2S")
    Duration maxIntersectsTime();
}
