package io.datasetlisting.catalogue.column;

import java.util.stream.IntStream;

/**
 * The numbers of the datasets of a part as slices: for each bit of the numbers, which datasets have it. Bits that all datasets
 * of the part have in common, from the highest one on, have no slice.
 *
 * @param any
 *            one of the numbers
 * @param sliced
 *            how many bits have a slice
 * @param bits
 *            the slices, the one of the lowest bit first. One array, because a search visits all parts for each bit
 */
record Slices(long any, int sliced, long[] bits) {

    /** @param numbers without a sign */
    static Slices of(long[] numbers) {
        long any = numbers.length == 0 ? 0 : numbers[0];
        long differences = 0;
        for (long number : numbers) {
            differences |= number ^ any;
        }
        int sliced = Long.SIZE - Long.numberOfLeadingZeros(differences);
        int words = Bitmaps.words(numbers.length);
        long[] bits = new long[sliced * words];
        for (int i = 0; i < numbers.length; i++) {
            for (long rest = sliced == 0 ? 0 : numbers[i] & -1L >>> Long.SIZE - sliced; rest != 0; rest &= rest - 1) {
                bits[Long.numberOfTrailingZeros(rest) * words + (i >> 6)] |= 1L << i;
            }
        }
        return new Slices(any, sliced, bits);
    }

    /** The slices of integers, with a sign, in their order. */
    static Slices of(Integers integers) {
        return of(IntStream.range(0, integers.size()).mapToLong(i -> integers.get(i) ^ Long.MIN_VALUE).toArray());
    }

    int bytes() {
        return bits.length * Long.BYTES;
    }

    /** How many of some datasets have a bit that is 0. */
    int countWithout(long[] datasets, int bit) {
        if (bit >= sliced) {
            return (any >>> bit & 1) == 0 ? Selection.count(datasets) : 0;
        }
        int count = 0;
        for (int word = 0, slice = bit * datasets.length; word < datasets.length; word++, slice++) {
            count += Long.bitCount(datasets[word] & ~bits[slice]);
        }
        return count;
    }

    /** How many of some datasets have a number less than this one. */
    int countBelow(long[] datasets, long number) {
        if (sliced < Long.SIZE && any >>> sliced != number >>> sliced) {
            return any >>> sliced < number >>> sliced ? Selection.count(datasets) : 0;
        }
        long[] left = datasets.clone();
        int count = 0;
        for (int bit = sliced - 1; bit >= 0; bit--) {
            boolean isAbove = (number >>> bit & 1) == 1;
            count += isAbove ? countWithout(left, bit) : 0;
            keep(left, bit, isAbove ? 1 : 0);
        }
        return count;
    }

    /**
     * Leaves out the datasets with another value of a bit.
     *
     * @param value
     *            0 or 1
     *
     * @return whether any dataset is left
     */
    boolean keep(long[] datasets, int bit, int value) {
        if (bit >= sliced) {
            return (any >>> bit & 1) == value;
        }
        long inverted = value - 1;
        long left = 0;
        for (int word = 0, slice = bit * datasets.length; word < datasets.length; word++, slice++) {
            datasets[word] &= bits[slice] ^ inverted;
            left |= datasets[word];
        }
        return left != 0;
    }
}
