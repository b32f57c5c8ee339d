package io.datasetlisting.write.exports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.StreamRepository;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Reads and writes which exports there are. All reads are of the primary: a replica may not know yet that a dataset has left the
 * public listing.
 *
 * @see <a href="../../../../../../../docs/adr/0043-stored-exports.md">ADR 43</a>
 */
@Singleton
class StoredExportRepository {

    /** The departures are few, and an index finds those that the snapshot may lack. */
    private static final String WITHDRAWN = """
            (server <> current_server() or exists (
                select from public_departure
                where xid >= pg_snapshot_xmin(snapshot) and not pg_visible_in_snapshot(xid, snapshot)))""";

    private static final String COMPLETE_ONES = "select version, made, bytes, " + WITHDRAWN
            + " as withdrawn from stored_export where made is not null";
    private static final String FIND = COMPLETE_ONES + " and version = $1";
    private static final String NEWEST = COMPLETE_ONES + " and not " + WITHDRAWN + " order by begun desc limit 1";

    private static final String STATE = """
            select %s = listing as is_current, extract(epoch from clock_timestamp() - begun)::float8 as age
            from (values (1)) one
            left join lateral (select listing, begun from stored_export where made is not null and not %s
                               order by begun desc limit 1) newest on true"""
            .formatted(RankedPageSql.LISTING, WITHDRAWN);

    private static final String REMOVABLE = """
            select version from (
                select version, %s as is_withdrawn, lead(made) over (order by begun) as replaced
                from stored_export where made is not null) each
            where is_withdrawn or replaced < now() - make_interval(secs => $1)""".formatted(WITHDRAWN);

    /** The snapshot of the files is a later one, so that it has all that this one has. */
    private static final String BEGIN = "insert into stored_export (version, listing) values ($1, %s)"
            .formatted(RankedPageSql.LISTING);

    private static final String LOCK = "select pg_try_advisory_xact_lock('stored_export'::regclass::oid::int, 0)";

    private static final String BROKEN_OFF = "select version from stored_export where made is null and version <> $1";

    /** Another instance has removed the row if it has found the lock free. */
    private static final String COMPLETE = """
            update stored_export set made = clock_timestamp(), bytes = $2 where version = $1 and made is null""";

    private static final String FORGET = "delete from stored_export where version = $1";

    private static final String PUBLIC = """
            select d.id{columns} from {datasets} d order by curve_place(center(d.footprint)), d.id""";

    private final Pool pool;
    private final Reads reads;
    private final StreamRepository streams;
    private final FieldSelection fields;
    private final ThumbnailLinks thumbnails;

    StoredExportRepository(Pool pool, Reads reads, StreamRepository streams, DatasetFields fields,
            ThumbnailLinks thumbnails) {
        this.pool = pool;
        this.reads = reads;
        this.streams = streams;
        this.fields = fields.all().reading("id", "bbox", "coordinates");
        this.thumbnails = thumbnails;
    }

    /**
     * The newest export that is not withdrawn.
     *
     * @param exists
     *            false if there is none
     * @param isCurrent
     *            whether the listing version has not changed since
     * @param age
     *            time since its snapshot
     */
    record State(boolean exists, boolean isCurrent, Duration age) {
    }

    Uni<State> state() {
        return read(STATE, Tuple.tuple()).map(rows -> {
            Row row = rows.iterator().next();
            Double age = row.getDouble("age");
            return age == null
                    ? new State(false, false, Duration.ZERO)
                    : new State(true, row.getBoolean("is_current"), Duration.ofMillis((long) (age * 1000)));
        });
    }

    /** The newest export that is not withdrawn; null without one. */
    Uni<StoredExport> newest() {
        return read(NEWEST, Tuple.tuple()).map(StoredExportRepository::export);
    }

    /** The complete export of a version, also a withdrawn one; null if there is none. */
    Uni<StoredExport> find(String version) {
        return read(FIND, Tuple.of(version)).map(StoredExportRepository::export);
    }

    private static StoredExport export(RowSet<Row> rows) {
        if (rows.size() == 0) {
            return null;
        }
        Row row = rows.iterator().next();
        return new StoredExport(row.getString("version"), row.getOffsetDateTime("made").toInstant(),
                row.getArrayOfLongs("bytes"), row.getBoolean("withdrawn"));
    }

    /** The versions that are withdrawn, or that others have replaced for some time. */
    Uni<List<String>> removable(Duration kept) {
        return read(REMOVABLE, Tuple.of((double) kept.toSeconds())).map(StoredExportRepository::versions);
    }

    /** The versions whose instance has ended before they were complete. Only for the instance that has the lock. */
    Uni<List<String>> brokenOff(String own) {
        return read(BROKEN_OFF, Tuple.of(own)).map(StoredExportRepository::versions);
    }

    private static List<String> versions(RowSet<Row> rows) {
        List<String> versions = new ArrayList<>();
        rows.forEach(row -> versions.add(row.getString(0)));
        return versions;
    }

    private Uni<RowSet<Row>> read(String sql, Tuple values) {
        return reads.readPrimary(server -> server.pages().execute(sql, values));
    }

    /** Writes down that an export will be made. It must precede the snapshot of the files. */
    Uni<Void> begin(String version) {
        return write(BEGIN, Tuple.of(version)).replaceWithVoid();
    }

    /**
     * Streams what everyone sees, with all fields, to work that runs in the transaction of their snapshot. Datasets that lie near
     * each other follow each other. The links to thumbnails have no signature, which would end.
     *
     * @param locked
     *            runs first: whether no other instance makes an export. The lock ends with the transaction
     */
    <T> Multi<T> stream(Function<Boolean, Uni<Void>> locked, Function<Multi<List<DatasetView>>, Multi<T>> work) {
        Sql.Statement all = Sql.of(PUBLIC, Map.of("columns", Sql.of(fields.selectList()), "datasets",
                FilterSql.datasetsFrom(FilterSql.visible(Expression.ALL, Caller.ANONYMOUS), Sql.of("id")))).statement();
        return reads.stream(true, (server, connection) -> {
            StatementRunner statements = (text, values) -> connection.preparedQuery(text).execute(values);
            return statements.execute(LOCK, Tuple.tuple())
                    .chain(rows -> locked.apply(rows.iterator().next().getBoolean(0)))
                    .onItem().transformToMulti(ready -> work.apply(streams.rows(connection, statements, all)
                            .map(rows -> rows.stream().map(row -> fields.read(row, thumbnails::address)).toList())));
        });
    }

    /** Publishes an export. */
    Uni<Void> complete(String version, Long[] bytes) {
        return write(COMPLETE, Tuple.of(version, bytes)).invoke(count -> {
            if (count == 0) {
                throw new IllegalStateException("another instance has begun an export meanwhile");
            }
        }).replaceWithVoid();
    }

    /** Removes an export whose files are gone. */
    Uni<Void> forget(String version) {
        return write(FORGET, Tuple.of(version)).replaceWithVoid();
    }

    private Uni<Integer> write(String sql, Tuple values) {
        return Connections.inTransaction(pool, connection -> connection.preparedQuery(sql).execute(values))
                .map(RowSet::rowCount);
    }
}
