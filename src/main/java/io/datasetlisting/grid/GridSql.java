package io.datasetlisting.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.datasetlisting.account.Caller;
import io.datasetlisting.query.Filter;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.rank.RankedPageSql;

/**
 * Makes the SQL of the counts on a grid. The view and the sample are bounded, whatever the size of the catalogue; the search for the
 * filter's datasets is bounded by the count of the list:
 *
 * <ol>
 * <li>It counts the datasets of the box in the index of footprints, up to a limit. If there are few, the filter is applied to them.
 * <li>Otherwise it finds the ids of the filter in the filter's index, up to the same limit. If there are few, the box is applied to
 * them. A filter of several parameters may read more: PostgreSQL goes through one of their indexes until it has found enough. The
 * list's exact count of the same filter reads these indexes to the end.
 * <li>Otherwise both the box and the filter have many datasets. They are applied to a sample, and its counts are scaled. Two frequent
 * conditions that rarely apply together may find nothing in the sample.
 * </ol>
 *
 * <p>
 * The sample is the first datasets in the order of {@code uav_uid}, which is random. So every view and every request has the same sample.
 * Anonymous callers have a sample of the public datasets, whose number is known exactly. Callers with a token have a sample of the whole
 * table, so that a private dataset counts as much as a public one; the number of all rows is the planner's estimate.
 */
public final class GridSql {

    /** So many datasets are read and counted in a few milliseconds. */
    static final int FEW = 20_000;
    /** A cell with a hundredth of all datasets is estimated with an error of a tenth. */
    static final int SAMPLE = 10_000;

    private static final String GRID = """
            with near as materialized (
                select * from (%1$s) box limit %2$d + 1
            ), nearby as materialized (
                select count(*) as count from near
            ), %3$s, listed as materialized (
                select exact, %4$s as listing from enough
            ), matching as (
                %5$s
                union all
                select footprint from (select * from %6$s limit %7$d) dataset
                where (%8$s) and not (select exact from listed)
            ), place as (%9$s), cell as (%10$s)
            select listing, exact, case when exact then 1 else %11$s / %7$d.0 end as scale, cell.*
            from listed left join cell on true""";

    private static final String FEW_NEARBY = "enough as materialized (select count <= %d as exact from nearby)";
    /** The datasets of the box have been read already. */
    private static final String NEARBY = "select footprint from near where (select exact from listed)";

    /** The ids are null where they are not needed. */
    private static final String FEW_NEARBY_OR_FOUND = """
            found as materialized (
                select count, case when count > %2$d then array(%1$s limit %2$d + 1) end as ids from nearby
            ), enough as materialized (
                select count <= %2$d or cardinality(ids) <= %2$d as exact from found
            )""";
    /** Without {@code offset 0} PostgreSQL may search for the few datasets through the filter's index, which may find many. */
    private static final String FEW_MATCHING = """
            select footprint from (select * from dataset where %1$s offset 0) dataset
            where %2$s and (select count from nearby) <= %3$d""";
    /**
     * Without {@code offset 0} PostgreSQL may go through the index of the box in a catalogue of up to some 100,000 datasets, and search the
     * list of ids from its start for each of them.
     */
    private static final String FOUND = """
            select footprint from (
                select * from dataset
                where id = any (array(select unnest(case when cardinality(ids) <= %3$d then ids end) from found)) offset 0
            ) dataset
            where %1$s""";

    /** The point of the box that is nearest to the centre of the footprint. So no cell is outside of the box. */
    private static final String PLACE = """
            select greatest(%1$s, least(%3$s, x + case when x < %5$s then 360 else 0 end)) as x,
                   greatest(%2$s, least(%4$s, y)) as y
            from (select ((footprint[0])[0] + (footprint[1])[0]) / 2 as x,
                         ((footprint[0])[1] + (footprint[1])[1]) / 2 as y
                  from matching offset 0) centre
            offset 0""";

    private static final String CELL = """
            select least(floor((x + 180) / %1$s), %2$s)::int as cell_column,
                   least(floor((y + 90) / %1$s), %3$s)::int as cell_row,
                   count(*) as count, avg(x) as longitude, avg(y) as latitude
            from place group by 1, 2""";

    private static final String OR = " or ";
    private static final String UNION = " union all ";

    private static final String PUBLIC_SAMPLE = "dataset where " + FilterSql.PUBLIC + " order by uav_uid, id";
    private static final String WHOLE_SAMPLE = "dataset order by uav_uid";
    private static final String ALL_ROWS = """
            (select greatest(reltuples, %d) from pg_class where oid = 'dataset'::regclass)""".formatted(SAMPLE);

    private final List<Object> values = new ArrayList<>();
    private final String text;

    /**
     * @param filter
     *            without a box
     */
    public GridSql(Filter filter, Grid.Cells cells, Caller caller) {
        Filter.Box box = cells.box();
        List<String> near = FilterSql.visible(Filter.NONE.within(box), caller, values);
        List<String> found = FilterSql.visible(filter, caller, values);
        boolean isFiltered = !filter.isEmpty();
        text = GRID.formatted(select("footprint", near), FEW,
                isFiltered ? FEW_NEARBY_OR_FOUND.formatted(select("id", found), FEW) : FEW_NEARBY.formatted(FEW),
                RankedPageSql.LISTING,
                isFiltered
                        ? pairs(near, found, FEW_MATCHING, UNION) + UNION + pairs(near, found, FOUND, UNION)
                        : NEARBY,
                caller.isAnonymous() ? PUBLIC_SAMPLE : WHOLE_SAMPLE, SAMPLE, pairs(near, found, "%s and %s", OR),
                PLACE.formatted(bind(box.west()), bind(box.south()), bind(cells.east()), bind(box.north()),
                        bind(cells.middleOutside())),
                CELL.formatted(bind(cells.side()), bind((double) cells.lastColumn()), bind((double) cells.lastRow())),
                caller.isAnonymous() ? RankedPageSql.COUNT : ALL_ROWS);
    }

    /**
     * One row for each cell, or one row without a cell: {@code cell_column} and {@code cell_row} in the grid, the {@code count} of the
     * datasets that were found, and their mean {@code longitude} and {@code latitude}. In each row {@code listing}, {@code exact}, and
     * {@code scale}, the number of datasets for which a found one stands.
     */
    public String text() {
        return text;
    }

    public List<Object> values() {
        return values;
    }

    /** The conditions of the box and of the filter in pairs: of the public datasets, and of the private ones that the caller sees. */
    private static String pairs(List<String> near, List<String> found, String format, String separator) {
        return IntStream.range(0, near.size())
                .mapToObj(i -> format.formatted(near.get(i), FilterSql.withoutIndex(found.get(i)), FEW))
                .collect(Collectors.joining(separator));
    }

    private static String select(String column, List<String> conditions) {
        return conditions.stream().map(condition -> "select " + column + " from dataset where " + condition)
                .collect(Collectors.joining(UNION));
    }

    private String bind(double value) {
        values.add(value);
        return "$" + values.size();
    }
}
