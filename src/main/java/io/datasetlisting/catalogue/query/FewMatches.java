package io.datasetlisting.catalogue.query;

import java.util.stream.Stream;

import io.datasetlisting.postgres.database.Sql;

/**
 * The SQL of matches that are read as a whole because they are few. The ids of one more than the limit are read into an
 * array, because a temporary table of the ids would cost as much as finding them; the array is used if it is not longer than
 * the limit.
 */
public final class FewMatches {

    /** So many datasets are read, sorted and counted in a few milliseconds. */
    public static final int MAX = 20_000;

    private FewMatches() {
    }

    /** The array {@code ids} of the first ids that any of these queries returns. */
    public static Sql array(Stream<Sql> queries, long max) {
        return Sql.unionAll(queries).in("array(", " limit " + (max + 1) + ")");
    }

    /** A row for each id of the array {@code ids}, or no row if it has more. */
    public static Sql rows(long max) {
        return Sql.of("unnest(case when cardinality(ids) <= " + max + " then ids end)");
    }
}
