package io.datasetlisting.catalogue.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.FewMatches;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.Sql;

/**
 * Makes the SQL of a page of a search. One statement reads the count and the page, so both are of one snapshot. The page
 * begins at the sort keys of a dataset. Each row of the result has {@code id}, {@code version}, {@code updated_at}, {@code
 * count}, {@code listing} and the sort keys as text, {@code key1} and so on; an empty page has one row without an id. Rows
 * are in the direction in which the page is read.
 */
public final class SearchPageSql {

    private static final String PAGE = """
            with {found}, page as materialized ({page})
            select page.id, version, updated_at{keys}, count, listing from listed left join page on true order by {order}""";

    /** The count of the position is valid while the listing has not changed. */
    private static final String COUNTED = """
            state as materialized (select {version} as listing), listed as materialized (
                select listing, case when listing = {known}::bigint then {count}::bigint else {counted} end as count
                from state)""";

    private static final String FOUND_IDS = """
            found as materialized (select {found} as ids),
            listed as materialized (select cardinality(ids)::bigint as count, {version} as listing from found)""";

    private static final String PAGE_OF_FOUND_IDS = """
            select {columns} from dataset where id = any (array(
                select id from (select {rows} as id from found) few
                where {after} order by {order} limit (select {limit}::bigint)))""";

    private static final String FOUND = """
            found as materialized (select * from ({found}) matching limit {max} + 1),
            listed as materialized (select count(*) as count, {version} as listing from found)""";

    private static final String PAGE_OF_FOUND = """
            select {columns} from dataset where id = any (array(
                select id from found where (select count from listed) <= {max} and {after}
                order by {order} limit (select {limit}::bigint)))""";

    /** A subquery hides the limit from the planner. It would otherwise plan every request anew. */
    private static final String ROWS = """
            (select {columns} from {datasets} where {matching} and {after} order by {order} \
            limit (select {limit}::bigint))""";

    /** Without {@code offset 0} the planner would go through the index of the order. */
    private static final String AMONG = """
            select {columns} from (select * from dataset where id = any ({ids}::bigint[]) offset 0) among
            where {after} order by {order} limit (select {limit}::bigint)""";

    private static final String MERGED = """
            select * from ({rows}) visible order by {order} limit (select {limit}::bigint)""";

    /**
     * The first public datasets behind the position. Without this limit a statement would go through the whole table if all
     * matches are at its end, as those of the newest datasets are in the order of ids.
     */
    private static final String FIRST = """
            (select * from dataset where {public} and {after} order by {order} limit 50000) dataset""";

    private final Search search;
    private final List<SelectionSql> visible;
    /** The values of the position. */
    private final List<Sql> edge;
    /** The columns of the order. */
    private final Set<String> keys = new LinkedHashSet<>();
    /** The parts that several statements have. */
    private final Map<String, Sql> parts = new HashMap<>();

    public SearchPageSql(Search search, Caller caller) {
        this.search = search;
        visible = FilterSql.visible(search.filter(), caller);
        edge = search.from().edge().stream().<Sql>map(Sql::value).toList();
        search.ordering().forEach(key -> keys.add(key.column()));
        Set<String> columns = new LinkedHashSet<>(keys);
        columns.addAll(List.of("version", "updated_at"));
        parts.put("columns", Sql.of(String.join(", ", columns)));
        parts.put("order", Sql.of(orderBy("")));
        parts.put("after", after());
        parts.put("limit", Sql.value((long) search.limit() + 1));
        parts.put("version", Sql.of(RankedPageSql.LISTING));
    }

    /** A template with the parts of all statements and others. */
    private Sql sql(String template, Map<String, Sql> others) {
        Map<String, Sql> all = new HashMap<>(parts);
        all.putAll(others);
        return Sql.of(template, all);
    }

    /** Whether an index has the order: one key, and the id in the same direction. */
    static boolean hasIndex(Search search) {
        return search.ordering().size() <= 2 && isUniform(search.ordering());
    }

    private static boolean isUniform(List<SortKey> order) {
        return order.stream().map(SortKey::descending).distinct().count() == 1;
    }

    /**
     * A page of many matches: the statement goes through the index of the order, from the position on. If it finds fewer
     * rows than it looks for, it may have missed some, unless the search has no filter. The values also have the known count
     * and its listing version.
     */
    public Sql page(boolean hasRank) {
        return walk(sql(COUNTED, Map.of("known", Sql.value(search.from().listing()), "count",
                Sql.value(search.from().count()), "counted", count(hasRank))));
    }

