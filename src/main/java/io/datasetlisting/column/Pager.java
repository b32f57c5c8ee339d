package io.datasetlisting.column;

import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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
            } else if (order.column() == Column.MARKS) {
                addByMark(from, to);
            } else {
                addBetween(bits, keys().mapToLong(Integers::min).min().orElseThrow(),
                        keys().mapToLong(Integers::max).max().orElseThrow(), from, to);
            }
        }
        return page.build().toArray();
    }

    private Stream<Integers> keys() {
        return Arrays.stream(elements).map(part -> part.integers(order.column()));
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

    /** Adds some datasets, whose values are from low to high, from one position among them to another. */
    private void addBetween(long[][] selected, long low, long high, long from, long to) {
        if (low == high) {
            addByIds(selected, from, to);
            return;
        }
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(high - low) - RANGE_BITS);
        int[] counts = new int[1 << RANGE_BITS];
        for (int part = 0; part < selected.length; part++) {
            count(selected[part], elements[part].integers(order.column()), low, shift, counts);
        }
        long before = 0;
        for (int range = 0; range < counts.length && before < to; range++) {
            if (counts[range] > 0 && before + counts[range] > from) {
                long first = low + ((long) range << shift);
                long last = Math.min(high - first, (1L << shift) - 1) + first;
                long start = Math.max(from - before, 0);
                long end = Math.min(to - before, counts[range]);
                long[][] inRange = new long[selected.length][];
                for (int part = 0; part < selected.length; part++) {
                    inRange[part] = between(selected[part], elements[part].integers(order.column()), first, last);
                }
                if (counts[range] <= FEW) {
                    addSorted(inRange, counts[range], start, end);
                } else {
                    addBetween(inRange, first, last, start, end);
                }
            }
            before += counts[range];
        }
    }

    private static void count(long[] selected, Integers keys, long low, int shift, int[] counts) {
        for (int word = 0; word < selected.length; word++) {
            for (long rest = selected[word]; rest != 0; rest &= rest - 1) {
                counts[(int) (keys.get((word << 6) + Long.numberOfTrailingZeros(rest)) - low >>> shift)]++;
            }
        }
    }

    private static long[] between(long[] selected, Integers keys, long low, long high) {
        long[] both = selected.clone();
        for (int word = 0; word < both.length; word++) {
            for (long rest = selected[word]; rest != 0; rest &= rest - 1) {
                long key = keys.get((word << 6) + Long.numberOfTrailingZeros(rest));
                both[word] ^= key < low || key > high ? rest & -rest : 0;
            }
        }
        return both;
    }

    private record Keyed(long key, long id) implements Comparable<Keyed> {

        @Override
        public int compareTo(Keyed other) {
            return key == other.key ? Long.compare(id, other.id) : Long.compare(key, other.key);
        }
    }

    private void addSorted(long[][] selected, int count, long from, long to) {
        Keyed[] all = new Keyed[count];
        int filled = 0;
        for (int part = 0; part < selected.length; part++) {
            for (int word = 0; word < selected[part].length; word++) {
                for (long rest = selected[part][word]; rest != 0; rest &= rest - 1) {
                    int place = (word << 6) + Long.numberOfTrailingZeros(rest);
                    all[filled++] = new Keyed(elements[part].integers(order.column()).get(place),
                            elements[part].integers(Column.IDS).get(place));
                }
            }
        }
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
