package io.datasetlisting.rank;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the SQL of pages with a rank: any page and the exact count at the cost of the first page. The statement finds
 * the start of the page through the table {@code rank} and the pending changes.
 * @see <a href="../../../../../../docs/adr/0010-ranks-in-blocks-and-notes.md">ADR 10</a>
 */
public final class RankedPageSql {

    /**
     * Pending changes are not yet merged into the blocks. So the statement starts at a block that precedes the page by
     * as many datasets as the pending changes have added. That block surely begins before the page; from its first
     * dataset on, the statement counts datasets. A descending page is the ascending page from the other end. {@code
     * offset 0} makes the planner read one section by its number instead of joining all sections. Parameters: page
     * size; offset, or null for the last page; the workspace, for a page of one workspace; the values of the
     * conditions.
     */
    private static final String PAGE = """
            with change as materialized (
                select change, %1$s as key, id, 1 as note from %6$s%4$s
            ), %7$sasked as materialized (
                select number, count, (folded << 28) + notes as listing, added, sections, starts,
                       first + %5$s as start, least(size, greatest(count - skipped, 0)) as size
                from (select coalesce(sum(change), 0)::bigint as changed, coalesce(sum(note), 0)::bigint as notes,
                             count(*) filter (where change > 0) as added
                      from change) noted
                cross join %10$s
                cross join lateral (%8$s) counted
                cross join %9$s
                cross join lateral (select coalesce(skip, greatest(count - 1, 0) / size * size) as skipped) page
            ), place as materialized (
                select number, count, listing, size, start - asked.starts[i] - section.starts[j] as skipped,
                       keys[j] as key, ids[j] as id
                from asked
                cross join lateral (select greatest(width_bucket(start - added, starts), 1) as i) in_rank
                cross join lateral (select * from rank_section_%1$s where no = sections[i] offset 0) section
                cross join lateral (select greatest(
                    width_bucket((start - added - asked.starts[i])::int, section.starts), 1) as j) in_section
            ), page as materialized (
                select number, count, listing, ids, versions, updated
                from place cross join lateral (
                    select array_agg(id) as ids, array_agg(version) as versions, array_agg(updated_at) as updated
                    from (select id, version, updated_at from %3$s listed
                          order by %1$s, id
                          limit place.size
                          offset place.skipped - (select coalesce(sum(change), 0) from change
                                                  where (change.key, change.id) < (place.key, place.id))) listed
                ) revisions
            )
            %2$s""";

    /** The requested pages: one, or one for each element of two arrays of sizes and offsets. */
    private static final String ONE = "(values ($1::bigint, $2::bigint, 1)) one (size, skip, number)";
    private static final String MANY = """
            unnest($1::bigint[], $2::bigint[]) with ordinality many (size, skip, number)""";

    /** One row for each page: one row for each dataset would cost as much as finding them. */
    private static final String REVISIONS = "select ids, versions, updated, count, listing, number from page";

    private static final String DATASETS = """
            select d.id, d.version, d.updated_at, page.count, page.listing%s
            from page left join dataset d on d.id = any (ids)
            order by array_position(ids, d.id)%s""";

    /**
     * The row of a rank. While a snapshot is open, the index keeps the rows that the folds since then have replaced. The
     * newest row is the last of its rank, so that the statement steps over none of them. Two such subqueries in a statement
     * take less time than one common table expression: a page by name 0.105 ms instead of 0.128.
     */
    private static final String RANK = "(select * from rank where field = '%s' order by folded desc limit 1) rank";

    /**
     * The pending changes. They are read through the index and from the first one on, because the table still contains
     * the folded changes until a vacuum.
     */
    private static final String NOTES = """
            (select * from listing_change where no >= (select pending_from from %s) order by no) noted""";

    /**
     * The listing version: it increases with each pending change and with each fold. The number has room for 268
     * million pending changes, and for tenths of a second until the year 2128.
     */
    public static final String LISTING = """
            (select (folded << 28) + (select count(*) from %s) from %s)"""
            .formatted(NOTES.formatted(RANK.formatted("id")), RANK.formatted("id"));

