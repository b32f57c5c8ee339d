package io.datasetlisting.catalogue.search;

import java.util.Arrays;
import java.util.List;

import io.datasetlisting.base.Micros;
import io.datasetlisting.catalogue.column.Sized;

/**
 * The workspaces that have public datasets, in ascending order of their numbers, with the extents of the datasets that a caller
 * sees, all of one snapshot.
 */
public final class Workspaces implements Sized {

    /** Of a workspace in memory. */
    private static final int BYTES = 88;

    private final long listing;
    private final long[] numbers;
    private final Extent[] extents;

    /**
     * @param numbers
     *            ascending
     */
    Workspaces(long listing, long[] numbers, Extent[] extents) {
        this.listing = listing;
        this.numbers = numbers;
        this.extents = extents;
    }

    /** The extent of the datasets of one workspace. */
    static final class Extent {

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
    }

    /** The listing version of the snapshot. */
    long listing() {
        return listing;
    }

    public int size() {
        return numbers.length;
    }

    @Override
    public long bytes() {
        return (long) BYTES * numbers.length;
    }

    public long number(int place) {
        return numbers[place];
    }

    /** The place of a workspace; negative if no public dataset is in it. */
    public int find(long number) {
        return Arrays.binarySearch(numbers, number);
    }

    /** The extent of the datasets of a workspace that the caller sees. */
    public ListingExtent extent(int place) {
        Extent found = extents[place];
        return new ListingExtent(listing, found.count, List.of(found.west, found.south, found.east, found.north),
                Micros.toInstant(found.first), Micros.toInstant(found.last));
    }
}
