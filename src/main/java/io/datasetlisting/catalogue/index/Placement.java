package io.datasetlisting.catalogue.index;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.column.Known;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.catalogue.column.Slices;
import io.datasetlisting.catalogue.index.PlaceRepository.Stretches;
import io.datasetlisting.catalogue.snapshot.ColumnCache;
import io.datasetlisting.catalogue.snapshot.Snapshot;

/** Which stretch of an order each dataset of a snapshot has. */
final class Placement {

    /** In place of the number of a stretch. */
    static final long UNKNOWN = -1;
    /** Datasets of a stretch, unless there are too many stretches. */
    private static final int LENGTH = 256;
    private static final int MAX_STRETCHES = 4096;

    private final Snapshot snapshot;
    private final int size;
    private final Placed[] placed;
    /** The stretches of the datasets of parts that are not placed yet. */
    private final long[][] stretches;
    private final int length;
    private Division division;
    private boolean isChanged;

    Placement(Snapshot snapshot) {
        this.snapshot = snapshot;
        size = snapshot.parts().size();
        placed = new Placed[size];
        stretches = new long[size][];
        long listed = 0;
        for (int part = 0; part < size; part++) {
            listed += snapshot.elements(part).size();
        }
        length = (int) Math.max(LENGTH, listed / MAX_STRETCHES + 1);
    }

    /**
     * The stretches of the datasets of a part.
     *
     * @param stretches
     *            their numbers
     * @param settled
     *            the datasets that no pending change named when they were read; null for all
     */
    record Placed(Division division, Integers ids, Slices stretches, long[] settled) implements Sized {

        /** With the ids of the part in the sorted ones. */
        @Override
        public long bytes() {
            return stretches.bytes() + (long) Integer.BYTES * ids.size();
        }

        /** @param isSettled whether the stretch is not known if a pending change named the dataset then */
        private long stretch(long id, boolean isSettled) {
            int place = ids.find(id);
            return place < 0 || isSettled && settled != null && !Known.has(settled, place)
                    ? UNKNOWN
                    : stretches.get(place);
        }
    }

    private static long stretch(ColumnCache.Entry before, long id, boolean isSettled) {
        int part = before.parts().of(id);
        return part < 0 ? UNKNOWN : ((Placed) before.values()[part]).stretch(id, isSettled);
    }

    /** Datasets of a stretch when all datasets were read. */
    int length() {
        return length;
    }

    /** Whether the cache lacks a stretch of a part. */
    boolean isChanged() {
        return isChanged;
    }

    Division division() {
        return division;
    }

    /** The stretch of a dataset of a part, or {@link #UNKNOWN}. */
    long stretch(long id) {
        int part = snapshot.parts().of(id);
        return part < 0 ? UNKNOWN : placed[part].stretch(id, true);
    }

    /** The numbers of the stretches of the datasets of a part. */
    Slices stretches(int part) {
        return placed[part].stretches;
    }

    /**
     * Takes over the stretches of datasets that have not changed, and returns the ids of the others.
     *
     * @param changed
     *            the datasets that folds have written since then; null for all
     */
    long[] take(ColumnCache.Entry before, Set<Long> changed) {
        Object[] values = before.values(snapshot.parts());
        Division last = ((Placed) before.values()[0]).division;
        division = before.parts() == snapshot.parts() ? last : last.after(changed, id -> stretch(before, id, false));
        LongStream.Builder unknown = LongStream.builder();
        for (int part = 0; part < size; part++) {
            Placed known = (Placed) values[part];
            Integers ids = snapshot.elements(part).integers(Column.IDS);
            isChanged |= known == null || known.ids != ids;
            if (known != null && snapshot.areSettled(part, known.settled)) {
                // Other arrays of ids would need more memory than the cache counts.
                placed[part] = known.ids == ids && known.division == division
                        ? known
                        : new Placed(division, ids, known.stretches, known.settled);
                continue;
            }
            long[] settled = snapshot.settled(part);
            stretches[part] = new long[ids.size()];
            for (int i = 0; i < ids.size(); i++) {
                long id = ids.get(i);
                stretches[part][i] = changed == null || changed.contains(id) ? UNKNOWN : stretch(before, id, true);
                if (stretches[part][i] == UNKNOWN && (settled == null || Known.has(settled, i))) {
                    unknown.add(id);
                }
            }
        }
        return unknown.build().toArray();
    }

    /** Forgets all stretches. */
    void clear() {
        isChanged = true;
        for (int part = 0; part < size; part++) {
            placed[part] = null;
            stretches[part] = new long[snapshot.elements(part).size()];
            Arrays.fill(stretches[part], UNKNOWN);
        }
    }

    /** Places datasets of parts. A dataset that only a pending change names has no place. */
    void place(Stretches found) {
        for (int i = 0; i < found.ids().length; i++) {
            place(found.ids()[i], found.numbers()[i]);
        }
    }

    /** Whether the dataset is in a part, and no pending change names it. */
    private boolean place(long id, long stretch) {
        int part = snapshot.parts().of(id);
        int place = part < 0 || stretches[part] == null ? -1 : snapshot.elements(part).integers(Column.IDS).find(id);
        boolean isSettled = place >= 0 && (snapshot.settled(part) == null || Known.has(snapshot.settled(part), place));
        if (isSettled) {
            stretches[part][place] = stretch;
        }
        return isSettled;
    }

    /** The stretches of each part, to be cached. A pending change has deleted the datasets without one. */
    Object[] placed() {
        for (int part = 0; part < size; part++) {
            if (stretches[part] != null) {
                placed[part] = new Placed(division, snapshot.elements(part).integers(Column.IDS),
                        Slices.of(Arrays.stream(stretches[part]).map(each -> Math.max(each, 0)).toArray()),
                        snapshot.settled(part));
                stretches[part] = null;
            }
        }
        return placed.clone();
    }

    /**
     * Places the next datasets in the order, a whole number of stretches except at the end.
     *
     * @param firsts
     *            receives the first dataset of each stretch
     * @param sorted
     *            receives the datasets of each stretch
     */
    void placeNext(long[] ids, List<Long> firsts, List<Integers> sorted) {
        for (int from = 0; from < ids.length; from += length) {
            firsts.add(ids[from]);
            long stretch = sorted.size();
            sorted.add(Integers.of(Arrays.stream(ids, from, Math.min(from + length, ids.length))
                    .filter(id -> place(id, stretch)).toArray()));
        }
    }

    /** @param sorted of each stretch */
    void divide(String bounds, List<Integers> sorted) {
        division = Division.of(bounds, sorted);
    }
}
