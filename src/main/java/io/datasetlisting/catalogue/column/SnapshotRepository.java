package io.datasetlisting.catalogue.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.GeometryMatcher;
import io.datasetlisting.catalogue.query.GeometryMatcher.Deadline;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Reads snapshots of the columns. A statement reads the pending changes, the datasets that they name, and which parts there are;
 * only parts that are not cached are read after it, in the same transaction.
 */
@Singleton
class SnapshotRepository {

    /**
     * One row. With more changes than {@code max}, the datasets that they name are not read, nor are those of the version that is
     * known. {@code parts} and {@code folds} are null if the parts are those of the fold that is known. A condition on the array
     * of ids keeps the planner on the primary key.
     */
    private static final String STATE = """
            with version as materialized (
                -- Two servers, or one before and after it has lost a change, may have the same listing version.
                select {listing} as listing, extract(epoch from pg_postmaster_start_time())::text as server
            ), touched as materialized (
                select count(*) > {max}::bigint as are_many, coalesce(array_agg(distinct id), array[]::bigint[]) as ids
                from (select id from {pending} where (select (listing, server) <> ({listing known}, {server known}) from version)
                      limit {max}::bigint + 1) change
            ), element as (
                select * from listing_element
                where id = any ((select case when not are_many then ids end from touched)::bigint[])
                    and not is_deleted and coordinates is not null
                order by id
            )
            select version.*, (select are_many from touched) as are_many, folded, part.*,
                   array_send((select ids from touched)) as touched, columns.*,
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

    private static final Map<Column, String> ELEMENTS = Map.of(Column.IDS, "id", Column.MARKS, "mark", Column.BANDS,
            "band", Column.OWNERS, "owner", Column.WORKSPACES, "workspace", Column.TIMES, "time", Column.WESTS, "west",
            Column.SOUTHS, "south", Column.EASTS, "east", Column.NORTHS, "north");

    private static final String PARTS = "select first_id, %s from listing_part where first_id = any ($1)";

    private static final String OF_PARTS = """
            select array_send(array(
                select id from ({matching}) matching where id between {first}::bigint and {last}::bigint)) as ids""";

    /** No dataset is named by pending changes. */
    private static final Map<Column, Object> UNCHANGED = Arrays.stream(Column.values())
            .collect(Collectors.toMap(each -> each, Column::none, (some, others) -> some,
                    () -> new EnumMap<>(Column.class)));

    /** The folds after another one, with the datasets that they have merged. After more folds, these are too many. */
    private static final String FOLDS = """
            select folded, previous, array_send(ids) as ids from part_change where folded > $1 order by folded limit 300""";

    /** So few parts of columns are read at once that decoding them does not delay other requests. */
    private static final int PARTS_PER_READ = 64;
    /** The ids of so many chunks take at most 4 MB. */
    private static final int CHUNKS_PER_SEARCH = 8;
    /**
     * All datasets of a condition are sought when it is not known of more datasets whether they meet it: PostgreSQL takes 0.2 ms
     * to split a name into words.
     */
    private static final int FEW_UNKNOWN = 500;

    /** The datasets of a rare word are found again in less time than the memory is worth, unless the catalogue is small. */
    private static final int WORTH_CACHING = 10_000;
    private static final int FEW_PARTS = 16;

    /** A rebuild makes parts of this size. */
    private static final long MEAN_PER_PART = 512;
    /** Bytes of a bit for each dataset of the largest part. */
    private static final int BITS_OF_A_PART = 144;
    private static final int BYTES_OF_A_DATASET = Arrays.stream(Column.values()).mapToInt(Column::width).sum();

    private final ColumnCache cache;
    private final IntersectionConfig intersections;
    /** The newest parts of each server. */
    private final Map<DatabaseServer, Parts> known = new ConcurrentHashMap<>();

    SnapshotRepository(ColumnCache cache, IntersectionConfig intersections) {
        this.cache = cache;
        this.intersections = intersections;
    }

    /**
     * What the snapshot of a transaction contains besides the parts; it serves several requests.
     *
     * @param maxChanges
     *            of more changes that the parts lack, the result is a {@link LaggingPartsException}
     */
    Uni<State> state(DatabaseServer server, StatementRunner statements, Stream<ColumnRepository.Request> requests,
            long maxChanges) {
        Set<String> names = new TreeSet<>();
        requests.flatMap(request -> request.filters().stream())
                .forEach(filter -> names.addAll(Compiler.owners(filter)));
        Parts before = known.getOrDefault(server, Parts.NONE);
        Pending pending = new Pending(server);
        ColumnCache.Entry entry = cache.entry(pending);
        Changes last = entry == null ? Changes.NONE : (Changes) entry.values()[0];
        return statements.execute(state(maxChanges, before, last, names)).map(rows -> {
            Row row = rows.iterator().next();
            if (row.getBoolean("are_many")) {
                throw new LaggingPartsException();
            }
            Parts parts = before;
            if (row.getBuffer("parts") != null) {
                parts = new Parts(row.getLong("folded"), Column.longs(buffer(row, "parts")),
                        Column.longs(buffer(row, "folds")));
                known.put(server, parts);
                cache.need(parts.size() * MEAN_PER_PART * BYTES_OF_A_DATASET);
            }
            if (last.listing == row.getLong("listing") && last.server.equals(row.getString("server"))) {
                return new State(row, parts, last);
            }
            Changes changes = new Changes(row);
            cache.put(pending, parts, new Object[]{changes});
            return new State(row, parts, changes);
        });
    }

    private static Sql state(long maxChanges, Parts known, Changes last, Set<String> names) {
        return Sql.of(STATE,
                Map.of("listing known", Sql.value(last.listing), "server known", Sql.value(last.server), "max",
                        Sql.value(maxChanges), "pending", Sql.of(RankedPageSql.UNINDEXED), "listing",
                        Sql.of(RankedPageSql.LISTING), "fold", Sql.of(RankedPageSql.PART_FOLD), "known",
                        Sql.value(known.folded()), "names", Sql.value(names.toArray(String[]::new)), "columns",
                        Sql.of(ELEMENTS.entrySet().stream()
                                .map(each -> "array_send(coalesce(array_agg(%s), '{}')) as %s"
                                        .formatted(each.getValue(), each.getKey().sql()))
                                .collect(Collectors.joining(", ")))));
    }

    /** The snapshot for a request; null if the columns need more memory than they may take. */
    Uni<Snapshot> read(State state, StatementRunner statements, ColumnRepository.Request request) {
        return new Reading(state, statements, request, null).snapshot();
    }

    /**
     * Reads the snapshot of a request in chunks, one after another.
     *
     * @param work
     *            is done before the next chunk is read
     */
    Uni<Void> readInChunks(State state, StatementRunner statements, ColumnRepository.Request request,
            Function<Snapshot, Uni<Void>> work) {
        long width = new Reading(state, statements, request, null).width();
        int size = (int) Math.max(1, Math.min(PARTS_PER_READ, cache.limit() / (MEAN_PER_PART * width)));
        int chunks = (state.parts.size() + size - 1) / size;
        Sought sought = new Sought(state.parts, statements);
        return Multi.createFrom().range(0, chunks + 1).onItem().transformToUniAndConcatenate(chunk -> {
            State part = chunk < chunks ? state.chunk(chunk * size, size) : state.changesAlone();
            return new Reading(part, statements, request, sought).load().chain(work::apply);
        }).collect().last().replaceWithVoid();
    }

    /**
     * Finds the datasets of successive chunks that meet a condition which no column decides. PostgreSQL is asked for many chunks
     * at once: an index of words finds the datasets of a word for all of them in nearly the time for one.
     */
    private static final class Sought {

        private final Parts all;
        private final StatementRunner statements;
        /** Some successive parts; null at first. */
        private Parts parts;
        /** For each condition, the datasets of these parts, in the order of their ids. */
        private final Map<Expression, long[]> found = new HashMap<>();

        Sought(Parts all, StatementRunner statements) {
            this.all = all;
            this.statements = statements;
        }

        Uni<long[]> ids(Expression condition, Parts chunk) {
            if (parts == null || chunk.lastId() > parts.lastId()) {
                int from = all.of(chunk.firstIds()[0]);
                parts = all.chunk(from, Math.min(from + CHUNKS_PER_SEARCH * chunk.size(), all.size()));
                found.clear();
            }
            long[] known = found.get(condition);
            return known != null
                    ? Uni.createFrom().item(within(known, chunk))
                    : statements.execute(Sql.of(OF_PARTS, Map.of("matching", matching(condition), "first",
                            Sql.value(parts.firstIds()[0]), "last", Sql.value(parts.lastId()))))
                            .chain(rows -> CallerContext.compute(() -> {
                                long[] ids = SnapshotRepository.ids(rows);
                                Arrays.sort(ids);
                                return ids;
                            })).invoke(ids -> found.put(condition, ids)).map(ids -> within(ids, chunk));
        }

        private static long[] within(long[] ids, Parts chunk) {
            int from = Arrays.binarySearch(ids, chunk.firstIds()[0]);
            int last = Arrays.binarySearch(ids, chunk.lastId());
            return Arrays.copyOfRange(ids, from < 0 ? -from - 1 : from, last < 0 ? -last - 1 : last + 1);
        }
    }

    private static Sql matching(Expression condition) {
        return Sql.unionAll(FilterSql.listed(condition).stream().map(SelectionSql::ids));
    }

    /** The key of the cache. */
    private record Pending(DatabaseServer server) {
    }

    /** The pending changes that the parts lack. They are kept, because those of a listing version stay the same. */
    static final class Changes {

        private static final Changes NONE = new Changes(new long[0], UNCHANGED);

        private final long listing;
        private final String server;
        private final long[] touched;
        /** The columns of the datasets that they name. */
        private final Map<Column, Object> changed;
        /** For each part, the datasets that no pending change names; null for all. It is null before the first request. */
        private volatile long[][] settled;

        private Changes(Row row) {
            listing = row.getLong("listing");
            server = row.getString("server");
            touched = Column.longs(buffer(row, "touched"));
            changed = new EnumMap<>(Column.class);
            for (Column column : Column.values()) {
                changed.put(column, column.read(buffer(row, column.sql())));
            }
        }

        private Changes(long[] touched, Map<Column, Object> changed) {
            listing = -1;
            server = "";
            this.touched = touched;
            this.changed = changed;
        }

        long bytes(Parts parts) {
            return (long) Long.BYTES * touched.length + (long) BITS_OF_A_PART * Math.min(touched.length, parts.size())
                    + changed.values().stream().mapToLong(ColumnCache::bytes).sum();
        }
    }

    /** What all requests have in common that read one snapshot. */
    static final class State {

        private final long listing;
        private final Parts parts;
        private final Compiler compiler;
        private final Changes changes;

        State(Row row, Parts parts, Changes changes) {
            this.parts = parts;
            this.changes = changes;
            listing = row.getLong("listing");
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
            compiler = new Compiler(owners, bands, bands.size() >= Mark.OTHER_BAND
                    || ((Bitmaps) changes.changed.get(Column.BANDS)).has(Mark.OTHER_BAND));
        }

        private State(State all, Parts parts, Changes changes) {
            this.parts = parts;
            this.changes = changes;
            listing = all.listing;
            compiler = all.compiler;
        }

        long listing() {
            return listing;
        }

        Parts parts() {
            return parts;
        }

        Compiler compiler() {
            return compiler;
        }

        /** How many datasets pending changes name. */
        int changes() {
            return changes.touched.length;
        }

        /** Some parts, without the datasets that pending changes name. */
        State chunk(int from, int size) {
            Parts chunk = parts.chunk(from, Math.min(from + size, parts.size()));
            long first = chunk.firstIds()[0];
            return new State(this, chunk, new Changes(Arrays.stream(changes.touched)
                    .filter(id -> id >= first && id <= chunk.lastId()).toArray(), UNCHANGED));
        }

        /** The datasets that pending changes name. */
        State changesAlone() {
            return new State(this, parts.chunk(0, 0), new Changes(new long[0], changes.changed));
        }
    }

    /** Too many changes are not folded yet. */
    static final class LaggingPartsException extends RuntimeException {

        private static final long serialVersionUID = 1;

        LaggingPartsException() {
            super("The parts lack many changes", null, false, false);
        }
    }

    /** Reads one snapshot. */
    private final class Reading {

        private final State state;
        private final StatementRunner statements;
        private final ColumnRepository.Request request;
        private final Parts parts;
        private final Compiler compiler;
        /** The columns of all parts, and behind them of the changed datasets. */
        private final Map<Column, Object[]> loaded = new EnumMap<>(Column.class);
        private Elements[] elements;
        /** For each part, the datasets that no pending change names; null for all. */
        private long[][] settled;
        private final Map<Expression, Selector> found = new HashMap<>();
        /** Null if the snapshot is read as a whole. */
        private final Sought sought;

        Reading(State state, StatementRunner statements, ColumnRepository.Request request, Sought sought) {
            this.state = state;
            this.sought = sought;
            this.statements = statements;
            this.request = request;
            parts = state.parts;
            compiler = state.compiler;
        }

        Uni<Snapshot> snapshot() {
            return cache.fits(parts.size() * MEAN_PER_PART * width()) ? load() : Uni.createFrom().nullItem();
        }

        /** Bytes of a dataset, with its id, which pending changes need: they must not decide whether the columns fit. */
        long width() {
            return Stream.concat(columns().stream(), Stream.of(Column.IDS)).distinct().mapToInt(Column::width).sum();
        }

        Uni<Snapshot> load() {
            Map<List<Integer>, Map<Column, Object[]>> absent = new LinkedHashMap<>();
            for (Column column : columns()) {
                Object[] values = cache.get(column, parts);
                absent.computeIfAbsent(absent(values), none -> new EnumMap<>(Column.class)).put(column, values);
            }
            return Multi.createFrom().iterable(absent.entrySet()).onItem()
                    .transformToUniAndConcatenate(each -> load(each.getKey(), each.getValue())).collect().last()
                    .chain(() -> {
                        int size = parts.size() + 1;
                        elements = new Elements[size];
                        Object[] marks = loaded.get(Column.MARKS);
                        for (int i = 0; i < size; i++) {
                            elements[i] = new Elements(loaded, i, ((Bitmaps) marks[i]).size());
                        }
                        settled = state.changes.settled == null ? settled() : state.changes.settled;
                        state.changes.settled = settled;
                        Snapshot snapshot = new Snapshot(state, elements, settled, request.caller(), found,
                                intersections.maxIntersectsTime(), cache);
                        return findAll(snapshot).replaceWith(snapshot);
                    });
        }

        private Set<Column> columns() {
            Set<Column> columns = EnumSet
                    .copyOf(Snapshot.visibleTo(request.caller(), UnaryOperator.identity()).columns());
            columns.add(Column.MARKS);
            columns.addAll(request.columns());
            if (state.changes() > 0) {
                columns.add(Column.IDS);
            }
            for (Expression filter : request.filters()) {
                filter.conjuncts().forEach(each -> columns.addAll(compiler.columns(each)));
                Intersections.all(filter).forEach(each -> columns.addAll(compiler.columns(each)));
                if (Intersections.all(filter).findAny().isPresent()
                        || !Snapshot.rest(filter, compiler).equals(Expression.ALL)) {
                    columns.add(Column.IDS);
                }
            }
            return columns;
        }

        /** Reads the parts of columns that are absent in the cache. */
        private Uni<Void> load(List<Integer> absent, Map<Column, Object[]> columns) {
            cache.countRead(absent.size() * columns.size());
            return Multi.createFrom().iterable(batches(absent, Math.max(1, PARTS_PER_READ / columns.size()))).onItem()
                    .transformToUniAndConcatenate(batch -> read(batch, columns)).collect().last()
                    .invoke(() -> columns.forEach((column, values) -> {
                        if (!absent.isEmpty()) {
                            cache.put(column, parts, values);
                        }
                        add(column, values);
                    })).replaceWithVoid();
        }

        private void add(Column column, Object[] values) {
            Object[] all = Arrays.copyOf(values, values.length + 1);
            all[values.length] = state.changes.changed.get(column);
            loaded.put(column, all);
        }

        private static List<Integer> absent(Object[] values) {
            List<Integer> absent = new ArrayList<>();
            for (int part = 0; part < values.length; part++) {
                if (values[part] == null) {
                    absent.add(part);
                }
            }
            return absent;
        }

        private static List<List<Integer>> batches(List<Integer> all, int size) {
            List<List<Integer>> batches = new ArrayList<>();
            for (int from = 0; from < all.size(); from += size) {
                batches.add(all.subList(from, Math.min(from + size, all.size())));
            }
            return batches;
        }

        private Uni<Void> read(List<Integer> batch, Map<Column, Object[]> columns) {
            Long[] ids = batch.stream().map(part -> parts.firstIds()[part]).toArray(Long[]::new);
            String elements = columns.keySet().stream().map(each -> "array_send(%1$s) as %1$s".formatted(each.sql()))
                    .collect(Collectors.joining(", "));
            return statements.execute(PARTS.formatted(elements), Tuple.of(ids)).invoke(rows -> rows.forEach(row -> {
                int part = parts.of(row.getLong("first_id"));
                columns.forEach((column, values) -> values[part] = column.read(buffer(row, column.sql())));
            })).replaceWithVoid();
        }

        /** For each part, the datasets that no pending change names. */
        private long[][] settled() {
            long[][] settled = new long[elements.length][];
            for (long id : state.changes.touched) {
                int part = parts.of(id);
                int place = elements[part].integers(Column.IDS).find(id);
                if (place >= 0) {
                    if (settled[part] == null) {
                        settled[part] = Selector.ALL.select(elements[part]);
                    }
                    settled[part][place >> 6] &= ~(1L << place);
                }
            }
            return settled;
        }

        /** Finds the datasets of the conditions that no column decides. */
        private Uni<Void> findAll(Snapshot snapshot) {
            Set<Expression> rests = new LinkedHashSet<>();
            request.filters().forEach(filter -> rests.add(Snapshot.rest(filter, compiler)));
            rests.remove(Expression.ALL);
            Stream<Intersects> geometries = request.filters().stream().flatMap(Intersections::all).distinct()
                    .filter(each -> isAnyElsewhere());
            return Multi.createFrom().items(geometries).onItem().transformToUniAndConcatenate(this::findElsewhere)
                    .collect().last()
                    .chain(() -> Multi.createFrom().iterable(rests).onItem().transformToUniAndConcatenate(
                            rest -> decided(rest, snapshot).chain(decided -> find(rest, decided))).collect().last())
                    .replaceWithVoid();
        }

        private boolean isAnyElsewhere() {
            return Arrays.stream(elements).anyMatch(each -> each.bitmaps(Column.MARKS).has(Mark.ELSEWHERE));
        }

        /** Finds the datasets that intersect a geometry, and whose own geometry no column has. */
        private Uni<Void> findElsewhere(Intersects intersects) {
            int max = intersections.maxIntersectsCandidates();
            return statements.execute(FilterSql.flat(intersects, max + 1))
                    .chain(rows -> CallerContext.compute(() -> {
                        GeometryMatcher matcher = new GeometryMatcher(intersects.geometry(),
                                Deadline.after(intersections.maxIntersectsTime()));
                        if (rows.size() > max) {
                            throw Intersections.tooMany(max);
                        }
                        NavigableSet<Long> ids = new TreeSet<>();
                        for (Row row : rows) {
                            if (matcher.touches(row.getDouble(1), row.getDouble(2), row.getDouble(1),
                                    row.getDouble(2))) {
                                ids.add(row.getLong(0));
                            }
                        }
                        return ids;
                    })).invoke(ids -> found.put(intersects, new Selector.Identified(ids))).replaceWithVoid();
        }

        /** The condition that PostgreSQL decides. */
        private Uni<Expression> decided(Expression condition, Snapshot snapshot) {
            int max = intersections.maxIntersectsCandidates();
            return Intersections.undecided(condition).isEmpty()
                    ? Uni.createFrom().item(condition)
                    : CallerContext.compute(() -> {
                        Deadline deadline = snapshot.deadline();
                        return Intersections.decided(condition,
                                each -> Intersections.ids(snapshot.inside(each, deadline).ids(max), max));
                    });
        }

        /** Names and other texts change only with a pending change; other conditions may change with each update. */
        private Uni<Void> find(Expression condition, Expression decided) {
            boolean isCached = parts.areAll()
                    && (condition instanceof Expression.Words || condition instanceof Expression.FreeText);
            ColumnCache.Entry before = isCached ? cache.entry(condition) : null;
            Object[] values = before == null ? new Object[parts.size()] : before.values(parts).clone();
            for (int part = 0; part < values.length; part++) {
                Known known = (Known) values[part];
                values[part] = known == null || known.isOf(elements[part], settled[part]) ? known : null;
            }
            List<Integer> absent = absent(values);
            Uni<List<Long>> unknown = before == null || absent.isEmpty()
                    ? Uni.createFrom().item(() -> unknown(absent, id -> Known.Match.UNKNOWN, values))
                    : changedSince(before.parts()).map(changed -> unknown(absent,
                            id -> changed == null || changed.contains(id) ? Known.Match.UNKNOWN : match(before, id),
                            values));
            return unknown.chain(ids -> find(condition, decided, isCached && !absent.isEmpty(), values, ids));
        }

        /** The datasets that the folds since then have merged; null if they are not known, or are too many. */
        private Uni<Set<Long>> changedSince(Parts before) {
            return before.folded() == parts.folded()
                    ? Uni.createFrom().item(Set.of())
                    : statements.execute(FOLDS, Tuple.of(before.folded())).map(rows -> {
                        Set<Long> changed = new HashSet<>();
                        long last = before.folded();
                        for (Row row : rows) {
                            if (row.getLong("previous") != last) {
                                return null;
                            }
                            last = row.getLong("folded");
                            Arrays.stream(Column.longs(buffer(row, "ids"))).forEach(changed::add);
                        }
                        return last == parts.folded() ? changed : null;
                    });
        }

        private static Known.Match match(ColumnCache.Entry before, long id) {
            Known known = (Known) before.values()[before.parts().of(id)];
            return known == null ? Known.Match.UNKNOWN : known.match(id);
        }

        /**
         * The datasets of absent parts of which it is not known whether they meet a condition; the first ones if they are many.
         * Pending changes name none of them.
         *
         * @param values
         *            receives what is known of these parts, as bits
         */
        private List<Long> unknown(List<Integer> absent, LongFunction<Known.Match> matches, Object[] values) {
            List<Long> unknown = new ArrayList<>();
            for (int part : absent) {
                if (unknown.size() > FEW_UNKNOWN) {
                    break;
                }
                Integers ids = elements[part].integers(Column.IDS);
                long[] bits = new long[elements[part].words()];
                for (int i = 0; i < ids.size(); i++) {
                    Known.Match match = matches.apply(ids.get(i));
                    if (match == Known.Match.YES) {
                        set(bits, i);
                    } else if (match == Known.Match.UNKNOWN && (settled[part] == null || Known.has(settled[part], i))) {
                        unknown.add(ids.get(i));
                    }
                }
                values[part] = bits;
            }
            return unknown;
        }

        /**
         * Finds the datasets that meet a condition.
         *
         * @param decided
         *            the condition as PostgreSQL decides it
         * @param values
         *            what is known of each part; for the absent parts, the datasets that surely meet the condition as bits
         */
        private Uni<Void> find(Expression condition, Expression decided, boolean isCached, Object[] values,
                List<Long> unknown) {
            int size = parts.size();
            addIds(elements[size], unknown);
            // The last chunk has the datasets of pending changes alone.
            boolean isChunk = !parts.areAll() && size > 0;
            boolean seekAll = isChunk || size > 0 && unknown.size() > FEW_UNKNOWN;
            long[][] bits = new long[size + 1][];
            boolean[] isSought = new boolean[size + 1];
            for (int part = 0; part <= size; part++) {
                boolean isNew = seekAll || part == size;
                isSought[part] = isNew || values[part] instanceof long[];
                if (isSought[part]) {
                    bits[part] = isNew ? new long[elements[part].words()] : (long[]) values[part];
                } else {
                    bits[part] = ((Known) values[part]).bits();
                }
            }
            found.put(condition, new Selector.Found(bits));
            Sql matching = matching(seekAll ? decided : decided.and(new Expression.Ids(unknown)));
            Uni<long[]> read = unknown.isEmpty()
                    ? Uni.createFrom().item(new long[0])
                    : isChunk
                            ? sought.ids(decided, parts)
                            : statements.execute(matching.in("select array_send(array(", ")) as ids"))
                                    .map(SnapshotRepository::ids);
            return read.invoke(ids -> {
                mark(ids, bits, isSought);
                if (isCached && (!seekAll || ids.length >= WORTH_CACHING || size <= FEW_PARTS)) {
                    for (int part = 0; part < size; part++) {
                        values[part] = isSought[part]
                                ? Known.of(elements[part], bits[part], settled[part])
                                : values[part];
                    }
                    cache.put(condition, parts, values);
                }
            }).replaceWithVoid();
        }

        private static void addIds(Elements from, List<Long> ids) {
            for (int i = 0; i < from.size(); i++) {
                ids.add(from.integers(Column.IDS).get(i));
            }
        }

        private void mark(long[] ids, long[][] bits, boolean[] isSought) {
            Integers changedIds = elements[parts.size()].integers(Column.IDS);
            for (long id : ids) {
                int part = parts.of(id);
                if (part >= 0 && isSought[part]) {
                    set(bits[part], elements[part].integers(Column.IDS).find(id));
                }
                set(bits[parts.size()], changedIds.find(id));
            }
        }

        private static void set(long[] bits, int place) {
            if (place >= 0) {
                bits[place >> 6] |= 1L << place;
            }
        }
    }

    private static long[] ids(RowSet<Row> rows) {
        return Column.longs(buffer(rows.iterator().next(), "ids"));
    }

    static Buffer buffer(Row row, String column) {
        return Buffer.newInstance((io.vertx.core.buffer.Buffer) row.getDelegate().getValue(column));
    }

}
