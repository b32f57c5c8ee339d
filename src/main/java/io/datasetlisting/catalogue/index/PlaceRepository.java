package io.datasetlisting.catalogue.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.index.TableRepository.Found;
import io.datasetlisting.catalogue.snapshot.ColumnCache;
import io.datasetlisting.catalogue.snapshot.PartRepository;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Finds the page of a selection in an order that no column has. The datasets in this order, private ones too, are divided into
 * stretches. Of each dataset the number of its stretch is cached, and of stretches the ids in the order. The bounds of the
 * stretches stay the same until all datasets are read again. So a dataset keeps its stretch until it is written itself.
 */
@Singleton
public class PlaceRepository {

    /** One statement sorts all private datasets, which takes the longest. It ends before a connection is closed as idle. */
    private static final String LONG_STATEMENTS = "set local statement_timeout = '100s'";
    /** All ids in an order: of the public datasets from the index of the order alone, of the private ones sorted once. */
    private static final String ORDER = """
            declare order_{column} no scroll cursor for
            select id from ((select {column}, id from dataset where {public} order by {column}, id)
                            union all
                            (select {column}, id from dataset where {private} order by {column}, id)) listed
            order by {column}, id""";
    private static final String NEXT = "fetch {limit} from order_{column}";

    private static final String BOUNDS = """
            select coalesce(jsonb_agg(jsonb_build_object('id', id, '{column}', {column}) order by {column}, id), '[]')::text
                as bounds
            from dataset where id = any ({ids}::bigint[])""";

    /** How many bounds are not behind each dataset. */
    private static final String STRETCHES = """
            select array_send(coalesce(array_agg(id order by id), array[]::bigint[])) as ids,
                   array_send(coalesce(array_agg(stretch order by id), array[]::bigint[])) as stretches
            from (select id, bound, sum(bound) over (order by key, id, bound desc) as stretch
                  from (select {column} as key, id, 0 as bound from dataset where id = any ({ids}::bigint[])
                        union all
                        select {column}, id, 1 from jsonb_populate_recordset(null::dataset, {bounds}::text::jsonb)) listed) placed
            where bound = 0""";

    private static final String SORTED = """
            select array_send(array(
                select id from (select id, {column} from dataset where id = any ({ids}::bigint[]) offset 0) among
                order by {column}, id)) as ids""";

    /** The stretch of a dataset with this key and id. */
    private static final String STRETCH = """
            select count(*) from jsonb_populate_recordset(null::dataset, {bounds}::text::jsonb)
            where ({column}, id) <= ({key}::text::{type}, {id}::bigint)""";

    /** Datasets that are read at once, a multiple of the length of a stretch. */
    private static final int STRETCHES_PER_READ = 64;
    /** So many datasets are placed one by one: those that changes name, and those that folds have written. */
    private static final int FEW = 2_000;
    /** All datasets are not read again before this time, because a catalogue may change faster than it is read. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final ColumnCache cache;
    private final PartRepository folds;
    /** When the last read of all datasets ended, in nanoseconds, by column. */
    private final Map<String, Long> read = new ConcurrentHashMap<>();
    /** Whether all datasets are being read. The other requests do not wait for this read. */
    private final AtomicBoolean isReading = new AtomicBoolean();
    /** The columns with stretches that have grown too long. */
    private final Set<String> coarse = ConcurrentHashMap.newKeySet();

    PlaceRepository(ColumnCache cache, PartRepository folds) {
        this.cache = cache;
        this.folds = folds;
    }

    /**
     * The stretches of some datasets.
     *
     * @param ids
     *            ascending, each with its number
     */
    record Stretches(long[] ids, long[] numbers) {
    }

    /** The key of the cache. */
    private record InOrder(String column) {
    }

    /**
     * Finds a page in the order of a column, and of the id in the same direction where its values are equal.
     *
     * @param statements
     *            of the transaction of the snapshot
     * @param offset
     *            the matches before the page
     *
     * @return the ids in no certain order; null if another way is faster now
     */
    public Uni<long[]> page(StatementRunner statements, Found found, String column, boolean descending, long offset,
            int size) {
        if (isAbsent(found, column)) {
            return Uni.createFrom().nullItem();
        }
        long count = found.matched().count();
        long from = Math.min(offset, count);
        long to = Math.min(from + size, count);
        Reading reading = new Reading(statements, found, column);
        return descending ? reading.page(count - to, count - from) : reading.page(from, to);
    }

