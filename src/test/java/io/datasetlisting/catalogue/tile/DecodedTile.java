package io.datasetlisting.catalogue.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

import io.github.sebasbaumh.mapbox.vectortile.adapt.jts.MvtReader;
import io.github.sebasbaumh.mapbox.vectortile.adapt.jts.TagKeyValueMapConverter;
import io.github.sebasbaumh.mapbox.vectortile.adapt.jts.model.JtsLayer;
import io.github.sebasbaumh.mapbox.vectortile.adapt.jts.model.JtsMvt;

/**
 * A vector tile as another library reads it.
 *
 * @param density
 *            the counts by the column and the row of the cell in the tile, {@code column,row}
 * @param datasets
 *            by id; null without the layer
 */
record DecodedTile(Map<String, Long> density, Map<Long, Footprint> datasets) {

    /** A feature of the layer of datasets. */
    record Footprint(String title, String time, Envelope units, boolean isPoint) {
    }

    static DecodedTile of(byte[] bytes) {
        try {
            JtsMvt tile = MvtReader.loadMvt(new ByteArrayInputStream(bytes), new GeometryFactory(),
                    new TagKeyValueMapConverter(), MvtReader.RING_CLASSIFIER_V2_1);
            Map<String, Long> density = new TreeMap<>();
            if (tile.getLayer("density") != null) {
                tile.getLayer("density").getGeometries().forEach(cell -> assertNull(
                        density.put(place(cell.getEnvelopeInternal()), (Long) attributes(cell).get("count"))));
            }
            return new DecodedTile(density, tile.getLayer("datasets") == null ? null : read(tile.getLayer("datasets")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String place(Envelope cell) {
        assertEquals(128, cell.getWidth());
        assertEquals(128, cell.getHeight());
        return (int) cell.getMinX() / 128 + "," + (int) cell.getMinY() / 128;
    }

    private static Map<Long, Footprint> read(JtsLayer layer) {
        assertEquals(4096, layer.getExtent());
        Map<Long, Footprint> datasets = new TreeMap<>();
        for (Geometry geometry : layer.getGeometries()) {
            Map<?, ?> attributes = attributes(geometry);
            assertNull(datasets.put((Long) attributes.get("id"),
                    new Footprint((String) attributes.get("title"), (String) attributes.get("time"),
                            geometry.getEnvelopeInternal(), geometry.getGeometryType().equals("Point"))));
        }
        return datasets;
    }

    private static Map<?, ?> attributes(Geometry geometry) {
        return (Map<?, ?>) geometry.getUserData();
    }

    long count() {
        return density.values().stream().mapToLong(count -> count).sum();
    }
}
