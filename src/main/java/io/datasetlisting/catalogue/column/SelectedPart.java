package io.datasetlisting.catalogue.column;

import java.util.EnumMap;
import java.util.Map;

/**
 * The datasets of a part that match. Reading arrays of values is faster than visiting the datasets. Not to be kept: the
 * same object and the same arrays stand for the next part.
 */
public final class SelectedPart {

    private Elements elements;
    private int[] places = new int[0];
    private int size;
    private final Map<Column, long[]> integers = new EnumMap<>(Column.class);
    private final Map<Column, double[]> numbers = new EnumMap<>(Column.class);

    SelectedPart() {
    }

    void move(Elements to, long[] bits) {
        elements = to;
        size = 0;
        if (places.length < to.size()) {
            places = new int[to.size()];
            integers.clear();
            numbers.clear();
        }
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                places[size++] = (word << 6) + Long.numberOfTrailingZeros(rest);
            }
        }
    }

    /** How many datasets match. The elements of arrays behind this number mean nothing. */
    public int size() {
        return size;
    }

    /** The values of a column of integers. */
    public long[] integers(Column column) {
        long[] values = integers.computeIfAbsent(column, absent -> new long[places.length]);
        Integers all = elements.integers(column);
        for (int i = 0; i < size; i++) {
            values[i] = all.get(places[i]);
        }
        return values;
    }

    /** The values of a column of degrees. */
    public double[] numbers(Column column) {
        double[] values = numbers.computeIfAbsent(column, absent -> new double[places.length]);
        double[] all = elements.numbers(column);
        for (int i = 0; i < size; i++) {
            values[i] = all[places[i]];
        }
        return values;
    }
}
