package io.datasetlisting.listing;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.Ordering;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.rank.RankedPageSql;

/**
 * Makes the SQL of pages without a rank: filtered listings, an admin's listing, orders of several fields. One statement
 * reads the count and the page, so both are of one snapshot.
 * Parameters: page size; offset, or null for the last page; the values of the conditions.
 */
public final class CountedPageSql {

    /** So many rows are sorted in a few milliseconds. */
    public static final int FEW = 20_000;

    /**
     * First an index scan of narrow entries finds the ids of the page; then the wide columns are read for these ids
     * only. An array of ids keeps the planner on the primary key for every page size of the prepared statement. An
     * empty page still has a row with the count.
     */
    private static final String PAGE = """
            with %1$s
            select d.id, d.version, d.updated_at, count, %5$s as listing%2$s
            from listed left join dataset d on d.id = any (array(%3$s))
            order by %4$s""";

    private static final String COUNTED = "listed as materialized (select %s as count)";

    private static final String VISIBLE = "select id from %s visible order by %s %s";

    /** An array, because a temporary table of the ids would cost as much as finding them. */
    private static final String FOUND = """
            found as materialized (
                select array(%s limit %d) as ids
            ), listed as materialized (
                select cardinality(ids) as count from found
            )""";

    private static final String FOUND_IDS = """
            select unnest(case when cardinality(ids) <= %d then ids end) as id from found
            order by %s %s""";

    /**
     * The planner does not know that the rows are few. Without {@code offset 0} it would search for them through the
     * index of the order.
     */
    private static final String FOUND_AGAIN = """
            select id from (%s offset 0) few where (select count from listed) <= %d
            order by %s %s""";

    /** Subqueries hide the values from the planner. It would otherwise plan every request anew. */
    private static final String LIMIT = """
            limit (select $1::bigint)
            offset (select coalesce($2::bigint, greatest(count - 1, 0) / $1 * $1) from listed)""";

    private CountedPageSql() {
    }

    /**
     * The page of any number of matches. The planner sees the offset and chooses the plan.
     *
     * @param select
     *            the select list's columns of a dataset, with a leading comma
     * @param fields
     *            names the columns of the order
     * @param visible
     *            the conditions, see {@link FilterSql#visible}
     */
    static String page(ListingQuery query, String select, List<String> visible, DatasetFields fields) {
        String order = fields.orderBy("", query.request().ordering());
        boolean anyPage = query.request().page() == ListRequest.LAST_PAGE || goesThroughIndexes(query, visible);
        String count = all(visible, query).map("(select count(*) from %s)"::formatted)
                .collect(Collectors.joining(" + "));
        return page(query, fields, COUNTED.formatted(count), select,
                VISIBLE.formatted(FilterSql.datasetsFrom(visible, order),
                        order, anyPage ? LIMIT : "limit $1 offset $2"));
    }

    /**
     * Whether counting in an index, and going through an index to the page, is the best plan for every page: for the
     * unfiltered listing, and for one category or raster by id, which has an index of its ids.
     */
    static boolean goesThroughIndexes(ListingQuery query, List<String> visible) {
        return query.filter().isEmpty()
                || visible.size() == 1 && query.filter().onlyChoices().size() == 1 && isById(query);
    }

    private static boolean isById(ListingQuery query) {
        return query.request().ordering().keys().get(0).field().equals(Ordering.TIE_BREAKER);
    }

    /**
     * The page of few matches: all matches are read and sorted, only their ids where the order is by id. A result with
     * a count above {@link #FEW} has no datasets, and its count is not exact.
     */
    static String pageOfFew(ListingQuery query, String select, List<String> visible, DatasetFields fields) {
        String order = fields.orderBy("", query.request().ordering());
        String found = all(visible, query).map("select id from %s"::formatted)
                .collect(Collectors.joining(" union all "));
        String ids = isById(query)
                ? FOUND_IDS.formatted(FEW, order, LIMIT)
                : FOUND_AGAIN.formatted(rows(visible), FEW, order, LIMIT);
        return page(query, fields, FOUND.formatted(found, FEW + 1), select, ids);
    }

    private static String rows(List<String> visible) {
        return visible.stream().map("select * from dataset where %s"::formatted)
                .collect(Collectors.joining(" union all "));
    }

    private static Stream<String> all(List<String> visible, ListingQuery query) {
        return visible.stream().map(condition -> FilterSql.idsFrom(condition, query.filter()));
    }

    private static String page(ListingQuery query, DatasetFields fields, String listed, String select, String ids) {
        return PAGE.formatted(listed, select, ids, fields.orderBy("d.", query.request().ordering()),
                RankedPageSql.LISTING);
    }
}
