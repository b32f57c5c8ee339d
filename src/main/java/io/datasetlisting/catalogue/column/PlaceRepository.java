package io.datasetlisting.catalogue.column;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/**
 * Finds where a page begins in an order that no column has. The public datasets in this order are divided into stretches, and of
 * each dataset, private ones too, the number of its stretch is cached. The bounds of the stretches stay the same until all
 * datasets are read again. So a dataset has its stretch until it is written itself.
 */
@Singleton
public class PlaceRepository {

    /** The next ids of the public datasets in an order, from the index of the order alone. */
    private static final String NEXT = """
            select array_send(array(
                select id from dataset where {public} {behind} order by {column}, id limit {limit})) as ids""";
    private static final String BEHIND = "and ({column}, id) > ((select {column} from dataset where id = {last}), {last})";

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

    /** The stretch of a dataset with this key and id. */
    private static final String STRETCH = """
            select count(*) from jsonb_populate_recordset(null::dataset, {bounds}::text::jsonb)
            where ({column}, id) <= ({key}::text::{type}, {id}::bigint)""";

    /** Datasets of a stretch, unless there are too many stretches. */
    private static final int LENGTH = 256;
    private static final int MAX_STRETCHES = 4096;
    /** Datasets that are read at once, a multiple of the length of a stretch. */
    private static final int STRETCHES_PER_READ = 256;
    /** Of so many parts, the datasets are placed one by one. */
    private static final int FEW_PARTS = 16;
    /** Private datasets that are placed at once. */
    private static final int PRIVATE_PER_READ = 1 << 15;
    /** So many changed datasets are placed for a request. */
    private static final int FEW_OTHERS = 2_000;
    /** All datasets are not read again before this time, because a catalogue may change faster than it is read. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final ColumnCache cache;
    /** When all datasets were read last, in nanoseconds, by column. A request of this time does not wait for the first one. */
    private final Map<String, Long> read = new ConcurrentHashMap<>();

    PlaceRepository(ColumnCache cache) {
        this.cache = cache;
    }

    /**
     * The datasets around a page.
     *
     * @param ids
     *            in no certain order, with those of the page
     * @param before
     *            how many datasets of the selection precede them
     */
    public record Span(long[] ids, long before) {

        Span reversed(long count) {
            return new Span(ids, count - before - ids.length);
        }
    }

    /**
     * The stretches of some datasets.
     *
     * @param ids
     *            ascending, each with its number
     */
    private record Stretches(long[] ids, long[] numbers) {
    }

    /** The key of the cache. */
    private record InOrder(String column) {
    }

