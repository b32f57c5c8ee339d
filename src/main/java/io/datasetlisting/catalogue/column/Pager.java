package io.datasetlisting.catalogue.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Finds the ids of a page of a selection. Only the datasets around the page are sorted. */
final class Pager {

    private static final int FEW = 256;

    private final Elements[] elements;
    private final Function<Order, Slices[]> slices;
    private final LongStream.Builder page = LongStream.builder();

    Pager(Elements[] elements, Function<Order, Slices[]> slices) {
        this.elements = elements;
        this.slices = slices;
    }

    /**
     * The ids of the page, as the order has them if it ascends.
     *
     * @param selected
     *            of each part, as bits
     * @param from
     *            the position of the first one
     * @param to
     *            the position behind the last one
     */
    long[] page(Order order, long[][] selected, long from, long to) {
        add(order, selected, from, to);
        return page.build().toArray();
    }

    /** Adds datasets of an order. Datasets with equal keys are in the order of their ids. */
    private void add(Order order, long[][] selected, long from, long to) {
        if (order.column() == Column.IDS) {
            addById(selected, from, to);
            return;
        }
        new SliceSearch(slices.apply(order), FEW, from, to, (datasets, count, before) -> {
            long first = Math.max(from - before, 0);
            long end = Math.min(to - before, count);
            if (count > FEW) {
                addById(datasets, first, end);
            } else {
                addSorted(order, datasets, (int) first, (int) end);
            }
        }).search(selected);
    }

    /** Adds datasets in the order of the parts. Those of pending changes, which are the last elements, come between them. */
    private void addById(long[][] selected, long from, long to) {
        int parts = elements.length - 1;
        long[] others = elements[parts].integers(Column.IDS).at(selected[parts]);
        int other = 0;
        long before = 0;
        for (int part = 0; part <= parts && before < to; part++) {
            long last = part < parts ? elements[part].integers(Column.IDS).max() : Long.MAX_VALUE;
            int next = other;
            while (next < others.length && others[next] <= last) {
                next++;
            }
            long count = next - other + (part < parts ? Selection.count(selected[part]) : 0);
            if (before + count > from) {
                LongStream all = Arrays.stream(others, other, next);
                (part < parts
                        ? LongStream.concat(Arrays.stream(elements[part].integers(Column.IDS).at(selected[part])), all)
                                .sorted()
                        : all)
                        .limit(to - before).skip(Math.max(from - before, 0)).forEach(page);
            }
            before += count;
            other = next;
        }
    }

    private record Keyed(long key, long id) implements Comparable<Keyed> {

        @Override
        public int compareTo(Keyed other) {
            return key == other.key ? Long.compare(id, other.id) : Long.compare(key, other.key);
        }
    }

    private void addSorted(Order order, long[][] selected, int from, int to) {
        List<Keyed> all = new ArrayList<>();
        Selection.forEachPlace(selected, (part, place) -> all.add(new Keyed(order.key(elements[part], place),
                elements[part].integers(Column.IDS).get(place))));
        Collections.sort(all);
        all.subList(from, to).forEach(each -> page.add(each.id));
    }
}
