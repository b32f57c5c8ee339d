package io.datasetlisting.catalogue.search;

import java.util.Arrays;

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
    /** Requests share them: nothing is added after the count. */
    private final ListingExtent.Builder[] extents;

    /**
     * @param numbers
     *            ascending
     */
    Workspaces(long listing, long[] numbers, ListingExtent.Builder[] extents) {
        this.listing = listing;
        this.numbers = numbers;
        this.extents = extents;
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
        return extents[place].build(listing);
    }
}
