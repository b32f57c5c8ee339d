package io.datasetlisting.catalogue.snapshot;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Compiler;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.catalogue.snapshot.State.Changes;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads which parts there are, the changes that they lack, and the datasets that these name, in one statement. */
@Singleton
public class StateRepository {

    /**
     * One row. If the changes name more datasets than {@code max}, these are not read, nor are those of the version that is
     * known. A dataset has two changes if it gets another place in an order. {@code parts} and {@code folds} are null if the
     * parts are those of the fold that is known. A condition on the array of ids keeps the planner on the primary key.
     */
    private static final String STATE = """
            with version as materialized (
                -- Two servers, or one before and after it has lost a change, may have the same listing version.
                select {listing} as listing, extract(epoch from pg_postmaster_start_time())::text as server
            ), touched as materialized (
                select count(*) > {max}::bigint or coalesce(sum(changes), 0) > 2 * {max}::bigint as are_many,
                       coalesce(array_agg(id order by id), array[]::bigint[]) as ids,
                       coalesce(array_agg(id) filter (where has_text), array[]::bigint[]) as texts
                from (select id, bool_or(has_text) as has_text, count(*) as changes
                      from (select id, has_text from {pending}
                            where (select (listing, server) <> ({listing known}, {server known}) from version)
                            limit 2 * {max}::bigint + 1) change
                      group by id) dataset
            ), element as (
                select * from listing_element
                where id = any ((select case when not are_many then ids end from touched)::bigint[])
                order by id
            )
            select version.*, (select are_many from touched) as are_many, folded, part.*,
                   array_send((select ids from touched)) as touched, array_send((select texts from touched)) as texts,
                   columns.*,
                   array(select label from band_mark order by bit) as labels, account.*
            from {fold} cross join version
            left join lateral (
                select array_send(array_agg(first_id order by first_id)) as parts,
                       array_send(array_agg(folded order by first_id)) as folds
                from listing_part where part_fold.folded <> {known}
            ) part on true
            cross join (select {columns} from element) columns
            cross join (select array_agg(id) as account_ids, array_agg(username) as account_names
                        from account where username = any ({names})) account""";

    /** The listing version, or null if it is another one than that of a state that was read before. */
    private static final String SAME_LISTING = """
            (select listing from (select {now} as listing) now
             where listing = {listing}::bigint and extract(epoch from pg_postmaster_start_time())::text = {server})""";

    private static final int BYTES_OF_A_DATASET = Arrays.stream(Column.values()).mapToInt(Column::width).sum();
    /** So many datasets that the parts lack are read by each request: 5 ms. */
    public static final long FEW_CHANGES = 500;

    /** Reading more datasets takes as long as folding them, 14 µs each, and each snapshot would begin anew. */
    private static final long MAX_CHANGES = 300_000;
    /** The changes of a snapshot take at most this part of the memory for columns, because they are read as a whole. */
    private static final int PARTS_OF_MEMORY = 4;

    /** Also on a busy server, a snapshot of many changes is read to its end, because many requests share it. */
    private static final String LONG_STATEMENTS = "set local statement_timeout = '30s'";

    private final ColumnCache cache;
    /** The newest parts of each server. */
    private final Map<DatabaseServer, Parts> known = new ConcurrentHashMap<>();
    /** The newest state with few changes of each server. */
    private final Map<DatabaseServer, State> newest = new ConcurrentHashMap<>();

    StateRepository(ColumnCache cache) {
        this.cache = cache;
    }

    /**
     * What the snapshot of a transaction contains besides the parts; it serves several requests.
     *
     * @return fails with {@link LaggingPartsException} if the parts lack more than a few changes
     */
    public Uni<State> read(DatabaseServer server, StatementRunner statements, Stream<SnapshotRequest> requests) {
        return read(server, statements, requests, FEW_CHANGES);
    }

    /**
     * As {@link #read}, with as many changes as fit into memory. This and the next statements of its transaction may take long.
     *
     * @return fails with {@link LaggingPartsException} if the parts lack more changes: a request has to wait for a fold, or to
     *         read the table
     */
    public Uni<State> readLong(DatabaseServer server, StatementRunner statements, Stream<SnapshotRequest> requests) {
        long max = Math.min(MAX_CHANGES, cache.limit() / PARTS_OF_MEMORY / BYTES_OF_A_DATASET);
        return statements.execute(LONG_STATEMENTS, Tuple.tuple())
                .chain(() -> read(server, statements, requests, Math.max(max, FEW_CHANGES)));
    }

