package io.datasetlisting.catalogue.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Finds the ids of a page of a selection. In the order of ids, the counts of the parts lead to the page. In another order,
 * slices of the values do, and only the datasets around the page are sorted.
 */
final class Pager {

    /** So many datasets are sorted. */
    private static final int FEW = 4096;
    /** Of more datasets, so many around the page are sorted. */
    private static final int FEW_OF_MANY = 256;

    private final Elements[] elements;
    private final long[][] bits;
    private final Order order;
    private final Supplier<Slices[]> slices;
    private final LongStream.Builder page = LongStream.builder();

    /** @param slices of the column of the order */
    Pager(Elements[] elements, long[][] bits, Order order, Supplier<Slices[]> slices) {
        this.elements = elements;
        this.bits = bits;
        this.order = order;
        this.slices = slices;
    }

    /**
     * The ids in ascending order.
     *
     * @param from
     *            the position of the first one
     * @param to
     *            the position behind the last one
     */
    long[] page(long from, long to) {
        if (from < to) {
            if (order.column() == Column.IDS) {
                addByIds(bits, from, to);
            } else if (order.column() == Column.MARKS) {
                addByMark(from, to);
            } else {
                addByValue(from, to);
            }
        }
        return page.build().toArray();
    }

    /** Adds first the datasets without the mark, then those with the mark. */
    private void addByMark(long from, long to) {
        long[][] unmarked = equal(0);
        long before = Arrays.stream(unmarked).mapToInt(Selection::count).sum();
        if (from < before) {
            addByIds(unmarked, from, Math.min(to, before));
        }
        if (to > before) {
            addByIds(equal(1), Math.max(from - before, 0), to - before);
        }
    }

    private long[][] equal(long key) {
        Selector selector = order.equal(key);
        long[][] both = new long[bits.length][];
        for (int part = 0; part < bits.length; part++) {
            both[part] = bits[part].clone();
            Selector.and(both[part], selector.select(elements[part]));
        }
        return both;
    }

    /** Adds datasets of the order of a column. Datasets with equal values are in the order of their ids. */
    private void addByValue(long from, long to) {
        long count = Arrays.stream(bits).mapToInt(Selection::count).sum();
        if (count <= FEW) {
            addSorted(bits, from, to);
            return;
        }
        new SliceSearch(slices.get(), FEW_OF_MANY, (datasets, areEqual, before) -> {
            long end = Math.min(to - before, Arrays.stream(datasets).mapToInt(Selection::count).sum());
            if (areEqual) {
                addByIds(datasets, Math.max(from - before, 0), end);
            } else {
                addSorted(datasets, Math.max(from - before, 0), end);
            }
        }).search(bits, from, to);
    }

    private record Keyed(long key, long id) implements Comparable<Keyed> {

        @Override
        public int compareTo(Keyed other) {
            return key == other.key ? Long.compare(id, other.id) : Long.compare(key, other.key);
        }
    }

    private void addSorted(long[][] selected, long from, long to) {
        List<Keyed> all = new ArrayList<>();
        for (int part = 0; part < selected.length; part++) {
            for (int word = 0; word < selected[part].length; word++) {
                for (long rest = selected[part][word]; rest != 0; rest &= rest - 1) {
                    int place = (word << 6) + Long.numberOfTrailingZeros(rest);
                    all.add(new Keyed(elements[part].integers(order.column()).get(place),
                            elements[part].integers(Column.IDS).get(place)));
                }
            }
        }
        Collections.sort(all);
        all.subList((int) from, (int) to).forEach(each -> page.add(each.id));
    }

    /** Adds datasets in the order of ids. The datasets of pending changes, which stand last, are put between the others. */
    private void addByIds(long[][] selected, long from, long to) {
        int last = elements.length - 1;
        long[] changed = ids(last, selected[last]);
        int next = 0;
        long before = 0;
        for (int part = 0; part < last && before < to; part++) {
            int end = part + 1 < last ? below(changed, next, elements[part + 1].integers(Column.IDS)) : changed.length;
            int count = Selection.count(selected[part]) + end - next;
            if (before + count > from) {
                long[] all = LongStream.concat(Arrays.stream(ids(part, selected[part])),
                        Arrays.stream(changed, next, end)).sorted().toArray();
                for (long i = Math.max(from - before, 0); i < Math.min(to - before, count); i++) {
                    page.add(all[(int) i]);
                }
            }
            before += count;
            next = end;
        }
    }

    /** The first position from which on no id is less than the first id of a part. */
    private static int below(long[] ids, int from, Integers part) {
        int end = from;
        while (end < ids.length && part.size() > 0 && ids[end] < part.get(0)) {
            end++;
        }
        return end;
    }

    private long[] ids(int part, long[] selected) {
        long[] ids = new long[Selection.count(selected)];
        int filled = 0;
        for (int word = 0; word < selected.length; word++) {
            for (long rest = selected[word]; rest != 0; rest &= rest - 1) {
                ids[filled++] = elements[part].integers(Column.IDS)
                        .get((word << 6) + Long.numberOfTrailingZeros(rest));
            }
        }
        return ids;
    }
}
