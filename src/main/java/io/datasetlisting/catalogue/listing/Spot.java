package io.datasetlisting.catalogue.listing;

import io.datasetlisting.base.Micros;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.format.BoundingBox;
import io.datasetlisting.dataset.raster.RasterGsd;

/**
 * Where and when a dataset was captured, for a comparison with others.
 *
 * @param micros
 *            from 1970 to the capture
 * @param gsd
 *            as the columns have it
 */
public record Spot(long id, long workspace, long micros, long gsd, BoundingBox footprint) {

    /** The width of the edge around the footprint in which others are nearby, in degrees. */
    private static final double EDGE = 0.25;

    /**
     * @param dataset
     *            has coordinates
     */
    public static Spot of(Dataset dataset) {
        return new Spot(dataset.id, dataset.workspace, Micros.of(dataset.capturedDate),
                Double.doubleToLongBits(RasterGsd.finest(dataset.rasterHeaders)),
                BoundingBox.of(dataset.bbox, dataset.coordinates));
    }

    /** The part of the map that is nearby. */
    public Expression.Box surroundings() {
        return new Expression.Box(Math.max(-180, footprint.west() - EDGE), Math.max(-90, footprint.south() - EDGE),
                Math.min(180, footprint.east() + EDGE), Math.min(90, footprint.north() + EDGE));
    }
}
