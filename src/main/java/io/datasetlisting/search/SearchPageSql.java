package io.datasetlisting.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.query.Filter;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.rank.RankedPageSql;
import io.datasetlisting.search.Search.Position;

/**
 * Makes the SQL of a page of a search. One statement reads the count and the page, so both are of one snapshot. The page begins at the
 * sort keys of a dataset. Each row of the result has {@code id}, {@code version}, {@code updated_at}, {@code count}, {@code listing} and
 * the sort keys as text, {@code key1} and so on; an empty page has one row without an id. Rows are in the direction in which the page is
 * read.
 */
public final class SearchPageSql {

    private static final String PAGE = """
            with %s, page as materialized (%s)
            select page.id, version, updated_at%s, count, listing from listed left join page on true order by %s""";

    /** The count of the position is valid while the listing has not changed. */
    private static final String COUNTED = """
            state as materialized (select %1$s as listing), listed as materialized (
                select listing, case when listing = $%3$d::bigint then $%2$d::bigint else %4$s end as count from state)""";

    private static final String FOUND_IDS = """
            found as materialized (select array(%s limit %d) as ids),
            listed as materialized (select cardinality(ids)::bigint as count, %s as listing from found)""";

    private static final String PAGE_OF_FOUND_IDS = """
            select %s from dataset where id = any (array(
                select id from (select unnest(case when cardinality(ids) <= %d then ids end) as id from found) few
                where %s order by %s limit (select $1::bigint)))""";

    private static final String FOUND = """
            found as materialized (select * from (%s) matching limit %d),
            listed as materialized (select count(*) as count, %s as listing from found)""";

    private static final String PAGE_OF_FOUND = """
            select %s from dataset where id = any (array(
                select id from found where (select count from listed) <= %d and %s
                order by %s limit (select $1::bigint)))""";

    /** A subquery hides the limit from the planner. It would otherwise plan every request anew. */
    private static final String ROWS = "(select %s from %s where %s and %s order by %s limit (select $1::bigint))";

    /**
     * The first public datasets behind the position. Without this limit a statement would go through the whole table if all matches are at
     * its end, as those of the newest datasets are in the order of ids.
     */
    private static final String FIRST = "(select * from dataset where %s and %s order by %s limit 50000) dataset";

    private static final Filter AREAS = Filter.NONE.matching(new Expression.HasArea());
    /** All public datasets but the points, of which most catalogues have few. */
    private static final String COUNT_OF_AREAS = RankedPageSql.COUNT + " - (select count(*) from dataset where "
            + FilterSql.PUBLIC + " and not (" + FilterSql.AREA + "))";

    private final Search search;
    private final List<Object> values = new ArrayList<>();
    private final List<String> visible;
    /** The columns of the order. */
    private final Set<String> keys = new LinkedHashSet<>();
    private final String columns;

    public SearchPageSql(Search search, Caller caller) {
        this.search = search;
        values.add((long) search.limit() + 1);
        values.addAll(search.from().edge());
        visible = FilterSql.visible(search.filter(), caller, values);
        search.ordering().forEach(key -> keys.add(key.column()));
        Set<String> all = new LinkedHashSet<>(keys);
        all.addAll(List.of("version", "updated_at"));
        columns = String.join(", ", all);
    }

    /** The values of the parameters: rows to read, sort keys of the position, values of the conditions. */
    public List<Object> values() {
        return values;
    }

    /** Whether an index has the order: one key, and the id in the same direction. */
    static boolean hasIndex(Search search) {
        return search.ordering().size() <= 2 && isUniform(search.ordering());
    }

    private static boolean isUniform(List<SortKey> order) {
        return order.stream().map(SortKey::descending).distinct().count() == 1;
    }

    /**
     * A page of many matches: the statement goes through the index of the order, from the position on. If it finds fewer rows than it looks
     * for, it may have missed some, unless the search has no filter. The values also have the known count and its listing version.
     */
    public String page(boolean hasRank) {
        String rows = visible.stream()
                .map(condition -> ROWS.formatted(columns, from(condition), condition, after(), orderBy("")))
                .collect(Collectors.joining(" union all "));
        values.add(search.from().count());
        values.add(search.from().listing());
        return PAGE.formatted(
                COUNTED.formatted(RankedPageSql.LISTING, values.size() - 1, values.size(), count(hasRank)),
                visible.size() == 1
                        ? rows
                        : "select * from (" + rows + ") visible order by " + orderBy("") + " limit (select $1::bigint)",
                keysAsText(), orderBy("page."));
    }

    private String from(String condition) {
        return FilterSql.isPublic(condition) && !search.filter().isEmpty()
                ? FIRST.formatted(FilterSql.PUBLIC, after(), orderBy(""))
                : "dataset";
    }

    /** The rank knows the number of public datasets. The private datasets of a caller are counted. */
    private String count(boolean hasRank) {
        String first = hasRank
                ? RankedPageSql.COUNT
                : search.filter().equals(AREAS) ? COUNT_OF_AREAS : counted(visible.get(0));
        return Stream.concat(Stream.of(first), visible.stream().skip(1).map(this::counted))
                .collect(Collectors.joining(" + "));
    }

    private String counted(String condition) {
        return "(select count(*) from " + FilterSql.idsFrom(condition, search.filter()) + ")";
    }

    /**
     * The page of at most so many matches: the ids and sort keys of all matches are read. A result with a larger count has no datasets,
     * and its count is not exact.
     */
    public String pageOfFound(int max) {
        boolean isById = search.ordering().size() == 1;
        String found = visible.stream()
                .map(condition -> isById
                        ? "select id from " + FilterSql.idsFrom(condition, search.filter())
                        : "select " + String.join(", ", keys) + " from dataset where " + condition)
                .collect(Collectors.joining(" union all "));
        return PAGE.formatted(
                (isById ? FOUND_IDS : FOUND).formatted(found, max + 1L, RankedPageSql.LISTING),
                (isById ? PAGE_OF_FOUND_IDS : PAGE_OF_FOUND).formatted(columns, max, after(),
                        orderBy("")),
                keysAsText(), orderBy("page."));
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
    private String after() {
        Position from = search.from();
        if (from.edge().isEmpty()) {
            return "true";
        }
        List<SortKey> keys = search.ordering();
        if (isUniform(keys)) {
            return "(" + keys.stream().map(SortKey::column).collect(Collectors.joining(", ")) + ") "
                    + (isDescending(keys.get(0)) ? "<" : ">") + " ("
                    + IntStream.range(0, keys.size()).mapToObj(this::bound).collect(Collectors.joining(", ")) + ")";
        }
        // An index cannot search for keys of both directions at once: behind in the first key, or equal in it and behind in the second.
        String after = "false";
        for (int i = keys.size() - 1; i >= 0; i--) {
            String column = keys.get(i).column();
            after = "(" + column + (isDescending(keys.get(i)) ? " < " : " > ") + bound(i) + " or " + column + " = "
                    + bound(i) + " and " + after + ")";
        }
        return after;
    }

    private String bound(int key) {
        return "$" + (2 + key) + "::text::" + search.ordering().get(key).type();
    }
}
