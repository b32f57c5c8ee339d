package io.datasetlisting.faces.view;

import java.util.List;
import java.util.stream.IntStream;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.geom.util.PolygonExtracter;

import io.datasetlisting.base.place.Near;

/** The area of a geometry in degrees on a sphere of the size of the Earth. An ellipsoid differs by less than 1 %. */
final class SphericalArea {

    private SphericalArea() {
    }

    /** The area of the polygons of a geometry; 0 without polygons. */
    static double squareKilometres(Geometry geometry) {
        List<?> polygons = PolygonExtracter.getPolygons(geometry);
        return polygons.stream().map(Polygon.class::cast).mapToDouble(polygon -> ring(polygon.getExteriorRing())
                - IntStream.range(0, polygon.getNumInteriorRing()).mapToDouble(i -> ring(polygon.getInteriorRingN(i)))
                        .sum())
                .sum();
    }

    /** The sum of the areas between the equator and each line, along which the sine of the latitude grows evenly. */
    private static double ring(LinearRing ring) {
        Coordinate[] points = ring.getCoordinates();
        double twice = IntStream.range(1, points.length).mapToDouble(i -> Math.toRadians(points[i].x - points[i - 1].x)
                * (Math.sin(Math.toRadians(points[i].y)) + Math.sin(Math.toRadians(points[i - 1].y)))).sum();
        return Math.abs(twice) / 2 * Near.EARTH_RADIUS * Near.EARTH_RADIUS;
    }
}
