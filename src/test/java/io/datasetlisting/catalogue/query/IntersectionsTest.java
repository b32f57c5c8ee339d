package io.datasetlisting.catalogue.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.query.Intersections.Candidate;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

/** Tests the limits of the exact test. {@link ExpressionSqlTest} tests what it finds. */
class IntersectionsTest {

    private static final Intersects TRIANGLE = new Intersects(read("POLYGON((0 0, 10 0, 0 10, 0 0))"));

    private final List<Intersections> all = new ArrayList<>();

    private Intersections intersections(int maxCandidates, Duration maxTime) {
        Intersections intersections = new Intersections(new IntersectionConfig() {

            @Override
            public int maxIntersectsCandidates() {
                return maxCandidates;
            }

            @Override
            public Duration maxIntersectsTime() {
                return maxTime;
            }
        });
        all.add(intersections);
        return intersections;
    }

    @AfterEach
    void end() {
        all.forEach(intersections -> intersections.onEnd(null));
    }

    private static Geometry read(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Uni<List<Candidate>> candidates(long number) {
        return Uni.createFrom().item(() -> LongStream.range(0, number)
                .mapToObj(id -> new Candidate(id, new Envelope(id, id + 1, 1, 2))).toList());
    }

    private static ApiException refusal(Uni<Expression> resolved) {
        return assertThrows(ApiException.class, () -> resolved.await().indefinitely());
    }

    @Test
    void aGeometryIsReplacedByItsBoxesAndTheIdsThatIntersectIt() {
        Expression resolved = intersections(20, Duration.ofSeconds(5))
                .resolve(new Not(TRIANGLE), (superset, limit) -> {
                    assertEquals(new And(List.of(new Not(new Expression.Constant(false)), TRIANGLE)),
                            superset);
                    assertEquals(21, limit);
                    return candidates(20);
                }).await().indefinitely();
        assertEquals(new Not(new And(List.of(TRIANGLE, new Ids(LongStream.rangeClosed(0, 9).boxed().toList())))),
                resolved);
    }

    @Test
    void aFilterThatTheDatabaseDecidesIsNotChanged() {
        for (String wkt : List.of("POINT(1 2)", "POINT EMPTY", "LINESTRING(0 0, 0 5)", "MULTIPOINT((0 0), (1 1))",
                "POLYGON((0 0, 0 1, 1 1, 1 0, 0 0))", "GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(1 1, 2 1))")) {
            Expression filter = new Intersects(read(wkt));
            assertSame(filter, intersections(1, Duration.ofSeconds(5)).resolve(filter, null).await().indefinitely());
        }
        assertSame(Expression.ALL,
                intersections(1, Duration.ofSeconds(5)).resolve(Expression.ALL, null).await().indefinitely());
    }

    @Test
    void moreCandidatesThanTheLimitAreRefused() {
        Intersections intersections = intersections(20, Duration.ofSeconds(5));
        intersections.resolve(TRIANGLE, (superset, limit) -> candidates(20)).await().indefinitely();
        ApiException refusal = refusal(
                intersections.resolve(TRIANGLE, (superset, limit) -> candidates(21)));
        assertEquals(400, refusal.status());
        assertTrue(refusal.getMessage().startsWith("More than 20 datasets are in the area around the geometry"),
                refusal.getMessage());
    }

    @Test
    void aTestThatTakesTooLongIsRefused() {
        ApiException refusal = refusal(intersections(1_000_000, Duration.ofMillis(1))
                .resolve(TRIANGLE, (superset, limit) -> candidates(500_000)));
        assertEquals(400, refusal.status());
        assertTrue(refusal.getMessage().contains("takes longer than 1 ms"), refusal.getMessage());
    }

    @Test
    void furtherSearchesWaitAndTooManyAreRefused() throws InterruptedException {
        Intersections intersections = intersections(20, Duration.ofSeconds(5));
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger reading = new AtomicInteger();
        List<UniAssertSubscriber<Expression>> searches = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            searches.add(intersections.resolve(TRIANGLE, (superset, limit) -> {
                reading.incrementAndGet();
                begun.countDown();
                return Uni.createFrom().<Void>item(() -> {
                    await(release);
                    return null;
                }).chain(() -> candidates(20));
            }).subscribe().withSubscriber(UniAssertSubscriber.create()));
        }
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        ApiException refusal = refusal(intersections.resolve(TRIANGLE, (superset, limit) -> candidates(1)));
        assertEquals(503, refusal.status());
        // Cancelled searches do not read.
        searches.subList(2, 10).forEach(UniAssertSubscriber::cancel);
        assertEquals(2, reading.get());
        release.countDown();
        searches.subList(10, 18).forEach(search -> search.awaitItem(Duration.ofSeconds(10)));
        assertEquals(10, reading.get());
    }

    /** Without its end, each of the tests would take minutes, and there are two threads. */
    @Test
    void aCancelledTestEnds() throws InterruptedException {
        Intersections intersections = intersections(Integer.MAX_VALUE - 1, Duration.ofMinutes(10));
        List<Candidate> many = Collections.nCopies(1_000_000_000, new Candidate(1, new Envelope(9, 9, 9, 9)));
        for (int i = 0; i < 3; i++) {
            CountDownLatch read = new CountDownLatch(1);
            UniAssertSubscriber<Expression> search = intersections.resolve(TRIANGLE, (superset, limit) -> {
                read.countDown();
                return Uni.createFrom().item(many);
            }).subscribe().withSubscriber(UniAssertSubscriber.create());
            assertTrue(read.await(10, TimeUnit.SECONDS));
            search.cancel();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
