package io.datasetlisting.catalogue.snapshot;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Makes the snapshots of requests: of the columns, and of the matches of conditions that no column decides. */
@Singleton
public class SnapshotRepository {

    /** Snapshots of all datasets that are kept, each for an audience and an order. */
    private static final int MAX_KEPT = 16;

    private final ColumnCache cache;
    private final PartRepository columns;
    private final MatchRepository matches;
    private final PointRepository points;
    private final IntersectionConfig intersections;

    SnapshotRepository(ColumnCache cache, PartRepository columns, MatchRepository matches, PointRepository points,
            IntersectionConfig intersections) {
        this.cache = cache;
        this.columns = columns;
        this.matches = matches;
        this.points = points;
        this.intersections = intersections;
    }

    /** The snapshot for a request; null if the columns need more memory than they may take. */
    public Uni<Snapshot> read(State state, StatementRunner statements, SnapshotRequest request) {
        return cache.fits(state.parts().size() * Parts.MEAN_SIZE * width(state, request))
                ? read(state, statements, request, null)
                : Uni.createFrom().nullItem();
    }

    /** The snapshot of a state for a request; fails with {@link AbsentException} if a value is not in memory. */
    public Uni<Snapshot> inMemory(State state, SnapshotRequest request) {
        return read(state, AbsentException.NO_STATEMENTS, request, null);
    }

    /**
     * The same for a request of all datasets. The snapshots of the newest state are kept, because they select the same datasets
     * for all requests of an audience.
     */
    public Uni<Snapshot> kept(State state, SnapshotRequest request) {
        OfAll key = new OfAll(state.server());
        List<Kept> kept = kept(key, state);
        return kept.stream().filter(each -> each.isFor(request)).findFirst()
                .map(each -> Uni.createFrom().item(each.snapshot))
                .orElseGet(() -> inMemory(state, request).invoke(snapshot -> {
                    List<Kept> others = kept(key, state);
                    cache.put(key, state.parts(), Stream.concat(
                            Stream.of(new Kept(request.caller().audience(), request.columns(), snapshot)),
                            others.stream().limit(MAX_KEPT - 1)).toArray());
                }));
    }

    private List<Kept> kept(OfAll key, State state) {
        ColumnCache.Entry entry = cache.entry(key);
        return entry == null
                ? List.of()
                : Arrays.stream(entry.values()).map(Kept.class::cast)
                        .filter(each -> each.snapshot.listing() == state.listing()).toList();
    }

    /** The key of the cache for the snapshots of all datasets. */
    private record OfAll(String server) {
    }

    /** @param columns of the request */
    private record Kept(String audience, Set<Column> columns, Snapshot snapshot) implements Sized {

        boolean isFor(SnapshotRequest request) {
            return audience.equals(request.caller().audience()) && columns.equals(request.columns());
        }

        @Override
        public long bytes() {
            return snapshot.bytes();
        }
    }

    /** A value is not in memory. */
    public static final class AbsentException extends RuntimeException {

        public static final StatementRunner NO_STATEMENTS = (sql, values) -> Uni.createFrom()
                .failure(AbsentException::new);

        private static final long serialVersionUID = 1;

        AbsentException() {
            super("A value is not in memory", null, false, false);
        }
    }

    /**
     * Reads the snapshot of a request in chunks, one after another.
     *
     * @param work
     *            is done before the next chunk is read
     */
    public Uni<Void> readInChunks(State state, StatementRunner statements, SnapshotRequest request,
            Function<Snapshot, Uni<Void>> work) {
        long bytesOfPart = Parts.MEAN_SIZE * width(state, request);
        int size = (int) Math.max(1, Math.min(PartRepository.PARTS_PER_READ, cache.limit() / bytesOfPart));
        int chunks = (state.parts().size() + size - 1) / size;
        MatchRepository.Chunks matchesOfChunks = new MatchRepository.Chunks(state.parts(), statements);
        return Multi.createFrom().range(0, chunks + 1).onItem().transformToUniAndConcatenate(chunk -> {
            State part = chunk < chunks ? state.chunk(chunk * size, size) : state.changesAlone();
            return read(part, statements, request, matchesOfChunks).chain(work::apply);
        }).collect().last().replaceWithVoid();
    }

    /** Bytes of a dataset, with its id, which pending changes need: they must not decide whether the columns fit. */
    private static long width(State state, SnapshotRequest request) {
        return Stream.concat(columns(state, request).stream(), Stream.of(Column.IDS)).distinct()
                .mapToInt(Column::width).sum();
    }

    /** @param chunks null if the snapshot is read as a whole */
    private Uni<Snapshot> read(State state, StatementRunner statements, SnapshotRequest request,
            MatchRepository.Chunks chunks) {
        return columns.read(statements, state.parts(), columns(state, request)).chain(values -> {
            Map<Expression, Selector> found = new HashMap<>();
            Snapshot snapshot = new Snapshot(state, state.elements(values), request.caller(), found,
                    intersections.maxIntersectsTime(), cache);
            return find(state, statements, request, snapshot, found, chunks).replaceWith(snapshot);
        });
    }

    private static Set<Column> columns(State state, SnapshotRequest request) {
        Set<Column> columns = EnumSet
                .copyOf(Snapshot.visibleTo(request.caller(), UnaryOperator.identity()).columns());
        columns.add(Column.MARKS);
        columns.addAll(request.columns());
        if (state.changes() > 0) {
            columns.add(Column.IDS);
        }
        for (Expression filter : request.filters()) {
            filter.conjuncts().forEach(each -> columns.addAll(state.compiler().columns(each)));
            Intersections.all(filter).forEach(each -> columns.addAll(state.compiler().columns(each)));
            if (Intersections.all(filter).findAny().isPresent()
                    || !Snapshot.rest(filter, state.compiler()).equals(Expression.ALL)) {
                columns.add(Column.IDS);
            }
        }
        return columns;
    }

    /** Finds the datasets of the conditions that no column decides. */
    private Uni<Void> find(State state, StatementRunner statements, SnapshotRequest request,
            Snapshot snapshot, Map<Expression, Selector> found, MatchRepository.Chunks chunks) {
        Set<Expression> rests = new LinkedHashSet<>();
        request.filters().forEach(filter -> rests.add(Snapshot.rest(filter, state.compiler())));
        rests.remove(Expression.ALL);
        List<Intersects> geometries = snapshot.hasPointsElsewhere()
                ? request.filters().stream().flatMap(Intersections::all).distinct().toList()
                : List.of();
        return Multi.createFrom().iterable(geometries).onItem().transformToUniAndConcatenate(
                each -> points.find(statements, each).invoke(ids -> found.put(each, ids))).collect().last()
                .chain(() -> Multi.createFrom().iterable(rests).onItem().transformToUniAndConcatenate(
                        rest -> points.decided(rest, snapshot)
                                .chain(decided -> matches.find(statements, snapshot, rest, decided, chunks))
                                .invoke(matches -> found.put(rest, matches)))
                        .collect().last())
                .replaceWithVoid();
    }
}
