package io.datasetlisting.catalogue.search;

import io.datasetlisting.catalogue.column.Sized;

/**
 * The extents of a listing by the type of geometry, all of one snapshot.
 *
 * @param areas
 *            of the datasets whose geometry is an area
 * @param points
 *            of the datasets whose geometry is a point
 */
public record ListingExtents(ListingExtent areas, ListingExtent points) implements Sized {

    /** Of both in memory. */
    private static final int BYTES = 400;

    @Override
    public long bytes() {
        return BYTES;
    }

    /** The listing version of the snapshot. */
    long listing() {
        return areas.listing();
    }

    /** The extent of all datasets. */
    public ListingExtent all() {
        return areas.and(points);
    }

    /** Of these and other datasets of the same snapshot; {@code others} may be null. */
    ListingExtents and(ListingExtents others) {
        return others == null ? this : new ListingExtents(areas.and(others.areas), points.and(others.points));
    }
}
