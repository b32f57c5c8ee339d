package io.datasetlisting.column;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Finds the ids of a page of a selection. In the order of ids, the counts of the parts lead to the page. In another order,
 * the values are counted in ranges, and only the ranges that the page touches are divided further or sorted.
 */
final class Pager {

    /** So many datasets are sorted. */
    private static final int FEW = 4096;
    /** The ranges of a division are 2 to the power of this number. */
    private static final int RANGE_BITS = 10;

    private final Elements[] elements;
    private final long[][] bits;
    private final Order order;
    private final LongStream.Builder page = LongStream.builder();

    Pager(Elements[] elements, long[][] bits, Order order) {
        this.elements = elements;
        this.bits = bits;
        this.order = order;
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
            } else {
                long[] ends = {Long.MAX_VALUE, Long.MIN_VALUE};
                visit((part, place) -> {
                    long key = order.key(elements[part], place);
                    ends[0] = Math.min(ends[0], key);
                    ends[1] = Math.max(ends[1], key);
                });
                addBetween(ends[0], ends[1], from, to);
            }
        }
        return page.build().toArray();
    }

    @FunctionalInterface
    interface Visitor {

        void visit(int part, int place);
    }

    private void visit(Visitor visitor) {
        for (int part = 0; part < bits.length; part++) {
            for (int word = 0; word < bits[part].length; word++) {
                for (long rest = bits[part][word]; rest != 0; rest &= rest - 1) {
                    visitor.visit(part, (word << 6) + Long.numberOfTrailingZeros(rest));
                }
            }
        }
    }

    /** Adds datasets with values from low to high, from one position among them to another. */
    private void addBetween(long low, long high, long from, long to) {
        if (low == high) {
            addByIds(equal(low), from, to);
            return;
        }
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(high - low) - RANGE_BITS);
        int[] counts = new int[1 << RANGE_BITS];
        visit((part, place) -> {
            long key = order.key(elements[part], place);
            if (key >= low && key <= high) {
                counts[(int) (key - low >>> shift)]++;
            }
        });
        long before = 0;
        for (int range = 0; range < counts.length && before < to; range++) {
            if (counts[range] > 0 && before + counts[range] > from) {
                long first = low + ((long) range << shift);
                long last = Math.min(high - first, (1L << shift) - 1) + first;
                long start = Math.max(from - before, 0);
                long end = Math.min(to - before, counts[range]);
                if (first != last && counts[range] <= FEW) {
                    addSorted(first, last, counts[range], start, end);
                } else {
                    addBetween(first, last, start, end);
                }
            }
            before += counts[range];
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

    private record Keyed(long key, long id) implements Comparable<Keyed> {

        @Override
        public int compareTo(Keyed other) {
            return key == other.key ? Long.compare(id, other.id) : Long.compare(key, other.key);
        }
    }

    private void addSorted(long low, long high, int count, long from, long to) {
        Keyed[] all = new Keyed[count];
        int[] filled = {0};
        visit((part, place) -> {
            long key = order.key(elements[part], place);
            if (key >= low && key <= high) {
                all[filled[0]++] = new Keyed(key, elements[part].integers(Column.IDS).get(place));
            }
        });
        Arrays.sort(all);
        for (int i = (int) from; i < to; i++) {
            page.add(all[i].id);
        }
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
