package io.datasetlisting.catalogue.column;

import java.util.Arrays;

/** For each bit of some numbers, which of the numbers have it: a bitmap for each bit. */
public final class Bitmaps implements Sized {

    private static final int OVERHEAD = 32 + Long.SIZE * Integer.BYTES;

    /** Null where no number has the bit. */
    private final long[][] bitmaps = new long[Long.SIZE][];
    /** Without a bit. Not changed. */
    private final long[] none;

    private final int size;

    private Bitmaps(int size) {
        this.size = size;
        none = new long[words(size)];
    }

    /** Words of a bitmap of this many bits. */
    static int words(int size) {
        return size + Long.SIZE - 1 >> 6;
    }

    /** A bitmap of this many bits, which are set. */
    public static long[] all(int size) {
        long[] bits = new long[words(size)];
        Arrays.fill(bits, -1L);
        clearBeyond(bits, size);
        return bits;
    }

    static void clearBeyond(long[] bits, int size) {
        if (size % Long.SIZE != 0) {
            bits[bits.length - 1] &= (1L << size) - 1;
        }
    }

    public static Bitmaps of(long[] numbers) {
        Bitmaps all = new Bitmaps(numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            for (long rest = numbers[i]; rest != 0; rest &= rest - 1) {
                int bit = Long.numberOfTrailingZeros(rest);
                if (all.bitmaps[bit] == null) {
                    all.bitmaps[bit] = new long[all.none.length];
                }
                all.bitmaps[bit][i >> 6] |= 1L << i;
            }
        }
        return all;
    }

    /** The numbers that have the bit. The array must not be changed. */
    public long[] get(int bit) {
        return bitmaps[bit] == null ? none : bitmaps[bit];
    }

    public boolean has(int bit) {
        return bitmaps[bit] != null;
    }

    public int size() {
        return size;
    }

    @Override
    public long bytes() {
        int filled = 1;
        for (long[] bitmap : bitmaps) {
            filled += bitmap == null ? 0 : 1;
        }
        return OVERHEAD + filled * (none.length * Long.BYTES + 16);
    }
}
