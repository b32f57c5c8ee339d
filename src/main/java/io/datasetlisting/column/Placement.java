package io.datasetlisting.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.datasetlisting.column.PlaceRepository.Span;

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
     * @param settled
     *            the datasets that no pending change named when they were read; null for all
     */
    record Placed(Bounds bounds, char[] stretches, long[] settled) {
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

    /** The ids of the selected datasets that are not placed with their part, ascending. */
    long[] others() {
        LongStream.Builder ids = LongStream.builder();
        for (int part = 0; part <= size; part++) {
            long[] isPrivate = snapshot.elements(part).bitmaps(Column.MARKS).get(Mark.PRIVATE);
            Integers all = snapshot.elements(part).integers(Column.IDS);
            for (int word = 0; word < isPrivate.length; word++) {
                long others = selection.bits(part)[word] & (part == size ? -1 : isPrivate[word]);
                for (long rest = others; rest != 0; rest &= rest - 1) {
                    ids.add(all.get((word << 6) + Long.numberOfTrailingZeros(rest)));
                }
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
        long[] ids = ids(part).toArray();
        char[] of = new char[ids.length];
        for (int i = 0; i < of.length; i++) {
            int place = Arrays.binarySearch(known, ids[i]);
            // A pending change has deleted the others.
            of[i] = place < 0 ? 0 : (char) stretches[place];
        }
        placed[part] = new Placed(bounds, of, snapshot.settled(part));
    }

    /** Places all public datasets, as a division has them. */
    void place(Division all, String boundsJson) {
        bounds = new Bounds(boundsJson, all.firsts.size());
        for (int part = 0; part < size; part++) {
            placed[part] = new Placed(bounds, all.stretches[part], snapshot.settled(part));
        }
    }

    /** Begins to divide the public datasets into stretches of equal length. */
    Division divide(int least, int maxStretches) {
        return new Division(least, maxStretches);
    }

    /** The public datasets in their order, divided into stretches of equal length. */
    final class Division {

        private final char[][] stretches = new char[size][];
        private final List<Long> firsts = new ArrayList<>();
        private final int length;

        private Division(int least, int maxStretches) {
            long listed = 0;
            for (int part = 0; part < size; part++) {
                stretches[part] = new char[snapshot.elements(part).size()];
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
                int part = snapshot.parts().of(ids[i]);
                int place = snapshot.elements(part).integers(Column.IDS).find(ids[i]);
                if (place >= 0) {
                    stretches[part][place] = (char) (firsts.size() - 1);
                }
            }
        }
    }

    /**
     * The datasets of the stretches around a page.
     *
     * @param stretches
     *            of the others
     */
    Span span(long[] others, long[] stretches, long from, long to) {
        int[] counts = new int[bounds.count + 1];
        for (int part = 0; part < size; part++) {
            count(selected(part), placed[part].stretches, counts);
        }
        Arrays.stream(stretches).forEach(stretch -> counts[(int) stretch]++);
        int first = 0;
        long before = 0;
        while (first < bounds.count && before + counts[first] <= from) {
            before += counts[first++];
        }
        int last = first;
        int found = counts[first];
        while (last < bounds.count && before + found < to) {
            found += counts[++last];
        }
        long[] ids = new long[found];
        int filled = 0;
        for (int part = 0; part < size; part++) {
            filled = addBetween(first, last, part, ids, filled);
        }
        for (int i = 0; i < others.length; i++) {
            if (stretches[i] >= first && stretches[i] <= last) {
                ids[filled++] = others[i];
            }
        }
        return new Span(ids, before);
    }

    /** The selected datasets of a part that are placed with it. */
    private long[] selected(int part) {
        long[] isPrivate = snapshot.elements(part).bitmaps(Column.MARKS).get(Mark.PRIVATE);
        long[] bits = selection.bits(part).clone();
        for (int word = 0; word < isPrivate.length; word++) {
            bits[word] &= ~isPrivate[word];
        }
        return bits;
    }

    /** A loop without calls and fields, because this loop and the next one take most of the time of a page. */
    private static void count(long[] bits, char[] stretches, int[] counts) {
        for (int word = 0; word < bits.length; word++) {
            int start = word << 6;
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                counts[stretches[start + Long.numberOfTrailingZeros(rest)]]++;
            }
        }
    }

    /** Adds the ids of a part in some stretches, and returns how many ids there are then. */
    private int addBetween(int first, int last, int part, long[] ids, int filled) {
        long[] bits = selected(part);
        char[] stretches = placed[part].stretches;
        Integers all = snapshot.elements(part).integers(Column.IDS);
        int next = filled;
        for (int word = 0; word < bits.length; word++) {
            int start = word << 6;
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                int place = start + Long.numberOfTrailingZeros(rest);
                if (stretches[place] >= first && stretches[place] <= last) {
                    ids[next++] = all.get(place);
                }
            }
        }
        return next;
    }
}
