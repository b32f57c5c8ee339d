package io.datasetlisting.catalogue.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.PlaceRepository.Span;

/** The stretches of the datasets of a snapshot, in one order, and which of them has a page of a selection. */
final class Placement {

    private final Snapshot snapshot;
    private final Selection selection;
    private final int size;
    private final Placed[] placed;
    private Bounds bounds = new Bounds("[]", 0);

    Placement(Snapshot snapshot, Selection selection) {
        this.snapshot = snapshot;
        this.selection = selection;
        size = snapshot.parts().size();
        placed = new Placed[size];
    }

    /** The bounds between stretches, as JSON. */
    record Bounds(String json, int count) {
    }

    /**
     * The stretches of the datasets of a part.
     *
     * @param stretches
     *            their numbers
     * @param settled
     *            the datasets that no pending change named when they were read; null for all
     */
    record Placed(Bounds bounds, Slices stretches, long[] settled) {
    }

    Bounds bounds() {
        return bounds;
    }

    /** The stretches of each part, to be cached. */
    Object[] placed() {
        return placed.clone();
    }

    /** Takes what is known of the parts, and returns the other parts. */
    List<Integer> take(Object[] values) {
        List<Integer> absent = new ArrayList<>();
        for (int part = 0; part < size; part++) {
            Placed known = (Placed) values[part];
            if (known != null && bounds.count == 0) {
                bounds = known.bounds;
            }
            if (known != null && known.bounds == bounds && snapshot.areSettled(part, known.settled)) {
                placed[part] = known;
            } else {
                absent.add(part);
            }
        }
        return absent;
    }

    /** The ids of the selected datasets that pending changes name, ascending. They are not placed with a part. */
    long[] others() {
        return ids(size, selection.bits(size));
    }

    /** The ids of the private datasets of all parts. */
    long[] privateIds() {
        return IntStream.range(0, size)
                .mapToObj(part -> ids(part, snapshot.elements(part).bitmaps(Column.MARKS).get(Mark.PRIVATE)))
                .flatMapToLong(Arrays::stream).toArray();
    }

    private long[] ids(int part, long[] bits) {
        LongStream.Builder ids = LongStream.builder();
        Integers all = snapshot.elements(part).integers(Column.IDS);
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                ids.add(all.get((word << 6) + Long.numberOfTrailingZeros(rest)));
            }
        }
        return ids.build().sorted().toArray();
    }

    LongStream ids(int part) {
        Integers ids = snapshot.elements(part).integers(Column.IDS);
        return IntStream.range(0, ids.size()).mapToLong(ids::get);
    }

    /**
     * Places the datasets of a part.
     *
     * @param known
     *            ids, ascending, each with its stretch
     */
    void place(int part, long[] known, long[] stretches) {
        placed[part] = new Placed(bounds, Slices.of(ids(part).map(id -> {
            int place = Arrays.binarySearch(known, id);
            // A pending change has deleted the others.
            return place < 0 ? 0 : stretches[place];
        }).toArray()), snapshot.settled(part));
    }

    /** Places the datasets of all parts, as a division has them. */
    void place(Division all, String boundsJson) {
        bounds = new Bounds(boundsJson, all.firsts.size());
        for (int part = 0; part < size; part++) {
            placed[part] = new Placed(bounds, Slices.of(all.stretches[part]), snapshot.settled(part));
        }
    }

    /** Begins to divide the public datasets into stretches of equal length. */
    Division divide(int least, int maxStretches) {
        return new Division(least, maxStretches);
    }

    /** The public datasets in their order, divided into stretches of equal length. */
    final class Division {

        private final long[][] stretches = new long[size][];
        private final List<Long> firsts = new ArrayList<>();
        private final int length;

        private Division(int least, int maxStretches) {
            long listed = 0;
            for (int part = 0; part < size; part++) {
                stretches[part] = new long[snapshot.elements(part).size()];
                listed += stretches[part].length;
            }
            length = (int) Math.max(least, listed / maxStretches + 1);
        }

        /** Datasets of a stretch. */
        int length() {
            return length;
        }

        /** The first dataset of each stretch but the first one. */
        Long[] bounds() {
            return firsts.stream().skip(1).toArray(Long[]::new);
        }

        /** Adds the next datasets, a whole number of stretches except at the end. */
        void add(long[] ids) {
            for (int i = 0; i < ids.length; i++) {
                if (i % length == 0) {
                    firsts.add(ids[i]);
                }
                place(ids[i], firsts.size() - 1);
            }
        }

        /** A dataset that only a pending change names has no place. */
        void place(long id, long stretch) {
            int part = snapshot.parts().of(id);
            int place = snapshot.elements(part).integers(Column.IDS).find(id);
            if (place >= 0) {
                stretches[part][place] = stretch;
            }
        }
    }

    /**
     * The datasets of the stretches around a page.
     *
     * @param stretches
     *            of the others
     */
    Span span(long[] stretches, long from, long to) {
        if (from == to) {
            return new Span(new long[0], from);
        }
        long[] others = others();
        LongStream.Builder ids = LongStream.builder();
        long[] first = {Long.MAX_VALUE};
        new SliceSearch(numbers(stretches), 0, (datasets, areEqual, before) -> {
            addIds(datasets, others, ids);
            first[0] = Math.min(first[0], before);
        }).search(selected(stretches.length), from, to);
        return new Span(ids.build().toArray(), first[0]);
    }

    /**
     * The ids of the datasets of a stretch, and of so many behind them, or before them if {@code descending}.
     *
     * @param stretches
     *            of the others
     */
    long[] behind(long[] stretches, long stretch, boolean descending, int size) {
        long[][] all = selected(stretches.length);
        Slices[] numbers = numbers(stretches);
        long from = below(all, numbers, stretch) - (descending ? size : 0);
        long to = below(all, numbers, stretch + 1) + (descending ? 0 : size);
        return span(stretches, Math.max(from, 0), Math.min(to, selection.count())).ids();
    }

    /** How many datasets are in the stretches before one. */
    private static long below(long[][] datasets, Slices[] numbers, long stretch) {
        return IntStream.range(0, numbers.length).mapToLong(part -> numbers[part].countBelow(datasets[part], stretch))
                .sum();
    }

    /** The selected datasets of each part, and those that pending changes name. */
    private long[][] selected(int others) {
        long[][] all = new long[size + 1][];
        for (int part = 0; part < size; part++) {
            all[part] = selection.bits(part);
        }
        all[size] = Selector.ALL.select(new Elements(Map.of(), size, others));
        return all;
    }

    private Slices[] numbers(long[] stretches) {
        Slices[] numbers = new Slices[size + 1];
        for (int part = 0; part < size; part++) {
            numbers[part] = placed[part].stretches;
        }
        numbers[size] = Slices.of(stretches);
        return numbers;
    }

    private void addIds(long[][] datasets, long[] others, LongStream.Builder ids) {
        for (int part = 0; part <= size; part++) {
            for (int word = 0; word < datasets[part].length; word++) {
                for (long rest = datasets[part][word]; rest != 0; rest &= rest - 1) {
                    int place = (word << 6) + Long.numberOfTrailingZeros(rest);
                    ids.add(part == size ? others[place] : snapshot.elements(part).integers(Column.IDS).get(place));
                }
            }
        }
    }
}
