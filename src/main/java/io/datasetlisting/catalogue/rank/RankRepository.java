package io.datasetlisting.catalogue.rank;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.datasetlisting.postgres.replica.MaintenancePool;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Folds, checks and rebuilds the ranks. */
@Singleton
class RankRepository {

    private static final Logger LOG = Logger.getLogger(RankRepository.class);

    private static final String PROBLEMS = "select text_problem(), rank_problem()";

    /** The tables with an index that depends on a collation. Their statements cannot run in a transaction. */
    private static final String REINDEX_TEXTS = """
            select distinct format('reindex table concurrently %s', indrelid::regclass) from pg_index
            where indrelid::regclass::text in (select tablename from pg_tables where schemaname = current_schema)
                and 0 <> any (indcollation::oid[]) order by 1""";

    /**
     * The first query of the transaction takes its snapshot, so the lock comes before it. A connection pooler may have ignored
     * the settings of the connection. A change that has the number of a fold is durable (docs/adr/0030).
     */
    private static final String BEGIN_FOLD = """
            begin isolation level repeatable read;
            set local enable_sort = on;
            set local synchronous_commit = on;
            set local statement_timeout = 0;
            lock table dataset in access share mode""";

    /**
     * PostgreSQL answers the vacuum of another role with a warning, not with a failure. Before version 17 only owners may vacuum.
     */
    private static final String MAY_VACUUM = """
            select case when current_setting('server_version_num')::int >= 170000 then has_table_privilege(oid, 'MAINTAIN')
                    else pg_has_role(relowner, 'USAGE') end
                or (select pg_has_role(datdba, 'USAGE') from pg_database where datname = current_database())
            from pg_class where oid = 'listing_change'::regclass""";

    /** The departures that all exports have, those of the future included: these take their snapshot later. */
    private static final String FORGET_DEPARTURES = """
            delete from public_departure
            where xid < pg_snapshot_xmin(pg_current_snapshot())
                and not exists (select from stored_export where xid >= pg_snapshot_xmin(snapshot))""";

    private final MaintenancePool pool;

    RankRepository(MaintenancePool pool) {
        this.pool = pool;
    }

    /**
     * The state of the ranks and of the parts.
     *
     * @param folded
     *            number of the last fold, by any instance
     * @param partsFolded
     *            number of the last fold of the parts
     * @param pending
     *            number of pending changes
     * @param lacking
     *            number of changes that the parts lack
     */
    record State(long folded, long partsFolded, long pending, long lacking) {
    }

    Uni<State> state() {
        return query(pool.get(), RankedPageSql.STATE)
                .map(row -> new State(row.getLong(0), row.getLong(1), row.getLong(2),
                        row.getLong(3)));
    }

    /**
     * Folds the pending changes. The result is their number, or 0 if another session is folding. A fold that fails on a standby
     * ends its connection, so that the next fold gets another one.
     */
    Uni<Long> fold() {
        return foldDecided("select fold_listing_changes($1)").map(row -> row.getLong(0));
    }

    /** Folds the pending changes into the parts alone. */
    Uni<Void> foldParts() {
        return foldDecided("select fold_part_changes($1)").replaceWithVoid();
    }

    /** Folds the pending changes into the ranks and the feed, beside folds of the parts. The result is as for {@link #fold}. */
    Uni<Long> foldRanks() {
        return foldOn(connection -> fold(connection, "select fold_rank_changes()", Tuple.tuple()))
                .map(row -> row.getLong(0));
    }

    private Uni<Row> foldDecided(String sql) {
        return foldOn(connection -> query(connection, "select decided_listing_changes()")
                .chain(decided -> fold(connection, sql, Tuple.of(decided.getLong(0)))));
    }

    /** Folds once more if another instance has folded between the snapshot and the lock of this fold. */
    private Uni<Row> foldOn(Function<SqlConnection, Uni<Row>> fold) {
        return Connections.with(pool.get(), fold).onFailure(DatabaseFailure::isConflict)
                .invoke(e -> LOG.debugf("Another fold has ended meanwhile: %s", e.getMessage()))
                .onFailure(DatabaseFailure::isConflict).retry().atMost(1);
    }

    private static Uni<Row> fold(SqlConnection connection, String sql, Tuple values) {
        return execute(connection, BEGIN_FOLD)
                .chain(() -> connection.preparedQuery(sql).execute(values))
                .map(rows -> rows.iterator().next())
                .call(() -> execute(connection, "commit"))
                .onFailure().call(() -> execute(connection, "rollback").onFailure().recoverWithNull());
    }

    /** Deletes tombstones of the feed of changes that are older than this. */
    Uni<Void> forgetChanges(Duration age) {
        return pool.get().preparedQuery("select forget_changes(now() - make_interval(secs => $1))")
                .execute(Tuple.of((double) age.toSeconds())).replaceWithVoid();
    }

    /** Deletes what no stored export needs any more. */
    Uni<Void> forgetDepartures() {
        return execute(pool.get(), FORGET_DEPARTURES);
    }

    /** Vacuums the pending changes. The result is false if the role may not: then PostgreSQL's autovacuum does. */
    Uni<Boolean> vacuum() {
        return query(pool.get(), MAY_VACUUM).map(row -> row.getBoolean(0)).call(allowed -> allowed
                ? Connections.with(pool.get(), connection -> execute(connection, "vacuum listing_change"))
                : Uni.createFrom().voidItem());
    }

    /** Sentences that say what is wrong with the order of texts and with the ranks; empty if nothing is. */
    Uni<List<String>> problems() {
        return query(pool.get(), PROBLEMS)
                .map(row -> Stream.of(row.getString(0), row.getString(1)).filter(problem -> problem != null).toList());
    }

    /**
     * Rebuilds all ranks beside readers and writers, and before them the indexes of texts if the order of texts has
     * changed.
     */
    Uni<Void> rebuild() {
        return query(pool.get(), "select text_problem()").chain(row -> Optional.ofNullable(row.getString(0))
                .map(problem -> reindexTexts().chain(this::rebuildRanks).chain(this::acceptTexts))
                .orElseGet(this::rebuildRanks));
    }

    private Uni<Void> reindexTexts() {
        return pool.get().query(REINDEX_TEXTS).execute()
                .onItem().transformToMulti(rows -> Multi.createFrom().iterable(rows))
                .onItem().transformToUniAndConcatenate(row -> {
                    LOG.info(row.getString(0));
                    return execute(pool.get(), row.getString(0));
                })
                .collect().last();
    }

    private Uni<Void> rebuildRanks() {
        LOG.info("call rebuild_ranks()");
        return execute(pool.get(), "call rebuild_ranks()");
    }

    private Uni<Void> acceptTexts() {
        return query(pool.get(), "select accept_text_versions()").invoke(row -> {
            if (row.getString(0) != null) {
                LOG.warnf("A superuser must also run: %s", row.getString(0));
            }
        }).replaceWithVoid();
    }

    private static Uni<Row> query(SqlClient client, String sql) {
        return client.query(sql).execute().map(rows -> rows.iterator().next());
    }

    private static Uni<Void> execute(SqlClient client, String sql) {
        return client.query(sql).execute().replaceWithVoid();
    }
}
