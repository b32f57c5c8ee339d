package io.datasetlisting.catalogue.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.column.Known;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Finds the datasets that meet a condition which no column decides: PostgreSQL does, and matches of texts are cached. */
@Singleton
class MatchRepository {

    /**
     * The planner does not know the values of subqueries. Otherwise it expects hardly any datasets in a range that is newer than
     * its statistics, and tests all of their names. So it combines the index of words with that of ids.
     */
    private static final String BETWEEN = """
            select array_send(array(
                select id from ({matching}) matching
                where id between (select {first}::bigint) and (select {last}::bigint))) as ids""";

    /** The ids of so many chunks take at most 4 MB. */
    private static final int CHUNKS_PER_SEARCH = 8;
    /**
     * If it is not known of more datasets whether they meet a condition, they are sought by the range of their ids: PostgreSQL
     * takes 0.2 ms to split a name into words, and finds the names in the index.
     */
    private static final int FEW_UNKNOWN = 500;

    /** The datasets of a rare word are found again in less time than the memory is worth, unless the catalogue is small. */
    private static final int WORTH_CACHING = 10_000;
    private static final int FEW_PARTS = 16;
    /** So many datasets are visited in a millisecond. */
    private static final int MANY = 10_000;

    private final ColumnCache cache;
    private final PartRepository folds;

    MatchRepository(ColumnCache cache, PartRepository folds) {
        this.cache = cache;
        this.folds = folds;
    }

    /**
     * Finds the datasets of successive chunks that meet a condition. PostgreSQL is asked for many chunks at once: an index of
     * words finds the datasets of a word for all of them in nearly the time for one.
     */
    static final class Chunks {

        private final Parts all;
        private final StatementRunner statements;
        /** Some successive parts; null at first. */
        private Parts parts;
        /** For each condition, the datasets of these parts, in the order of their ids. */
        private final Map<Expression, long[]> found = new HashMap<>();

        Chunks(Parts all, StatementRunner statements) {
            this.all = all;
            this.statements = statements;
        }

