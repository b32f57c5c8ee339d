package io.datasetlisting.catalogue.search;

import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.raster.RasterGsd;

/**
 * One key of the order of a search.
 *
 * @param property
 *            of a column, without missing values, or {@link RasterGsd#QUERYABLE}
 */
public record SortKey(Queryable property, boolean descending) {

    /** The unique key, which orders datasets whose other keys are equal. It is the last key of each order. */
    public static SortKey id(boolean descending) {
        return new SortKey(new Queryable("id", Queryable.Type.ID, "id"), descending);
    }

    String column() {
        return property.column();
    }

    /** The expression of its values, of which none is missing. */
    String sql(String prefix) {
        return property.equals(RasterGsd.QUERYABLE)
                ? RasterGsd.key(prefix, descending)
                : prefix + property.column();
    }

    /** The type of the values in PostgreSQL. */
    String type() {
        return property.type().sql();
    }
}
