package io.datasetlisting.catalogue.index;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.Bitmaps;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.column.Known;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.catalogue.column.SliceSearch;
import io.datasetlisting.catalogue.column.Slices;
import io.datasetlisting.catalogue.index.PlaceRepository.Span;
import io.datasetlisting.catalogue.index.PlaceRepository.Stretches;
import io.datasetlisting.catalogue.snapshot.ColumnCache;
import io.datasetlisting.catalogue.snapshot.Snapshot;

/** The stretches of the datasets of a snapshot, in one order, and which datasets of a selection are around a page. */
public final class Placement {

    private static final long UNKNOWN = -1;
    /** A stretch that has grown so many times makes pages slow. */
    private static final int MAX_GROWTH = 8;

    private final Snapshot snapshot;
    private final int size;
    private final long[][] selected;
    /** The ids of the selected datasets that pending changes name, ascending. They are not placed with a part. */
    private final long[] others;
    private final Placed[] placed;
    /** The stretches of the datasets of parts that are not placed yet. */
    private final long[][] stretches;
    /** Datasets of a stretch when all datasets were read. */
    private final int length;
    private boolean isChanged;
    private boolean isCoarse;

    /**
     * @param least
     *            datasets of a stretch
     */
    Placement(Snapshot snapshot, Selection selection, int least, int maxStretches) {
        this.snapshot = snapshot;
        size = snapshot.parts().size();
        selected = selection.bits().clone();
        others = ids(size, selected[size]).toArray();
        selected[size] = Bitmaps.all(others.length);
        placed = new Placed[size];
        stretches = new long[size][];
        long listed = 0;
        for (int part = 0; part < size; part++) {
            listed += snapshot.elements(part).size();
        }
        length = (int) Math.max(least, listed / maxStretches + 1);
    }

    /**
     * The stretches of the datasets of a part.
     *
     * @param bounds
     *            between all stretches, as JSON
     * @param stretches
     *            their numbers
     * @param settled
     *            the datasets that no pending change named when they were read; null for all
     */
    record Placed(String bounds, Integers ids, Slices stretches, long[] settled) implements Sized {

        @Override
        public long bytes() {
            return stretches.bytes();
        }

        private long stretch(long id) {
            int place = ids.find(id);
            return place < 0 || settled != null && !Known.has(settled, place) ? UNKNOWN : stretches.get(place);
        }
    }

    long[] others() {
        return others;
    }

    int length() {
        return length;
    }

    /** Whether the cache lacks a stretch of a part. */
    boolean isChanged() {
        return isChanged;
    }

    /** Whether a stretch of the page has grown too long. */
    boolean isCoarse() {
        return isCoarse;
    }

    /** The ids of the private datasets of all parts. */
    long[] privateIds() {
        LongStream.Builder ids = LongStream.builder();
        for (int part = 0; part < size; part++) {
            ids(part, snapshot.elements(part).bitmaps(Column.MARKS).get(Mark.PRIVATE)).forEach(ids);
        }
        return ids.build().toArray();
    }

    private LongStream ids(int part, long[] bits) {
        LongStream.Builder ids = LongStream.builder();
        Integers all = snapshot.elements(part).integers(Column.IDS);
        Selection.forEachPlace(new long[][]{bits}, (none, place) -> ids.add(all.get(place)));
        return ids.build();
    }

    /**
     * Takes over the stretches of datasets that have not changed, and returns the ids of the others.
     *
     * @param changed
     *            the datasets that folds may have written since then
     */
    long[] take(ColumnCache.Entry before, LongPredicate changed) {
        Object[] values = before.values(snapshot.parts());
        LongStream.Builder unknown = LongStream.builder();
        for (int part = 0; part < size; part++) {
            Placed known = (Placed) values[part];
            Integers ids = snapshot.elements(part).integers(Column.IDS);
            isChanged |= known == null || known.ids != ids;
            if (known != null && snapshot.areSettled(part, known.settled)) {
                // Other arrays of ids would need more memory than the cache counts.
                placed[part] = known.ids == ids ? known : new Placed(known.bounds, ids, known.stretches, known.settled);
                continue;
            }
            long[] settled = snapshot.settled(part);
            stretches[part] = new long[ids.size()];
            for (int i = 0; i < ids.size(); i++) {
                long id = ids.get(i);
                int old = changed.test(id) ? -1 : before.parts().of(id);
                stretches[part][i] = old < 0 ? UNKNOWN : ((Placed) before.values()[old]).stretch(id);
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

    private void place(long id, long stretch) {
        int part = snapshot.parts().of(id);
        int place = part < 0 || stretches[part] == null ? -1 : snapshot.elements(part).integers(Column.IDS).find(id);
        if (place >= 0) {
            stretches[part][place] = stretch;
        }
    }

    /** The stretches of each part, to be cached. A pending change has deleted the datasets without one. */
    Object[] placed(String bounds) {
        for (int part = 0; part < size; part++) {
            if (stretches[part] != null) {
                placed[part] = new Placed(bounds, snapshot.elements(part).integers(Column.IDS),
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
     */
    void placeNext(long[] ids, List<Long> firsts) {
        for (int i = 0; i < ids.length; i++) {
            if (i % length == 0) {
                firsts.add(ids[i]);
            }
            place(ids[i], firsts.size() - 1L);
        }
    }

    /**
     * The datasets of the stretches around a page.
     *
     * @param ofOthers
     *            the stretches of the others
     */
    Span span(long[] ofOthers, long from, long to) {
        LongStream.Builder ids = LongStream.builder();
        long[] first = {from == to ? from : Long.MAX_VALUE};
        new SliceSearch(numbers(ofOthers), 0, from, to, (datasets, count, before) -> {
            isCoarse |= count > MAX_GROWTH * length;
            first[0] = Math.min(first[0], before);
            Selection.forEachPlace(datasets, (part, place) -> ids.add(part == size
                    ? others[place]
                    : snapshot.elements(part).integers(Column.IDS).get(place)));
        }).search(selected);
        return new Span(ids.build().toArray(), first[0]);
    }

    /**
     * The ids of the datasets of a stretch, and of so many behind them, or before them if {@code descending}.
     *
     * @param ofOthers
     *            the stretches of the others
     */
    long[] behind(long[] ofOthers, long stretch, boolean descending, int number) {
        Slices[] numbers = numbers(ofOthers);
        long from = below(numbers, stretch) - (descending ? number : 0);
        long to = below(numbers, stretch + 1) + (descending ? 0 : number);
        return span(ofOthers, Math.max(from, 0), Math.min(to, Selection.count(selected))).ids();
    }

    /** How many datasets are in the stretches before one. */
    private long below(Slices[] numbers, long stretch) {
        return IntStream.rangeClosed(0, size).mapToLong(part -> numbers[part].countBelow(selected[part], stretch))
                .sum();
    }

    private Slices[] numbers(long[] ofOthers) {
        Slices[] numbers = new Slices[size + 1];
        Arrays.setAll(numbers, part -> part == size ? Slices.of(ofOthers) : placed[part].stretches);
        return numbers;
    }
}
