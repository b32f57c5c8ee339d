package io.datasetlisting.column;

/** Counts how often each integer occurs, in a hash table without objects. */
public final class Tally {

    private static final int CAPACITY = 64;
    /** 2 to the power of 64 divided by the golden ratio, which spreads integers that follow each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] values = new long[CAPACITY];
    /** 0 where the table has no value. */
    private long[] counts = new long[CAPACITY];
    private int size;

    /** Receives an integer and its count. */
    @FunctionalInterface
    public interface Visitor {

        void visit(long value, long count);
    }

    void add(long value) {
        add(value, 1);
    }

    private void add(long value, long count) {
        int place = place(value);
        while (counts[place] != 0 && values[place] != value) {
            place = place + 1 & values.length - 1;
        }
        if (counts[place] == 0) {
            values[place] = value;
            size++;
        }
        counts[place] += count;
        if (size > values.length / 2) {
            grow();
        }
    }

    /** The highest bits of the product. */
    private int place(long value) {
        return (int) (value * SPREAD >>> 1 + Long.numberOfLeadingZeros(values.length));
    }

    private void grow() {
        long[] oldValues = values;
        long[] oldCounts = counts;
        values = new long[2 * oldValues.length];
        counts = new long[values.length];
        size = 0;
        for (int i = 0; i < oldValues.length; i++) {
            if (oldCounts[i] != 0) {
                add(oldValues[i], oldCounts[i]);
            }
        }
    }

    /** How many different integers there are. */
    public int size() {
        return size;
    }

    /** Visits each integer once, in no certain order. */
    public void forEach(Visitor visitor) {
        for (int i = 0; i < values.length; i++) {
            if (counts[i] != 0) {
                visitor.visit(values[i], counts[i]);
            }
        }
    }
}
