package io.datasetlisting.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.database.DatabaseServer;
import io.datasetlisting.database.Sql;
import io.datasetlisting.database.StatementRunner;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.query.SelectionSql;
import io.datasetlisting.rank.RankedPageSql;
import io.datasetlisting.replica.Reads;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Reads snapshots of the columns. A statement reads the pending changes, the datasets that they name, and which parts there are; only
 * parts that are not cached are read after it, in the same transaction.
 *
 * @see <a href="../../../../../../docs/adr/0029-columns-of-the-listing.md">ADR 29</a>
 */
@ApplicationScoped
public class ColumnRepository {

    /**
     * One row. {@code parts} and {@code folds} are null if the parts are those of the fold that is known. A condition on the array of
     * ids keeps the planner on the primary key.
     */
    private static final String STATE = """
            with touched as materialized (
                select coalesce(array_agg(distinct id), array[]::bigint[]) as ids from {pending}
            ), element as (
                select * from listing_element where id = any ((select ids from touched)::bigint[])
                    and not is_deleted and coordinates is not null
            )
            select {listing} as listing, folded, part.*, array_send((select ids from touched)) as touched, columns.*,
                   array(select label from band_mark order by bit) as labels, account.*
            from {rank}
            left join lateral (
                select array_send(array_agg(first_id order by first_id)) as parts,
                       array_send(array_agg(folded order by first_id)) as folds
                from listing_part where rank.folded <> {known}
            ) part on true
            cross join (select {columns} from element) columns
            cross join (select array_agg(id) as account_ids, array_agg(username) as account_names
                        from account where username = any ({names})) account""";

    private static final Map<Column, String> ELEMENTS = Map.of(Column.IDS, "id", Column.MARKS, "mark", Column.BANDS,
            "band", Column.OWNERS, "owner", Column.WORKSPACES, "workspace", Column.TIMES, "time", Column.WESTS, "west",
            Column.SOUTHS, "south", Column.EASTS, "east", Column.NORTHS, "north");

    private static final String PARTS = "select first_id%s from listing_part where first_id = any ($1)";

    /** So few parts are read at once that decoding them does not delay other requests. */
    private static final int PARTS_PER_READ = 64;
    /** Of more parts, all datasets of a condition are sought, instead of the datasets of these parts that meet it. */
    private static final int FEW_PARTS = 16;

    private final Reads reads;
    private final ColumnCache cache;
    /** The newest parts of each server. */
    private final Map<DatabaseServer, Parts> known = new ConcurrentHashMap<>();

    ColumnRepository(Reads reads, ColumnCache cache) {
        this.reads = reads;
        this.cache = cache;
    }

    /**
     * What a snapshot is read for.
     *
     * @param filters
     *            which it can select
     * @param columns
     *            that are read besides the ones of the filters
     */
    public record Request(Caller caller, Collection<Expression> filters, Set<Column> columns) {

        public static Request of(Caller caller, Expression filter, Set<Column> columns) {
            return new Request(caller, List.of(filter), columns);
        }
    }

    /** The parts of a fold. */
    private record Parts(long folded, long[] firstIds, long[] folds) {

        static final Parts NONE = new Parts(0, new long[0], new long[0]);

        ColumnCache.Key key(int part, Object values) {
            return new ColumnCache.Key(firstIds[part], folds[part], values);
        }

        /** The part that has the id if any part has it. */
        int of(long id) {
            int place = Arrays.binarySearch(firstIds, id);
            return place >= 0 ? place : -place - 2;
        }
    }

    /**
     * Computes something from a snapshot, on another thread.
     *
     * @return null if the columns need more memory than they may take
     */
    public <T> Uni<T> read(Request request, Function<Snapshot, T> work) {
        return read(request, work, (statements, result) -> Uni.createFrom().item(result));
    }

    /**
     * The same, and then reads more in the transaction of the snapshot.
     *
     * @param more
     *            is not called if the columns need more memory than they may take
     */
    public <S, T> Uni<T> read(Request request, Function<Snapshot, S> work,
            BiFunction<StatementRunner, S, Uni<T>> more) {
        Function<DatabaseServer, Uni<T>> query = server -> server.searches()
                .inSnapshot(statements -> new Reading(server, statements, request).snapshot()
                        .chain(snapshot -> snapshot == null
                                ? Uni.createFrom().nullItem()
                                : compute(() -> work.apply(snapshot))
                                        .chain(result -> more.apply(statements, result))));
        return RequestEnd.cancelAtEnd(request.caller.mayWrite() ? reads.readPrimary(query) : reads.read(query));
    }

