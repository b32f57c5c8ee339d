package io.datasetlisting.catalogue.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads columns of parts, from memory or else from the table, and which datasets folds have written. */
@Singleton
public class PartRepository {

    /** So few parts of columns are read at once that decoding them does not delay other requests. */
    static final int PARTS_PER_READ = 64;

    private static final String PARTS = "select first_id, %s from listing_part where first_id = any ($1)";

    /** The folds after another one, with the datasets that they have merged. After more folds, these are too many. */
    private static final String FOLDS = """
            select folded, previous, array_send(%s) as ids from part_change where folded > $1 order by folded limit 300""";

    private final ColumnCache cache;

    PartRepository(ColumnCache cache) {
        this.cache = cache;
    }

    /** The columns of all these parts. */
    Uni<Map<Column, Object[]>> read(StatementRunner statements, Parts parts, Set<Column> columns) {
        Map<List<Integer>, Map<Column, Object[]>> absent = new LinkedHashMap<>();
        for (Column column : columns) {
            Object[] values = cache.get(column, parts);
            absent.computeIfAbsent(absent(values), none -> new EnumMap<>(Column.class)).put(column, values);
        }
        Map<Column, Object[]> loaded = new EnumMap<>(Column.class);
        return Multi.createFrom().iterable(absent.entrySet()).onItem().transformToUniAndConcatenate(
                each -> read(statements, parts, each.getKey(), each.getValue()).invoke(loaded::putAll)).collect().last()
                .replaceWith(loaded);
    }

    /** Columns that lack the same parts. */
    private Uni<Map<Column, Object[]>> read(StatementRunner statements, Parts parts, List<Integer> absent,
            Map<Column, Object[]> columns) {
        return Multi.createFrom().iterable(batches(absent, Math.max(1, PARTS_PER_READ / columns.size()))).onItem()
                .transformToUniAndConcatenate(batch -> readBatch(statements, parts, batch, columns)).collect().last()
                .replaceWith(columns).invoke(() -> {
                    cache.countRead(absent.size() * columns.size());
                    if (!absent.isEmpty()) {
                        columns.forEach((column, values) -> cache.put(column, parts, values));
                    }
                });
    }

    /** The parts without values. */
    static List<Integer> absent(Object[] values) {
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

    private static Uni<Void> readBatch(StatementRunner statements, Parts parts, List<Integer> batch,
            Map<Column, Object[]> columns) {
        Long[] ids = batch.stream().map(part -> parts.firstIds()[part]).toArray(Long[]::new);
        String elements = columns.keySet().stream().map(each -> "array_send(%1$s) as %1$s".formatted(each.sql()))
                .collect(Collectors.joining(", "));
        return statements.execute(PARTS.formatted(elements), Tuple.of(ids)).invoke(rows -> rows.forEach(row -> {
            int part = parts.of(row.getLong("first_id"));
            columns.forEach((column, values) -> values[part] = column.read(buffer(row, column.sql())));
        })).replaceWithVoid();
    }

    /** The datasets that folds have written after the fold of some parts; null if they are not known, or are too many. */
    public Uni<Set<Long>> changedSince(StatementRunner statements, Parts before, Parts now) {
        return changedSince("ids", statements, before, now);
    }

    /** As {@link #changedSince}, of the datasets that are new or have another text. */
    Uni<Set<Long>> textsChangedSince(StatementRunner statements, Parts before, Parts now) {
        return changedSince("texts", statements, before, now);
    }

    private static Uni<Set<Long>> changedSince(String column, StatementRunner statements, Parts before, Parts now) {
        return before.folded() == now.folded()
                ? Uni.createFrom().item(Set.of())
                : statements.execute(FOLDS.formatted(column), Tuple.of(before.folded())).map(rows -> {
                    Set<Long> changed = new HashSet<>();
                    long last = before.folded();
                    for (Row row : rows) {
                        if (row.getLong("previous") != last || row.getValue("ids") == null) {
                            return null;
                        }
                        last = row.getLong("folded");
                        Arrays.stream(Column.longs(buffer(row, "ids"))).forEach(changed::add);
                    }
                    return last == now.folded() ? changed : null;
                });
    }

    public static Buffer buffer(Row row, String column) {
        return Buffer.newInstance((io.vertx.core.buffer.Buffer) row.getDelegate().getValue(column));
    }
}
