package io.datasetlisting.catalogue.tile;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.datasetlisting.catalogue.column.SelectedDataset;
import io.datasetlisting.catalogue.column.Selection;

/**
 * Collects the footprints of the datasets that touch a tile. A footprint that is smaller than a unit of the tile is a point in
 * its middle. One that is longer, but thin, as that of a flight along a river, has the width of a unit, because a polygon without
 * area is not drawn.
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
            selection.forEach(this::add);
        } else {
            footprints.clear();
        }
    }

    private void add(SelectedDataset dataset) {
        int west = tile.unitsEast(dataset.west());
        int north = tile.unitsSouth(dataset.north());
        int east = tile.unitsEast(dataset.east());
        int south = tile.unitsSouth(dataset.south());
        if (west == east && north == south) {
            west = tile.unitsEast((dataset.west() + dataset.east()) / 2);
            north = tile.unitsSouth((dataset.north() + dataset.south()) / 2);
            east = west;
            south = north;
        } else if (west == east) {
            west = Math.min(west, TileAddress.LAST_UNIT - 1);
            east = west + 1;
        } else if (north == south) {
            north = Math.min(north, TileAddress.LAST_UNIT - 1);
            south = north + 1;
        }
        footprints.put(dataset.id(), new int[]{west, north, east, south});
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
