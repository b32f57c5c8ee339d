package io.datasetlisting.catalogue.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.Bitmaps;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.column.SliceSearch;
import io.datasetlisting.catalogue.column.Slices;
import io.datasetlisting.catalogue.snapshot.Snapshot;

/** Finds the page of a selection by the stretches of its datasets. Only the first and the last stretch are sorted. */
final class StretchSearch {

    /** A stretch that has grown so many times makes pages slow. */
    private static final int MAX_GROWTH = 8;

    private final Snapshot snapshot;
    private final Placement placement;
    private final int size;
    private final long[][] selected;
    /** The ids of the selected datasets that pending changes name, ascending. They are not placed with a part. */
    private final long[] others;
    private final List<Group> groups = new ArrayList<>();
    private boolean isCoarse;

    StretchSearch(Snapshot snapshot, Selection selection, Placement placement) {
        this.snapshot = snapshot;
        this.placement = placement;
        size = snapshot.parts().size();
        selected = selection.bits().clone();
        Integers pending = snapshot.elements(size).integers(Column.IDS);
        others = pending.at(selected[size]);
        selected[size] = Bitmaps.all(others.length);
    }

    long[] others() {
        return others;
    }

    /** Whether a stretch of the page has grown too long. */
    boolean isCoarse() {
        return isCoarse;
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
        return groups.stream().filter(group -> !group.isWithin(from, to) && !group.areSorted())
                .flatMapToLong(
                        group -> LongStream.concat(Arrays.stream(group.ids()), members(numbers, group.stretch())))
                .distinct().toArray();
    }

    /** The group in the order, if this is known. A pending change may have moved a dataset since. */
    private Group sorted(Group group) {
        return !placement.division().isSorted(group.stretch()) || Arrays.stream(group.ids()).anyMatch(this::isOther)
                ? group
                : group.sorted(placement.division().sorted(group.stretch()));
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
        return groups.stream().flatMapToLong(group -> Arrays.stream(group.ids()));
    }

    /**
     * The ids of the page, in no certain order. The order of its stretches is kept for other pages.
     *
     * @param sorted
     *            the ids that {@link #find} has returned, in the order
     */
    long[] page(long[] sorted, long from, long to) {
        groups.replaceAll(group -> {
            if (group.isWithin(from, to) || group.areSorted()) {
                return group;
            }
            placement.division().keep(group.stretch(), Arrays.stream(sorted)
                    .filter(id -> !isOther(id) && placement.stretch(id) == group.stretch()));
            return group.sorted(Arrays.stream(sorted));
        });
        return groups.stream().flatMapToLong(group -> group.page(from, to)).toArray();
    }

    private void find(Slices[] numbers, long[][] datasets, long from, long to, List<Group> found) {
        new SliceSearch(numbers, 0, from, to, (some, count, before) -> {
            isCoarse |= count > MAX_GROWTH * placement.length();
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
        Arrays.setAll(numbers, part -> part == size ? Slices.of(ofOthers) : placement.stretches(part));
        return numbers;
    }
}