    /**
     * The sort key of a dataset.
     *
     * @param text
     *            as PostgreSQL writes the value
     * @param type
     *            of the column
     */
    public record Key(String text, String type, long id) {
    }

    /**
     * Finds the next datasets behind a key in the order of a column, as above, among others of their stretches.
     *
     * @return the ids in no certain order; null if another way is faster now
     */
    public Uni<long[]> behind(StatementRunner statements, Found found, String column, boolean descending, Key key,
            int size) {
        return isAbsent(found, column)
                ? Uni.createFrom().nullItem()
                : new Reading(statements, found, column).behind(key, descending, size);
    }

    /** Whether the order is not in memory, and is not read for these matches. */
    private boolean isAbsent(Found found, String column) {
        return !found.matched().mayReadOrder() && cache.entry(new InOrder(column)) == null;
    }

    /** Reads for one request. */
    private final class Reading {

        private final StatementRunner statements;
        private final Snapshot snapshot;
        private final boolean mayRead;
        private final String column;
        private final InOrder key;
        private final Placement placement;
        private final StretchSearch search;

        Reading(StatementRunner statements, Found found, String column) {
            this.statements = statements;
            this.column = column;
            snapshot = found.snapshot();
            mayRead = found.matched().mayReadOrder();
            key = new InOrder(column);
            placement = new Placement(snapshot);
            search = new StretchSearch(snapshot, found.selection(), placement);
        }

        Uni<long[]> page(long from, long to) {
            return found(stretches -> search.find(stretches, from, to)).chain(unsorted -> unsorted == null
                    ? Uni.createFrom().nullItem()
                    : sorted(unsorted).map(sorted -> search.page(sorted, from, to)));
        }

        /** These ids in the order. */
        private Uni<long[]> sorted(long[] ids) {
            return ids.length == 0
                    ? Uni.createFrom().item(ids)
                    : ids(SORTED, Map.of("column", Sql.of(column), "ids", ids(ids)));
        }

        private Uni<long[]> ids(String sql, Map<String, Sql> parts) {
            return statements.execute(Sql.of(sql, parts))
                    .map(rows -> Column.longs(PartRepository.buffer(rows.iterator().next(), "ids")));
        }

        private static Sql ids(long[] ids) {
            return Sql.value(Arrays.stream(ids).boxed().toArray(Long[]::new));
        }

        Uni<long[]> behind(Key edge, boolean descending, int size) {
            return others().chain(stretches -> stretches == null
                    ? Uni.createFrom().nullItem()
                    : statements.execute(Sql.of(STRETCH, Map.of("column", Sql.of(column), "bounds",
                            bounds(), "key", Sql.value(edge.text), "type", Sql.of(edge.type), "id",
                            Sql.value(edge.id)))).chain(rows -> found(stretches,
                                    found -> search.behind(found,
                                            rows.iterator().next().getLong(0), descending, size))));
        }

        /** @param work receives the stretches of the datasets that pending changes name */
        private <T> Uni<T> found(Function<long[], T> work) {
            return others().chain(stretches -> stretches == null
                    ? Uni.createFrom().nullItem()
                    : found(stretches, work));
        }

        private <T> Uni<T> found(long[] stretches, Function<long[], T> work) {
            return CallerContext.compute(() -> {
                T found = work.apply(stretches);
                if (search.isCoarse()) {
                    coarse.add(column);
                }
                return found;
            });
        }

