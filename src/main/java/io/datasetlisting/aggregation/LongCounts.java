package io.datasetlisting.aggregation;

import java.util.Arrays;

/** Counts how often each number was added, without an object for each number. */
final class LongCounts {

    private static final int FIRST_SIZE = 1 << 10;
    /** The fractional part of the golden ratio: it spreads neighbours over the table. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[FIRST_SIZE];
    /** 0 where a place of the table is free. */
    private int[] counts = new int[FIRST_SIZE];
    private int size;

    /** Visits each number with its count. */
    interface Visitor {

        void visit(long key, int count);
    }

    void add(long key) {
        int place = place(key);
        if (counts[place]++ == 0) {
            keys[place] = key;
            size++;
            if (size > keys.length / 2) {
                grow();
            }
        }
    }

    /** How many different numbers were added. */
    int size() {
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

    void forEach(Visitor visitor) {
        for (int i = 0; i < keys.length; i++) {
            if (counts[i] != 0) {
                visitor.visit(keys[i], counts[i]);
            }
        }
    }

    /** The numbers in ascending order. */
    long[] keys() {
        long[] all = new long[size];
        int next = 0;
        for (int i = 0; i < keys.length; i++) {
            if (counts[i] != 0) {
                all[next++] = keys[i];
            }
        }
        Arrays.sort(all);
        return all;
    }
}
