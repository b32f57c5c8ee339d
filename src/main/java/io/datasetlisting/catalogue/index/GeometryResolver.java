package io.datasetlisting.catalogue.index;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.catalogue.snapshot.PointRepository;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Replaces each geometry that does not consist of boxes, in a filter for PostgreSQL, by ids of datasets that intersect it. */
@Singleton
public class GeometryResolver {

    private final ColumnRepository columns;
    private final PointRepository points;
    /** The largest number of ids of datasets in a geometry. */
    private final int max;

    GeometryResolver(ColumnRepository columns, PointRepository points, IntersectionConfig intersections) {
        this.columns = columns;
        this.points = points;
        max = intersections.maxIntersectsCandidates();
    }

    /**
     * A filter that finds the same datasets as this one in the snapshot of a transaction, and that PostgreSQL decides; see
     * {@link Intersections}. It is this filter itself unless it has a geometry that does not consist of boxes.
     *
     * @param others
     *            sets of datasets in which the filter is to find datasets, too, besides the listing
     */
    public Uni<Expression> resolve(DatabaseServer server, StatementRunner statements, Expression filter,
            Caller caller, Set<Visibility> others) {
        Map<Intersects, Expression> inside = inside(filter);
        if (inside.isEmpty()) {
            return Uni.createFrom().item(filter);
        }
        return columns.count(server, statements, request(inside, caller, filter), () -> new IdCounter(inside, max))
                .chain(ids -> Multi.createFrom().iterable(inside.keySet()).onItem()
                        .transformToUniAndConcatenate(each -> points.find(statements, others, inside.get(each), each)
                                .map(found -> Map.entry(each, joined(ids.get(each), found, max))))
                        .collect().asMap(Map.Entry::getKey, Map.Entry::getValue))
                .map(ids -> Intersections.decided(filter, ids::get));
    }

    private static Ids joined(Ids some, Ids others, int max) {
        return Intersections.ids(Stream.of(some, others).flatMap(each -> each.ids().stream())
                .mapToLong(Long::longValue).toArray(), max);
    }

    /** Reads with such a filter on a connection of searches, in one snapshot. */
    public <T> Uni<T> read(DatabaseServer server, Expression filter, Caller caller,
            BiFunction<StatementRunner, Expression, Uni<T>> work) {
        return Intersections.undecided(filter).isEmpty()
                ? work.apply(server.searches(), filter)
                : server.searches().inSnapshot(statements -> resolve(server, statements, filter, caller, Set.of())
                        .chain(resolved -> work.apply(statements, resolved)));
    }

    /**
     * Reads with such a filter, together with equal concurrent requests.
     *
     * @param result
     *            what is read, as for {@link SnapshotRequest}
     */
    public <T> Uni<T> readOnce(Expression filter, Caller caller, Object result,
            BiFunction<StatementRunner, Expression, Uni<T>> work) {
        Map<Intersects, Expression> inside = inside(filter);
        return columns.count(request(inside, caller, List.of(filter, result)), () -> new IdCounter(inside, max),
                (statements, ids) -> work.apply(statements, Intersections.decided(filter, ids::get)));
    }

    /** For each geometry, the datasets that are sought in it. */
    private static Map<Intersects, Expression> inside(Expression filter) {
        Expression candidates = Intersections.candidates(filter);
        return Intersections.undecided(filter).stream()
                .collect(Collectors.toMap(Function.identity(), candidates::and));
    }

    private static SnapshotRequest request(Map<Intersects, Expression> inside, Caller caller, Object result) {
        return new SnapshotRequest(caller, inside.values(), Set.of(Column.IDS), result);
    }

    /** Collects the ids of the datasets that intersect geometries. */
    private static final class IdCounter implements ChunkCounter<Map<Intersects, Ids>> {

        private final Map<Intersects, Expression> inside;
        private final int max;
        private final Map<Intersects, Ids> found = new HashMap<>();

        IdCounter(Map<Intersects, Expression> inside, int max) {
            this.inside = inside;
            this.max = max;
        }

        @Override
        public void add(Snapshot chunk) {
            inside.forEach((each, filter) -> found.merge(each, Intersections.ids(chunk.select(filter).ids(max), max),
                    (some, others) -> joined(some, others, max)));
        }

        @Override
        public Map<Intersects, Ids> result(long listing) {
            return found;
        }
    }
}
