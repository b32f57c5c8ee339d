package io.datasetlisting.catalogue.search;

import io.datasetlisting.dataset.cql2.Queryable;

/**
 * One key of the order of a search.
 *
 * @param property
 *            of a column, without missing values
 */
public record SortKey(Queryable property, boolean descending) {

    /** The unique key, which orders datasets whose other keys are equal. It is the last key of each order. */
    public static SortKey id(boolean descending) {
        return new SortKey(new Queryable("id", Queryable.Type.ID, "id"), descending);
    }

    String column() {
        return property.column();
    }

    /** The type of the column in PostgreSQL. */
    String type() {
        return property.type().sql();
    }
}
