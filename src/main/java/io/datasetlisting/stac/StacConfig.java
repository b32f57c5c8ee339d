package io.datasetlisting.stac;

import java.net.URI;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the catalogue as STAC API and OGC API - Features. */
@ConfigMapping(prefix = "dataset.stac")
public interface StacConfig {

    /** Licence of the datasets: an SPDX identifier, or {@code other}. */
    @WithDefault("other")
    String license();

    /** Address of the licence's text. */
    Optional<URI> licenseUrl();

    /** Largest nesting of a {@code filter}. */
    @WithDefault("100")
    int maxFilterDepth();

    /** Largest length of a {@code filter} in characters. */
    @WithDefault("16384")
    int maxFilterLength();

    /** Largest number of vertices of the geometries of a search. */
    @WithDefault("5000")
    int maxVertices();
}
