package io.datasetlisting.catalogue.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.query.GeometryMatcher.Deadline;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Or;

/** Tests the exact test of a geometry and its limits. {@link ExpressionSqlTest} tests what filters find. */
class IntersectionsTest {

    private static final Intersects TRIANGLE = new Intersects(read("POLYGON((0 0, 10 0, 0 10, 0 0))"));
    private static final Intersects BOX = new Intersects(read("POLYGON((0 0, 0 1, 1 1, 1 0, 0 0))"));

    private static Geometry read(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void idsReplaceTheConditionsThatPostgreSqlDoesNotDecide() {
        Ids ids = Intersections.ids(new long[]{3, 5}, 2);
        assertEquals(new And(List.of(BOX, new Not(new Or(List.of(ids, Expression.ALL))))),
                Intersections.decided(new And(List.of(BOX, new Not(new Or(List.of(TRIANGLE, Expression.ALL))))),
                        each -> ids));
    }

    @Test
    void candidatesMayMeetEachConditionUnderAnOddNumberOfNegations() {
        Expression filter = new And(List.of(TRIANGLE, new Not(TRIANGLE), new Not(new Not(TRIANGLE)), new Not(BOX)));
        assertEquals(new And(List.of(TRIANGLE, new Not(new Constant(false)), new Not(new Not(TRIANGLE)), new Not(BOX))),
                Intersections.candidates(filter));
    }

    @Test
    void postgreSqlDecidesBoxes() {
        for (String wkt : List.of("POINT(1 2)", "POINT EMPTY", "LINESTRING(0 0, 0 5)", "MULTIPOINT((0 0), (1 1))",
                "POLYGON((0 0, 0 1, 1 1, 1 0, 0 0))", "GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(1 1, 2 1))")) {
            assertEquals(Set.of(), Intersections.undecided(new Not(new Intersects(read(wkt)))), wkt);
        }
        assertEquals(Set.of(TRIANGLE), Intersections.undecided(new Or(List.of(BOX, new Not(TRIANGLE)))));
    }

    @Test
    void moreIdsThanTheLimitAreRefused() {
        for (long[] ids : new long[][]{{1, 2, 3}, null}) {
            ApiException refusal = assertThrows(ApiException.class, () -> Intersections.ids(ids, 2));
            assertEquals(400, refusal.status());
            assertTrue(refusal.getMessage().startsWith("More than 2 datasets are in the geometry"),
                    refusal.getMessage());
        }
    }

    @Test
    void anExtentThatTouchesTheBoxOfAGeometryMayNotTouchIt() {
        GeometryMatcher matcher = new GeometryMatcher(TRIANGLE.geometry(), Deadline.after(Duration.ofDays(1)));
        assertTrue(matcher.touches(5, 5, 6, 6));
        assertTrue(matcher.touches(1, 1, 1, 1));
        assertTrue(matcher.touches(-1, -1, 11, 11));
        assertFalse(matcher.touches(5.1, 5, 6, 6));
        assertFalse(matcher.touches(9, 9, 9, 9));
    }

    @Test
    void aTestBehindTheDeadlineIsRefused() {
        GeometryMatcher matcher = new GeometryMatcher(TRIANGLE.geometry(),
                new Deadline(System.nanoTime() - 1, Duration.ofMillis(7)));
        ApiException refusal = assertThrows(ApiException.class, () -> matcher.touches(1, 1, 2, 2));
        assertEquals(400, refusal.status());
        assertTrue(refusal.getMessage().contains("takes longer than 7 ms"), refusal.getMessage());
    }
}
