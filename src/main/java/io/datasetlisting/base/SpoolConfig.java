package io.datasetlisting.base;

import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The place of all temporary files. */
@ConfigMapping(prefix = "dataset.bulk")
public interface SpoolConfig {

    /** An existing folder. Without it, a request that needs a temporary file gets 503. */
    Optional<String> spool();

    /** Bytes of all temporary files together. */
    @WithDefault("1G")
    MemorySize spoolSize();
}
