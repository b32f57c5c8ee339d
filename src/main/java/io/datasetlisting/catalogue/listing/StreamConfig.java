package io.datasetlisting.catalogue.listing;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/**
 * Transfers of many datasets: the limits of streamed responses, of which most exports and bare arrays hold a snapshot of the
 * database; and the progress of exports and imports.
 */
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

    /** The interval at which a transfer reports its progress in the log, and an import also in its response. */
    @WithDefault("PT2S")
    Duration progressInterval();
}
