package io.datasetlisting.dataset.cql2;

import java.util.ArrayList;
import java.util.List;

import org.locationtech.jts.algorithm.LineIntersector;
import org.locationtech.jts.algorithm.RobustLineIntersector;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.MultiPolygon;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.geom.util.PolygonExtracter;
import org.locationtech.jts.operation.polygonize.Polygonizer;
import org.locationtech.jts.operation.union.UnaryUnionOp;

/**
 * Mends polygons whose ring crosses itself, as people draw them, and areas whose parts overlap. A ring divides the plane into
 * faces. There are two common rules
 * for the faces that are inside: the faces that the ring surrounds an odd number of times, or all faces that the ring surrounds.
 * Both find the two triangles of a bow tie, but not the same parts of a five-pointed star. Where they differ, the area that the
 * client means is not known, and the polygon stays as it is. JTS' {@code GeometryFixer} knows the second rule alone, so it would
 * mend both.
 */
final class SelfCrossing {

    /** People draw no more crossings. Programs draw many more, and to mend these would take long. */
    private static final int MAX_CROSSINGS = 20;

    private SelfCrossing() {
    }

    /** The geometry with each such polygon mended; other polygons stay as they are, valid or not. */
    static Geometry mend(Geometry geometry) {
        if (geometry instanceof Polygon polygon) {
            return isMendable(polygon) ? mend(polygon) : polygon;
        }
        if (!(geometry instanceof MultiPolygon) && !geometry.getClass().equals(GeometryCollection.class)) {
            return geometry;
        }
        Geometry[] parts = new Geometry[geometry.getNumGeometries()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = mend(geometry.getGeometryN(i));
        }
        GeometryFactory factory = geometry.getFactory();
        Geometry collection = factory.createGeometryCollection(parts);
        return geometry instanceof MultiPolygon
                ? merge(factory.createMultiPolygon(
                        GeometryFactory.toPolygonArray(PolygonExtracter.getPolygons(collection))))
                : collection;
    }

    /** Parts that overlap, as map sheets do, are one area. */
    private static Geometry merge(MultiPolygon parts) {
        for (int i = 0; i < parts.getNumGeometries(); i++) {
            if (!parts.getGeometryN(i).isValid()) {
                return parts;
            }
        }
        return parts.isValid() ? parts : UnaryUnionOp.union(parts).norm();
    }

    /** Holes are not mended: a hole that crosses the ring around it may mean anything. */
    private static boolean isMendable(Polygon polygon) {
        return polygon.getNumInteriorRing() == 0 && !polygon.isValid()
                && crossings(polygon.getExteriorRing().getCoordinates()) <= MAX_CROSSINGS;
    }

    private static int crossings(Coordinate[] ring) {
        LineIntersector segments = new RobustLineIntersector();
        int crossings = 0;
        for (int i = 1; i < ring.length; i++) {
            for (int j = i + 2; j < ring.length; j++) {
                if (Envelope.intersects(ring[i - 1], ring[i], ring[j - 1], ring[j])) {
                    segments.computeIntersection(ring[i - 1], ring[i], ring[j - 1], ring[j]);
                    crossings += segments.hasIntersection() ? 1 : 0;
                }
            }
        }
        return crossings;
    }

    private static Geometry mend(Polygon polygon) {
        Coordinate[] ring = polygon.getExteriorRing().getCoordinates();
        Polygonizer faces = new Polygonizer();
        // The union divides the ring where it crosses itself.
        faces.add(UnaryUnionOp.union(polygon.getExteriorRing()));
        List<Geometry> inside = new ArrayList<>();
        for (Object each : faces.getPolygons()) {
            Geometry face = (Geometry) each;
            int rounds = rounds(ring, face.getInteriorPoint().getCoordinate());
            if (rounds != 0 && rounds % 2 == 0) {
                return polygon;
            }
            if (rounds != 0) {
                inside.add(face);
            }
        }
        // The order of the faces differs from call to call, and a token of a page belongs to the text of a search.
        return inside.isEmpty() ? polygon : UnaryUnionOp.union(inside).norm();
    }

    /** How often a ring goes around a point that is not on it, counterclockwise. */
    private static int rounds(Coordinate[] ring, Coordinate point) {
        int rounds = 0;
        for (int i = 1; i < ring.length; i++) {
            Coordinate from = ring[i - 1];
            Coordinate to = ring[i];
            double side = (to.x - from.x) * (point.y - from.y) - (point.x - from.x) * (to.y - from.y);
            if (from.y <= point.y && to.y > point.y && side > 0) {
                rounds++;
            } else if (from.y > point.y && to.y <= point.y && side < 0) {
                rounds--;
            }
        }
        return rounds;
    }
}
