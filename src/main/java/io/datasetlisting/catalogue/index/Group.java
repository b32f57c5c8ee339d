package io.datasetlisting.catalogue.index;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Selected datasets of one stretch.
 *
 * @param ids
 *            ascending, or else in the order, if {@code areSorted}
 * @param before
 *            how many selected datasets precede them
 */
record Group(long stretch, long[] ids, boolean areSorted, long before) {

    /** The same group in the order of these ids, if it is among them. */
    Group sorted(LongStream all) {
        long[] sorted = all.filter(id -> Arrays.binarySearch(ids, id) >= 0).toArray();
        return sorted.length == ids.length ? new Group(stretch, sorted, true, before) : this;
    }

    /** Whether all of them are on a page, so that their order does not matter. */
    boolean isWithin(long from, long to) {
        return before >= from && before + ids.length <= to;
    }

    /** The ids on a page. */
    LongStream page(long from, long to) {
        return Arrays.stream(ids, (int) Math.max(from - before, 0), (int) Math.min(to - before, ids.length));
    }
}
