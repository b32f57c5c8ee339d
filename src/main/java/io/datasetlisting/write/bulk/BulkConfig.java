package io.datasetlisting.write.bulk;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Import and export of whole catalogues. */
@ConfigMapping(prefix = "dataset.bulk")
public interface BulkConfig {

    /** The interval at which a transfer reports its progress in the log, and an import also in its response. */
    @WithDefault("PT2S")
    Duration progressInterval();
}
