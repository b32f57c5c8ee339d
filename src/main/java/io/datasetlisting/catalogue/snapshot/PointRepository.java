package io.datasetlisting.catalogue.snapshot;

import java.util.NavigableSet;
import java.util.TreeSet;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.GeometryMatcher;
import io.datasetlisting.catalogue.query.GeometryMatcher.Deadline;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/** Decides geometries where the footprints in columns do not suffice. */
@Singleton
class PointRepository {

    private final IntersectionConfig config;

    PointRepository(IntersectionConfig config) {
        this.config = config;
    }

    /** The datasets that intersect a geometry, and whose own geometry is a point that no column has. */
    Uni<Selector> find(StatementRunner statements, Intersects intersects) {
        int max = config.maxIntersectsCandidates();
        return statements.execute(FilterSql.flat(intersects, max + 1)).chain(rows -> CallerContext.compute(() -> {
            GeometryMatcher matcher = new GeometryMatcher(intersects.geometry(),
                    Deadline.after(config.maxIntersectsTime()));
            if (rows.size() > max) {
                throw Intersections.tooMany(max);
            }
            NavigableSet<Long> ids = new TreeSet<>();
            for (Row row : rows) {
                if (matcher.touches(row.getDouble(1), row.getDouble(2), row.getDouble(1), row.getDouble(2))) {
                    ids.add(row.getLong(0));
                }
            }
            return new Selector.Identified(ids);
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
