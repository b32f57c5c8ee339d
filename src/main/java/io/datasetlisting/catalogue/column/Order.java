package io.datasetlisting.catalogue.column;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.http.paging.Ordering;

/**
 * An order of datasets by a column, and by id where its values are equal.
 *
 * @param column
 *            of integers, or {@link Column#MARKS}
 * @param mark
 *            the bit of the marks; of {@link Column#GSDS}, 1 if what is not known is above all numbers. It is last in each
 *            order that a request names
 */
public record Order(Column column, int mark, boolean descending) {

    private static final Map<String, Column> COLUMNS = Map.of("id", Column.IDS, "captured_date", Column.TIMES,
            "workspace", Column.WORKSPACES, RasterGsd.NAME, Column.GSDS, RasterGsd.COLUMN, Column.GSDS);

    /** The order of a listing, if a column has it. */
    public static Optional<Order> of(Ordering ordering) {
        return ordering.onlyKey().map(key -> of(key.field(), key.descending()));
    }

    /** The order by a column of {@code dataset} and the id in the same direction; null if no column has it. */
    public static Order of(String name, boolean descending) {
        Column column = COLUMNS.get(name);
        Integer flag = Mark.FLAG_BITS.get(name);
        if (column != null) {
            return new Order(column, column == Column.GSDS && !descending ? 1 : 0, descending);
        }
        return flag == null ? null : new Order(Column.MARKS, flag, descending);
    }

    /** The same order in the other direction. */
    public Order reversed() {
        return new Order(column, mark, !descending);
    }

    /** The columns that a page in this order reads. */
    public Set<Column> columns() {
        return EnumSet.of(column, Column.IDS);
    }

    /** The datasets behind the one with this key and id. Only for columns of integers. */
    Selector after(long key, long id) {
        Selector others = beyond(column, key);
        return column == Column.IDS
                ? others
                : new Selector.Or(List.of(others, new Selector.And(List.of(new Selector.Between(column, key, key),
                        beyond(Column.IDS, id)))));
    }

    private Selector beyond(Column of, long value) {
        if (of == Column.GSDS && mark == 1) {
            return descending
                    ? new Selector.Between(of, 1, value == 0 ? Long.MAX_VALUE : value - 1)
                    : value == 0 ? Selector.NONE : new Selector.Not(new Selector.Between(of, 1, value));
        }
        // No stored value is the least or the largest of all numbers.
        return descending
                ? new Selector.Between(of, Long.MIN_VALUE, value - 1)
                : new Selector.Between(of, value + 1, Long.MAX_VALUE);
    }

    /** The number by which a dataset is ordered. */
    long key(Elements part, int place) {
        if (column == Column.MARKS) {
            return part.bitmaps(column).get(mark)[place >> 6] >>> place & 1;
        }
        long value = part.integers(column).get(place);
        return column == Column.GSDS && mark == 1 ? value - 1 & Long.MAX_VALUE : value;
    }

    /** These numbers. */
    public Slices slices(Elements part) {
        return column == Column.MARKS
                ? new Slices(0, 1, part.bitmaps(column).get(mark))
                : Slices.of(IntStream.range(0, part.size()).mapToLong(i -> key(part, i) ^ Long.MIN_VALUE).toArray());
    }
}
