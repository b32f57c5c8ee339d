package io.datasetlisting.catalogue.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.Bitmaps;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.column.Known;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.catalogue.column.SliceSearch;
import io.datasetlisting.catalogue.column.Slices;
import io.datasetlisting.catalogue.index.PlaceRepository.Stretches;
import io.datasetlisting.catalogue.snapshot.ColumnCache;
import io.datasetlisting.catalogue.snapshot.Snapshot;

/** The stretches of the datasets of a snapshot, in one order, and the page of a selection. */
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
    private Division division;
    private final List<Group> groups = new ArrayList<>();
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
     * An order that is divided into stretches.
     *
     * @param bounds
     *            between the stretches, as JSON
     * @param sorted
     *            the ids of each stretch in the order, null where it is not known. Those that pending changes named then are left
     *            out, so that the order is valid until a fold writes the datasets
     */
    record Division(String bounds, AtomicReferenceArray<Integers> sorted) {

        /** The same bounds for a later fold, without the ids of the datasets that it has written; null for all. */
        private Division after(Set<Long> changed, ColumnCache.Entry before) {
            Integers[] all = new Integers[sorted.length()];
            if (changed != null) {
                Arrays.setAll(all, sorted::get);
                Set<Long> written = new HashSet<>();
                changed.forEach(id -> written.add(stretch(before, id, false)));
                written.remove(UNKNOWN);
                written.forEach(stretch -> all[stretch.intValue()] = all[stretch.intValue()] == null
                        ? null
                        : Integers.of(longs(all[stretch.intValue()]).filter(id -> !changed.contains(id)).toArray()));
            }
            return new Division(bounds, new AtomicReferenceArray<>(all));
        }
    }

    private static LongStream longs(Integers integers) {
        return IntStream.range(0, integers.size()).mapToLong(integers::get);
    }

    /**
     * Selected datasets of one stretch.
     *
     * @param ids
     *            ascending, or else in the order, if {@code areSorted}
     * @param before
     *            how many selected datasets precede them
     */
    private record Group(long stretch, long[] ids, boolean areSorted, long before) {

        /** The same group in the order of these ids, if it is among them. */
        Group sorted(LongStream all) {
            long[] sorted = all.filter(id -> Arrays.binarySearch(ids, id) >= 0).toArray();
            return sorted.length == ids.length ? new Group(stretch, sorted, true, before) : this;
        }

        boolean isWithin(long from, long to) {
            return before >= from && before + ids.length <= to;
        }
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

    Division division() {
        return division;
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
     *            the datasets that folds have written since then; null for all
     */
    long[] take(ColumnCache.Entry before, Set<Long> changed) {
        Object[] values = before.values(snapshot.parts());
        Division last = ((Placed) before.values()[0]).division;
        division = before.parts() == snapshot.parts() ? last : last.after(changed, before);
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
        division = new Division(bounds,
                new AtomicReferenceArray<>(sorted.toArray(new Integers[Math.max(sorted.size(), 1)])));
    }

    /**
     * Finds the stretches around a page.
     *
     * @param ofOthers
     *            the stretches of the others
     *
     * @return the ids that have to be sorted to divide the first and the last stretch; none if their order is known
     */
    long[] find(long[] ofOthers, long from, long to) {
        Slices[] numbers = numbers(ofOthers);
        find(numbers, selected, from, to, groups);
        groups.replaceAll(group -> group.isWithin(from, to) ? group : sorted(group));
        return groups.stream().filter(group -> !group.isWithin(from, to) && !group.areSorted)
                .flatMapToLong(group -> LongStream.concat(Arrays.stream(group.ids), members(numbers, group.stretch)))
                .distinct().toArray();
    }

    /** The group in the order, if this is known. A pending change may have moved a dataset since. */
    private Group sorted(Group group) {
        Integers sorted = division.sorted.get((int) group.stretch);
        return sorted == null || Arrays.stream(group.ids).anyMatch(this::isOther) ? group : group.sorted(longs(sorted));
    }

    private boolean isOther(long id) {
        return Arrays.binarySearch(others, id) >= 0;
    }

    /** The datasets of a stretch that no pending change names. */
    private LongStream members(Slices[] numbers, long stretch) {
        long[][] all = new long[size + 1][];
        Arrays.setAll(all, part -> part == size
                ? new long[selected[size].length]
                : snapshot.settled(part) == null
                        ? Selector.ALL.select(snapshot.elements(part))
                        : snapshot.settled(part));
        List<Group> found = new ArrayList<>();
        find(numbers, all, below(numbers, all, stretch), below(numbers, all, stretch + 1), found);
        return ids(found);
    }

    private static LongStream ids(List<Group> groups) {
        return groups.stream().flatMapToLong(group -> Arrays.stream(group.ids));
    }

    /**
     * The ids of the page, in no certain order. The order of its stretches is kept for other pages.
     *
     * @param sorted
     *            the ids that {@link #find} has returned, in the order
     */
    long[] page(long[] sorted, long from, long to) {
        groups.replaceAll(group -> {
            if (group.isWithin(from, to) || group.areSorted) {
                return group;
            }
            division.sorted.set((int) group.stretch, Integers.of(Arrays.stream(sorted)
                    .filter(id -> !isOther(id) && stretch(id) == group.stretch).toArray()));
            return group.sorted(Arrays.stream(sorted));
        });
        return groups.stream().flatMapToLong(group -> Arrays.stream(group.ids,
                (int) Math.max(from - group.before, 0), (int) Math.min(to - group.before, group.ids.length))).toArray();
    }

    private long stretch(long id) {
        int part = snapshot.parts().of(id);
        return part < 0 ? UNKNOWN : placed[part].stretch(id, true);
    }

    private void find(Slices[] numbers, long[][] datasets, long from, long to, List<Group> found) {
        new SliceSearch(numbers, 0, from, to, (some, count, before) -> {
            isCoarse |= count > MAX_GROWTH * length;
            LongStream.Builder ids = LongStream.builder();
            long[] stretch = new long[1];
            Selection.forEachPlace(some, (part, place) -> {
                stretch[0] = numbers[part].get(place);
                ids.add(part == size ? others[place] : snapshot.elements(part).integers(Column.IDS).get(place));
            });
            found.add(new Group(stretch[0], ids.build().sorted().toArray(), false, before));
        }).search(datasets);
    }

    /**
     * The ids of the datasets of a stretch, and of so many behind them, or before them if {@code descending}.
     *
     * @param ofOthers
     *            the stretches of the others
     */
    long[] behind(long[] ofOthers, long stretch, boolean descending, int number) {
        Slices[] numbers = numbers(ofOthers);
        long from = below(numbers, selected, stretch) - (descending ? number : 0);
        long to = below(numbers, selected, stretch + 1) + (descending ? 0 : number);
        find(numbers, selected, Math.max(from, 0), Math.min(to, Selection.count(selected)), groups);
        return ids(groups).toArray();
    }

    /** How many datasets are in the stretches before one. */
    private long below(Slices[] numbers, long[][] datasets, long stretch) {
        return IntStream.rangeClosed(0, size).mapToLong(part -> numbers[part].countBelow(datasets[part], stretch))
                .sum();
    }

    private Slices[] numbers(long[] ofOthers) {
        Slices[] numbers = new Slices[size + 1];
        Arrays.setAll(numbers, part -> part == size ? Slices.of(ofOthers) : placed[part].stretches);
        return numbers;
    }
}
