package io.datasetlisting.write.change;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.index.GeometryResolver;
import io.datasetlisting.catalogue.listing.StoredDatasetRepository;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.ChangeCursor;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/**
 * Reads the newest changes. A statement reads the newest rows of the feed backwards through their index, so that its cost has a
 * bound whatever the filters are.
 *
 * @see <a href="../../../../../../../docs/adr/0030-a-feed-of-changes.md">ADR 30</a>
 */
@Singleton
public class RecentChangeRepository {

    /** How many changes are listed. */
    public static final int SHOWN = 50;
    /** How many changes are read to find those that match a filter. */
    private static final int READ = 1000;
    /** How many changes are read without a filter: of these, some may be pending. */
    private static final int READ_OF_ALL = 4 * SHOWN;

    /**
     * A dataset with a pending change is left out, see {@link ChangeRepository}. {@code offset 0} keeps the planner from reading
     * all datasets that match. Whether a dataset that is gone has matched is not known, so it is listed for all filters; it has a
     * limit of its own, so that a deletion of many datasets does not hide the changes of others.
     */
    private static final String NEWEST = """
            with pending as materialized (select distinct id from {changes}),
            recent as materialized (
                select id, folded, hash, uav_uid::text as uav_uid,
                       exists (select from pending where pending.id = dataset_change.id) as pending
                from dataset_change where {audience} order by folded desc, id desc limit {read}
            ), change as (
                (select recent.id, folded, uav_uid, true as present
                 from recent cross join lateral (
                     select from ({visible}) d where d.id = recent.id offset 0) found
                 where hash is not null and not pending
                 order by folded desc, id desc limit {shown})
                union all
                (select id, folded, uav_uid, false
                 from recent
                 where hash is null and not pending and not exists (
                     select from dataset_change present
                     where present.id = recent.id and present.hash is not null and {audience})
                 order by folded desc, id desc limit {shown})
            )
            select state.*, change.*, found.*
            from (select {listing} as listing) state
            left join change on true
            left join lateral (
                select version, updated_at, created_at{columns} from dataset d where d.id = change.id and change.present) found
                on true
            order by change.folded desc, change.id desc""";

    private final Reads reads;
    private final GeometryResolver geometries;

    RecentChangeRepository(Reads reads, GeometryResolver geometries) {
        this.reads = reads;
        this.geometries = geometries;
    }

    /**
     * The newest changes that the caller sees, at most {@value #SHOWN} of datasets that match and as many of datasets that are
     * gone; without filters {@value #SHOWN} in all. Changes before the last {@value #READ} are not found.
     *
     * @param fields
     *            of the datasets
     */
    public Uni<RecentChanges> read(Expression filter, FieldSelection fields, Caller caller) {
        boolean isAll = filter.equals(Expression.ALL);
        Function<Expression, Sql> sql = decided -> Sql.of(NEWEST, Map.of(
                "changes", Sql.of(RankedPageSql.PENDING),
                "audience", ChangeRepository.audience(caller),
                "read", Sql.value((long) (isAll ? READ_OF_ALL : READ)),
                "shown", Sql.value((long) SHOWN),
                "visible", ChangeRepository.visible(decided, caller),
                "listing", Sql.of(RankedPageSql.LISTING),
                "columns", Sql.of(fields.selectList())));
        return reads.read(caller.mayWrite(), server -> isAll
                ? server.searches().usual().execute(sql.apply(filter))
                : geometries.read(server, filter, caller,
                        (statements, decided) -> statements.execute(sql.apply(decided))))
                .map(rows -> changes(rows, fields, isAll ? SHOWN : 2 * SHOWN));
    }

    private static RecentChanges changes(RowSet<Row> rows, FieldSelection fields, int limit) {
        Row first = rows.iterator().next();
        List<RecentChanges.Entry> entries = new ArrayList<>();
        // A dataset that two owners have seen, or its owner and all callers, may be gone for both.
        Set<Long> ids = new HashSet<>();
        for (Row row : rows) {
            if (row.getLong("id") != null && entries.size() < limit && ids.add(row.getLong("id"))) {
                entries.add(new RecentChanges.Entry(row.getLong("id"), row.getString("uav_uid"),
                        ChangeCursor.time(row.getLong("folded")),
                        row.getBoolean("present") ? StoredDatasetRepository.stored(row, fields) : null));
            }
        }
        return new RecentChanges(entries, first.getLong("listing"));
    }
}
