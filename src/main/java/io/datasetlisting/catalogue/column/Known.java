package io.datasetlisting.catalogue.column;

import java.util.Arrays;

/**
 * Which datasets of a part PostgreSQL has found for a condition.
 *
 * @param bits
 *            the datasets that were found, by their places in the part
 * @param first
 *            the least id of the part
 * @param byId
 *            the datasets that were found, by the distances of their ids from the first one, which stay when another fold
 *            writes the part; null if the ids are far apart
 * @param pending
 *            the ids of the datasets in the part whose texts a pending change changed then
 */
public record Known(long[] bits, long first, long[] byId, long[] pending) implements Sized {

    /** Bytes besides the arrays, and of the arrays besides their values. */
    private static final int OVERHEAD = 88;
    private static final long[] NONE = {};
    /** The ids of a part may be so many times as far apart as in a part without gaps. */
    private static final int MAX_SPREAD = 8;

    /** What is known of a dataset. */
    public enum Match {
        YES, NO, UNKNOWN
    }

    /**
     * @param bits
     *            not changed afterwards
     * @param settled
     *            the datasets whose texts no pending change changes; null for all
     */
    public static Known of(Elements part, long[] bits, long[] settled) {
        Integers ids = part.integers(Column.IDS);
        long[] pending = settled == null ? NONE : ids.at(new Selector.Not(all -> settled).select(part));
        return new Known(bits, ids.min(), byId(ids, bits), pending);
    }

    private static long[] byId(Integers ids, long[] bits) {
        int size = ids.size();
        long span = size == 0 ? 0 : ids.max() - ids.min() + 1;
        if (span == size) {
            return bits;
        }
        if (span < 0 || span > (long) MAX_SPREAD * size) {
            return null;
        }
        long[] byId = new long[Bitmaps.words((int) span)];
        for (int i = 0; i < size; i++) {
            if (has(bits, i)) {
                int distance = (int) (ids.get(i) - ids.min());
                byId[distance >> 6] |= 1L << distance;
            }
        }
        return byId;
    }

    public static boolean has(long[] bits, int place) {
        return (bits[place >> 6] >>> place & 1) != 0;
    }

    /** Whether a dataset that has not changed since then was found. */
    public Match match(long id) {
        long distance = id - first;
        if (byId == null || distance < 0 || distance >> 6 >= byId.length
                || Arrays.stream(pending).anyMatch(each -> each == id)) {
            return Match.UNKNOWN;
        }
        return has(byId, (int) distance) ? Match.YES : Match.NO;
    }

    /**
     * Whether it is known of each dataset of the same part whose texts no pending change changes now. A change that was
     * pending, and is no more although no fold has written the part, was lost in a failover.
     *
     * @param settled
     *            null for all datasets
     */
    public boolean isOf(Elements part, long[] settled) {
        for (long id : pending) {
            if (settled == null || has(settled, part.integers(Column.IDS).find(id))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long bytes() {
        return OVERHEAD + Long.BYTES * ((long) bits.length + pending.length
                + (byId == null || byId == bits ? 0 : byId.length));
    }
}
