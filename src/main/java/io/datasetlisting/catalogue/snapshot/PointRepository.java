package io.datasetlisting.catalogue.snapshot;

import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.GeometryMatcher;
import io.datasetlisting.catalogue.query.GeometryMatcher.Deadline;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/** Decides geometries where the footprints in columns do not suffice. */
@Singleton
public class PointRepository {

    private final IntersectionConfig config;

    PointRepository(IntersectionConfig config) {
        this.config = config;
    }

    /** The datasets that intersect a geometry, and whose own geometry is a point that no column has. */
    Uni<Selector> find(StatementRunner statements, Intersects intersects) {
        return find(statements, FilterSql.flat(intersects, config.maxIntersectsCandidates() + 1), intersects)
                .map(Selector.Identified::new);
    }

    /**
     * The datasets of sets that no column has which intersect a geometry and match.
     *
     * @param filter
     *            the conditions of the datasets, the geometry among them
     */
    public Uni<Ids> find(StatementRunner statements, Set<Visibility> sets, Expression filter, Intersects intersects) {
        return sets.isEmpty()
                ? Uni.createFrom().item(new Ids(List.of()))
                : find(statements, FilterSql.extents(filter, sets, config.maxIntersectsCandidates() + 1), intersects)
                        .map(ids -> new Ids(List.copyOf(ids)));
    }

    private Uni<NavigableSet<Long>> find(StatementRunner statements, Sql extents, Intersects intersects) {
        int max = config.maxIntersectsCandidates();
        return statements.execute(extents).chain(rows -> CallerContext.compute(() -> {
            GeometryMatcher matcher = new GeometryMatcher(intersects.geometry(),
                    Deadline.after(config.maxIntersectsTime()));
            if (rows.size() > max) {
                throw Intersections.tooMany(max);
            }
            NavigableSet<Long> ids = new TreeSet<>();
            for (Row row : rows) {
                if (matcher.touches(row.getDouble(1), row.getDouble(2), row.getDouble(3), row.getDouble(4))) {
                    ids.add(row.getLong(0));
                }
            }
            return ids;
        }));
    }

    /** A condition as PostgreSQL decides it: with the ids of the datasets in a geometry. */
    Uni<Expression> decided(Expression condition, Snapshot snapshot) {
        int max = config.maxIntersectsCandidates();
        return Intersections.undecided(condition).isEmpty()
                ? Uni.createFrom().item(condition)
                : CallerContext.compute(() -> {
                    Deadline deadline = snapshot.deadline();
                    return Intersections.decided(condition,
                            each -> Intersections.ids(snapshot.inside(each, deadline).ids(max), max));
                });
    }
}
