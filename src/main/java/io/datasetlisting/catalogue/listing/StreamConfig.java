package io.datasetlisting.catalogue.listing;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of streamed responses: exports and bare arrays. Each of them holds a snapshot of the database. */
@ConfigMapping(prefix = "dataset.bulk")
public interface StreamConfig {

    /** Bytes that the client of a stream must read per second, before compression. 0 means no limit. */
    @WithDefault("4K")
    MemorySize minRate();

    /** Time for which a client may be behind this rate. */
    @WithDefault("PT20S")
    Duration maxDelay();

    /** Longest duration of a stream. */
    @WithDefault("PT1H")
    Duration maxExportTime();
}
