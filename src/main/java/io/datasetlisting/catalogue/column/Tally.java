package io.datasetlisting.catalogue.column;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts how often each integer occurs. Most are near the least one, as the ids of a sequence are, and are counted without
 * objects.
 */
public final class Tally implements Sum<Tally> {

    private static final int NEAR = 1 << 16;
    /** The entry of the map, the two boxed numbers, and its share of the table. */
    private static final long BYTES_OF_ONE_FAR = 80;

    private final Column column;
    private final long least;
    /** For the least integer and the ones after it. */
    private final int[] near;
    private final Map<Long, Integer> far;

    /**
     * @param column
     *            of integers
     * @param least
     *            not greater than most integers that are counted
     */
    Tally(Column column, long least) {
        this(column, least, new int[NEAR], new HashMap<>());
    }

    private Tally(Column column, long least, int[] near, Map<Long, Integer> far) {
        this.column = column;
        this.least = least;
        this.near = near;
        this.far = far;
    }

    /** Receives an integer and its count. */
    @FunctionalInterface
    public interface Visitor {

        void visit(long value, int count);
    }

    @Override
    public Tally copy() {
        return new Tally(column, least, near.clone(), new HashMap<>(far));
    }

    @Override
    public long bytes() {
        return (long) NEAR * Integer.BYTES + far.size() * BYTES_OF_ONE_FAR;
    }

    @Override
    public boolean add(Selection datasets, int sign) {
        datasets.forEachBits((elements, bits) -> add(elements.integers(column), bits, sign));
        return true;
    }

    private void add(Integers integers, long[] bits, int sign) {
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                long value = integers.get((word << 6) + Long.numberOfTrailingZeros(rest));
                long distance = value - least;
                if (distance >= 0 && distance < NEAR) {
                    near[(int) distance] += sign;
                } else {
                    far.merge(value, sign, (count, one) -> count + one == 0 ? null : count + one);
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
