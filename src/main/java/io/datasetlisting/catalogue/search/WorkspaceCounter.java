package io.datasetlisting.catalogue.search;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.catalogue.column.Integers;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Queryable;

/**
 * Computes the extents of all workspaces in one pass over the datasets that a caller sees. A workspace without public datasets is
 * left out. Of a catalogue whose datasets are in more than {@value #MAX} workspaces there are none, because their extents would
 * take too much memory.
 */
final class WorkspaceCounter implements ChunkCounter<Workspaces> {

    static final int MAX = 100_000;

    private static final Expression PUBLIC = new Expression.Comparison(
            new Expression.Operand(new Queryable("dataset:is_private", Queryable.Type.BOOLEAN, "is_private"), false),
            Expression.Operator.EQUAL, new Expression.Literal.Bool(false));
    private static final Set<Column> COLUMNS = columns();

    /** Smaller numbers, as most workspaces have, are positions in an array. */
    private static final int DENSE = 1 << 15;

    private final Found[] dense = new Found[DENSE];
    private final Map<Long, Found> sparse = new HashMap<>();
    private int size;
    /** The workspaces of public datasets. */
    private final LongCounts publics = new LongCounts();
    private long listing;

    static SnapshotRequest request(Caller caller) {
        return new SnapshotRequest(caller, List.of(Expression.ALL, PUBLIC), COLUMNS, Workspaces.class, true);
    }

    private static Set<Column> columns() {
        Set<Column> columns = EnumSet.of(Column.WORKSPACES);
        columns.addAll(ListingExtent.COLUMNS);
        return columns;
    }

    @Override
    public void add(Snapshot chunk) {
        listing = chunk.listing();
        chunk.select(PUBLIC).count(Column.WORKSPACES, publics);
        long[][] bits = chunk.select(Expression.ALL).bits();
        for (int part = 0; part < bits.length && size <= MAX; part++) {
            add(chunk.elements(part), bits[part]);
        }
    }

    private void add(Elements elements, long[] bits) {
        Integers workspaces = elements.integers(Column.WORKSPACES);
        Integers times = elements.integers(Column.TIMES);
        double[] wests = elements.numbers(Column.WESTS);
        double[] souths = elements.numbers(Column.SOUTHS);
        double[] easts = elements.numbers(Column.EASTS);
        double[] norths = elements.numbers(Column.NORTHS);
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                int i = (word << 6) + Long.numberOfTrailingZeros(rest);
                Found found = of(workspaces.get(i));
                if (size > MAX) {
                    return;
                }
                found.add(wests[i], souths[i], easts[i], norths[i], times.get(i));
            }
        }
    }

    /** The datasets of one workspace. */
    private static final class Found {

        private int count;
        private double west = Double.POSITIVE_INFINITY;
        private double south = Double.POSITIVE_INFINITY;
        private double east = Double.NEGATIVE_INFINITY;
        private double north = Double.NEGATIVE_INFINITY;
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        void add(double fromLongitude, double fromLatitude, double toLongitude, double toLatitude, long time) {
            count++;
            west = Math.min(west, fromLongitude);
            south = Math.min(south, fromLatitude);
            east = Math.max(east, toLongitude);
            north = Math.max(north, toLatitude);
            first = Math.min(first, time);
            last = Math.max(last, time);
        }
    }

    private Found of(long number) {
        if (number < 0 || number >= DENSE) {
            return sparse.computeIfAbsent(number, absent -> begin());
        }
        int place = (int) number;
        dense[place] = dense[place] == null ? begin() : dense[place];
        return dense[place];
    }

    private Found begin() {
        size++;
        return new Found();
    }

    @Override
    public Workspaces result() {
        if (size > MAX) {
            return new Workspaces(listing, 0);
        }
        long[] listed = publics.keys();
        Workspaces workspaces = new Workspaces(listing, listed.length);
        IntStream.range(0, listed.length).forEach(place -> {
            Found found = of(listed[place]);
            workspaces.set(place, listed[place], found.count,
                    new double[]{found.west, found.south, found.east, found.north}, found.first, found.last);
        });
        return workspaces;
    }
}
