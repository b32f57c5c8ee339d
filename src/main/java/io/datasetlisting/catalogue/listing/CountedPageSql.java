package io.datasetlisting.catalogue.listing;

import java.util.Arrays;
import java.util.Map;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.index.Matches;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.Sql;

/** Makes the SQL of pages without a rank, whose matches are counted. */
final class CountedPageSql {

    /**
     * The wide columns are read for the ids of the page only. An array of ids keeps the planner on the primary key for every page
     * size of the prepared statement. An empty page still has a row with the count.
     */
    private static final String PAGE = """
            select d.id, d.version, d.updated_at, count, listing{columns}
            from (select {count}::bigint as count, {version}::bigint as listing) listed
            left join dataset d on d.id = any ({ids}::bigint[])
            order by {order}""";

    /** The planner sees the offset and chooses the plan. */
    private static final String SORTED = """
            array(select id from {datasets} sorted order by {order} limit {size} offset {skip})""";

    private final ListRequest request;
    private final Caller caller;
    private final Sql select;
    private final Sql order;
    private final Sql orderOfPage;

    /**
     * @param select
     *            the select list's columns of a dataset, with a leading comma
     * @param fields
     *            names the columns of the order
     */
    CountedPageSql(ListRequest request, Caller caller, String select, DatasetFields fields) {
        this.request = request;
        this.caller = caller;
        this.select = Sql.of(select);
        Ordering ordering = request.ordering();
        order = Sql.of(fields.orderBy("", ordering));
        orderOfPage = Sql.of(fields.orderBy("d.", ordering));
    }

    /** The page with these ids. */
    Sql page(Matches matches, long[] ids) {
        return page(matches, Sql.value(Arrays.stream(ids).boxed().toArray(Long[]::new))).plannedOnce();
    }

    /** The page in an order that PostgreSQL finds. */
    Sql sorted(Matches matches) {
        Sql datasets = matches.areFew()
                ? FilterSql.datasetsFrom(matches.ids())
                : FilterSql.datasetsFrom(FilterSql.visible(matches.filter(), caller), order);
        return page(matches, Sql.of(SORTED, Map.of("datasets", datasets, "order", order, "size",
                Sql.value((long) request.pageSize()), "skip", Sql.value(request.offset(matches.count())))));
    }

    private Sql page(Matches matches, Sql ids) {
        return Sql.of(PAGE, Map.of("version", matches.version(), "count", Sql.value(matches.count()), "columns", select,
                "order", orderOfPage, "ids", ids));
    }
}
