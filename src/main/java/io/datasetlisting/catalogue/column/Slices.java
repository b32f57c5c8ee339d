package io.datasetlisting.catalogue.column;

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
public record Slices(long any, int sliced, long[] bits) implements Sized {

    static final long[] NONE = {};

    /** @param numbers without a sign */
    public static Slices of(long[] numbers) {
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

    /** The number of a dataset. */
    public long get(int place) {
        long number = sliced == Long.SIZE ? 0 : any >>> sliced << sliced;
        for (int bit = 0; bit < sliced; bit++) {
            number |= (bits[bit * (bits.length / sliced) + (place >> 6)] >>> place & 1) << bit;
        }
        return number;
    }

    @Override
    public long bytes() {
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
    public int countBelow(long[] datasets, long number) {
        if (sliced < Long.SIZE && any >>> sliced != number >>> sliced) {
            return any >>> sliced < number >>> sliced ? Selection.count(datasets) : 0;
        }
        long[] left = datasets;
        int count = 0;
        for (int bit = sliced - 1; bit >= 0 && left.length > 0; bit--) {
            int value = (int) (number >>> bit & 1);
            count += value == 1 ? countWithout(left, bit) : 0;
            left = with(left, bit, value, new long[left.length]);
        }
        return count;
    }

    /**
     * The datasets with a value of a bit.
     *
     * @param value
     *            0 or 1
     * @param kept
     *            receives them; may be the same array
     *
     * @return no words without datasets
     */
    long[] with(long[] datasets, int bit, int value, long[] kept) {
        if (bit >= sliced) {
            System.arraycopy(datasets, 0, kept, 0, kept.length);
            return (any >>> bit & 1) == value ? kept : NONE;
        }
        long inverted = value - 1;
        long left = 0;
        for (int word = 0, slice = bit * datasets.length; word < datasets.length; word++, slice++) {
            kept[word] = datasets[word] & (bits[slice] ^ inverted);
            left |= kept[word];
        }
        return left == 0 ? NONE : kept;
    }
}
