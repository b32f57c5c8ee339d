package io.datasetlisting.catalogue.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;
import org.locationtech.jts.index.strtree.STRtree;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Or;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;

/**
 * Decides which datasets intersect the geometries of a filter that are no boxes. The database knows boxes alone. So this
 * class reads the datasets that can match, the candidates, tests each with each such geometry, and replaces each {@link
 * Intersects} by the ids of the candidates that intersect its geometry.
 *
 * <p>
 * The filter that results finds the same datasets. In the order false, unknown, true the connectives are minimum, maximum
 * and complement. So a filter does not become less true when conditions under an even number of negations (positive ones)
 * become more true, and the others less true. The candidates are the datasets of a filter that has, in place of each
 * positive {@code Intersects}, the condition of its boxes, and otherwise false, and that touch the boxes of any geometry. A
 * dataset that touches none intersects no geometry, and is in none of the lists. Let another dataset be no candidate. Its
 * lists of ids are all false, its intersections lie within their boxes: neither is above the condition in a positive place,
 * or below it in another. So neither the filter nor its result holds for this dataset. For a candidate, each list of ids has
 * the value of its {@code Intersects}, so that the filter and its result have the same value.
 *
 * @see <a href="../../../../../../../docs/adr/0023-exact-intersection.md">ADR 23</a>
 */
@Singleton
public class Intersections {

    private static final int MAX_THREADS = 2;
    /** Searches that wait for a thread. Each may take a second. */
    private static final int MAX_WAITING = 16;
    private static final int IDLE_SECONDS = 30;

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    private final int maxCandidates;
    private final long maxNanos;
    private final String tooMany;
    private final String tooLong;
    private final ThreadPoolExecutor threads;

    Intersections(IntersectionConfig config) {
        maxCandidates = config.maxIntersectsCandidates();
        maxNanos = config.maxIntersectsTime().toNanos();
        tooMany = "More than " + maxCandidates
                + " datasets are in the area around the geometry, and an exact test reads"
                + " at most this number. Use a smaller geometry, a bbox, or further conditions.";
        tooLong = "The exact test of the geometry takes longer than " + config.maxIntersectsTime().toMillis()
                + " ms. Use a smaller geometry, a geometry with fewer vertices, or further conditions.";
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                work -> new Thread(work, "intersections-" + number.incrementAndGet()));
        threads.allowCoreThreadTimeOut(true);
    }

    void onEnd(@Observes ShutdownEvent event) {
        threads.shutdownNow();
    }

    /** A dataset and the extent of its geometry, which is a rectangle or a point. */
    public record Candidate(long id, Envelope extent) {
    }

    /** Reads the first datasets that a filter finds, in any order. */
    public interface Candidates {

        Uni<List<Candidate>> read(Expression filter, int limit);
    }

    /**
     * A filter that finds the same datasets, and that the database can decide. Fails with an {@link ApiException}: 400 for
     * too many candidates, or if the tests take too long; 503 while too many other searches wait. At most two searches at a
     * time read and hold candidates.
     */
    public Uni<Expression> resolve(Expression filter, Candidates candidates) {
        Set<Intersects> undecided = new LinkedHashSet<>();
        Expression possible = rewritten(filter, true, (intersects, isPositive) -> {
            undecided.add(intersects);
            return isPositive ? intersects : new Constant(false);
        });
        if (undecided.isEmpty()) {
            return Uni.createFrom().item(filter);
        }
        List<Expression> boxes = List.copyOf(undecided);
        Expression superset = new And(List.of(possible, boxes.size() == 1 ? boxes.get(0) : new Or(boxes)));
        return Uni.createFrom().deferred(() -> {
            Executor caller = CallerContext.later();
            AtomicBoolean cancelled = new AtomicBoolean();
            Uni<List<Candidate>> read = Uni.createFrom().deferred(() -> candidates.read(superset, maxCandidates + 1))
                    // The statement needs the context of the request, which has the trace.
                    .runSubscriptionOn(caller);
            return Uni.createFrom().item(() -> {
                endIf(cancelled);
                return test(undecided, read.await().indefinitely(), cancelled);
            }).runSubscriptionOn(threads)
                    .onFailure(RejectedExecutionException.class)
                    .transform(e -> new ApiException(503, "Too many searches with geometries run, try again later."))
                    .onCancellation().invoke(() -> cancelled.set(true))
                    .emitOn(caller);
            // With the boxes, which have an index.
        }).map(ids -> rewritten(filter, true,
                (intersects, isPositive) -> new And(List.of(intersects, ids.get(intersects)))));
    }

    private static void endIf(AtomicBoolean cancelled) {
        if (cancelled.get() || Thread.currentThread().isInterrupted()) {
            throw new CancellationException("The caller no longer waits for this result.");
        }
    }

    /**
     * The same tree with other expressions in place of the intersections that the database does not decide.
     *
     * @param isPositive
     *            whether the number of negations around the expression is even; also an argument of the replacement
     */
    private static Expression rewritten(Expression expression, boolean isPositive,
            BiFunction<Intersects, Boolean, Expression> replacement) {
        UnaryOperator<Expression> inner = operand -> rewritten(operand, isPositive, replacement);
        if (expression instanceof And and) {
            return new And(and.operands().stream().map(inner).toList());
        } else if (expression instanceof Or or) {
            return new Or(or.operands().stream().map(inner).toList());
        } else if (expression instanceof Not not) {
            return new Not(rewritten(not.operand(), !isPositive, replacement));
        } else if (expression instanceof Intersects intersects
                && !CoveringBoxes.of(intersects.geometry()).areExact()) {
            return replacement.apply(intersects, isPositive);
        }
        return expression;
    }

    private Map<Intersects, Ids> test(Set<Intersects> undecided, List<Candidate> candidates, AtomicBoolean cancelled) {
        if (candidates.size() > maxCandidates) {
            throw new ApiException(400, tooMany);
        }
        long start = System.nanoTime();
        Map<Intersects, Ids> found = new HashMap<>();
        for (Intersects intersects : undecided) {
            STRtree parts = new STRtree();
            CoveringBoxes.parts(intersects.geometry())
                    .forEach(part -> parts.insert(part.getEnvelopeInternal(), PreparedGeometryFactory.prepare(part)));
            List<Long> ids = new ArrayList<>();
            for (Candidate candidate : candidates) {
                if (System.nanoTime() - start > maxNanos) {
                    throw new ApiException(400, tooLong);
                }
                endIf(cancelled);
                if (isTouched(candidate.extent, parts)) {
                    ids.add(candidate.id);
                }
            }
            found.put(intersects, new Ids(ids));
        }
        return found;
    }

    /** Whether any of the prepared geometries in the tree has a point in common with an extent. */
    private static boolean isTouched(Envelope extent, STRtree parts) {
        List<?> near = parts.query(extent);
        if (near.isEmpty()) {
            return false;
        }
        Geometry geometry = GEOMETRIES.toGeometry(extent);
        return near.stream().anyMatch(part -> ((PreparedGeometry) part).intersects(geometry));
    }
}
