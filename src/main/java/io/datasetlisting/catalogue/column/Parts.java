package io.datasetlisting.catalogue.column;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The parts of the listing after a fold, in the order of their ids.
 *
 * @param folded
 *            the number of the fold
 * @param firstIds
 *            the first id of each part
 * @param folds
 *            the number of the fold that has written each part. A part with the same first id and number has the same columns
 * @param lastId
 *            of a chunk, the last id that its parts can have; null for all parts
 */
public record Parts(long folded, long[] firstIds, long[] folds, Long lastId) {

    /** Datasets of a part after a rebuild. */
    public static final long MEAN_SIZE = 512;

    public static final Parts NONE = new Parts(0, new long[0], new long[0]);

    public Parts(long folded, long[] firstIds, long[] folds) {
        this(folded, firstIds, folds, null);
    }

    /** Whether these are all parts. */
    public boolean areAll() {
        return lastId == null;
    }

    /** Some successive parts of all. */
    public Parts chunk(int from, int to) {
        return new Parts(folded, Arrays.copyOfRange(firstIds, from, to), Arrays.copyOfRange(folds, from, to),
                lastId(to - 1));
    }

    /** The last id that a part can have. */
    public long lastId(int part) {
        return part + 1 < size() ? firstIds[part + 1] - 1 : Long.MAX_VALUE;
    }

    public int size() {
        return firstIds.length;
    }

    /** Memory that they take. Often several entries of a cache have the same ones. */
    public long bytes() {
        return 2L * size() * Long.BYTES;
    }

    /** The part that has the id if any part has it. */
    public int of(long id) {
        int place = Arrays.binarySearch(firstIds, id);
        return place >= 0 ? place : -place - 2;
    }

    /** Values of these parts, from the values of other parts. They are null where the other parts have others. */
    public Object[] take(Parts others, IntFunction<Object> values) {
        Object[] taken = new Object[size()];
        int other = 0;
        for (int part = 0; part < taken.length; part++) {
            while (other < others.size() && others.firstIds[other] < firstIds[part]) {
                other++;
            }
            if (other < others.size() && others.firstIds[other] == firstIds[part]
                    && others.folds[other] == folds[part]) {
                taken[part] = values.apply(other);
            }
        }
        return taken;
    }
}
