package io.datasetlisting.dataset.raster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.datasetlisting.http.input.StrictJson;

/**
 * The values of a dataset that the links to its rasters are made from.
 *
 * @param thumbnailKey
 *            key of the thumbnail, or null
 * @param available
 *            the products that the dataset has
 * @param named
 *            the locations that the owner names, by product
 */
public record RasterSource(long id, UUID uavUid, String thumbnailKey, List<String> available,
        Map<String, String> named) {

    /**
     * @param named
     *            as JSON text; null if the owner names no location
     */
    public static RasterSource of(long id, UUID uavUid, String thumbnailKey, String[] available, String named) {
        Map<String, String> locations = new HashMap<>();
        if (named != null) {
            StrictJson.parse(named).properties()
                    .forEach(each -> locations.put(each.getKey(), each.getValue().textValue()));
        }
        return new RasterSource(id, uavUid, thumbnailKey, List.of(available), locations);
    }
}
