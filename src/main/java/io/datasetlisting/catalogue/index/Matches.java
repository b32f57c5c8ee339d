package io.datasetlisting.catalogue.index;

import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.Sql;

/**
 * The datasets that match a filter, of which PostgreSQL sorts a page.
 *
 * @param filter
 *            as PostgreSQL decides it, unless the ids are known
 * @param version
 *            the listing version in a statement; null there if the listing has changed since
 * @param ids
 *            of few matches; null for many, and where the page needs none
 * @param isUnchecked
 *            whether the listing may have changed since
 */
public record Matches(Expression filter, Sql version, long count, Long[] ids, boolean isUnchecked) {

    public boolean areFew() {
        return ids != null;
    }

    /** Whether a whole order may be read for them: there are many, and the transaction of their snapshot is at hand. */
    public boolean mayReadOrder() {
        return !areFew() && !isUnchecked;
    }
}
