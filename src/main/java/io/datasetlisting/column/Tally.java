package io.datasetlisting.column;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts how often each integer occurs. Most are near the least one, as the ids of a sequence are, and are counted without
 * objects.
 */
public final class Tally {

    private static final int NEAR = 1 << 16;

    private final long least;
    /** For the least integer and the ones after it. */
    private final int[] near = new int[NEAR];
    private final Map<Long, Integer> far = new HashMap<>();

    /**
     * @param least
     *            not greater than any integer that is counted
     */
    Tally(long least) {
        this.least = least;
    }

    /** Receives an integer and its count. */
    @FunctionalInterface
    public interface Visitor {

        void visit(long value, int count);
    }

    /** Counts the integers at the positions of these bits. */
    void add(Integers integers, long[] bits) {
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                long value = integers.get((word << 6) + Long.numberOfTrailingZeros(rest));
                long distance = value - least;
                if (distance >= 0 && distance < NEAR) {
                    near[(int) distance]++;
                } else {
                    far.merge(value, 1, Integer::sum);
                }
            }
        }
    }

    /** How many integers occur. */
    public long size() {
        long size = far.size();
        for (int count : near) {
            size += count > 0 ? 1 : 0;
        }
        return size;
    }

    /** Visits each integer once, in no certain order. */
    public void forEach(Visitor visitor) {
        for (int i = 0; i < NEAR; i++) {
            if (near[i] > 0) {
                visitor.visit(least + i, near[i]);
            }
        }
        far.forEach(visitor::visit);
    }
}
