package io.datasetlisting.bulk;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Import and export of whole catalogues. */
@ConfigMapping(prefix = "dataset.bulk")
public interface BulkConfig {

    /** The interval at which a transfer reports its progress in the log, and an import also in its response. */
    @WithDefault("PT2S")
    Duration progressInterval();

    /**
     * Transfers that may run at once; others get 503. An export holds one database connection, an import up to three.
     */
    @WithDefault("4")
    int maxTransfers();
}
