package io.datasetlisting.catalogue.search;

import java.util.Arrays;
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
    private static final int FIRST_SIZE = 64;
    private static final int EDGES = 4;

    /** The slot of each small number, plus one; 0 without a slot. */
    private final int[] dense = new int[DENSE];
    private final Map<Long, Integer> sparse = new HashMap<>();
    /** By slot, as the next ones. */
    private long[] numbers = new long[FIRST_SIZE];
    private int[] counts = new int[FIRST_SIZE];
    private double[] edges = new double[EDGES * FIRST_SIZE];
    private long[] firsts = new long[FIRST_SIZE];
    private long[] lasts = new long[FIRST_SIZE];
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
                int slot = slot(workspaces.get(i));
                if (size > MAX) {
                    return;
                }
                counts[slot]++;
                extend(EDGES * slot, wests[i], souths[i], easts[i], norths[i]);
                firsts[slot] = Math.min(firsts[slot], times.get(i));
                lasts[slot] = Math.max(lasts[slot], times.get(i));
            }
        }
    }

    private void extend(int edge, double west, double south, double east, double north) {
        edges[edge] = Math.min(edges[edge], west);
        edges[edge + 1] = Math.min(edges[edge + 1], south);
        edges[edge + 2] = Math.max(edges[edge + 2], east);
        edges[edge + 3] = Math.max(edges[edge + 3], north);
    }

    private int slot(long number) {
        if (number < 0 || number >= DENSE) {
            return sparse.computeIfAbsent(number, this::newSlot);
        }
        if (dense[(int) number] == 0) {
            dense[(int) number] = newSlot(number) + 1;
        }
        return dense[(int) number] - 1;
    }

    private int newSlot(long number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
            edges = Arrays.copyOf(edges, EDGES * 2 * size);
            firsts = Arrays.copyOf(firsts, 2 * size);
            lasts = Arrays.copyOf(lasts, 2 * size);
        }
        numbers[size] = number;
        Arrays.fill(edges, EDGES * size, EDGES * size + 2, Double.POSITIVE_INFINITY);
        Arrays.fill(edges, EDGES * size + 2, EDGES * (size + 1), Double.NEGATIVE_INFINITY);
        firsts[size] = Long.MAX_VALUE;
        lasts[size] = Long.MIN_VALUE;
        return size++;
    }

    @Override
    public Workspaces result() {
        if (size > MAX) {
            return new Workspaces(listing, 0);
        }
        long[] listed = publics.keys();
        Workspaces workspaces = new Workspaces(listing, listed.length);
        IntStream.range(0, listed.length).forEach(place -> {
            int slot = slot(listed[place]);
            workspaces.set(place, listed[place], counts[slot],
                    Arrays.copyOfRange(edges, EDGES * slot, EDGES * (slot + 1)), firsts[slot], lasts[slot]);
        });
        return workspaces;
    }
}
