package io.datasetlisting.column;

/** Integers in four bytes each where they lie near one another, otherwise in eight. */
final class Integers {

    private static final int OVERHEAD = 48;

    private final long base;
    /** Differences from the base; null if they are too large. */
    private final int[] near;
    private final long[] far;

    private Integers(long base, int[] near, long[] far) {
        this.base = base;
        this.near = near;
        this.far = far;
    }

    static Integers of(long[] values) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (long value : values) {
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        // The difference is negative if it overflows.
        if (values.length > 0 && (max - min < 0 || max - min > Integer.MAX_VALUE)) {
            return new Integers(0, null, values);
        }
        int[] near = new int[values.length];
        for (int i = 0; i < near.length; i++) {
            near[i] = (int) (values[i] - min);
        }
        return new Integers(min, near, null);
    }

    int size() {
        return near == null ? far.length : near.length;
    }

    long get(int i) {
        return near == null ? far[i] : base + near[i];
    }

    /** The position of a value in ascending integers; negative if it is absent. */
    int find(long value) {
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
        if (near == null) {
            for (int i = 0; i < far.length; i++) {
                if (far[i] >= low && far[i] <= high) {
                    bits[i >> 6] |= 1L << i;
                }
            }
        } else if (low - Math.max(base, low) <= 0 && high >= base) {
            long from = low <= base ? 0 : low - base;
            long to = high - base < 0 ? Long.MAX_VALUE : high - base;
            for (int i = 0; i < near.length; i++) {
                if (near[i] >= from && near[i] <= to) {
                    bits[i >> 6] |= 1L << i;
                }
            }
        }
        return bits;
    }

    int bytes() {
        return OVERHEAD + (near == null ? far.length * Long.BYTES : near.length * Integer.BYTES);
    }
}
