package io.datasetlisting.write.change;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.index.GeometryResolver;
import io.datasetlisting.catalogue.listing.StoredDatasetRepository;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.ChangeCursor;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/**
 * Reads the feed of changes. A statement reads the state of the feed, the changes and their datasets in one snapshot, from the
 * primary: a replica may not have the position of a client yet.
 *
 * @see <a href="../../../../../../../docs/adr/0030-a-feed-of-changes.md">ADR 30</a>
 */
@Singleton
class ChangeRepository {

    /**
     * A dataset with a pending change is not read: its row may be of a transaction that is not durable. {@code offset 0} and
     * {@code limit 1} keep the planner from reading all datasets that match. A page ends when its statistics, the only values
     * that can be large, are too many bytes.
     */
    private static final String PAGE = """
            with state as materialized ({state}), pending as materialized (select distinct id from {changes})
            select * from (
            select row_number() over changes as place,
                   sum(octet_length(found.band_stats)) over (changes rows unbounded preceding) as bytes,
                   state.*, change.*, found.*
            from state left join lateral (
                select folded, id, uav_uid, exists (select from pending where pending.id = changed.id) as pending
                from (
                    (select 0 as folded, id, min(uav_uid::text) as uav_uid from dataset_change
                     where id = any ({held}::bigint[]) and {audience} group by id)
                    union all
                    (select folded, id, uav_uid::text from dataset_change
                     where (folded, id) > (least({folded}::bigint, mark), {id}::bigint) and folded <= mark
                         and {audience}{block}
                     order by folded, id limit {limit})
                ) changed offset 0) change on true
            left join lateral (
                select true as matches, version, updated_at, created_at{columns}
                from ({visible}) d where d.id = change.id and not change.pending limit 1) found on true
            window changes as (order by change.folded, change.id)) sized
            where coalesce(bytes, 0) - coalesce(octet_length(band_stats), 0) < {max}
            order by place""";

    /** Of the statistics of a page, besides its last dataset. The page takes several times as much memory. */
    private static final long MAX_BYTES = 2 << 20;

    private static final String STATE = """
            select folded as mark, (select max(folded) from change_floor where {audience}) as floor,
                   (select id from listing_epoch order by no desc limit 1) as epoch,
                   (select id from catalogue) as catalogue,
                   {epoch}::uuid is null or exists (select from listing_epoch where id = {epoch}::uuid) as known,
                   (select min(later.began) from listing_epoch later join listing_epoch own on later.no > own.no
                    where own.id = {epoch}::uuid) as until
            from {rank}""";

    /** Blocks of ids, each with the number of datasets and the sum of their hashes. */
    private static final String DIGEST = """
            with state as materialized ({state}), pending as materialized (select distinct id from {changes})
            select state.*, block.*, {held}::boolean or exists (
                       select from dataset_change
                       where (folded, id) > (least({folded}::bigint, mark), {id}::bigint) and folded <= mark and {audience}
                   ){pending} as is_behind
            from state left join (
                select id >> {bits} as block, count(*) as count, sum(hash)::text as sum
                from dataset_change change where hash is not null and {audience}{matches}
                group by 1) block on true
            order by block""";

    private static final String MATCHES = " and exists (select from ({visible}) visible where visible.id = change.id)";

    /**
     * The pending changes decide which datasets match. Those of datasets that the caller has not seen and does not see do not.
     */
    private static final String PENDING = """
             or exists (
                select from pending
                where exists (select from dataset_change seen where seen.id = pending.id and {audience})
                    or exists (select from ({visible}) visible where visible.id = pending.id))""";

    private final Reads reads;
    private final GeometryResolver geometries;
    private final FieldSelection fields;

    ChangeRepository(Reads reads, GeometryResolver geometries, DatasetFields fields) {
        this.reads = reads;
        this.geometries = geometries;
        this.fields = fields.all();
    }

    /**
     * The changes after a position.
     *
     * @return fails with {@link LostPositionException} if the position is no longer valid
     */
    Uni<ChangePage> read(ChangeQuery query) {
        return read(query, filter -> page(query, filter)).map(rows -> page(rows, query));
    }

    private Uni<RowSet<Row>> read(ChangeQuery query, Function<Expression, Sql> sql) {
        return reads.readPrimary(server -> geometries.read(server, query.filter(), query.caller(),
                (statements, filter) -> statements.execute(sql.apply(filter))));
    }

