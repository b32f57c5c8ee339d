package io.datasetlisting.catalogue.column;

import java.util.BitSet;

/** Integers, as whole multiples of a scale above the least one, in four bytes each where this is enough. */
public final class Integers implements Sized {

    private static final int OVERHEAD = 72;
    /** Most times are whole seconds. */
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final long min;
    private final long max;
    private final long scale;
    /** Null if the differences are too large. */
    private final int[] near;
    private final long[] far;

    private Integers(long min, long max, long scale, int[] near, long[] far) {
        this.min = min;
        this.max = max;
        this.scale = scale;
        this.near = near;
        this.far = far;
    }

    public static Integers of(long[] values) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (long value : values) {
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        long scale = fits(min, max, 1) ? 1 : MICROS_PER_SECOND;
        for (int i = 0; i < values.length && scale > 1; i++) {
            scale = (values[i] - min) % scale == 0 ? scale : 1;
        }
        if (!fits(min, max, scale)) {
            return new Integers(min, max, 1, null, values);
        }
        int[] near = new int[values.length];
        for (int i = 0; i < near.length; i++) {
            near[i] = (int) ((values[i] - min) / scale);
        }
        return new Integers(min, max, scale, near, null);
    }

    /** Also for no values at all. The difference is negative if it overflows. */
    private static boolean fits(long min, long max, long scale) {
        return min > max || max - min >= 0 && (max - min) / scale < Integer.MAX_VALUE;
    }

    public int size() {
        return near == null ? far.length : near.length;
    }

    public long get(int i) {
        return near == null ? far[i] : min + near[i] * scale;
    }

    /** The integers at the places that bits mark. */
    public long[] at(long[] bits) {
        return BitSet.valueOf(bits).stream().mapToLong(this::get).toArray();
    }

    /** The position of a value in ascending integers; negative if it is absent. */
    public int find(long value) {
        int low = 0;
        int high = size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = get(middle);
            if (found == value) {
                return middle;
            }
            if (found < value) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** The positions of the integers from low to high, both included, as bits. */
    long[] between(long low, long high) {
        long[] bits = new long[Bitmaps.words(size())];
        long first = Math.max(low, min);
        long last = Math.min(high, max);
        if (first > last) {
            return bits;
        }
        if (near == null) {
            markFar(first, last, bits);
        } else {
            markNear((int) ((first - min + scale - 1) / scale), (int) ((last - min) / scale), bits);
        }
        return bits;
    }

    private void markFar(long first, long last, long[] bits) {
        for (int i = 0; i < far.length; i++) {
            if (far[i] >= first && far[i] <= last) {
                bits[i >> 6] |= 1L << i;
            }
        }
    }

    /** Without branches: the difference to a bound has the sign bit exactly if the value is outside. */
    private void markNear(int first, int last, long[] bits) {
        for (int word = 0; word < bits.length; word++) {
            int start = word << 6;
            int end = Math.min(start + Long.SIZE, near.length);
            long outside = 0;
            for (int i = start; i < end; i++) {
                outside |= (long) ((near[i] - first | last - near[i]) >>> 31) << i;
            }
            bits[word] = ~outside & -1L >>> (Long.SIZE - (end - start));
        }
    }

    /** The least of the integers; the greatest {@code long} without integers. */
    public long min() {
        return min;
    }

    public long max() {
        return max;
    }

    @Override
    public long bytes() {
        return OVERHEAD + (near == null ? far.length * Long.BYTES : near.length * Integer.BYTES);
    }
}
