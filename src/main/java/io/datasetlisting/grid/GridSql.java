package io.datasetlisting.grid;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.database.Sql;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.query.FewMatches;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.query.SelectionSql;
import io.datasetlisting.rank.RankedPageSql;

/**
 * Makes the SQL of the counts on a grid. The view and the sample are bounded, whatever the size of the catalogue; the search
 * for the filter's datasets is bounded by the count of the list:
 *
 * <ol>
 * <li>It counts the datasets of the box in the index of footprints, up to a limit. If there are few, the filter is applied
 * to them.
 * <li>Otherwise it finds the ids of the filter in the filter's index, up to the same limit. If there are few, the box is
 * applied to them. A filter of several parameters may read more: PostgreSQL goes through one of their indexes until it has
 * found enough. The list's exact count of the same filter reads these indexes to the end.
 * <li>Otherwise both the box and the filter have many datasets. They are applied to a sample, and its counts are scaled. Two
 * frequent conditions that rarely apply together may find nothing in the sample.
 * </ol>
 *
 * <p>
 * The sample is the first datasets in the order of {@code uav_uid}, which is random. So every view and every request has the
 * same sample. Anonymous callers have a sample of the public datasets, whose number is known exactly. Callers with a token
 * have a sample of the whole table, so that a private dataset counts as much as a public one; the number of all rows is the
 * planner's estimate.
 */
public final class GridSql {

    /** A cell with a hundredth of all datasets is estimated with an error of a tenth. */
    static final int SAMPLE = 10_000;

    private static final String GRID = """
            with near as materialized (
                select * from ({nearby}) box limit {few} + 1
            ), nearby as materialized (
                select count(*) as count from near
            ), {enough}, listed as materialized (
                select exact, {version} as listing from enough
            ), matching as (
                {exact}
                union all
                select footprint from (select * from {sampled} limit {sample}) dataset
                where ({either}) and not (select exact from listed)
            ), place as ({place}), cell as ({cell})
            select listing, exact, case when exact then 1 else {number} / {sample}.0 end as scale, cell.*
            from listed left join cell on true""";

    private static final String FEW_NEARBY = "enough as materialized (select count <= {few} as exact from nearby)";
    /** The datasets of the box have been read already. */
    private static final String NEARBY = "select footprint from near where (select exact from listed)";

    /** The ids are null where they are not needed. */
    private static final String FEW_NEARBY_OR_FOUND = """
            found as materialized (
                select count, case when count > {few} then {found} end as ids from nearby
            ), enough as materialized (
                select count <= {few} or cardinality(ids) <= {few} as exact from found
            )""";
    /** Without {@code offset 0} PostgreSQL may search for the few datasets through the filter's index, which may find many. */
    private static final String FEW_MATCHING = """
            select footprint from (select * from dataset where {near} offset 0) dataset
            where {check} and (select count from nearby) <= {few}""";
    /**
     * Without {@code offset 0} PostgreSQL may go through the index of the box in a catalogue of up to some 100,000 datasets,
     * and search the list of ids from its start for each of them.
     */
    private static final String FOUND = """
            select footprint from (
                select * from dataset where id = any (array(select {ids} from found)) offset 0
            ) dataset
            where {near}""";
    private static final String NEAR_AND_MATCHING = "{near} and {check}";

    /** The point of the box that is nearest to the centre of the footprint. So no cell is outside of the box. */
    private static final String PLACE = """
            select greatest({west}, least({east}, x + case when x < {middle} then 360 else 0 end)) as x,
                   greatest({south}, least({north}, y)) as y
            from (select ((footprint[0])[0] + (footprint[1])[0]) / 2 as x,
                         ((footprint[0])[1] + (footprint[1])[1]) / 2 as y
                  from matching offset 0) centre
            offset 0""";

    private static final String CELL = """
            select least(floor((x + 180) / {side}), {last_column})::int as cell_column,
                   least(floor((y + 90) / {side}), {last_row})::int as cell_row,
                   count(*) as count, avg(x) as longitude, avg(y) as latitude
            from place group by 1, 2""";

    private static final Sql PUBLIC_SAMPLE = Visibility.PUBLIC.condition()
            .in("dataset where ", " order by uav_uid, id");
    private static final Sql WHOLE_SAMPLE = Sql.of("dataset order by uav_uid");
    private static final String ALL_ROWS = """
            (select greatest(reltuples, {sample}) from pg_class where oid = 'dataset'::regclass)""";

    private final Map<String, Sql> parts = new HashMap<>();
    private final List<SelectionSql> near;
    private final List<SelectionSql> found;

    /**
     * @param filter
     *            without a box
     */
    private GridSql(Expression filter, Grid.Cells cells, Caller caller) {
        Expression.Box box = cells.box();
        near = FilterSql.visible(box, caller);
        found = FilterSql.visible(filter, caller);
        parts.put("few", Sql.of(Integer.toString(FewMatches.MAX)));
        parts.put("sample", Sql.of(Integer.toString(SAMPLE)));
        parts.put("version", Sql.of(RankedPageSql.LISTING));
        parts.put("ids", FewMatches.rows(FewMatches.MAX));
        parts.put("nearby", Sql.unionAll(near.stream().map(each -> each.select("footprint"))));
        parts.put("found", FewMatches.array(found.stream().map(each -> each.select("id")), FewMatches.MAX));
        parts.put("enough", sql(filter.equals(Expression.ALL) ? FEW_NEARBY : FEW_NEARBY_OR_FOUND));
        parts.put("exact", filter.equals(Expression.ALL)
                ? Sql.of(NEARBY)
                : Sql.unionAll(Stream.of(FEW_MATCHING, FOUND).map(template -> Sql.unionAll(pairs(template)))));
        parts.put("either", Sql.or(pairs(NEAR_AND_MATCHING).toList()));
        parts.put("sampled", caller.isAnonymous() ? PUBLIC_SAMPLE : WHOLE_SAMPLE);
        parts.put("number", caller.isAnonymous() ? Sql.of(RankedPageSql.COUNT) : sql(ALL_ROWS));
        Map.of("west", box.west(), "south", box.south(), "east", cells.east(), "north", box.north(), "middle",
                cells.middleOutside(), "side", cells.side(), "last_column", (double) cells.lastColumn(), "last_row",
                (double) cells.lastRow()).forEach((name, value) -> parts.put(name, Sql.value(value)));
        parts.put("place", sql(PLACE));
        parts.put("cell", sql(CELL));
    }

    /**
     * One row for each cell, or one row without a cell: {@code cell_column} and {@code cell_row} in the grid, the {@code
     * count} of the datasets that were found, and their mean {@code longitude} and {@code latitude}. In each row {@code
     * listing}, {@code exact}, and {@code scale}, the number of datasets for which a found one stands.
     *
     * @param filter
     *            without a box
     */
    public static Sql of(Expression filter, Grid.Cells cells, Caller caller) {
        return new GridSql(filter, cells, caller).sql(GRID);
    }

    private Sql sql(String template) {
        return Sql.of(template, parts);
    }

    /**
     * The conditions of the box and of the filter in pairs: of the public datasets, and of the private ones that the caller
     * sees.
     */
    private Stream<Sql> pairs(String template) {
        return IntStream.range(0, near.size()).mapToObj(i -> {
            Map<String, Sql> all = new HashMap<>(parts);
            all.put("near", near.get(i).condition());
            all.put("check", found.get(i).check());
            return Sql.of(template, all);
        });
    }
}
