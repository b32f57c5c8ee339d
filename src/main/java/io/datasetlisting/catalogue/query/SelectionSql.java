package io.datasetlisting.catalogue.query;

import io.datasetlisting.postgres.database.Sql;

/**
 * The SQL of the datasets of one set that match a filter.
 *
 * @param isFlat
 *            whether the datasets are flat ones, which a filter with a geometry selects apart. Their condition stands in a
 *            subquery
 * @param condition
 *            finds the datasets through its index
 */
public record SelectionSql(boolean isFlat, Sql condition) {

    /** The statement that reads columns of the datasets. */
    public Sql select(String columns) {
        return condition.in("select " + columns + " from dataset where ", "");
    }

    /** The statement that reads the ids. */
    public Sql ids() {
        return select("id");
    }

    /** The number of the datasets. */
    public Sql count() {
        return condition.in("(select count(*) from dataset where ", ")");
    }
}