    /** The same of so many matches in the listing of this version. */
    Sql page(long listing, long count) {
        return walk(known(listing, count));
    }

    private Sql walk(Sql counted) {
        Sql rows = Sql.unionAll(visible.stream().map(each -> sql(ROWS,
                Map.of("datasets", datasets(each), "matching", each.condition()))));
        return page(counted, visible.size() == 1 ? rows : sql(MERGED, Map.of("rows", rows)));
    }

    /** The page among these ids, of so many matches in the listing of this version. */
    Sql pageAmong(long listing, long count, long[] ids) {
        return page(known(listing, count), sql(AMONG, Map.of("ids",
                Sql.value(Arrays.stream(ids).boxed().toArray(Long[]::new)))));
    }

    private static Sql known(long listing, long count) {
        return Sql.of("listed as materialized (select {count}::bigint as count, {listing}::bigint as listing)",
                Map.of("count", Sql.value(count), "listing", Sql.value(listing)));
    }

    private Sql datasets(SelectionSql selection) {
        return selection.isPublic() && !search.filter().equals(Expression.ALL)
                ? sql(FIRST, Map.of("public", Visibility.PUBLIC.condition()))
                : Sql.of("dataset");
    }

    /** The rank knows the number of public datasets. The private datasets of a caller are counted. */
    private Sql count(boolean hasRank) {
        Sql first = hasRank ? Sql.of(RankedPageSql.COUNT) : visible.get(0).count();
        return Sql.join(" + ", Stream.concat(Stream.of(first), visible.stream().skip(1).map(SelectionSql::count)));
    }

    /**
     * The page of at most so many matches: the ids and sort keys of all matches are read. A result with a larger count has
     * no datasets, and its count is not exact.
     */
    public Sql pageOfFound(int max) {
        if (search.ordering().size() == 1) {
            return page(sql(FOUND_IDS, Map.of("found", FewMatches.array(visible.stream().map(SelectionSql::ids), max))),
                    sql(PAGE_OF_FOUND_IDS, Map.of("rows", FewMatches.rows(max))));
        }
        String columns = String.join(", ", keys);
        Sql found = Sql.unionAll(visible.stream().map(each -> each.select(columns)));
        Sql largest = Sql.of(max + "::bigint");
        return page(sql(FOUND, Map.of("found", found, "max", largest)), sql(PAGE_OF_FOUND, Map.of("max", largest)));
    }

    /** The page with these ids, of so many matches in the listing of this version. */
    Sql page(long listing, long count, long[] ids) {
        return page(known(listing, count),
                sql("select {columns} from dataset where id = any ({ids}::bigint[])",
                        Map.of("ids", Sql.value(Arrays.stream(ids).boxed().toArray(Long[]::new)))));
    }

    private Sql page(Sql found, Sql page) {
        return Sql.of(PAGE, Map.of("found", found, "page", page, "keys", Sql.of(keysAsText()),
                "order", Sql.of(orderBy("page."))));
    }

    private String keysAsText() {
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < search.ordering().size(); i++) {
            texts.append(", page.").append(search.ordering().get(i).column()).append("::text as key").append(i + 1);
        }
        return texts.toString();
    }

    /** The columns of the order in the direction in which the page is read. */
    private String orderBy(String prefix) {
        return search.ordering().stream().map(key -> prefix + key.column() + (isDescending(key) ? " desc" : ""))
                .collect(Collectors.joining(", "));
    }

    private boolean isDescending(SortKey key) {
        return key.descending() != search.from().backward();
    }

    /** The condition of the datasets behind the position. */
    private Sql after() {
        if (edge.isEmpty()) {
            return Sql.of("true");
        }
        List<SortKey> keys = search.ordering();
        if (isUniform(keys)) {
            return Sql.join(", ", IntStream.range(0, keys.size()).mapToObj(this::bound))
                    .in("(" + keys.stream().map(SortKey::column).collect(Collectors.joining(", ")) + ") "
                            + (isDescending(keys.get(0)) ? "<" : ">") + " (", ")");
        }
        // An index cannot search for keys of both directions at once: behind in the first key, or equal in it and behind in
        // the second.
        Sql after = Sql.of("false");
        for (int i = keys.size() - 1; i >= 0; i--) {
            String column = keys.get(i).column();
            after = Sql.or(List.of(bound(i).in(column + (isDescending(keys.get(i)) ? " < " : " > "), ""),
                    bound(i).in(column + " = ", "").and(after)));
        }
        return after;
    }

    private Sql bound(int key) {
        return edge.get(key).in("", "::text::" + search.ordering().get(key).type());
    }
}
