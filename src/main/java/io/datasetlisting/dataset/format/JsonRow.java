package io.datasetlisting.dataset.format;

import org.locationtech.jts.geom.Geometry;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.DatasetView;

/**
 * A row of a file that is made of JSON.
 *
 * @param values
 *            by the names of the columns
 * @param dataset
 *            has read the bbox and the coordinates
 */
public record JsonRow(ObjectNode values, DatasetView dataset) {

    Geometry geometry() {
        return BoundingBox.geometry(dataset);
    }
}
