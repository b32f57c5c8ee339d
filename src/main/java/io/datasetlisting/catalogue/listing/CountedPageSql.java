package io.datasetlisting.catalogue.listing;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.DatasetFields;
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

    /**
     * Few matches are found once, by their own indexes, and sorted: the planner, which does not know that they are few, would
     * otherwise look for them in the index of the order. More matches are counted, and the page is read from that index.
     */
    private static final String COUNTED = """
            few as materialized (select * from ({found}) matching limit {max} + 1), listed as materialized (
                select case when found > {max} then {count} else found end as count
                from (select count(*) as found from few) found)""";

    private static final String FEW_OR_MANY = """
            (select id from few where (select count from listed) <= {max} order by {order} {limit})
            union all
            (select id from {datasets} visible where (select count from listed) > {max} order by {order} {limit})""";

    /** The planner sees the offset and chooses the plan. */
    private static final String LIMIT = "limit {size} offset {skip}";

    private static final String LIMIT_OF_LAST_PAGE = """
            limit {size}::bigint offset (select greatest(count - 1, 0) / {size} * {size} from listed)""";

    /** The datasets of a page whose ids are known. */
    private static final String KNOWN = """
            select d.id, d.version, d.updated_at, {count}::bigint as count, {version}::bigint as listing{columns}
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
    /** The columns of the order. */
    private final String keys;
    private final Sql order;
    private final Sql orderOfPage;

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
        keys = ordering.keys().stream().map(key -> fields.sortColumn(key.field()))
                .collect(Collectors.joining(", "));
        order = Sql.of(fields.orderBy("", ordering));
        orderOfPage = Sql.of(fields.orderBy("d.", ordering));
    }

    /** The page without columns. */
    Sql page() {
        Sql max = Sql.of(Selection.FEW + "::bigint");
        Sql size = Sql.value((long) query.request().pageSize());
        Sql listed = Sql.of(COUNTED,
                Map.of("max", max, "found", Sql.unionAll(visible.stream().map(each -> each.select(keys))), "count",
                        Sql.join(" + ", visible.stream().map(SelectionSql::count))));
        Sql limit = query.request().page() == ListRequest.LAST_PAGE
                ? Sql.of(LIMIT_OF_LAST_PAGE, Map.of("size", size))
                : Sql.of(LIMIT, Map.of("size", size, "skip", Sql.value(query.request().offset())));
        Sql ids = Sql.of(FEW_OR_MANY, Map.of("max", max, "datasets", FilterSql.datasetsFrom(visible, order), "order",
                order, "limit", limit));
        return Sql.of(PAGE, Map.of("listed", listed, "version", Sql.of(RankedPageSql.LISTING), "columns", select,
                "ids", ids, "order", orderOfPage));
    }

    /** The page of matches whose ids columns have found. */
    Sql page(Sql version, long count, Long[] ids) {
        return known(version, count, Sql.value(ids));
    }

    /** The page among the ids of all matches. */
    Sql pageAmong(Sql version, long count, Long[] ids) {
        return known(version, count,
                Sql.of(AMONG, Map.of("ids", Sql.value(ids), "order", order, "size",
                        Sql.value((long) query.request().pageSize()), "skip",
                        Sql.value(query.request().offset(count)))));
    }

    /** The page of matches that columns have counted. The planner goes through the index of the order. */
    Sql page(Sql version, long count) {
        return known(version, count, Sql.of(WALKED, Map.of("datasets", FilterSql.datasetsFrom(visible, order), "order",
                order, "size", Sql.value((long) query.request().pageSize()), "skip",
                Sql.value(query.request().offset(count)))));
    }

    private Sql known(Sql version, long count, Sql ids) {
        return Sql.of(KNOWN,
                Map.of("version", version, "count", Sql.value(count), "columns", select, "order",
                        orderOfPage, "ids", ids));
    }
}
