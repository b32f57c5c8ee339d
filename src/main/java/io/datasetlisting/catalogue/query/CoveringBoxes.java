package io.datasetlisting.catalogue.query;

import java.util.ArrayList;
import java.util.List;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;

/**
 * Boxes that cover a geometry, for the index of the database.
 *
 * @param areExact
 *            whether the boxes are the geometry: it consists of at most 16 points, lines and rectangles, which are parallel to
 *            the axes
 */
public record CoveringBoxes(List<Envelope> boxes, boolean areExact) {

    /** Each box is a search of the index. More parts are covered by one box. */
    private static final int MAX_BOXES = 16;

    public static CoveringBoxes of(Geometry geometry) {
        List<Geometry> parts = parts(geometry);
        boolean areExact = parts.size() <= MAX_BOXES && parts.stream().allMatch(CoveringBoxes::isBox);
        return new CoveringBoxes(parts.size() <= MAX_BOXES
                ? parts.stream().map(Geometry::getEnvelopeInternal).toList()
                : List.of(geometry.getEnvelopeInternal()), areExact);
    }

    /** The points, lines and polygons of a geometry, without empty ones. */
    static List<Geometry> parts(Geometry geometry) {
        List<Geometry> parts = new ArrayList<>();
        addParts(geometry, parts);
        return parts;
    }

    private static void addParts(Geometry geometry, List<Geometry> parts) {
        if (geometry.getNumGeometries() == 1 && geometry.getGeometryN(0) == geometry) {
            if (!geometry.isEmpty()) {
                parts.add(geometry);
            }
            return;
        }
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
            addParts(geometry.getGeometryN(i), parts);
        }
    }

    private static boolean isBox(Geometry part) {
        return part instanceof Point || part.isRectangle() || part instanceof LineString line
                && line.getNumPoints() == 2
                && (part.getEnvelopeInternal().getWidth() == 0 || part.getEnvelopeInternal().getHeight() == 0);
    }
}
