package io.datasetlisting.column;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

/**
 * Keeps sums of the whole public listing, so that a request need not visit all datasets. After a fold, only the datasets of the
 * parts that it has written are removed and added. A request does this with the datasets that pending changes name.
 */
@Singleton
class Totals {

    /**
     * A sum of all public elements of some parts.
     *
     * @param elements
     *            of each part, with the columns of the sum
     */
    private record Total(Parts parts, Elements[] elements, Sum<?> sum) {
    }

    /** By the few constants that name sums. */
    private final Map<Object, Total> totals = new ConcurrentHashMap<>();

    /**
     * The sum of the public listing of a snapshot.
     *
     * @param name
     *            one of few constants
     * @param columns
     *            that the sum reads besides the marks
     */
    <S extends Sum<S>> S sum(Snapshot snapshot, Object name, Set<Column> columns, Supplier<S> empty) {
        Parts parts = snapshot.parts();
        int size = parts.size();
        @SuppressWarnings("unchecked")
        S known = (S) totals.compute(name, (key, total) -> total != null && total.parts == parts
                ? total
                : total(total, snapshot, columns, empty)).sum;
        S sum = known.copy();
        Elements[] elements = new Elements[size + 1];
        long[][] touched = new long[size + 1][];
        for (int part = 0; part < size; part++) {
            elements[part] = snapshot.elements(part);
            touched[part] = snapshot.settled(part) == null ? new long[0] : touched(snapshot, part);
        }
        elements[size] = snapshot.elements(size);
        touched[size] = new long[0];
        long[][] added = new long[size + 1][0];
        added[size] = Selector.PUBLIC.select(elements[size]);
        return sum.add(new Selection(elements, touched), -1) && sum.add(new Selection(elements, added), 1) ? sum : null;
    }

    private static long[] touched(Snapshot snapshot, int part) {
        long[] bits = Selector.PUBLIC.select(snapshot.elements(part)).clone();
        Selector.andNot(bits, snapshot.settled(part));
        return bits;
    }

    @SuppressWarnings("unchecked")
    private static <S extends Sum<S>> Total total(Total before, Snapshot snapshot, Set<Column> columns,
            Supplier<S> empty) {
        Parts parts = snapshot.parts();
        Elements[] elements = new Elements[parts.size()];
        Map<Column, Object[]> held = new EnumMap<>(Column.class);
        columns.forEach(column -> held.put(column, snapshot.elements(0).columns().get(column)));
        held.put(Column.MARKS, snapshot.elements(0).columns().get(Column.MARKS));
        for (int part = 0; part < elements.length; part++) {
            elements[part] = new Elements(held, part, snapshot.elements(part).size());
        }
        if (before != null) {
            Object[] kept = parts.take(before.parts, other -> other);
            boolean[] isGone = new boolean[before.parts.size()];
            Arrays.fill(isGone, true);
            for (Object other : kept) {
                if (other != null) {
                    isGone[(int) other] = false;
                }
            }
            S sum = ((S) before.sum).copy();
            if (sum.add(of(before.elements, part -> isGone[part]), -1)
                    && sum.add(of(elements, part -> kept[part] == null), 1)) {
                return new Total(parts, elements, sum);
            }
        }
        S sum = empty.get();
        sum.add(of(elements, part -> true), 1);
        return new Total(parts, elements, sum);
    }

    /** The public elements of some parts. */
    private static Selection of(Elements[] elements, IntPredicate parts) {
        long[][] bits = new long[elements.length][];
        for (int part = 0; part < bits.length; part++) {
            bits[part] = parts.test(part) ? Selector.PUBLIC.select(elements[part]) : new long[0];
        }
        return new Selection(elements, bits);
    }
}
