package io.datasetlisting.catalogue.index;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.Integers;

/**
 * An order that is divided into stretches.
 *
 * @param bounds
 *            between the stretches, as JSON
 * @param sorted
 *            the ids of each stretch in the order, null where it is not known. Those that pending changes named then are left
 *            out, so that the order is valid until a fold writes the datasets
 */
record Division(String bounds, AtomicReferenceArray<Integers> sorted) {

    /** @param sorted of each stretch */
    static Division of(String bounds, List<Integers> sorted) {
        return new Division(bounds,
                new AtomicReferenceArray<>(sorted.toArray(new Integers[Math.max(sorted.size(), 1)])));
    }

    /** Whether the order of the ids of a stretch is known. */
    boolean isSorted(long stretch) {
        return sorted.get((int) stretch) != null;
    }

    /** The ids of a stretch in the order. */
    LongStream sorted(long stretch) {
        return longs(sorted.get((int) stretch));
    }

    /** Keeps the ids of a stretch in the order, for other pages. */
    void keep(long stretch, LongStream ids) {
        sorted.set((int) stretch, Integers.of(ids.toArray()));
    }

    /**
     * The same bounds for a later fold, without the ids of the datasets that it has written.
     *
     * @param changed
     *            these datasets; null for all
     * @param stretches
     *            the stretch of a dataset before; {@link Placement#UNKNOWN} if it had none
     */
    Division after(Set<Long> changed, LongUnaryOperator stretches) {
        Integers[] all = new Integers[sorted.length()];
        if (changed != null) {
            Arrays.setAll(all, sorted::get);
            Set<Long> written = new HashSet<>();
            changed.forEach(id -> written.add(stretches.applyAsLong(id)));
            written.remove(Placement.UNKNOWN);
            written.forEach(stretch -> all[stretch.intValue()] = all[stretch.intValue()] == null
                    ? null
                    : Integers.of(longs(all[stretch.intValue()]).filter(id -> !changed.contains(id)).toArray()));
        }
        return new Division(bounds, new AtomicReferenceArray<>(all));
    }

    private static LongStream longs(Integers integers) {
        return IntStream.range(0, integers.size()).mapToLong(integers::get);
    }
}