    /** The number of public datasets. */
    public static final String COUNT = """
            (select total + (select coalesce(sum(change), 0)::bigint from %s) from %s)"""
            .formatted(NOTES.formatted(RANK.formatted("id")), RANK.formatted("id"));

    /** The number of the last fold, and the number of pending changes. */
    static final String STATE = "select folded, (select count(*) from %s) as pending from %s"
            .formatted(NOTES.formatted(RANK.formatted("id")), RANK.formatted("id"));

    private static final String ALL = "select 0 as first, total + changed as count";

    /** In the order of workspaces the datasets of one workspace are neighbours, in the order of their ids. */
    private static final String OF_WORKSPACE = "select min(place) as first, max(place) - min(place) as count from edge";

    /** How many datasets precede the workspace, and how many precede the next one. */
    private static final String EDGES = """
            edge as materialized (
                select rank.starts[array_position(sections, no)] + section.starts[j]
                       + (select count(*) from (select from dataset where %s
                              and (workspace, id) >= (keys[j], ids[j]) and workspace < edge order by workspace, id) row)
                       + (select coalesce(sum(change), 0) from change
                          where (change.key, change.id) < (keys[j], ids[j])) as place
                from %s cross join (values ($3::bigint), ($3::bigint + 1)) edges (edge)
                cross join lateral (select * from rank_section_workspace where key < edge
                                    order by key desc, id desc, no desc limit 1) section
                cross join lateral (select width_bucket(edge - 1, keys) as j) in_section
            ),\s""";

    private static final String ASCENDING = "least(skipped, count)";
    private static final String DESCENDING = "greatest(count - skipped - size, 0)";

    /** The statements of the first pages: one for each order and kind of caller. */
    private static final Map<Key, String> KNOWN = new ConcurrentHashMap<>();

    private record Key(String column, boolean descending, boolean inWorkspace, List<String> visible) {
    }

    private RankedPageSql() {
    }

    /**
     * The revisions of pages. One row for each page: {@code ids}, {@code versions} and {@code updated} in ascending
     * order, null for an empty page; {@code count}; {@code listing}; and {@code number}, the position of the page in
     * the parameters, from 1. The first two parameters are arrays: page sizes, and offsets.
     *
     * @param column
     *            the column of the order
     * @param inWorkspace
     *            whether the page is of one workspace; the workspace is then the third parameter
     * @param visible
     *            SQL conditions of the public listing, and of the private datasets that the caller sees beside it
     */
    public static String revisions(String column, boolean descending, boolean inWorkspace, List<String> visible) {
        return KNOWN.computeIfAbsent(new Key(column, descending, inWorkspace, visible),
                key -> page(key, REVISIONS, MANY));
    }

    /**
     * The datasets of one page, in the requested order, one row for each.
     *
     * @param select
     *            the select list's columns of a dataset, with a leading comma
     */
    public static String datasets(String column, boolean descending, boolean inWorkspace, String select,
            List<String> visible) {
        Key key = new Key(column, descending, inWorkspace, visible);
        return page(key, DATASETS.formatted(select, key.descending ? " desc" : ""), ONE);
    }

    private static String page(Key key, String of, String asked) {
        String column = key.inWorkspace ? "workspace" : key.column;
        String rank = RANK.formatted(column);
        StringBuilder others = new StringBuilder();
        StringBuilder rows = new StringBuilder("(");
        for (String condition : key.visible) {
            if (rows.length() > 1) {
                others.append(" union all select 1, ").append(column).append(", id, 0 from dataset where ")
                        .append(condition);
                rows.append(" union all ");
            }
            rows.append("(select ").append(column.equals("id") ? "id" : column + ", id")
                    .append(", version, updated_at from dataset where ").append(condition).append(" and (")
                    .append(column).append(", id) >= (place.key, place.id) order by ").append(column).append(", id)");
        }
        return PAGE.formatted(column, of, rows.append(')'), others, key.descending ? DESCENDING : ASCENDING,
                NOTES.formatted(rank), key.inWorkspace ? EDGES.formatted(key.visible.get(0), rank) : "",
                key.inWorkspace ? OF_WORKSPACE : ALL, asked, rank);
    }
}
