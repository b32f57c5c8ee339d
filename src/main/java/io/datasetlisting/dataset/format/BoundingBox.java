package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.Polygon;

import com.fasterxml.jackson.core.JsonGenerator;

import io.datasetlisting.base.place.Near;
import io.datasetlisting.dataset.DatasetView;

/**
 * The bounding box of a dataset in degrees, in the order of <a href="https://www.rfc-editor.org/rfc/rfc7946">RFC 7946</a>:
 * longitude first.
 *
 * @param west
 *            greater than {@code east} when the box crosses the antimeridian
 */
public record BoundingBox(double west, double south, double east, double north) {

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    /** {@code [lat_a, lon_a, lat_b, lon_b]} as a footprint; null when it is empty. */
    public static BoundingBox of(double[] bbox) {
        return bbox.length == 0
                ? null
                : new BoundingBox(bbox[1], Math.min(bbox[0], bbox[2]), bbox[3], Math.max(bbox[0], bbox[2]));
    }

    /** The footprint of a dataset: its bbox, or the point of its coordinates where the bbox is empty. Null without both. */
    public static BoundingBox of(double[] bbox, double[] coordinates) {
        return bbox.length > 0 || coordinates.length == 0
                ? of(bbox)
                : new BoundingBox(coordinates[1], coordinates[0], coordinates[1], coordinates[0]);
    }

    /** In degrees. */
    public double width() {
        return west <= east ? east - west : east - west + 360;
    }

    /** The area on a sphere of the size of the Earth, in square kilometres. An ellipsoid differs by less than 1 %. */
    public double squareKilometres() {
        return Near.EARTH_RADIUS * Near.EARTH_RADIUS * Math.toRadians(width())
                * (Math.sin(Math.toRadians(north)) - Math.sin(Math.toRadians(south)));
    }

    /** The size of what both have in common, as a part of the smaller one, from 0 to 1. 0 if one of them has no area. */
    public double commonPart(BoundingBox other) {
        double common = areas().stream().flatMapToDouble(one -> other.areas().stream().mapToDouble(one::commonSize))
                .sum();
        return common == 0 ? 0 : common / Math.min(squareKilometres(), other.squareKilometres());
    }

    /** In square kilometres. Neither box crosses the antimeridian. */
    private double commonSize(BoundingBox other) {
        BoundingBox common = new BoundingBox(Math.max(west, other.west), Math.max(south, other.south),
                Math.min(east, other.east), Math.min(north, other.north));
        return common.west < common.east && common.south < common.north ? common.squareKilometres() : 0;
    }

    /**
     * The geometry of a dataset: a {@code Polygon}; a {@code MultiPolygon} across the antimeridian; a {@code Point} without an
     * area; null without a location.
     *
     * @param dataset
     *            has read the bbox and the coordinates
     */
    static Geometry geometry(DatasetView dataset) {
        BoundingBox footprint = of(dataset.bbox());
        double[] coordinates = dataset.coordinates();
        List<BoundingBox> areas = footprint == null ? List.of() : footprint.areas();
        if (areas.size() > 1) {
            return GEOMETRIES.createMultiPolygon(areas.stream().map(BoundingBox::polygon).toArray(Polygon[]::new));
        }
        if (areas.size() == 1) {
            return areas.get(0).polygon();
        }
        return coordinates.length > 0
                ? GEOMETRIES.createPoint(new Coordinate(coordinates[1], coordinates[0]))
                : footprint == null ? null : GEOMETRIES.createPoint(new Coordinate(footprint.west, footprint.south));
    }

    /** The exterior ring is counter-clockwise and closed. There are no holes. */
    private Polygon polygon() {
        return GEOMETRIES.createPolygon(new Coordinate[]{new Coordinate(west, south), new Coordinate(east, south),
                new Coordinate(east, north), new Coordinate(west, north), new Coordinate(west, south)});
    }

    /** Writes the array of a GeoJSON {@code bbox}. */
    void writeBbox(JsonGenerator json) throws IOException {
        json.writeArray(new double[]{west, south, east, north}, 0, 4);
    }

    /** The parts of the box on both sides of the antimeridian, without parts that have no area. */
    private List<BoundingBox> areas() {
        List<BoundingBox> areas = new ArrayList<>(2);
        if (west <= east) {
            areas.add(this);
        } else {
            areas.add(new BoundingBox(west, south, 180, north));
            areas.add(new BoundingBox(-180, south, east, north));
        }
        areas.removeIf(area -> area.west == area.east || area.south == area.north);
        return areas;
    }
}
