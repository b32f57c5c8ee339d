package io.datasetlisting.mirror;

import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.bulk.BulkRepository;
import io.datasetlisting.change.Digest;
import io.datasetlisting.database.Connections;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.mirror.OriginPage.Put;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes the datasets of a mirror, each with the revision that it has in the origin. */
@Singleton
class MirrorRepository {

    /** The position of another origin is of no use. */
    private static final String BEGIN = """
            insert into mirror_position (origin) values ($1)
            on conflict (only_row) do update set origin = excluded.origin, cursor = null, complete = false
            where mirror_position.origin <> excluded.origin""";

    private static final String POSITION = "select cursor, complete from mirror_position";

    /** Another instance of the mirror may have written the changes: then no row has the position. */
    private static final String MOVE = """
            update mirror_position set cursor = $2, complete = complete or $3
            where cursor is not distinct from $1""";

    private static final String KEEP_TIMES = "select set_config('dataset.keep_times', 'on', true)";

    private static final String DELETE = "delete from dataset where id = any ($1)";

    /** Datasets that have only the id or only the uav_uid of a dataset of the origin, which are gone there. */
    private static final String DELETE_OTHERS = """
            delete from dataset using unnest($1::bigint[], $2::uuid[]) put (id, uav_uid)
            where (dataset.id = put.id or dataset.uav_uid = put.uav_uid)
                and (dataset.id <> put.id or dataset.uav_uid <> put.uav_uid)""";

    private static final String RENAME_OWNERS = """
            update account set username = owner.username from unnest($1::bigint[], $2::text[]) owner (id, username)
            where account.id = owner.id and account.username <> owner.username""";

    private static final String SET_REVISIONS = """
            update dataset set version = put.version, updated_at = put.updated, captured_date = put.captured,
                               created_at = put.created
            from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
                put (id, version, updated, captured, created)
            where dataset.id = put.id""";

    private static final String DIGEST = """
            select id >> $1 as block, count(*) as count, sum(change_hash(id, version, updated_at))::text as sum from dataset
            where not is_deleted and coordinates is not null group by 1""";

    private static final String DELETE_IN_BLOCK = """
            delete from dataset
            where id between $1::bigint << $3 and (($1::bigint + 1) << $3) - 1 and id <> all ($2::bigint[])""";

    private final Pool pool;
    private final BulkRepository datasets;

    MirrorRepository(Pool pool, BulkRepository datasets) {
        this.pool = pool;
        this.datasets = datasets;
    }

    /**
     * Where the mirror stands.
     *
     * @param cursor
     *            null before the first page
     * @param complete
     *            whether the mirror has been a copy once
     */
    record Position(String cursor, boolean complete) {
    }

    Uni<Position> begin(String origin) {
        return Connections.inTransaction(pool, connection -> connection.preparedQuery(BEGIN).execute(Tuple.of(origin))
                .chain(() -> connection.query(POSITION).execute()).map(rows -> {
                    Row row = rows.iterator().next();
                    return new Position(row.getString("cursor"), row.getBoolean("complete"));
                }));
    }

    /** Writes a page of changes and the position behind it, unless another instance has moved the position. */
    Uni<Void> apply(String position, OriginPage page) {
        return write(
                connection -> connection.preparedQuery(MOVE).execute(Tuple.of(position, page.next(), !page.hasMore()))
                        .chain(moved -> moved.rowCount() == 0
                                ? Uni.createFrom().voidItem()
                                : connection.preparedQuery(DELETE).execute(Tuple.of(page.gone().toArray(Long[]::new)))
                                        .chain(() -> put(connection, page.puts()))));
    }

    /** Makes a block equal to that of the origin. */
    Uni<Void> replaceBlock(long block, List<Put> puts) {
        Long[] ids = puts.stream().map(put -> put.dataset().id).toArray(Long[]::new);
        return write(connection -> connection.preparedQuery(DELETE_IN_BLOCK).execute(Tuple.of(block, ids, Digest.BITS))
                .chain(() -> put(connection, puts)));
    }

    /** Begins again. The datasets stay; the comparison of digests finds the ones that are gone. */
    Uni<Void> forgetPosition(String position) {
        return Connections.inTransaction(pool, connection -> connection.preparedQuery(MOVE)
                .execute(Tuple.of(position, null, false)).replaceWithVoid());
    }

    private <T> Uni<T> write(Function<SqlConnection, Uni<T>> work) {
        return Connections.inTransaction(pool,
                connection -> connection.query(KEEP_TIMES).execute().chain(() -> work.apply(connection)));
    }

    private Uni<Void> put(SqlConnection connection, List<Put> puts) {
        if (puts.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<Dataset> all = puts.stream().map(Put::dataset).toList();
        Long[] ids = all.stream().map(dataset -> dataset.id).toArray(Long[]::new);
        UUID[] uids = all.stream().map(dataset -> dataset.uavUid).toArray(UUID[]::new);
        Map<Long, String> owners = new TreeMap<>();
        all.forEach(dataset -> owners.put(dataset.ownerId, dataset.ownerName));
        return connection.preparedQuery(DELETE_OTHERS).execute(Tuple.of(ids, uids))
                .chain(() -> connection.preparedQuery(RENAME_OWNERS).execute(Tuple.of(
                        owners.keySet().toArray(Long[]::new), owners.values().toArray(String[]::new))))
                .chain(() -> datasets.writeWithOwners(connection, all))
                .chain(() -> connection.preparedQuery(SET_REVISIONS).execute(Tuple.of(ids,
                        puts.stream().map(put -> put.revision().version()).toArray(Long[]::new),
                        times(puts, put -> put.revision().updatedAt()),
                        times(puts, Put::captured), times(puts, Put::created))))
                .replaceWithVoid();
    }

    private static OffsetDateTime[] times(List<Put> puts, Function<Put, Instant> time) {
        return puts.stream().map(time).map(each -> each == null ? null : each.atOffset(ZoneOffset.UTC))
                .toArray(OffsetDateTime[]::new);
    }

    /** The digest of the mirror, by block. */
    Uni<Map<Long, Digest.Block>> digest() {
        return pool.preparedQuery(DIGEST).execute(Tuple.of(Digest.BITS)).map(rows -> {
            Map<Long, Digest.Block> blocks = new TreeMap<>();
            rows.forEach(row -> blocks.put(row.getLong("block"), new Digest.Block(row.getLong("count"),
                    new BigInteger(row.getString("sum")).longValue())));
            return blocks;
        });
    }
}