    private Uni<State> read(DatabaseServer server, StatementRunner statements, Stream<SnapshotRequest> requests,
            long maxChanges) {
        Set<String> names = new TreeSet<>();
        requests.flatMap(request -> request.filters().stream())
                .forEach(filter -> names.addAll(Compiler.owners(filter)));
        Parts before = known.getOrDefault(server, Parts.NONE);
        Pending pending = new Pending(server);
        ColumnCache.Entry entry = cache.entry(pending);
        Changes last = entry == null ? Changes.NONE : (Changes) entry.values()[0];
        Sql sql = sql(maxChanges, before, last, names);
        return statements.execute(maxChanges <= FEW_CHANGES ? sql.plannedOnce() : sql).map(rows -> {
            Row row = rows.iterator().next();
            if (row.getBoolean("are_many")) {
                throw new LaggingPartsException();
            }
            Parts parts = before;
            if (row.getBuffer("parts") != null) {
                parts = new Parts(row.getLong("folded"), Column.longs(PartRepository.buffer(row, "parts")),
                        Column.longs(PartRepository.buffer(row, "folds")));
                known.put(server, parts);
                cache.need(parts.size() * Parts.MEAN_SIZE * BYTES_OF_A_DATASET);
            }
            Changes changes = last;
            if (last.listing() != row.getLong("listing") || !last.server().equals(row.getString("server"))) {
                changes = changes(row, parts);
                cache.put(pending, parts, new Object[]{changes});
            }
            State state = new State(row.getLong("listing"), parts, compiler(row, changes), changes);
            if (state.changes() <= FEW_CHANGES) {
                newest.put(server, state.unchecked(Sql.of(SAME_LISTING, Map.of("now", Sql.of(RankedPageSql.LISTING),
                        "listing", state.version(), "server", Sql.value(state.server())))));
            } else {
                newest.remove(server);
            }
            return state;
        });
    }

    private static Changes changes(Row row, Parts parts) {
        Map<Column, Object> changed = new EnumMap<>(Column.class);
        for (Column column : Column.values()) {
            changed.put(column, column.read(PartRepository.buffer(row, column.sql())));
        }
        return new Changes(row.getLong("listing"), row.getString("server"), parts,
                Column.longs(PartRepository.buffer(row, "touched")), Column.longs(PartRepository.buffer(row, "texts")),
                changed);
    }

    private static Compiler compiler(Row row, Changes changes) {
        Map<String, Integer> bands = new LinkedHashMap<>();
        for (String label : row.getArrayOfStrings("labels")) {
            bands.put(label, bands.size());
        }
        Map<String, Long> owners = new HashMap<>();
        String[] names = row.getArrayOfStrings("account_names");
        for (int i = 0; names != null && i < names.length; i++) {
            owners.put(names[i], row.getArrayOfLongs("account_ids")[i]);
        }
        // The next fold gives bits to the labels that are new in pending changes.
        return new Compiler(owners, bands, bands.size() >= Mark.OTHER_BAND || changes.haveOtherBands());
    }

    /** The newest state with few changes that was read from a server, which may have changed since; null if none is known. */
    public State newest(DatabaseServer server) {
        return newest.get(server);
    }

    private static Sql sql(long maxChanges, Parts known, Changes last, Set<String> names) {
        return Sql.of(STATE,
                Map.of("listing known", Sql.value(last.listing()), "server known", Sql.value(last.server()), "max",
                        Sql.value(maxChanges), "pending", Sql.of(RankedPageSql.UNINDEXED), "listing",
                        Sql.of(RankedPageSql.LISTING), "fold", Sql.of(RankedPageSql.PART_FOLD), "known",
                        Sql.value(known.folded()), "names", Sql.value(names.toArray(String[]::new)), "columns",
                        Sql.of(Arrays.stream(Column.values())
                                .map(each -> "array_send(coalesce(array_agg(%s), '{}')) as %s"
                                        .formatted(each.element(), each.sql()))
                                .collect(Collectors.joining(", ")))));
    }

    /** The key of the cache. */
    private record Pending(DatabaseServer server) {
    }

    /** Too many changes are not folded yet. */
    public static final class LaggingPartsException extends RuntimeException {

        private static final long serialVersionUID = 1;

        public LaggingPartsException() {
            super("The parts lack many changes", null, false, false);
        }
    }
}