    /** The failure of a request that cannot be answered without columns. */
    public static ApiException tooLarge() {
        return new ApiException(503, "The catalogue needs more memory for this than dataset.cache.columns allows.");
    }

    private static <T> Uni<T> compute(Supplier<T> work) {
        Executor caller = CallerContext.later();
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultWorkerPool()).emitOn(caller);
    }

    /** Reads one snapshot. */
    private final class Reading {

        private final DatabaseServer server;
        private final StatementRunner statements;
        private final Request request;
        private Parts parts;
        private Compiler compiler;
        private long listing;
        private long[] touched;
        private Elements[] elements;
        private final Map<Expression, Selector> found = new HashMap<>();

        Reading(DatabaseServer server, StatementRunner statements, Request request) {
            this.server = server;
            this.statements = statements;
            this.request = request;
        }

        Uni<Snapshot> snapshot() {
            return statements.execute(state()).chain(rows -> {
                begin(rows.iterator().next());
                Set<Column> columns = columns();
                long datasets = (long) elements.length * MAX_PER_PART;
                return cache.fits(datasets * columns.stream().mapToInt(Column::width).sum() / 2)
                        ? load(columns, allParts()).chain(() -> load(Set.of(Column.IDS), touchedParts()))
                                .chain(this::findAll).map(done -> new Snapshot(listing, elements, settled(),
                                        request.caller, compiler, found))
                        : Uni.createFrom().nullItem();
            });
        }

        private Sql state() {
            Set<String> names = new TreeSet<>();
            request.filters.forEach(filter -> names.addAll(Compiler.owners(filter)));
            parts = known.getOrDefault(server, Parts.NONE);
            return Sql.of(STATE, Map.of("pending", Sql.of(RankedPageSql.PENDING), "listing",
                    Sql.of(RankedPageSql.LISTING), "rank", Sql.of(RankedPageSql.RANK_OF_ID), "known",
                    Sql.value(parts.folded), "names", Sql.value(names.toArray(String[]::new)), "columns",
                    Sql.of(ELEMENTS.entrySet().stream()
                            .map(each -> "array_send(coalesce(array_agg(%s order by id), '{}')) as %s"
                                    .formatted(each.getValue(), each.getKey().sql()))
                            .collect(Collectors.joining(", ")))));
        }

        private void begin(Row row) {
            listing = row.getLong("listing");
            if (row.getBuffer("parts") != null) {
                parts = new Parts(row.getLong("folded"), Column.longs(buffer(row, "parts")),
                        Column.longs(buffer(row, "folds")));
                known.put(server, parts);
            }
            touched = Column.longs(buffer(row, "touched"));
            Map<String, Integer> bands = new LinkedHashMap<>();
            for (String label : row.getArrayOfStrings("labels")) {
                bands.put(label, bands.size());
            }
            Map<String, Long> owners = new HashMap<>();
            String[] names = row.getArrayOfStrings("account_names");
            for (int i = 0; names != null && i < names.length; i++) {
                owners.put(names[i], row.getArrayOfLongs("account_ids")[i]);
            }
            compiler = new Compiler(owners, bands);
            elements = new Elements[parts.firstIds.length + 1];
            Integers ids = (Integers) Column.IDS.read(buffer(row, Column.IDS.sql()));
            Elements changed = new Elements(elements.length - 1, ids.size());
            for (Column column : Column.values()) {
                changed.put(column, column.read(buffer(row, column.sql())));
            }
            elements[elements.length - 1] = changed;
        }

        private Set<Column> columns() {
            Set<Column> columns = EnumSet.copyOf(Snapshot.visibleTo(request.caller).columns());
            columns.add(Column.MARKS);
            columns.addAll(request.columns);
            for (Expression filter : request.filters) {
                filter.conjuncts().stream().map(compiler::compile).filter(each -> each != null)
                        .forEach(each -> columns.addAll(each.columns()));
                if (!Snapshot.rest(filter, compiler).equals(Expression.ALL)) {
                    columns.add(Column.IDS);
                }
            }
            return columns;
        }

        private List<Integer> allParts() {
            return Stream.iterate(0, i -> i + 1).limit(parts.firstIds.length).toList();
        }

        private List<Integer> touchedParts() {
            return Arrays.stream(touched).mapToInt(parts::of).distinct().boxed().toList();
        }

        /** Takes columns of parts from the cache, and reads the others. */
        private Uni<Void> load(Set<Column> columns, List<Integer> of) {
            Set<Column> absent = EnumSet.noneOf(Column.class);
            List<Integer> incomplete = new ArrayList<>();
            for (int part : of) {
                boolean isComplete = true;
                for (Column column : columns) {
                    Object values = cache.get(parts.key(part, column));
                    if (values == null) {
                        absent.add(column);
                        isComplete = false;
                    } else {
                        put(part, column, values);
                    }
                }
                if (!isComplete) {
                    incomplete.add(part);
                }
            }
            return Multi.createFrom().iterable(batches(incomplete)).onItem()
                    .transformToUniAndConcatenate(batch -> read(absent, batch)).collect().last().replaceWithVoid();
        }

        private static List<List<Integer>> batches(List<Integer> all) {
            List<List<Integer>> batches = new ArrayList<>();
            for (int from = 0; from < all.size(); from += PARTS_PER_READ) {
                batches.add(all.subList(from, Math.min(from + PARTS_PER_READ, all.size())));
            }
            return batches;
        }

        private Uni<Void> read(Set<Column> columns, List<Integer> batch) {
            String sql = PARTS
                    .formatted(columns.stream().map(each -> ", array_send(%1$s) as %1$s".formatted(each.sql()))
                            .collect(Collectors.joining()));
            Long[] ids = batch.stream().map(part -> parts.firstIds[part]).toArray(Long[]::new);
            return statements.execute(sql, Tuple.of(ids)).invoke(rows -> {
                for (Row row : rows) {
                    int part = parts.of(row.getLong("first_id"));
                    for (Column column : columns) {
                        Object values = column.read(buffer(row, column.sql()));
                        cache.put(parts.key(part, column), values);
                        put(part, column, values);
                    }
                }
            }).replaceWithVoid();
        }

        private void put(int part, Column column, Object values) {
            if (elements[part] == null) {
                elements[part] = new Elements(part, Column.size(values));
            }
            elements[part].put(column, values);
        }

        /** For each part, the datasets that no pending change names. */
        private long[][] settled() {
            long[][] settled = new long[elements.length][];
            for (long id : touched) {
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
        private Uni<Void> findAll() {
            Set<Expression> rests = new LinkedHashSet<>();
            request.filters.forEach(filter -> rests.add(Snapshot.rest(filter, compiler)));
            rests.remove(Expression.ALL);
            return Multi.createFrom().iterable(rests).onItem().transformToUniAndConcatenate(this::find).collect().last()
                    .replaceWithVoid();
        }

        /** The words of names change only with a pending change; other conditions may change with each update. */
        private Uni<Void> find(Expression condition) {
            boolean isCached = condition instanceof Expression.Words;
            long[][] bits = new long[elements.length][];
            List<Integer> absent = new ArrayList<>();
            for (int part : allParts()) {
                bits[part] = isCached ? (long[]) cache.get(parts.key(part, condition)) : null;
                if (bits[part] == null) {
                    absent.add(part);
                }
            }
            int changed = elements.length - 1;
            found.put(condition, new Selector.Found(bits));
            absent.forEach(part -> bits[part] = new long[elements[part].words()]);
            bits[changed] = new long[elements[changed].words()];
            Expression sought = condition;
            if (absent.size() <= FEW_PARTS) {
                List<Long> ids = Stream
                        .concat(absent.stream().map(part -> elements[part]), Stream.of(elements[changed]))
                        .flatMap(each -> Stream.iterate(0, i -> i + 1).limit(each.size())
                                .map(each.integers(Column.IDS)::get))
                        .toList();
                if (ids.isEmpty()) {
                    return Uni.createFrom().voidItem();
                }
                sought = condition.and(new Expression.Ids(ids));
            }
            Sql ids = Sql.unionAll(FilterSql.listed(sought).stream().map(SelectionSql::ids));
            return statements.execute(ids.in("select array_send(array(", ")) as ids")).invoke(rows -> {
                mark(ids(rows), bits);
                if (isCached) {
                    absent.forEach(part -> cache.put(parts.key(part, condition), bits[part]));
                }
            }).replaceWithVoid();
        }

        private static long[] ids(RowSet<Row> rows) {
            return Column.longs(buffer(rows.iterator().next(), "ids"));
        }

        private void mark(long[] ids, long[][] bits) {
            Integers changed = elements[elements.length - 1].integers(Column.IDS);
            for (long id : ids) {
                int part = parts.of(id);
                set(bits[part], elements[part].integers(Column.IDS).find(id));
                set(bits[elements.length - 1], changed.find(id));
            }
        }

        private static void set(long[] bits, int place) {
            if (place >= 0) {
                bits[place >> 6] |= 1L << place;
            }
        }
    }

    private static Buffer buffer(Row row, String column) {
        return Buffer.newInstance((io.vertx.core.buffer.Buffer) row.getDelegate().getValue(column));
    }

    /** Datasets of a part, from above. */
    private static final int MAX_PER_PART = 1024;
}
