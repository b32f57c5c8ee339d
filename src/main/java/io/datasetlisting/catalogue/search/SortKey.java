package io.datasetlisting.catalogue.search;

import java.util.List;

import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.raster.RasterGsd;

/**
 * One key of the order of a search.
 *
 * @param property
 *            of a column, without missing values, or {@link RasterGsd#QUERYABLE}
 */
public record SortKey(Queryable property, boolean descending) {

    /** The order of a search for some ids. */
    public static final List<SortKey> BY_ID = List.of(new SortKey(new Queryable("id", Queryable.Type.ID, "id"), false));

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
