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
    private static final int BYTES = 60;
    /** West, south, east and north of each workspace. */
    private static final int EDGES = 4;
    /** The first and the last time of each workspace. */
    private static final int TIMES = 2;

    private final long listing;
    private final long[] numbers;
    private final int[] counts;
    private final double[] edges;
    /** Microseconds since 1970. */
    private final long[] times;

    Workspaces(long listing, int size) {
        this.listing = listing;
        numbers = new long[size];
        counts = new int[size];
        edges = new double[EDGES * size];
        times = new long[TIMES * size];
    }

    /** Sets a workspace. The numbers ascend. */
    void set(int place, long number, int count, double[] box, long first, long last) {
        numbers[place] = number;
        counts[place] = count;
        System.arraycopy(box, 0, edges, EDGES * place, EDGES);
        times[TIMES * place] = first;
        times[TIMES * place + 1] = last;
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
        int edge = EDGES * place;
        return new ListingExtent(listing, counts[place],
                List.of(edges[edge], edges[edge + 1], edges[edge + 2], edges[edge + 3]),
                Micros.toInstant(times[TIMES * place]), Micros.toInstant(times[TIMES * place + 1]));
    }
}
