package io.datasetlisting.bulk;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Whole catalogues in and out. */
@ConfigMapping(prefix = "dataset.bulk")
public interface BulkConfig {

    /** How often a transfer says how far it is, in the log and (an import) in its answer. */
    @WithDefault("PT2S")
    Duration progressInterval();

    /** Transfers at once; more get 503. Each holds a database connection, an import up to three. */
    @WithDefault("4")
    int maxTransfers();
}
