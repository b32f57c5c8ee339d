package io.datasetlisting.postgres.database;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How many streams may run at a time. Each has a connection of its own for as long as its client reads. */
@ConfigMapping(prefix = "dataset.bulk")
public interface StreamConnections {

    /**
     * Transfers that may run at once; others get 503. An export holds a connection of streams, an import up to three connections
     * of the general pool.
     */
    @WithDefault("4")
    int maxTransfers();

    /** Bare arrays and parts of the sitemap that may run at once. Further ones wait for their turn, some of them, until 503. */
    @WithDefault("4")
    int maxArrays();
}
