package io.datasetlisting.catalogue.search;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.base.Micros;
import io.datasetlisting.catalogue.column.Column;

/**
 * Where and when the datasets of a listing were captured.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            of the datasets
 * @param box
 *            west, south, east and north in degrees; null without datasets
 * @param first
 *            the earliest time of capture; null without datasets
 * @param last
 *            the latest time of capture; null without datasets
 */
public record ListingExtent(long listing, long count, List<Double> box, Instant first, Instant last) {

    /** The columns that an extent is computed from. */
    static final Set<Column> COLUMNS = EnumSet.of(Column.TIMES, Column.WESTS, Column.SOUTHS, Column.EASTS,
            Column.NORTHS);

    /** Grows with each dataset. */
    static final class Builder {

        private int count;
        private double west = Double.POSITIVE_INFINITY;
        private double south = Double.POSITIVE_INFINITY;
        private double east = Double.NEGATIVE_INFINITY;
        private double north = Double.NEGATIVE_INFINITY;
        /** Microseconds since 1970. */
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        void add(double fromLongitude, double fromLatitude, double toLongitude, double toLatitude, long time) {
            count++;
            west = Math.min(west, fromLongitude);
            south = Math.min(south, fromLatitude);
            east = Math.max(east, toLongitude);
            north = Math.max(north, toLatitude);
            first = Math.min(first, time);
            last = Math.max(last, time);
        }

        ListingExtent build(long listing) {
            return count == 0
                    ? new ListingExtent(listing, 0, null, null, null)
                    : new ListingExtent(listing, count, List.of(west, south, east, north), Micros.toInstant(first),
                            Micros.toInstant(last));
        }
    }
}
