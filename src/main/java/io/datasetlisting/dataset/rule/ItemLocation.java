package io.datasetlisting.dataset.rule;

import java.util.List;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.GeometryReader;
import io.datasetlisting.dataset.cql2.Limits;

/**
 * Where an item of a client lies: the box around its geometry. A dataset keeps no other shape.
 *
 * @param isExact
 *            whether the geometry is this box or a point, without elevations
 */
public record ItemLocation(double west, double south, double east, double north, boolean isExact) {

    /** The size of a body limits the vertices. */
    private static final Limits LIMITS = new Limits(10, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE,
            Integer.MAX_VALUE);

    private static final int DIMENSIONS = 2;

    /**
     * The location of well-known binary.
     *
     * @return null for an empty geometry
     * @throws ApiException
     *             400 for malformed bytes, and for two parts that meet at the antimeridian
     */
    public static ItemLocation ofBinary(byte[] wkb) {
        Geometry geometry;
        try {
            geometry = new WKBReader().read(wkb);
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            // Of nested collections.
            throw new ApiException(400, "Expected well-known binary.");
        }
        Coordinate first = geometry.getCoordinate();
        return first == null ? null : of(geometry, !Double.isNaN(first.getZ()));
    }

    /**
     * The location of a GeoJSON geometry.
     *
     * @throws ApiException
     *             400 for a malformed geometry, and for two parts that meet at the antimeridian
     */
    public static ItemLocation ofGeometry(JsonNode json) {
        return of(new GeometryReader(LIMITS, "geometry").readUnchecked(json), hasElevation(json.path("coordinates")));
    }

    private static ItemLocation of(Geometry geometry, boolean hasElevation) {
        if (geometry.getNumGeometries() == 2 && crosses(geometry.getGeometryN(0), geometry.getGeometryN(1))) {
            throw antimeridian();
        }
        Envelope box = geometry.getEnvelopeInternal();
        Geometry only = geometry.getNumGeometries() == 1 ? geometry.getGeometryN(0) : geometry;
        boolean isExact = only.getNumPoints() == 1 || only instanceof Polygon polygon && polygon.isRectangle();
        return new ItemLocation(box.getMinX(), box.getMinY(), box.getMaxX(), box.getMaxY(),
                isExact && !hasElevation);
    }

    /** Whether two parts meet at the antimeridian. RFC 7946 divides geometries there. */
    private static boolean crosses(Geometry one, Geometry other) {
        Envelope first = one.getEnvelopeInternal();
        Envelope second = other.getEnvelopeInternal();
        return first.getMaxX() == 180 && second.getMinX() == -180 && first.getMinX() > second.getMaxX()
                || second.getMaxX() == 180 && first.getMinX() == -180 && second.getMinX() > first.getMaxX();
    }

    /**
     * The location of a {@code bbox}.
     *
     * @throws ApiException
     *             400 for anything but a box, and for one that crosses the antimeridian
     */
    public static ItemLocation ofBbox(JsonNode json) {
        int dimensions = json.size() / 2;
        if (!json.isArray() || json.size() != 4 && json.size() != 6) {
            throw new ApiException(400, "A box has 4 or 6 numbers.");
        }
        for (JsonNode number : json) {
            if (!number.isNumber()) {
                throw new ApiException(400, "A box has 4 or 6 numbers.");
            }
        }
        ItemLocation box = new ItemLocation(json.get(0).doubleValue(), json.get(1).doubleValue(),
                json.get(dimensions).doubleValue(), json.get(dimensions + 1).doubleValue(), dimensions == DIMENSIONS);
        GeometryReader.box(List.of(box.west, box.south, box.east, box.north), "bbox");
        if (box.west > box.east) {
            throw antimeridian();
        }
        return box;
    }

    private static ApiException antimeridian() {
        return new ApiException(400, "A dataset that crosses the antimeridian cannot be kept.");
    }

    private static boolean hasElevation(JsonNode coordinates) {
        if (coordinates.isArray() && coordinates.path(0).isNumber()) {
            return coordinates.size() > DIMENSIONS;
        }
        for (JsonNode part : coordinates) {
            if (hasElevation(part)) {
                return true;
            }
        }
        return false;
    }

    public boolean isPoint() {
        return west == east && south == north;
    }

    /** Whether this is the box that an item has as {@code bbox}. */
    public boolean isSame(ItemLocation other) {
        return west == other.west && south == other.south && east == other.east && north == other.north;
    }

    /** Whether a position, {@code [latitude, longitude]}, is inside. */
    public boolean contains(double[] position) {
        return position[0] >= south && position[0] <= north && position[1] >= west && position[1] <= east;
    }
}
