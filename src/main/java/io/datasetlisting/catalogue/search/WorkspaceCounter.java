package io.datasetlisting.catalogue.search;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
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

    private final ListingExtent.Builder[] dense = new ListingExtent.Builder[DENSE];
    private final Map<Long, ListingExtent.Builder> sparse = new HashMap<>();
    private int size;
    /** The workspaces of public datasets. */
    private final LongCounts publics = new LongCounts();

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
        chunk.select(PUBLIC).count(Column.WORKSPACES, publics);
        chunk.select(Expression.ALL).forEachFootprint((part, place, west, south, east, north) -> {
            if (size <= MAX) {
                of(part.integers(Column.WORKSPACES).get(place)).add(west, south, east, north,
                        part.integers(Column.TIMES).get(place));
            }
        });
    }

    private ListingExtent.Builder of(long number) {
        if (number < 0 || number >= DENSE) {
            return sparse.computeIfAbsent(number, absent -> begin());
        }
        int place = (int) number;
        dense[place] = dense[place] == null ? begin() : dense[place];
        return dense[place];
    }

    private ListingExtent.Builder begin() {
        size++;
        return new ListingExtent.Builder();
    }

    @Override
    public Workspaces result(long listing) {
        long[] listed = size > MAX ? new long[0] : publics.keys();
        return new Workspaces(listing, listed,
                Arrays.stream(listed).mapToObj(this::of).toArray(ListingExtent.Builder[]::new));
    }
}
