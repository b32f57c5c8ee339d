package io.datasetlisting.dataset.cql2;

import java.util.List;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/**
 * Makes geometries from the vertices of GeoJSON and WKT, and checks them. A valid geometry keeps its structure and the direction
 * of its rings.
 */
final class GeometryBuilder {

    private static final GeometryFactory FACTORY = new GeometryFactory();
    private static final double SMALLEST = 1e-100;

    private final Reading reading;

    GeometryBuilder(Reading reading) {
        this.reading = reading;
    }

    Coordinate vertex(double longitude, double latitude) {
        reading.addVertex();
        checkDegrees(longitude, latitude, reading.here());
        return new Coordinate(withoutUnderflow(longitude), withoutUnderflow(latitude));
    }

    /** The number, or 0 in place of one so small that products of two such numbers are 0. JTS fails on such products. */
    private static double withoutUnderflow(double degrees) {
        return Math.abs(degrees) < SMALLEST ? 0 : degrees;
    }

    private static void checkDegrees(double longitude, double latitude, Place place) {
        if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
            throw place.refuse("Degrees outside the world: longitude " + longitude + ", latitude " + latitude);
        }
    }

    Point point(Coordinate vertex) {
        return FACTORY.createPoint(vertex);
    }

    LineString line(List<Coordinate> vertices) {
        if (vertices.size() < 2) {
            throw reading.refuse("A line with fewer than 2 points");
        }
        return FACTORY.createLineString(vertices.toArray(Coordinate[]::new));
    }

    LinearRing ring(List<Coordinate> vertices) {
        if (vertices.size() < 4) {
            throw reading.refuse("A ring with fewer than 4 points");
        }
        if (!vertices.get(0).equals2D(vertices.get(vertices.size() - 1))) {
            throw reading.refuse("A ring that does not end where it begins");
        }
        return FACTORY.createLinearRing(vertices.toArray(Coordinate[]::new));
    }

    /**
     * @param rings
     *            the exterior ring, then the holes
     */
    Polygon polygon(List<LinearRing> rings) {
        return FACTORY.createPolygon(rings.get(0), rings.subList(1, rings.size()).toArray(LinearRing[]::new));
    }

    Geometry points(List<Point> points) {
        return FACTORY.createMultiPoint(GeometryFactory.toPointArray(points));
    }

    Geometry lines(List<LineString> lines) {
        return FACTORY.createMultiLineString(GeometryFactory.toLineStringArray(lines));
    }

    Geometry polygons(List<Polygon> polygons) {
        return FACTORY.createMultiPolygon(GeometryFactory.toPolygonArray(polygons));
    }

    Geometry collection(List<Geometry> geometries) {
        return FACTORY.createGeometryCollection(GeometryFactory.toGeometryArray(geometries));
    }

    /**
     * The geometry, if it is valid or can be mended: rings do not cross, holes are inside. JTS may find wrong intersections of an
     * invalid one.
     */
    Geometry checkValid(Geometry geometry) {
        String problem = "";
        try {
            TopologyValidationError error = new IsValidOp(geometry).getValidationError();
            if (error == null) {
                return geometry;
            }
            problem = " (" + error.getMessage() + " near longitude " + error.getCoordinate().x + ", latitude "
                    + error.getCoordinate().y + ")";
            Geometry valid = reading.mayMend(geometry.getNumPoints()) ? SelfCrossing.mend(geometry) : geometry;
            if (!valid.isEmpty() && valid.isValid()) {
                return valid;
            }
        } catch (RuntimeException e) {
            // JTS has several exceptions for positions that doubles cannot hold exactly.
            problem = problem.isEmpty() ? " (its edges are too close together)" : problem;
        }
        throw reading.refuse("An invalid geometry" + problem);
    }

    /**
     * A box of four numbers, or of six with elevations.
     *
     * @return null if elevation 0 is outside the box: all items are at elevation 0
     */
    static Geometry box(List<Double> numbers, Place place) {
        if (numbers.size() != 4 && numbers.size() != 6) {
            throw place.refuse("A box has 4 or 6 numbers");
        }
        int dimensions = numbers.size() / 2;
        double west = numbers.get(0);
        double south = numbers.get(1);
        double east = numbers.get(dimensions);
        double north = numbers.get(dimensions + 1);
        checkDegrees(west, south, place);
        checkDegrees(east, north, place);
        double low = dimensions == 3 ? numbers.get(2) : 0;
        double high = dimensions == 3 ? numbers.get(5) : 0;
        if (south > north || low > high) {
            throw place.refuse("A box whose minimum is above its maximum");
        }
        return low > 0 || high < 0 ? null : box(west, south, east, north);
    }

    /**
     * The geometry of a box: a polygon, or a line or a point without area. If west is above east, the box crosses the
     * antimeridian and is divided there.
     */
    static Geometry box(double west, double south, double east, double north) {
        if (west <= east) {
            return FACTORY.toGeometry(new Envelope(west, east, south, north));
        }
        return FACTORY.buildGeometry(List.of(FACTORY.toGeometry(new Envelope(west, 180, south, north)),
                FACTORY.toGeometry(new Envelope(-180, east, south, north))));
    }
}
