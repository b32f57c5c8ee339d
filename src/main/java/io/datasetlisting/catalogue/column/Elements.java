package io.datasetlisting.catalogue.column;

import java.util.Map;

/**
 * Some datasets in the order of their ids: a part, or the datasets that pending changes name.
 *
 * @param columns
 *            the columns that a request needs, of all parts
 * @param index
 *            the position of these datasets in the columns
 */
public record Elements(Map<Column, Object[]> columns, int index, int size) {

    public int words() {
        return Bitmaps.words(size);
    }

    public Integers integers(Column column) {
        return (Integers) columns.get(column)[index];
    }

    public double[] numbers(Column column) {
        return (double[]) columns.get(column)[index];
    }

    public Bitmaps bitmaps(Column column) {
        return (Bitmaps) columns.get(column)[index];
    }
}
