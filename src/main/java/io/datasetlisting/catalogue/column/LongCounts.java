package io.datasetlisting.catalogue.column;

import java.util.stream.LongStream;

/** Counts how often each number was added, without an object for each number. */
public final class LongCounts {

    private static final int FIRST_SIZE = 1 << 10;
    /** The fractional part of the golden ratio: it spreads neighbours over the table. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Smaller numbers, as most days, owners and cells of coarse grids, are positions in an array. */
    private static final int DENSE = 1 << 15;

    private final int[] dense = new int[DENSE];
    private long[] keys = new long[FIRST_SIZE];
    /** 0 where a place of the table is free. */
    private int[] counts = new int[FIRST_SIZE];
    private int sparse;
    private int size;

    /** Visits each number with its count. */
    @FunctionalInterface
    public interface Visitor {

        void visit(long key, int count);
    }

    public void add(long key) {
        if (key >= 0 && key < DENSE) {
            size += dense[(int) key]++ == 0 ? 1 : 0;
        } else {
            addSparse(key);
        }
    }

    private void addSparse(long key) {
        int place = place(key);
        if (counts[place]++ == 0) {
            keys[place] = key;
            size++;
            sparse++;
            if (sparse > keys.length / 2) {
                grow();
            }
        }
    }

    /** How many different numbers were added. */
    public int size() {
        return size;
    }

    private int place(long key) {
        int mask = keys.length - 1;
        int place = (int) (key * SPREAD >>> Long.SIZE - Integer.numberOfTrailingZeros(keys.length));
        while (counts[place] != 0 && keys[place] != key) {
            place = place + 1 & mask;
        }
        return place;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[oldKeys.length * 2];
        counts = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldCounts[i] != 0) {
                int place = place(oldKeys[i]);
                keys[place] = oldKeys[i];
                counts[place] = oldCounts[i];
            }
        }
    }

    public void forEach(Visitor visitor) {
        for (int key = 0; key < DENSE; key++) {
            if (dense[key] != 0) {
                visitor.visit(key, dense[key]);
            }
        }
        for (int i = 0; i < keys.length; i++) {
            if (counts[i] != 0) {
                visitor.visit(keys[i], counts[i]);
            }
        }
    }

    /** The numbers in ascending order. */
    public long[] keys() {
        LongStream.Builder all = LongStream.builder();
        forEach((key, count) -> all.add(key));
        return all.build().sorted().toArray();
    }
}
