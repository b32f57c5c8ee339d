package io.datasetlisting.catalogue.query;

import java.time.Duration;
import java.util.List;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;
import org.locationtech.jts.index.strtree.STRtree;

import io.datasetlisting.base.ApiException;

/** Decides exactly which extents have a point in common with a geometry. */
public final class GeometryMatcher {

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    private final Geometry geometry;
    private final Deadline deadline;
    /** The points, lines and polygons of the geometry; null before the first test. */
    private STRtree parts;

    public GeometryMatcher(Geometry geometry, Deadline deadline) {
        this.geometry = geometry;
        this.deadline = deadline;
    }

    /** When the tests of a request end at the latest, in nanoseconds as of {@link System#nanoTime}. */
    public record Deadline(long nanos, Duration max) {

        public static Deadline after(Duration max) {
            return new Deadline(System.nanoTime() + max.toNanos(), max);
        }

        private void check() {
            if (System.nanoTime() - nanos > 0) {
                throw new ApiException(400, "The exact test of the geometry takes longer than " + max.toMillis()
                        + " ms. Use a smaller geometry, a geometry with fewer vertices, or further conditions.");
            }
        }
    }

    /**
     * Whether an extent, in degrees, touches the geometry. Fails with an {@link ApiException} of status 400 after the deadline.
     */
    public boolean touches(double west, double south, double east, double north) {
        deadline.check();
        if (parts == null) {
            parts = new STRtree();
            CoveringBoxes.parts(geometry)
                    .forEach(part -> parts.insert(part.getEnvelopeInternal(), PreparedGeometryFactory.prepare(part)));
        }
        Envelope extent = new Envelope(west, east, south, north);
        List<?> near = parts.query(extent);
        if (near.isEmpty()) {
            return false;
        }
        Geometry box = GEOMETRIES.toGeometry(extent);
        return near.stream().anyMatch(part -> ((PreparedGeometry) part).intersects(box));
    }
}
