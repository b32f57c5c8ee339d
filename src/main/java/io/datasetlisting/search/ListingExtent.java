package io.datasetlisting.search;

import java.time.Instant;
import java.util.List;

/**
 * Where and when the datasets of a listing were captured.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param box
 *            west, south, east and north in degrees; null without datasets
 * @param first
 *            the earliest time of capture; null without datasets
 * @param last
 *            the latest time of capture; null without datasets
 */
public record ListingExtent(long listing, List<Double> box, Instant first, Instant last) {

    static ListingExtent ofNothing(long listing) {
        return new ListingExtent(listing, null, null, null);
    }
}
