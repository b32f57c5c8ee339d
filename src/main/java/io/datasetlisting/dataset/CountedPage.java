package io.datasetlisting.dataset;

import java.util.List;
import java.util.stream.Collectors;

import io.datasetlisting.listing.ListRequest;

/**
 * A page of what has no rank: what filters leave over, an admin's listing, orders of several fields. Count and page are
 * one statement, that is one round trip and one snapshot. Parameters: page size; offset, or null for the last page; those
 * of the conditions.
 */
final class CountedPage {

    /** Rows that are sorted in no time. */
    private static final int FEW = 20_000;

    /**
     * The ids of the page come from an index
     * scan of narrow entries first, the wide columns are fetched for those alone: an array of ids keeps the planner on
     * the primary key, whatever page size the prepared statement gets; and limit and offset in subqueries keep it from
     * planning each request anew, for a gain that it sees in their values. An empty page still has its row with the
     * count.
     */
    private static final String PAGE = """
            with listed as materialized (select %1$s as count)
            select d.id, d.version, d.updated_at, listed.count, %5$s%2$s
            from listed left join dataset d on d.id = any (array(%3$s))
            order by %4$s""";

    private static final String LIMIT = """
            limit (select $1::bigint)
            offset (select coalesce($2::bigint, greatest(count - 1, 0) / $1 * $1) from listed)""";

    private static final String ALL_IDS = """
            select id from %1$s visible
            order by %2$s %3$s""";

    /**
     * The ids of a page of what filters leave over. Few are fetched whole and sorted: the planner can't know that they are
     * few, and would go through the index of the order in search of them. Of many the planner chooses a way, and sees how
     * far the page is. One of both is executed, by the count that is known then.
     */
    private static final String SOME_IDS = """
            (select id from (select * from %6$s matching offset 0) few
                where (select count from listed) <= %5$d
                order by %2$s %3$s)
            union all
            (select id from %1$s many
                where (select count from listed) > %5$d
                order by %2$s %4$s)""";

    private CountedPage() {
    }

    /**
     * @param select
     *            what is asked for of the datasets, as a select list goes on
     * @param visible
     *            conditions, see {@link DatasetConditions#visible}
     */
    static String sql(DatasetQuery query, String select, List<String> visible) {
        ListRequest request = query.request();
        String order = DatasetColumns.orderBy("", request.ordering());
        List<String> all = visible.stream().map(condition -> DatasetConditions.all(condition, query.filter()))
                .toList();
        String count = all.stream().map("(select count(*) from %s)"::formatted)
                .collect(Collectors.joining(" + "));
        String ids = (query.filter().asksForAll() ? ALL_IDS : SOME_IDS).formatted(
                DatasetConditions.rows(visible, order), order, LIMIT,
                request.page() == ListRequest.LAST_PAGE ? LIMIT : "limit $1 offset $2", FEW,
                all.stream().map("select dataset.* from %s"::formatted)
                        .collect(Collectors.joining(" union all ", "(", ")")));
        return PAGE.formatted(count, select, ids, DatasetColumns.orderBy("d.", request.ordering()),
                RankedPage.LISTING);
    }
}
