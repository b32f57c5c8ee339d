package io.datasetlisting.faces.item;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the catalogue as STAC API and OGC API - Features. */
@ConfigMapping(prefix = "dataset.stac")
public interface StacConfig {

    /** Largest nesting of a {@code filter}. */
    @WithDefault("100")
    int maxFilterDepth();

    /** Largest length of a {@code filter} in characters; of CQL2 JSON, that of its texts. */
    @WithDefault("16384")
    int maxFilterLength();

    /** Largest number of vertices of the geometries of a {@code filter}, and of {@code intersects}. */
    @WithDefault("5000")
    int maxVertices();

    /** Largest number of conditions of a {@code filter} with a pattern or on single elements of an array. */
    @WithDefault("50")
    int maxPatterns();
}
