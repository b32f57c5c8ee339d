package io.datasetlisting.column;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.datasetlisting.paging.Ordering;

/**
 * An order of datasets by a column, and by id where its values are equal.
 *
 * @param column
 *            of integers, or {@link Column#MARKS}
 * @param mark
 *            the bit of the marks
 */
public record Order(Column column, int mark, boolean descending) {

    private static final Map<String, Column> COLUMNS = Map.of("id", Column.IDS, "captured_date", Column.TIMES,
            "workspace", Column.WORKSPACES);

    /** The order of a listing, if a column has it. */
    public static Optional<Order> of(Ordering ordering) {
        return ordering.onlyKey().map(key -> {
            Column column = COLUMNS.get(key.field());
            Integer flag = Mark.FLAG_BITS.get(key.field());
            if (column == null && flag == null) {
                return null;
            }
            return flag == null
                    ? new Order(column, 0, key.descending())
                    : new Order(Column.MARKS, flag, key.descending());
        });
    }

    /** The columns that a page in this order reads. */
    public Set<Column> columns() {
        return EnumSet.of(column, Column.IDS);
    }

    /** The value that orders a dataset. */
    long key(Elements elements, int place) {
        return column == Column.MARKS
                ? elements.bitmaps(column).get(mark)[place >> 6] >> place & 1
                : elements.integers(column).get(place);
    }

    /** The datasets with a value. */
    Selector equal(long key) {
        if (column != Column.MARKS) {
            return new Selector.Between(column, key, key);
        }
        Selector marked = new Selector.Marked(column, List.of(mark));
        return key == 1 ? marked : new Selector.Not(marked);
    }
}
