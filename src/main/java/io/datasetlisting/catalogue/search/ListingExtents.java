package io.datasetlisting.catalogue.search;

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
        return areas.and(points);
    }

    /** Of these and other datasets of the same snapshot; {@code others} may be null. */
    ListingExtents and(ListingExtents others) {
        return others == null ? this : new ListingExtents(areas.and(others.areas), points.and(others.points));
    }
}