    Sql page(ChangeQuery query, Expression filter) {
        ChangeCursor from = query.from();
        return Sql.of(PAGE, Map.ofEntries(
                Map.entry("state", state(query)),
                Map.entry("changes", Sql.of(RankedPageSql.PENDING)),
                Map.entry("held", Sql.value(from.held().toArray(Long[]::new))),
                Map.entry("audience", audience(query.caller())),
                Map.entry("folded", Sql.value(from.folded())),
                Map.entry("id", Sql.value(from.id())),
                Map.entry("block", query.block() == null
                        ? Sql.of("")
                        : Sql.value(query.block()).in(" and id >> " + Digest.BITS + " = ", "::bigint")),
                Map.entry("limit", Sql.value((long) query.limit())),
                Map.entry("max", Sql.value(MAX_BYTES)),
                Map.entry("columns", Sql.of(fields.selectList())),
                Map.entry("visible", visible(filter, query.caller()))));
    }

    private static Sql state(ChangeQuery query) {
        return Sql.of(STATE, Map.of("epoch", Sql.value(query.from().epoch()), "audience", audience(query.caller()),
                "rank", Sql.of(RankedPageSql.RANK_OF_ID)));
    }

    static Sql visible(Expression filter, Caller caller) {
        return Sql.unionAll(FilterSql.visible(filter, caller).stream().map(each -> each.select("*")));
    }

    /** The rows of what the caller sees or has seen. */
    static Sql audience(Caller caller) {
        return caller.isAdmin()
                ? Sql.of("true")
                : caller.isAnonymous()
                        ? Sql.of("audience = -1")
                        : Sql.value(caller.accountId()).in("audience in (-1, ", ")");
    }

    private ChangePage page(RowSet<Row> rows, ChangeQuery query) {
        PageBuilder page = new PageBuilder(state(rows.iterator().next(), query.from()), query);
        for (Row row : rows) {
            if (row.getLong("id") != null) {
                page.add(row.getLong("folded"), row.getLong("id"), row.getBoolean("pending"),
                        () -> new Change(row.getLong("id"), row.getString("uav_uid"),
                                row.getBoolean("matches") == null
                                        ? null
                                        : StoredDatasetRepository.stored(row, fields)));
            }
            Long bytes = row.getLong("bytes");
            if (bytes != null && bytes >= MAX_BYTES) {
                page.end();
            }
        }
        return page.build();
    }

    /**
     * The digest of what the caller sees.
     *
     * @return fails with {@link LostPositionException}, or with 409 if there are changes after the position
     */
    Uni<Digest> digest(ChangeQuery query) {
        boolean isWhole = query.filter().equals(Expression.ALL);
        return read(query, filter -> Sql.of(DIGEST, Map.of(
                "state", state(query),
                "changes", Sql.of(RankedPageSql.PENDING),
                "bits", Sql.of(Integer.toString(Digest.BITS)),
                "audience", audience(query.caller()),
                "held", Sql.value(!query.from().held().isEmpty()),
                "folded", Sql.value(query.from().folded()),
                "id", Sql.value(query.from().id()),
                "pending", isWhole
                        ? Sql.of("")
                        : Sql.of(PENDING, Map.of("audience", audience(query.caller()),
                                "visible", visible(filter, query.caller()))),
                "matches", isWhole
                        ? Sql.of("")
                        : Sql.of(MATCHES, Map.of("visible", visible(filter, query.caller()))))))
                .map(rows -> {
                    Row first = rows.iterator().next();
                    FeedState state = state(first, query.from());
                    if (first.getBoolean("is_behind")) {
                        throw new ApiException(409, "There are changes after this position: read them first.");
                    }
                    Map<Long, Digest.Block> blocks = new LinkedHashMap<>();
                    for (Row row : rows) {
                        if (row.getLong("block") != null) {
                            blocks.put(row.getLong("block"), new Digest.Block(row.getLong("count"),
                                    new BigInteger(row.getString("sum")).longValue()));
                        }
                    }
                    return new Digest(state.catalogue(), blocks);
                });
    }

    /** The state of the feed for a client at a position, which has to be valid. */
    private static FeedState state(Row row, ChangeCursor from) {
        long mark = row.getLong("mark");
        Long until = row.getLong("until");
        boolean isStarted = from.start() != ChangeCursor.NOT_STARTED;
        if (!row.getBoolean("known")) {
            throw LostPositionException.ofAnotherCatalogue();
        } else if (from.epoch() != null && from.newest() > (until == null ? mark : until)) {
            throw new LostPositionException("changes before this position were lost");
        } else if (isStarted && from.newest() < row.getLong("floor")) {
            throw new LostPositionException("the datasets that were gone after this position are forgotten");
        }
        return new FeedState(mark, row.getUUID("epoch"), row.getUUID("catalogue"));
    }
}
