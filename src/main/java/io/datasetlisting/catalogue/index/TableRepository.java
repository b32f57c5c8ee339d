package io.datasetlisting.catalogue.index;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/**
 * Pages that PostgreSQL sorts: in orders that the index does not hold, and most pages of a filter if the columns need more
 * memory than they may take. The index, or else the table, says how many datasets match, and which ones if they are few.
 */
@Singleton
public class TableRepository {

    /** PostgreSQL reads and sorts so many datasets in milliseconds. */
    public static final int FEW = 20_000;

    /**
     * Few matches are found once, by their own indexes: the planner, which does not know that they are few, would otherwise look
     * for them in the index of the order. The count of many may read an index alone.
     */
    private static final String MATCHES = """
            with few as materialized (select id from ({ids}) matching limit {max} + 1)
            select case when found > {max} then {count} else found end as count,
                   case when found <= {max} then ids end as ids, {version} as listing
            from (select count(*) as found, coalesce(array_agg(id), array[]::bigint[]) as ids from few) found""";

    private final ColumnRepository columns;
    private final GeometryResolver geometries;
    /** The largest number of ids of datasets in a geometry. */
    private final int max;

    TableRepository(ColumnRepository columns, GeometryResolver geometries, IntersectionConfig intersections) {
        this.columns = columns;
        this.geometries = geometries;
        max = intersections.maxIntersectsCandidates();
    }

    /**
     * What columns have found for a page.
     *
     * @param page
     *            the ids of the page in its order; null if no column has the order
     */
    public record Found(Snapshot snapshot, Selection selection, Matches matched, long[] page) {
    }

    /**
     * Finds the matches of a filter in a snapshot of columns. A filter that PostgreSQL does not decide has few up to its limit.
     *
     * @param page
     *            finds the ids of the page, for which PostgreSQL then needs no other ids; null if no column has the order
     */
    public Found find(Snapshot snapshot, Expression filter, BiFunction<Selection, Matches, long[]> page) {
        Selection selection = snapshot.select(filter);
        long[] ids = page != null || filter.equals(Expression.ALL)
                ? null
                : selection.ids(isDecided(filter) ? FEW : max);
        Matches matches = new Matches(filter, snapshot.version(), selection.count(),
                ids == null ? null : Arrays.stream(ids).boxed().toArray(Long[]::new), snapshot.isUnchecked());
        return new Found(snapshot, selection, matches, page == null ? null : page.apply(selection, matches));
    }

    private static boolean isDecided(Expression filter) {
        return Intersections.undecided(filter).isEmpty();
    }

    /**
     * The statement that sorts a page; null if it needs a transaction.
     *
     * @throws io.datasetlisting.base.ApiException
     *             400 for a filter that columns alone decide, and that has too many matches
     */
    public Sql sorted(Matches matches, Function<Matches, Sql> sql) {
        if (!matches.areFew() && !isDecided(matches.filter())) {
            throw Intersections.tooMany(max);
        }
        return matches.areFew() || !matches.isUnchecked() ? sql.apply(matches) : null;
    }

    /**
     * Reads a page without columns. Its matches are found in the table, together with those of equal concurrent requests.
     *
     * @param result
     *            what is read, as for {@link io.datasetlisting.catalogue.snapshot.SnapshotRequest}
     * @param page
     *            reads the page in the transaction
     */
    public <T> Uni<T> read(Expression filter, Caller caller, Object result,
            BiFunction<StatementRunner, Matches, Uni<T>> page) {
        BiFunction<StatementRunner, Expression, Uni<T>> work = (statements, decided) -> statements
                .execute(sql(decided, caller)).map(rows -> matches(rows.iterator().next(), decided))
                .chain(matches -> page.apply(statements, matches));
        return isDecided(filter)
                ? columns.readTable(caller, List.of(filter, result), statements -> work.apply(statements, filter))
                : geometries.readOnce(filter, caller, result, work);
    }

    private static Sql sql(Expression filter, Caller caller) {
        List<SelectionSql> visible = FilterSql.visible(filter, caller);
        return Sql.of(MATCHES, Map.of("max", Sql.of(FEW + "::bigint"), "version", Sql.of(RankedPageSql.LISTING),
                "ids", Sql.unionAll(visible.stream().map(SelectionSql::ids)),
                "count", Sql.join(" + ", visible.stream().map(SelectionSql::count))));
    }

    private static Matches matches(Row row, Expression filter) {
        return new Matches(filter, Sql.value(row.getLong("listing")), row.getLong("count"), row.getArrayOfLongs("ids"),
                false);
    }
}
