package io.datasetlisting.catalogue.query;

import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.postgres.database.Sql;

/**
 * The SQL of the datasets of one visibility that match a filter.
 *
 * @param isFlat
 *            whether the datasets are flat ones, which a filter with a geometry selects apart. Their condition stands in a
 *            subquery
 * @param condition
 *            finds the datasets through its index
 */
public record SelectionSql(Visibility visibility, boolean isFlat, Sql condition) {

    /** Whether these are public datasets, and their condition stands in no subquery. */
    public boolean isPublic() {
        return visibility == Visibility.PUBLIC && !isFlat;
    }

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
