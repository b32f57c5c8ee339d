package io.datasetlisting.catalogue.search;

import java.util.Collections;
import java.util.List;

/**
 * The extents of a listing by the type of geometry, all of one snapshot.
 *
 * @param areas
 *            of the datasets whose geometry is an area
 * @param points
 *            of the datasets whose geometry is a point
 */
public record ListingExtents(ListingExtent areas, ListingExtent points) {

    /** The extent of all datasets. */
    public ListingExtent all() {
        if (areas.box() == null || points.box() == null) {
            return areas.box() == null ? points : areas;
        }
        List<Double> one = areas.box();
        List<Double> other = points.box();
        return new ListingExtent(areas.listing(),
                List.of(Math.min(one.get(0), other.get(0)), Math.min(one.get(1), other.get(1)),
                        Math.max(one.get(2), other.get(2)), Math.max(one.get(3), other.get(3))),
                Collections.min(List.of(areas.first(), points.first())),
                Collections.max(List.of(areas.last(), points.last())));
    }
}
