package io.datasetlisting.catalogue.tile;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.catalogue.column.Selection;

/**
 * Collects the footprints of the datasets that touch a tile. A footprint whose edges are at the same units of the tile is a
 * point in its middle. One that is longer, but thin, as that of a flight along a river, has the width of a unit, because a
 * polygon without area is not drawn.
 */
final class DatasetLayer {

    static final String NAME = "datasets";
    static final String ID = "id";
    static final String TITLE = "title";
    static final String TIME = "time";

    /** A tile with more datasets does not have the layer. */
    static final int MAX_DATASETS = 2_000;

    private final TileAddress tile;
    /** West, north, east and south in units of the tile, by the ids. The same datasets make the same tile. */
    private final SortedMap<Long, int[]> footprints = new TreeMap<>();
    private final VectorTile.Layer layer = new VectorTile.Layer(NAME);

    private long count;

    DatasetLayer(TileAddress tile) {
        this.tile = tile;
    }

    /** Adds datasets that touch the tile. */
    void add(Selection selection) {
        count += selection.count();
        if (count <= MAX_DATASETS) {
            selection.forEachFootprint(this::add);
        } else {
            footprints.clear();
        }
    }

    private void add(Elements part, int place, double west, double south, double east, double north) {
        int left = tile.unitsEast(west);
        int top = tile.unitsSouth(north);
        int right = tile.unitsEast(east);
        int bottom = tile.unitsSouth(south);
        if (left == right && top == bottom) {
            left = tile.unitsEast((west + east) / 2);
            top = tile.unitsSouth((north + south) / 2);
            right = left;
            bottom = top;
        } else if (left == right) {
            left = Math.min(left, TileAddress.LAST_UNIT - 1);
            right = left + 1;
        } else if (top == bottom) {
            top = Math.min(top, TileAddress.LAST_UNIT - 1);
            bottom = top + 1;
        }
        footprints.put(part.integers(Column.IDS).get(place), new int[]{left, top, right, bottom});
    }

    /** The ids of its datasets in ascending order; empty if there are too many. */
    Long[] ids() {
        return footprints.keySet().toArray(Long[]::new);
    }

    /** Adds the dataset with this id to the layer. */
    void write(long id, String title, String time) {
        int[] footprint = footprints.get(id);
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put(ID, id);
        attributes.put(TITLE, title);
        attributes.put(TIME, time);
        layer.add(id, footprint[0], footprint[1], footprint[2], footprint[3], attributes);
    }

    VectorTile.Layer layer() {
        return layer;
    }
}
