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
import io.datasetlisting.catalogue.index.Matches;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.postgres.database.Sql;

/**
 * Makes the SQL of a page of a search. One statement returns the count and the page, both of one snapshot. The page begins at
 * the sort keys of a dataset. Each row of the result has {@code id}, {@code version}, {@code updated_at}, {@code count},
 * {@code listing} and the sort keys as text, {@code key1} and so on; an empty page has one row without an id. Rows are in the
 * direction in which the page is read.
 */
final class SearchPageSql {

    private static final String PAGE = """
            with {found}, page as materialized ({page})
            select page.id, version, updated_at{keys}, count, listing from listed left join page on true order by {order}""";

    /** The count of the position is valid while the listing has not changed. */
    private static final String COUNTED = """
            state as materialized (select {version} as listing), listed as materialized (
                select listing, case when listing = {known}::bigint then {count}::bigint else {counted} end as count
                from state)""";

    /** A subquery hides the limit from the planner. It would otherwise plan every request anew. */
    private static final String ROWS = """
            (select {columns} from {datasets} sorted where {after} order by {order} limit (select {limit}::bigint))""";

    private static final String MERGED = """
            select * from ({rows}) visible order by {order} limit (select {limit}::bigint)""";

    private final Search search;
    private final Caller caller;
    private final List<SelectionSql> visible;
    /** The values of the position. */
    private final List<Sql> edge;
    /** The parts that several statements have. */
    private final Map<String, Sql> parts = new HashMap<>();

    SearchPageSql(Search search, Caller caller) {
        this.search = search;
        this.caller = caller;
        visible = FilterSql.visible(search.filter(), caller);
        edge = search.from().edge().stream().<Sql>map(Sql::value).toList();
        Set<String> columns = new LinkedHashSet<>();
        search.ordering().forEach(key -> columns.add(key.column()));
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

    /** Whether an index can have the order: one key, and the id in the same direction. */
    static boolean hasIndex(Search search) {
        return search.ordering().size() <= 2 && isUniform(search.ordering());
    }

    private static boolean isUniform(List<SortKey> order) {
        return order.stream().map(SortKey::descending).distinct().count() == 1;
    }

    /** A page without a filter, or behind a position among many matches. The position has the count of a listing version. */
    Sql page(boolean hasRank) {
        return page(sql(COUNTED, Map.of("known", Sql.value(search.from().listing()), "count",
                Sql.value(search.from().count()), "counted", count(hasRank))), rows(visible));
    }

    /** The page with these ids. */
    Sql page(Matches matches, long[] ids) {
        return page(known(matches), sql("select {columns} from dataset where id = any ({ids}::bigint[])",
                Map.of("ids", Sql.value(boxed(ids))))).plannedOnce();
    }

    /** The page among these ids. */
    Sql pageAmong(Matches matches, long[] ids) {
        return page(known(matches), rows(FilterSql.datasetsFrom(boxed(ids))));
    }

    /** The page that PostgreSQL finds among the matches. */
    Sql sorted(Matches matches) {
        return page(known(matches), matches.areFew()
                ? rows(FilterSql.datasetsFrom(matches.ids()))
                : rows(FilterSql.visible(matches.filter(), caller)));
    }

    private static Long[] boxed(long[] ids) {
        return Arrays.stream(ids).boxed().toArray(Long[]::new);
    }

    private static Sql known(Matches matches) {
        return Sql.of("listed as materialized (select {count}::bigint as count, {version}::bigint as listing)",
                Map.of("count", Sql.value(matches.count()), "version", matches.version()));
    }

    /** The rows behind the position, in the order of the page. */
    private Sql rows(List<SelectionSql> datasets) {
        Sql rows = Sql.unionAll(datasets.stream().map(each -> rows(each.select("*").in("(", ")"))));
        return datasets.size() == 1 ? rows : sql(MERGED, Map.of("rows", rows));
    }

    private Sql rows(Sql datasets) {
        return sql(ROWS, Map.of("datasets", datasets));
    }

    /** The rank knows the number of public datasets. The private datasets of a caller are counted. */
    private Sql count(boolean hasRank) {
        Sql first = hasRank ? Sql.of(RankedPageSql.COUNT) : visible.get(0).count();
        return Sql.join(" + ", Stream.concat(Stream.of(first), visible.stream().skip(1).map(SelectionSql::count)));
    }

    private Sql page(Sql found, Sql page) {
        return Sql.of(PAGE, Map.of("found", found, "page", page, "keys", Sql.of(keysAsText()),
                "order", Sql.of(orderBy("page."))));
    }

    private String keysAsText() {
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < search.ordering().size(); i++) {
            texts.append(", ").append(search.ordering().get(i).sql("page.")).append("::text as key").append(i + 1);
        }
        return texts.toString();
    }

    /** The columns of the order in the direction in which the page is read. */
    private String orderBy(String prefix) {
        return search.ordering().stream().map(key -> key.sql(prefix) + (isDescending(key) ? " desc" : ""))
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
                    .in("(" + keys.stream().map(key -> key.sql("")).collect(Collectors.joining(", ")) + ") "
                            + (isDescending(keys.get(0)) ? "<" : ">") + " (", ")");
        }
        // An index cannot search for keys of both directions at once: behind in the first key, or equal in it and behind in
        // the second.
        Sql after = Sql.of("false");
        for (int i = keys.size() - 1; i >= 0; i--) {
            String column = keys.get(i).sql("");
            after = Sql.or(List.of(bound(i).in(column + (isDescending(keys.get(i)) ? " < " : " > "), ""),
                    bound(i).in(column + " = ", "").and(after)));
        }
        return after;
    }

    private Sql bound(int key) {
        return edge.get(key).in("", "::text::" + search.ordering().get(key).type());
    }
}