        /** Places all datasets, and returns the stretches of those that pending changes name; null if another way is faster. */
        private Uni<long[]> others() {
            ColumnCache.Entry before = cache.entry(key);
            if (search.others().length > FEW) {
                return Uni.createFrom().nullItem();
            }
            if (before == null || before.values().length == 0 || coarse.contains(column) && isDue()) {
                return readAll();
            }
            Uni<long[]> unknown = before.parts() == snapshot.parts()
                    ? Uni.createFrom().item(() -> placement.take(before, Set.of()))
                    : folds.changedSince(statements, before.parts(), snapshot.parts())
                            .chain(changed -> CallerContext.compute(() -> placement.take(before, changed)));
            return unknown.chain(ids -> ids.length > FEW
                    ? readAll()
                    : place(ids, before.parts() != snapshot.parts()));
        }

        /** Places datasets of parts, and returns the stretches of the others. */
        private Uni<long[]> place(long[] ofParts, boolean isNew) {
            long[] others = search.others();
            return stretches(LongStream.concat(Arrays.stream(ofParts), Arrays.stream(others)).toArray())
                    .chain(found -> {
                        Supplier<long[]> work = () -> {
                            placement.place(found);
                            Object[] placed = placement.placed();
                            if (isNew || placement.isChanged() || ofParts.length > 0) {
                                cache.put(key, snapshot.parts(), placed);
                            }
                            return Arrays.stream(others).map(id -> found.numbers[Arrays.binarySearch(found.ids, id)])
                                    .toArray();
                        };
                        return isNew ? CallerContext.compute(work) : Uni.createFrom().item(work);
                    });
        }

        /** The stretches of those of these datasets that exist. */
        private Uni<Stretches> stretches(long[] ids) {
            return ids.length == 0
                    ? Uni.createFrom().item(new Stretches(ids, ids))
                    : statements.execute(Sql.of(STRETCHES, Map.of("column", Sql.of(column), "ids", ids(ids), "bounds",
                            bounds()))).map(rows -> {
                                Row row = rows.iterator().next();
                                return new Stretches(Column.longs(PartRepository.buffer(row, "ids")),
                                        Column.longs(PartRepository.buffer(row, "stretches")));
                            });
        }

        private Sql bounds() {
            return Sql.value(placement.division().bounds());
        }

        private boolean isDue() {
            Long last = read.get(column);
            return !isReading.get() && (last == null || System.nanoTime() - last > PAUSE.toNanos());
        }

        /** Reads all datasets in the order, if no order is being read. The read goes on when the request ends. */
        private Uni<long[]> readAll() {
            return mayRead && isDue()
                    ? statements.runToEnd(() -> isReading.getAndSet(true)
                            ? Uni.createFrom().nullItem()
                            : readOrder().onTermination().invoke(() -> {
                                read.put(column, System.nanoTime());
                                isReading.set(false);
                            }))
                    : Uni.createFrom().nullItem();
        }

        private Uni<long[]> readOrder() {
            List<Long> firsts = new ArrayList<>();
            List<Integers> sorted = new ArrayList<>();
            return statements.execute(LONG_STATEMENTS, Tuple.tuple()).chain(() -> {
                coarse.remove(column);
                placement.clear();
                return statements.execute(Sql.of(ORDER, Map.of("column", Sql.of(column), "public",
                        Visibility.PUBLIC.condition(), "private", Visibility.PRIVATE.condition())));
            }).chain(() -> readNext(firsts, sorted)).chain(() -> statements.execute(Sql.of(BOUNDS, Map.of("column",
                    Sql.of(column), "ids", Sql.value(firsts.stream().skip(1).toArray(Long[]::new)))))).chain(rows -> {
                        placement.divide(rows.iterator().next().getString("bounds"), sorted);
                        return place(new long[0], true);
                    });
        }

        private Uni<Void> readNext(List<Long> firsts, List<Integers> sorted) {
            int limit = placement.length() * STRETCHES_PER_READ;
            return statements
                    .execute(Sql.of(NEXT, Map.of("column", Sql.of(column), "limit", Sql.of(Integer.toString(limit)))))
                    .chain(rows -> CallerContext.compute(() -> {
                        long[] ids = StreamSupport.stream(rows.spliterator(), false).mapToLong(row -> row.getLong(0))
                                .toArray();
                        placement.placeNext(ids, firsts, sorted);
                        return ids.length;
                    })).chain(read -> read < limit
                            ? Uni.createFrom().voidItem()
                            : readNext(firsts, sorted));
        }
    }
}
