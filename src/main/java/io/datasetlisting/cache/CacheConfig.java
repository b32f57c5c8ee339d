package io.datasetlisting.cache;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What is kept in memory of what was read. */
@ConfigMapping(prefix = "dataset.cache")
public interface CacheConfig {

    /** Memory for datasets as JSON, so that a page reads those alone that were written since. */
    @WithDefault("16M")
    MemorySize datasets();

    /** Memory for whole pages, which are good as long as nothing is written at all. */
    @WithDefault("16M")
    MemorySize pages();

    /**
     * How old a page may be that an anonymous caller gets: for so long nobody asks the database whether something has
     * been written through another instance. What is written through this one is seen at once, and with a token nothing
     * is ever old. 0 asks each time.
     */
    @WithDefault("PT0.1S")
    Duration maxAge();
}
