package io.datasetlisting.http;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the page for people. */
@ConfigMapping(prefix = "dataset.page")
public interface PageConfig {

    /** Whether the service answers the addresses of the page. */
    @WithDefault("true")
    boolean enabled();

    /** Name of the catalogue, in headings and titles. */
    @WithDefault("Drone and aerial imagery")
    String title();

    /**
     * Addresses of the tiles of the base map, with {@code {z}}, {@code {x}} and {@code {y}}. Without it the map shows land and
     * sea.
     */
    Optional<String> tiles();

    /** The text that the map shows as the origin of the tiles. */
    Optional<String> tilesAttribution();

    /** Addresses of tiles with pictures from satellites or planes, which the reader can choose in place of the base map. */
    Optional<String> satellite();

    /** The text that the map shows as the origin of the pictures. */
    Optional<String> satelliteAttribution();

    /** Where readers ask about a dataset, whose {@code {id}}, {@code {name}} and {@code {url}} the address can have. */
    Optional<String> contact();
}
