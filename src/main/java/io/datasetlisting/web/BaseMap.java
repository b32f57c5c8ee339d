package io.datasetlisting.web;

import io.datasetlisting.http.PageConfig;

/**
 * What lies under the datasets of a map.
 *
 * @param tiles
 *            template of the addresses of tiles; null for the map of land and sea
 */
record BaseMap(String tiles, String attribution) {

    static BaseMap of(PageConfig config) {
        return new BaseMap(config.tiles().orElse(null), config.tilesAttribution().orElse(""));
    }
}
