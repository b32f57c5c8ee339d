package io.datasetlisting.catalogue.listing;

import java.util.List;
import java.util.Map;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.FewMatches;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.Sql;

/**
 * Makes the SQL of pages without a rank: filtered listings, an admin's listing, orders of several fields. One statement
 * reads the count and the page, so both are of one snapshot.
 */
final class CountedPageSql {

    /**
     * First an index scan of narrow entries finds the ids of the page; then the wide columns are read for these ids
     * only. An array of ids keeps the planner on the primary key for every page size of the prepared statement. An
     * empty page still has a row with the count.
     */
    private static final String PAGE = """
            with {listed}
            select d.id, d.version, d.updated_at, count, {version} as listing{columns}
            from listed left join dataset d on d.id = any (array({ids}))
            order by {order}""";

    private static final String COUNTED = "listed as materialized (select {count} as count)";

    private static final String VISIBLE = "select id from {datasets} visible order by {order} {limit}";

    private static final String FOUND = """
            found as materialized (
                select {found} as ids
            ), listed as materialized (
                select cardinality(ids) as count from found
            )""";

    private static final String FOUND_IDS = "select {few} as id from found order by {order} {limit}";

    /**
     * The planner does not know that the rows are few. Without {@code offset 0} it would search for them through the
     * index of the order.
     */
    private static final String FOUND_AGAIN = """
            select id from ({rows} offset 0) few where (select count from listed) <= {max}
            order by {order} {limit}""";

    /** Subqueries hide the values from the planner. It would otherwise plan every request anew. */
    private static final String LIMIT = """
            limit (select {size}::bigint)
            offset (select coalesce({skip}::bigint, greatest(count - 1, 0) / {size} * {size}) from listed)""";

    private static final String PLAIN_LIMIT = "limit {size} offset {skip}";

    /** The datasets of a page whose ids are known. */
    private static final String KNOWN = """
            select d.id, d.version, d.updated_at, {count}::bigint as count, {listing}::bigint as listing{columns}
            from (select {count}::bigint) known left join dataset d on d.id = any ({ids}::bigint[])
            order by {order}""";

    /** Without {@code offset 0} the planner would go through the unique index of all datasets in the order of {@code uav_uid}. */
    private static final String AMONG = """
            array(select id from (select * from dataset where id = any ({ids}::bigint[]) offset 0) among
                order by {order} limit {size} offset {skip})""";

    private static final String WALKED = "array(select id from {datasets} visible order by {order} limit {size} offset {skip})";

    private final ListingQuery query;
    private final Sql select;
    private final List<SelectionSql> visible;
    private final Sql order;
    private final Sql orderOfPage;
    private final Map<String, Sql> position;

    /**
     * @param select
     *            the select list's columns of a dataset, with a leading comma
     * @param fields
     *            names the columns of the order
     */
    CountedPageSql(ListingQuery query, Caller caller, String select, DatasetFields fields) {
        this.query = query;
        this.select = Sql.of(select);
        visible = FilterSql.visible(query.filter(), caller);
        Ordering ordering = query.request().ordering();
        order = Sql.of(fields.orderBy("", ordering));
        orderOfPage = Sql.of(fields.orderBy("d.", ordering));
        position = Map.of("size", Sql.value((long) query.request().pageSize()), "skip",
                Sql.value(query.request().offset()));
    }

    /** The page of any number of matches. The planner sees the offset and chooses the plan. */
    Sql page() {
        boolean anyPage = query.request().page() == ListRequest.LAST_PAGE || query.filter().equals(Expression.ALL);
        return page(Sql.of(COUNTED, Map.of("count", Sql.join(" + ", visible.stream().map(SelectionSql::count)))),
                Sql.of(VISIBLE, Map.of("datasets", FilterSql.datasetsFrom(visible, order), "order", order, "limit",
                        Sql.of(anyPage ? LIMIT : PLAIN_LIMIT, position))));
    }

    private boolean isById() {
        return query.request().ordering().keys().get(0).field().equals(Ordering.TIE_BREAKER);
    }

    /**
     * The page of few matches: all matches are read and sorted, only their ids where the order is by id. A result with
     * a count above {@link FewMatches#MAX} has no datasets, and its count is not exact.
     */
    Sql pageOfFew() {
        Sql limit = Sql.of(LIMIT, position);
        return page(
                Sql.of(FOUND,
                        Map.of("found", FewMatches.array(visible.stream().map(SelectionSql::ids), FewMatches.MAX))),
                isById()
                        ? Sql.of(FOUND_IDS,
                                Map.of("few", FewMatches.rows(FewMatches.MAX), "order", order, "limit", limit))
                        : Sql.of(FOUND_AGAIN,
                                Map.of("rows", Sql.unionAll(visible.stream().map(each -> each.select("*"))),
                                        "max", Sql.of(Integer.toString(FewMatches.MAX)), "order", order, "limit",
                                        limit)));
    }

    /** The page of matches whose ids columns have found, in its order. */
    Sql page(long listing, long count, Long[] ids) {
        return known(listing, count, Sql.value(ids));
    }

    /**
     * The page among the ids that columns have found.
     *
     * @param ids
     *            of neighbours in the order
     * @param before
     *            how many matches precede them
     */
    Sql page(long listing, long count, Long[] ids, long before) {
        return known(listing, count,
                Sql.of(AMONG, Map.of("ids", Sql.value(ids), "order", order, "size",
                        Sql.value((long) query.request().pageSize()), "skip",
                        Sql.value(query.request().offset(count) - before))));
    }

    /** The page of matches that columns have counted. The planner goes through the index of the order. */
    Sql page(long listing, long count) {
        return known(listing, count, Sql.of(WALKED, Map.of("datasets", FilterSql.datasetsFrom(visible, order), "order",
                order, "size", Sql.value((long) query.request().pageSize()), "skip",
                Sql.value(query.request().offset(count)))));
    }

    private Sql known(long listing, long count, Sql ids) {
        return Sql.of(KNOWN,
                Map.of("listing", Sql.value(listing), "count", Sql.value(count), "columns", select, "order",
                        orderOfPage, "ids", ids));
    }

    private Sql page(Sql listed, Sql ids) {
        return Sql.of(PAGE, Map.of("listed", listed, "version", Sql.of(RankedPageSql.LISTING), "columns", select,
                "ids", ids, "order", orderOfPage));
    }
}
