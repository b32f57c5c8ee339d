package io.datasetlisting.catalogue.cache;

import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Sizes of the caches, by default a {@link io.datasetlisting.base.HeapShare}, and the age of cached pages. */
@ConfigMapping(prefix = "dataset.cache")
public interface CacheConfig {

    /**
     * Memory for the JSON of datasets. A page of all fields as JSON usually reads only datasets that are not cached or have
     * changed.
     */
    Optional<MemorySize> datasets();

    /** Memory for the items of the STAC API. */
    Optional<MemorySize> items();

    /** Memory for the HTML of datasets in the list for people. */
    Optional<MemorySize> cards();

    /**
     * Memory for the columns in which filters are evaluated: up to 66 bytes for each listed dataset, as far as requests use
     * the filters and orders that read them, and 2 to 8 more for each order. A catalogue that needs more is filtered by
     * PostgreSQL, and its facets, histograms, aggregations, counts on the map and tiles are counted in chunks.
     */
    Optional<MemorySize> columns();

    /** Memory for whole pages. A cached page is used while the listing version and the link window are the same. */
    Optional<MemorySize> pages();

    /**
     * How old the known listing version may be when a cached page is sent to an anonymous caller. Writes through other
     * instances are seen after this time, writes through this instance at once; with a replica, when it has them. For a caller
     * with a token the version is read at each request, and 0 does this for all callers.
     */
    @WithDefault("PT0.1S")
    Duration maxAge();
}
