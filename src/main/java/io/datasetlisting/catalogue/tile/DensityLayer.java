package io.datasetlisting.catalogue.tile;

import java.util.Map;

import io.datasetlisting.catalogue.column.Selection;

/**
 * Counts datasets in the cells of a tile, each at the centre of its footprint. So a dataset is in one tile of a zoom. A dataset
 * nearer to a pole than the projection reaches counts in the last row.
 */
final class DensityLayer implements Selection.FootprintVisitor {

    static final String NAME = "density";
    static final String COUNT = "count";

    /** Across the tile. */
    static final int CELLS = 32;

    private static final double WORLD = 360;
    private static final int UNITS = VectorTile.EXTENT / CELLS;
    private static final int BINS = 1024;

    private final int firstColumn;
    private final int lastColumnOfWorld;
    private final double columnsOfWorld;
    /** The northern edges of the rows, and the southern edge of the tile. */
    private final double[] edges;
    /** The first row of which a part is in each of equal bands of latitudes. */
    private final int[] rows;
    private final double north;
    private final double binsPerDegree;
    private final long[] counts;

    DensityLayer(TileAddress tile) {
        edges = new double[CELLS + 1];
        rows = new int[BINS];
        counts = new long[CELLS * CELLS];
        columnsOfWorld = (double) tile.across() * CELLS;
        lastColumnOfWorld = tile.across() * CELLS - 1;
        firstColumn = tile.x() * CELLS;
        for (int i = 0; i <= CELLS; i++) {
            edges[i] = TileAddress.latitude(tile.y() * CELLS + i, columnsOfWorld);
        }
        north = edges[0];
        binsPerDegree = BINS / (north - edges[CELLS]);
        for (int bin = 0, row = 0; bin < BINS; bin++) {
            while (row < CELLS - 1 && north - bin / binsPerDegree <= edges[row + 1]) {
                row++;
            }
            // The row before it, because the band of a latitude on the edge of two bands may be rounded to either.
            rows[bin] = Math.max(0, row - 1);
        }
        if (tile.y() == 0) {
            edges[0] = Double.POSITIVE_INFINITY;
        }
        if (tile.y() + 1 == tile.across()) {
            edges[CELLS] = Double.NEGATIVE_INFINITY;
        }
    }

    @Override
    public void visit(double west, double south, double east, double north) {
        double latitude = (south + north) / 2;
        // A cast rounds towards zero, and the longitude 180 is in the last column.
        int column = Math.min((int) (((west + east) / 2 + WORLD / 2) / WORLD * columnsOfWorld), lastColumnOfWorld)
                - firstColumn;
        if (column >= 0 && column < CELLS && latitude <= edges[0] && latitude > edges[CELLS]) {
            int bin = (int) ((this.north - latitude) * binsPerDegree);
            int row = rows[Math.max(0, Math.min(BINS - 1, bin))];
            while (latitude <= edges[row + 1]) {
                row++;
            }
            counts[row * CELLS + column]++;
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
