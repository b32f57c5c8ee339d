package io.datasetlisting.catalogue.search;

import io.datasetlisting.catalogue.column.Sized;

/**
 * The extents of a listing by the type of geometry, all of one snapshot.
 *
 * @param areas
 *            of the datasets whose geometry is an area
 * @param points
 *            of the datasets whose geometry is a point
 * @param all
 *            of all datasets
 */
public record ListingExtents(ListingExtent areas, ListingExtent points, ListingExtent all) implements Sized {

    /** In memory. */
    private static final int BYTES = 600;

    @Override
    public long bytes() {
        return BYTES;
    }

    /** The listing version of the snapshot. */
    long listing() {
        return areas.listing();
    }
}
