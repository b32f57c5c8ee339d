package io.datasetlisting.catalogue.column;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Finds the ids of a page of a selection. Only the datasets around the page are sorted. */
final class Pager {

    private static final int FEW = 256;
    private static final Order BY_ID = Order.of("id", false);

    private final Elements[] elements;
    private final Function<Order, Slices[]> slices;
    private final LongStream.Builder page = LongStream.builder();

    Pager(Elements[] elements, Function<Order, Slices[]> slices) {
        this.elements = elements;
        this.slices = slices;
    }

    /**
     * The ids in ascending order.
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
        new SliceSearch(slices.apply(order), FEW, from, to, (datasets, count, before) -> {
            long first = Math.max(from - before, 0);
            long end = Math.min(to - before, count);
            if (count > FEW) {
                add(BY_ID, datasets, first, end);
            } else {
                addSorted(order, datasets, (int) first, (int) end);
            }
        }).search(selected);
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
