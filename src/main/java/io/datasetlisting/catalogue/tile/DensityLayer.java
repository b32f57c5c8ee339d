package io.datasetlisting.catalogue.tile;

import java.util.Map;

import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.grid.Cells;

/**
 * Counts datasets in the cells of a tile, each at the centre of its footprint. So a dataset is in one tile of a zoom. A dataset
 * nearer to a pole than the projection reaches counts in the last row.
 */
final class DensityLayer implements Selection.FootprintVisitor {

    static final String NAME = "density";
    static final String COUNT = "count";

    /** Across the tile. */
    static final int CELLS = 32;

    private static final int BITS = Integer.numberOfTrailingZeros(CELLS);
    private static final int UNITS = VectorTile.EXTENT / CELLS;

    private final Cells.Geotile cells;
    private final int firstColumn;
    private final int firstRow;
    private final long[] counts = new long[CELLS * CELLS];

    DensityLayer(TileAddress tile) {
        cells = new Cells.Geotile(tile.zoom() + BITS);
        firstColumn = tile.x() * CELLS;
        firstRow = tile.y() * CELLS;
    }

    @Override
    public void visit(Elements part, int place, double west, double south, double east, double north) {
        int column = cells.columnOf((west + east) / 2) - firstColumn;
        if (column >= 0 && column < CELLS) {
            int row = cells.rowOf((south + north) / 2) - firstRow;
            if (row >= 0 && row < CELLS) {
                counts[row * CELLS + column]++;
            }
        }
    }

    VectorTile.Layer layer() {
        VectorTile.Layer layer = new VectorTile.Layer(NAME);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                int west = i % CELLS * UNITS;
                int north = i / CELLS * UNITS;
                layer.add(-1, west, north, west + UNITS, north + UNITS, Map.of(COUNT, counts[i]));
            }
        }
        return layer;
    }
}