        private Uni<long[]> ids(Expression condition, Parts chunk) {
            if (parts == null || chunk.lastId() > parts.lastId()) {
                int from = all.of(chunk.firstIds()[0]);
                parts = all.chunk(from, Math.min(from + CHUNKS_PER_SEARCH * chunk.size(), all.size()));
                found.clear();
            }
            long[] known = found.get(condition);
            return known != null
                    ? Uni.createFrom().item(within(known, chunk))
                    : statements.execute(between(condition, parts.firstIds()[0], parts.lastId()))
                            .chain(rows -> CallerContext.compute(() -> {
                                long[] ids = MatchRepository.ids(rows);
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

    private static Sql all(Expression condition) {
        return matching(condition).in("select array_send(array(", ")) as ids");
    }

    /** Without a range of ids, PostgreSQL does not read the index of ids. */
    private static Sql between(Expression condition, long first, long last) {
        return first == Long.MIN_VALUE && last == Long.MAX_VALUE
                ? all(condition)
                : Sql.of(BETWEEN, Map.of("matching", matching(condition), "first", Sql.value(first), "last",
                        Sql.value(last)));
    }

    private static long[] ids(RowSet<Row> rows) {
        return Column.longs(PartRepository.buffer(rows.iterator().next(), "ids"));
    }

    /**
     * Finds the datasets of a snapshot that meet a condition. Names and other texts change only with a pending change; other
     * conditions may change with each update.
     *
     * @param decided
     *            the condition as PostgreSQL decides it
     * @param chunks
     *            null if the snapshot is read as a whole
     */
    Uni<Selector> find(StatementRunner statements, Snapshot snapshot, Expression condition, Expression decided,
            Chunks chunks) {
        Parts parts = snapshot.parts();
        boolean isCached = parts.areAll()
                && (condition instanceof Expression.Words || condition instanceof Expression.FreeText);
        ColumnCache.Entry before = isCached ? cache.entry(condition) : null;
        Object[] values = before == null ? new Object[parts.size()] : before.values(parts).clone();
        for (int part = 0; part < values.length; part++) {
            Known known = (Known) values[part];
            values[part] = known == null || known.isOf(snapshot.elements(part), snapshot.settledTexts(part))
                    ? known
                    : null;
        }
        List<Integer> absent = PartRepository.absent(values);
        Object key = absent.isEmpty() ? new OfChanges(condition, snapshot.listing(), snapshot.server()) : condition;
        Search search = new Search(statements, snapshot, isCached ? key : null, decided, chunks, values);
        Uni<List<Long>> unknown = before == null || absent.isEmpty()
                ? search.run(() -> search.unknown(absent, id -> Known.Match.UNKNOWN))
                : folds.textsChangedSince(statements, before.parts(), parts)
                        .chain(changed -> search.run(() -> search.unknown(absent, id -> changed == null
                                || changed.contains(id) ? Known.Match.UNKNOWN : match(before, id))));
        return unknown.chain(search::find);
    }

    /** The key of the cache for the datasets that many pending changes name, which the next snapshots often have, too. */
    private record OfChanges(Expression condition, long listing, String server) {
    }

    private static Known.Match match(ColumnCache.Entry before, long id) {
        Known known = (Known) before.values()[before.parts().of(id)];
        return known == null ? Known.Match.UNKNOWN : known.match(id);
    }

    /** Finds the datasets of one snapshot. */
    private final class Search {

        private final StatementRunner statements;
        private final Snapshot snapshot;
        private final Parts parts;
        private final Object key;
        private final Expression decided;
        private final Chunks chunks;
        /** What is known of each part; for the absent parts, the datasets that surely meet the condition as bits. */
        private final Object[] values;
        private final long[][] bits;
        private final boolean[] isSought;
        /** The datasets that pending changes name. */
        private final Integers changed;
        /** Those of them that meet the condition if they do so in their part. */
        private final long[] likeParts;

        /** @param key of the cache; null if the matches are not cached */
        Search(StatementRunner statements, Snapshot snapshot, Object key, Expression decided, Chunks chunks,
                Object[] values) {
            this.statements = statements;
            this.snapshot = snapshot;
            parts = snapshot.parts();
            this.key = key;
            this.decided = decided;
            this.chunks = chunks;
            this.values = values;
            bits = new long[parts.size() + 1][];
            isSought = new boolean[bits.length];
            changed = snapshot.elements(parts.size()).integers(Column.IDS);
            likeParts = new long[snapshot.elements(parts.size()).words()];
        }

        /** Many datasets are visited on another thread. */
        <T> Uni<T> run(Supplier<T> work) {
            return changed.size() + PartRepository.absent(values).size() * Parts.MEAN_SIZE > MANY
                    ? CallerContext.compute(work)
                    : Uni.createFrom().item(work);
        }

        /**
         * The datasets of absent parts, and those that pending changes name, of which it is not known whether they meet the
         * condition; the first ones if they are many.
         */
        List<Long> unknown(List<Integer> absent, LongFunction<Known.Match> matches) {
            List<Long> unknown = new ArrayList<>();
            for (int part : absent) {
                if (unknown.size() > FEW_UNKNOWN) {
                    break;
                }
                Integers ids = snapshot.elements(part).integers(Column.IDS);
                long[] settled = settled(part);
                long[] met = new long[snapshot.elements(part).words()];
                for (int i = 0; i < ids.size(); i++) {
                    Known.Match match = matches.apply(ids.get(i));
                    if (match == Known.Match.YES) {
                        set(met, i);
                    } else if (match == Known.Match.UNKNOWN && (settled == null || Known.has(settled, i))) {
                        unknown.add(ids.get(i));
                    }
                }
                values[part] = met;
            }
            for (int i = 0; i < changed.size(); i++) {
                if (key != null && snapshot.hasTextsOfPart(changed.get(i))) {
                    set(likeParts, i);
                } else {
                    unknown.add(changed.get(i));
                }
            }
            return unknown;
        }

        /** The datasets that meet the condition: the known ones, and those of the unknown ones that PostgreSQL finds. */
        Uni<Selector> find(List<Long> unknown) {
            int size = parts.size();
            // The last chunk has the datasets of pending changes alone.
            boolean isChunk = !parts.areAll() && size > 0;
            boolean areMany = isChunk || size > 0 && unknown.size() > FEW_UNKNOWN;
            for (int part = 0; part <= size; part++) {
                isSought[part] = part == size || !(values[part] instanceof Known);
                bits[part] = !isSought[part]
                        ? ((Known) values[part]).bits()
                        : areMany || part == size
                                ? new long[snapshot.elements(part).words()]
                                : (long[]) values[part];
            }
            ColumnCache.Entry ofChanges = key instanceof OfChanges ? cache.entry(key) : null;
            if (ofChanges != null) {
                bits[size] = (long[]) ofChanges.values()[0];
                return Uni.createFrom().item(new Selector.Found(bits));
            }
            Uni<long[]> read = unknown.isEmpty()
                    ? Uni.createFrom().item(new long[0])
                    : isChunk
                            ? chunks.ids(decided, parts)
                            : statements
                                    .execute(areMany ? inRange(unknown) : all(decided.and(new Expression.Ids(unknown))))
                                    .map(MatchRepository::ids);
            return read.chain(ids -> run(() -> {
                mark(ids);
                BitSet.valueOf(likeParts).stream().forEach(place -> copy(changed.get(place), place));
                put(areMany);
                return new Selector.Found(bits);
            }));
        }

        /** The datasets of a part of which a search finds out whether they meet the condition. */
        private long[] settled(int part) {
            return key == null ? snapshot.settled(part) : snapshot.settledTexts(part);
        }

        /** A dataset of pending changes meets the condition if it does so in its part. */
        private void copy(long id, int place) {
            int part = parts.of(id);
            if (Known.has(bits[part], snapshot.elements(part).integers(Column.IDS).find(id))) {
                set(bits[parts.size()], place);
            }
        }

        /** Finds the datasets from the first to the last unknown one. */
        private Sql inRange(List<Long> unknown) {
            long first = Collections.min(unknown);
            long last = Collections.max(unknown);
            for (int part = 0; part < parts.size(); part++) {
                if (isSought[part]) {
                    first = Math.min(first, parts.firstIds()[part]);
                    last = Math.max(last, parts.lastId(part));
                }
            }
            return between(decided, first, last);
        }

        private void put(boolean areMany) {
            int size = parts.size();
            if (key instanceof OfChanges) {
                if (areMany) {
                    cache.put(key, parts, new Object[]{bits[size]});
                }
            } else if (key != null && (!areMany || size <= FEW_PARTS
                    || Arrays.stream(bits).mapToInt(Selection::count).sum() >= WORTH_CACHING)) {
                for (int part = 0; part < size; part++) {
                    values[part] = isSought[part]
                            ? Known.of(snapshot.elements(part), bits[part], settled(part))
                            : values[part];
                }
                cache.put(key, parts, values);
            }
        }

        private void mark(long[] ids) {
            for (long id : ids) {
                int part = parts.of(id);
                if (part >= 0 && isSought[part]) {
                    set(bits[part], snapshot.elements(part).integers(Column.IDS).find(id));
                }
                set(bits[parts.size()], snapshot.elements(parts.size()).integers(Column.IDS).find(id));
            }
        }

        private static void set(long[] bits, int place) {
            if (place >= 0) {
                bits[place >> 6] |= 1L << place;
            }
        }
    }
}
