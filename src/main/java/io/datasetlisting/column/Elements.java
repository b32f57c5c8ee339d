package io.datasetlisting.column;

import java.util.EnumMap;
import java.util.Map;

/** Some datasets in the order of their ids, with the columns that a request needs. */
final class Elements {

    private final int index;
    private final int size;
    private final Map<Column, Object> columns = new EnumMap<>(Column.class);

    /**
     * @param index
     *            the position of these datasets in the snapshot
     */
    Elements(int index, int size) {
        this.index = index;
        this.size = size;
    }

    void put(Column column, Object values) {
        columns.put(column, values);
    }

    int index() {
        return index;
    }

    int size() {
        return size;
    }

    int words() {
        return Bitmaps.words(size);
    }

    Integers integers(Column column) {
        return (Integers) columns.get(column);
    }

    double[] numbers(Column column) {
        return (double[]) columns.get(column);
    }

    Bitmaps bitmaps(Column column) {
        return (Bitmaps) columns.get(column);
    }
}
