package io.datasetlisting.write.mirror;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import jakarta.inject.Singleton;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.write.bulk.BulkRepository;
import io.datasetlisting.write.change.Digest;
import io.datasetlisting.write.mirror.MirrorState.Catalogue;
import io.datasetlisting.write.mirror.OriginPage.Put;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes the datasets of a mirror, each with the revision that it has in the origin. */
@Singleton
class MirrorRepository {

    /** Own writes that have not noted a promotion yet wait, see the function {@code note_own_write}. */
    private static final String LOCK = "select lock_mirror()";

    /** Waits for the writes that have not seen that the database becomes a mirror. */
    private static final String LOCK_DATASETS = "lock table dataset in share row exclusive mode";

    private static final String STATE = """
            select catalogue.id, origin, origin_id, cursor, complete,
                   coalesce(extract(epoch from clock_timestamp() - caught_up), 0)::float8 as lag,
                   (select min(at) from mirror_promotion) as promoted, exists (select from dataset) as has_datasets
            from catalogue left join mirror_position on true""";

    private static final String BEGIN = """
            insert into mirror_position (origin, origin_id) values ($1, $2)
            on conflict (only_row) do update set origin = excluded.origin, origin_id = excluded.origin_id, cursor = null,
                complete = false, caught_up = excluded.caught_up""";

    /** With its new identity the database cannot be replaced again by the same key. */
    private static final String RENEW = "update catalogue set id = gen_random_uuid()";

    private static final String FORGET_PROMOTION = "delete from mirror_promotion";

    /** The accounts get the names that the origin has for their ids, and the datasets of these. */
    private static final String REVOKE = """
            with revoked as (update api_token set revoked = true where account_id <> 0)
            update account_identity set blocked = true where account_id <> 0""";

    /** No digest has these datasets. */
    private static final String DELETE_UNLISTED = "delete from dataset where is_deleted or coordinates is null";

    /** Another instance of the mirror may have written the changes: then no row has the position. */
    private static final String MOVE = """
            update mirror_position
            set cursor = $2, complete = complete or $3, origin = $4, origin_id = coalesce($5, origin_id),
                caught_up = case when $3 then clock_timestamp() else caught_up end
            where cursor is not distinct from $1""";

    private static final String FORGET = "update mirror_position set cursor = null where cursor is not distinct from $1";

    private static final String LEAVE_GAPS = """
            select leave_gap('dataset_id_seq', $1), leave_gap('account_id_seq', $2),
                   leave_gap('account_workspace_seq', $3)""";

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

    Uni<MirrorState> state() {
        return state(pool);
    }

    private static Uni<MirrorState> state(SqlClient client) {
        return client.query(STATE).execute().map(rows -> {
            Row row = rows.iterator().next();
            OffsetDateTime promoted = row.getOffsetDateTime("promoted");
            return new MirrorState(row.getUUID("id"), row.getString("origin"), row.getUUID("origin_id"),
                    row.getString("cursor"), Boolean.TRUE.equals(row.getBoolean("complete")),
                    Duration.ofMillis((long) (row.getDouble("lag") * 1000)),
                    promoted == null ? null : promoted.toInstant(), row.getBoolean("has_datasets"));
        });
    }

    /**
     * Makes the database a mirror of an origin, unless it is one.
     *
     * @param told
     *            null if the origin is away
     * @param replaced
     *            the identity of the catalogue whose datasets may be lost
     *
     * @return fails with {@link MirrorState.RefusedException} if other datasets would be lost
     */
    Uni<Void> claim(String url, Catalogue told, Optional<UUID> replaced) {
        return write(connection -> state(connection)
                .chain(state -> state.origin() == null || replaced.filter(state.id()::equals).isPresent()
                        ? connection.query(LOCK_DATASETS).execute().chain(() -> state(connection))
                        : Uni.createFrom().item(state))
                .chain(state -> {
                    Tuple origin = Tuple.of(url, told == null ? null : told.id());
                    if (state.checkReplaced(url, told, replaced)) {
                        return connection.query(FORGET_PROMOTION).execute()
                                .chain(() -> connection.query(REVOKE).execute())
                                .chain(() -> connection.query(RENEW).execute())
                                .chain(() -> connection.preparedQuery(BEGIN).execute(origin))
                                .chain(() -> connection.query(DELETE_UNLISTED).execute()).replaceWithVoid();
                    }
                    return state.origin() == null || state.isOther(url, told)
                            ? connection.preparedQuery(BEGIN).execute(origin).replaceWithVoid()
                            : Uni.createFrom().voidItem();
                }));
    }

    /** Writes a page of changes and the position behind it, unless another instance has moved the position. */
    Uni<Void> apply(String url, String position, OriginPage page) {
        return follow(url, page.catalogue(), connection -> connection.preparedQuery(MOVE)
                .execute(Tuple.of(position, page.next(), !page.hasMore(), url, page.catalogue().id()))
                .chain(moved -> moved.rowCount() == 0
                        ? Uni.createFrom().voidItem()
                        : connection.preparedQuery(DELETE).execute(Tuple.of(page.gone().toArray(Long[]::new)))
                                .chain(() -> put(connection, page.puts()))));
    }

    /** Makes a block equal to that of the origin. */
    Uni<Void> replaceBlock(String url, long block, OriginPage page) {
        Long[] ids = page.puts().stream().map(put -> put.dataset().id).toArray(Long[]::new);
        return follow(url, page.catalogue(),
                connection -> connection.preparedQuery(DELETE_IN_BLOCK).execute(Tuple.of(block, ids, Digest.BITS))
                        .chain(() -> put(connection, page.puts())));
    }

    /** Begins again. The datasets stay; the comparison of digests finds the ones that are gone. */
    Uni<Void> forgetPosition(String url, Catalogue told, String position) {
        return follow(url, told,
                connection -> connection.preparedQuery(FORGET).execute(Tuple.of(position)).replaceWithVoid());
    }

    /** Runs a write that depends on the origin, while no own write can be the first one. */
    private Uni<Void> follow(String url, Catalogue told, Function<SqlConnection, Uni<Void>> work) {
        return write(connection -> state(connection).invoke(state -> state.checkFollows(url, told))
                .chain(() -> work.apply(connection)));
    }

    private <T> Uni<T> write(Function<SqlConnection, Uni<T>> work) {
        return Connections.inTransaction(pool,
                connection -> connection.query(LOCK).execute().invoke(rows -> {
                    if (!rows.iterator().next().getBoolean(0)) {
                        throw new IllegalStateException("a write of this service runs");
                    }
                }).chain(() -> connection.query(KEEP_TIMES).execute()).chain(() -> work.apply(connection)));
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
                .chain(() -> connection.preparedQuery(LEAVE_GAPS).execute(Tuple.of(max(all, dataset -> dataset.id),
                        max(all, dataset -> dataset.ownerId), max(all, dataset -> dataset.workspace))))
                .chain(() -> connection.preparedQuery(SET_REVISIONS).execute(Tuple.of(ids,
                        puts.stream().map(put -> put.revision().version()).toArray(Long[]::new),
                        times(puts, put -> put.revision().updatedAt()),
                        times(puts, Put::captured), times(puts, Put::created))))
                .replaceWithVoid();
    }

    private static long max(List<Dataset> datasets, ToLongFunction<Dataset> number) {
        return datasets.stream().mapToLong(number).max().orElseThrow();
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