    /**
     * Finds the datasets around a page in the order of a column, and of the id in the same direction where its values are equal.
     *
     * @param statements
     *            of the transaction of the snapshot
     * @param offset
     *            the datasets of the selection before the page
     *
     * @return null if another way is faster now
     */
    public Uni<Span> around(StatementRunner statements, Snapshot snapshot, Selection selection, String column,
            boolean descending, long offset, int size) {
        long count = selection.count();
        long from = Math.min(offset, count);
        long to = Math.min(from + size, count);
        Reading reading = new Reading(statements, snapshot, selection, column);
        return descending
                ? reading.span(count - to, count - from).map(span -> span == null ? null : span.reversed(count))
                : reading.span(from, to);
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
     * @param key
     *            null for the start of the order
     *
     * @return the ids in no certain order; null if another way is faster now
     */
    public Uni<long[]> behind(StatementRunner statements, Snapshot snapshot, Selection selection, String column,
            boolean descending, Key key, int size) {
        if (key == null) {
            return around(statements, snapshot, selection, column, descending, 0, size)
                    .map(span -> span == null ? null : span.ids);
        }
        return new Reading(statements, snapshot, selection, column).behind(key, descending, size);
    }

    /** Reads for one request. */
    private final class Reading {

        private final StatementRunner statements;
        private final Snapshot snapshot;
        private final String column;
        private final Placement placement;

        Reading(StatementRunner statements, Snapshot snapshot, Selection selection, String column) {
            this.statements = statements;
            this.snapshot = snapshot;
            this.column = column;
            placement = new Placement(snapshot, selection);
        }

        Uni<Span> span(long from, long to) {
            return others().chain(stretches -> stretches == null
                    ? Uni.createFrom().nullItem()
                    : CallerContext.compute(() -> placement.span(stretches, from, to)));
        }

        Uni<long[]> behind(Key key, boolean descending, int size) {
            return others().chain(stretches -> stretches == null
                    ? Uni.createFrom().nullItem()
                    : statements.execute(Sql.of(STRETCH, Map.of("column", Sql.of(column), "bounds",
                            Sql.value(placement.bounds().json()), "key", Sql.value(key.text), "type",
                            Sql.of(key.type), "id", Sql.value(key.id))))
                            .chain(rows -> CallerContext.compute(() -> placement.behind(stretches,
                                    rows.iterator().next().getLong(0), descending, size))));
        }

        /** Places all datasets, and returns the stretches of those that pending changes name; null if another way is faster. */
        private Uni<long[]> others() {
            List<Integer> absent = placement.take(cache.get(new InOrder(column), snapshot.parts()));
            long[] others = placement.others();
            if (others.length > FEW_OTHERS) {
                return Uni.createFrom().nullItem();
            }
            if (absent.size() <= Math.min(FEW_PARTS, snapshot.parts().size() / 2)) {
                return place(absent, others);
            }
            long now = System.nanoTime();
            Long last = read.get(column);
            boolean isDue = last == null || now - last > PAUSE.toNanos();
            if (!isDue || !(last == null ? read.putIfAbsent(column, now) == null : read.replace(column, last, now))) {
                return Uni.createFrom().nullItem();
            }
            return placeAll().chain(() -> place(List.of(), others));
        }

        /** Places some parts and some other datasets, and returns the stretches of the others. */
        private Uni<long[]> place(List<Integer> absent, long[] others) {
            Long[] ids = LongStream.concat(absent.stream().flatMapToLong(placement::ids), Arrays.stream(others)).boxed()
                    .toArray(Long[]::new);
            if (ids.length == 0) {
                keep(absent, new Stretches(new long[0], new long[0]));
                return Uni.createFrom().item(others);
            }
            return stretches(ids, placement.bounds().json()).map(found -> {
                keep(absent, found);
                return Arrays.stream(others).map(id -> found.numbers[Arrays.binarySearch(found.ids, id)]).toArray();
            });
        }

        /** The stretches of those of these datasets that exist. */
        private Uni<Stretches> stretches(Long[] ids, String bounds) {
            return statements
                    .execute(Sql.of(STRETCHES, Map.of("column", Sql.of(column), "ids", Sql.value(ids), "bounds",
                            Sql.value(bounds))))
                    .map(rows -> {
                        Row row = rows.iterator().next();
                        return new Stretches(Column.longs(SnapshotRepository.buffer(row, "ids")),
                                Column.longs(SnapshotRepository.buffer(row, "stretches")));
                    });
        }

        private void keep(List<Integer> absent, Stretches found) {
            absent.forEach(part -> placement.place(part, found.ids, found.numbers));
            if (!absent.isEmpty()) {
                keep();
            }
        }

        private void keep() {
            cache.put(new InOrder(column), snapshot.parts(), placement.placed());
        }

        /** Reads all public datasets in the order, and places the private ones between them. */
        private Uni<Void> placeAll() {
            Placement.Division all = placement.divide(LENGTH, MAX_STRETCHES);
            return readFrom(null, all).chain(() -> statements.execute(Sql.of(BOUNDS, Map.of("column",
                    Sql.of(column), "ids", Sql.value(all.bounds()))))).chain(rows -> {
                        String bounds = rows.iterator().next().getString("bounds");
                        return placePrivate(placement.privateIds(), all, bounds)
                                .chain(() -> CallerContext.compute(() -> {
                                    placement.place(all, bounds);
                                    keep();
                                    return null;
                                }));
                    }).replaceWithVoid();
        }

        private Uni<Void> placePrivate(long[] ids, Placement.Division all, String bounds) {
            if (ids.length == 0) {
                return Uni.createFrom().voidItem();
            }
            int size = Math.min(ids.length, PRIVATE_PER_READ);
            return stretches(Arrays.stream(ids, 0, size).boxed().toArray(Long[]::new), bounds).chain(found -> {
                for (int i = 0; i < found.ids.length; i++) {
                    all.place(found.ids[i], found.numbers[i]);
                }
                return placePrivate(Arrays.copyOfRange(ids, size, ids.length), all, bounds);
            });
        }

        private Uni<Void> readFrom(Long last, Placement.Division all) {
            int limit = all.length() * STRETCHES_PER_READ;
            Map<String, Sql> parts = Map.of("column", Sql.of(column), "last", Sql.value(last));
            return statements.execute(Sql.of(NEXT, Map.of("public", Visibility.PUBLIC.condition(), "column",
                    Sql.of(column), "limit", Sql.value((long) limit), "behind",
                    last == null ? Sql.of("") : Sql.of(BEHIND, parts))))
                    .map(rows -> Column.longs(SnapshotRepository.buffer(rows.iterator().next(), "ids")))
                    .chain(ids -> CallerContext.compute(() -> {
                        all.add(ids);
                        return ids;
                    })).chain(ids -> ids.length < limit
                            ? Uni.createFrom().voidItem()
                            : readFrom(ids[ids.length - 1], all));
        }
    }
}
