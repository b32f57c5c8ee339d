package io.datasetlisting.dataset;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of deleted datasets. */
@ConfigMapping(prefix = "dataset.deleted")
public interface DeletedConfig {

    /** How long after its deletion a dataset can be restored. */
    @WithDefault("P30D")
    Duration keep();
}
