package io.datasetlisting.listing;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.Ordering;
import io.datasetlisting.rank.RankedPageSql;

/**
 * A page of what has no rank: what filters leave over, an admin's listing, orders of several fields. Count and page are
 * one statement, that is one snapshot. Parameters: page size; offset, or null for the last page; those of the conditions.
 */
final class CountedPageSql {

    /** Rows that are sorted in no time. */
    static final int FEW = 20_000;

    /**
     * The ids of the page come from an index scan of narrow entries first, the wide columns are fetched for those alone: an
     * array of ids keeps the planner on the primary key, whatever page size the prepared statement gets. An empty page still
     * has its row with the count.
     */
    private static final String PAGE = """
            with %1$s
            select d.id, d.version, d.updated_at, count, %5$s as listing%2$s
            from listed left join dataset d on d.id = any (array(%3$s))
            order by %4$s""";

    private static final String COUNTED = "listed as materialized (select %s as count)";

    private static final String VISIBLE = "select id from %s visible order by %s %s";

    /** An array of ids, because a table of them would cost as much as finding them. */
    private static final String FOUND = """
            found as materialized (
                select array(%s limit %d) as ids
            ), listed as materialized (
                select cardinality(ids) as count from found
            )""";

    private static final String FOUND_IDS = """
            select unnest(case when cardinality(ids) <= %d then ids end) as id from found
            order by %s %s""";

    /** The planner can't know that they are few, and would go through the index of the order in search of them. */
    private static final String FOUND_AGAIN = """
            select id from (%s offset 0) few where (select count from listed) <= %d
            order by %s %s""";

    /** In subqueries, to keep the planner from planning each request anew, for a gain that it sees in their values. */
    private static final String LIMIT = """
            limit (select $1::bigint)
            offset (select coalesce($2::bigint, greatest(count - 1, 0) / $1 * $1) from listed)""";

    private CountedPageSql() {
    }

    /**
     * Of any number. The planner chooses a way, and sees how far the page is.
     *
     * @param select
     *            what is asked for of the datasets, as a select list goes on
     * @param fields
     *            name the columns of the order
     * @param visible
     *            conditions, see {@link FilterSql#visible}
     */
    static String sql(ListingQuery query, String select, List<String> visible, DatasetFields fields) {
        String order = fields.orderBy("", query.request().ordering());
        boolean anyPage = query.request().page() == ListRequest.LAST_PAGE || goesThroughIndexes(query, visible);
        String count = all(visible, query).map("(select count(*) from %s)"::formatted)
                .collect(Collectors.joining(" + "));
        return page(query, fields, COUNTED.formatted(count), select, VISIBLE.formatted(FilterSql.rows(visible, order),
                order, anyPage ? LIMIT : "limit $1 offset $2"));
    }

    /**
     * Whether there is nothing better than to count in an index and to go through one to the page, however far that is: for
     * everything there is, and for one category, or raster, by id, each of which has an index of its ids.
     */
    static boolean goesThroughIndexes(ListingQuery query, List<String> visible) {
        return query.filter().asksForAll()
                || visible.size() == 1 && query.filter().choices().size() == 1 && isById(query);
    }

    private static boolean isById(ListingQuery query) {
        return query.request().ordering().keys().get(0).field().equals(Ordering.TIE_BREAKER);
    }

    /**
     * Of what filters leave over, if they are few: all matches are read and sorted, their ids alone where that is the order. A
     * count of more than {@link #FEW} stands for any number, and comes without datasets.
     */
    static String ofFew(ListingQuery query, String select, List<String> visible, DatasetFields fields) {
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
        return visible.stream().map(condition -> FilterSql.all(condition, query.filter()));
    }

    private static String page(ListingQuery query, DatasetFields fields, String listed, String select, String ids) {
        return PAGE.formatted(listed, select, ids, fields.orderBy("d.", query.request().ordering()),
                RankedPageSql.LISTING);
    }
}
