package io.datasetlisting.catalogue.tile;

import static io.datasetlisting.catalogue.grid.GridModel.footprint;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.locationtech.jts.geom.Envelope;

import io.datasetlisting.dataset.Dataset;

/** Computes tiles in Java. */
public final class TileModel {

    private static final int MAX_DATASETS = 2_000;
    private static final int EXTENT = 4096;
    private static final int BUFFER = 64;
    private static final int CELLS = 32;

    private TileModel() {
    }

    /** The column and the row of the tile with the centre of a dataset. */
    public static int[] around(Dataset dataset, int zoom) {
        double[] f = footprint(dataset);
        int last = (1 << zoom) - 1;
        return new int[]{Math.min((int) east((f[0] + f[2]) / 2, zoom), last),
                Math.min((int) south((f[1] + f[3]) / 2, zoom), last)};
    }

    /** Compares the counts and the ids of a tile. */
    public static void assertCounts(List<Dataset> matching, int zoom, int x, int y, byte[] tile, String what) {
        DecodedTile expected = of(matching, zoom, x, y);
        DecodedTile actual = DecodedTile.of(tile);
        assertEquals(expected.density(), actual.density(), what);
        assertEquals(expected.datasets() == null ? null : expected.datasets().keySet(),
                actual.datasets() == null ? null : actual.datasets().keySet(), what);
    }

    /** The sum of all counts of a tile. */
    public static long count(byte[] tile) {
        return DecodedTile.of(tile).count();
    }

    static double east(double longitude, int zoom) {
        return (longitude + 180) / 360 * (1 << zoom);
    }

    /** From the north. The projection ends where the world is a square. */
    static double south(double latitude, int zoom) {
        double edge = Math.toDegrees(Math.atan(Math.sinh(Math.PI)));
        double radians = Math.toRadians(Math.max(-edge, Math.min(edge, latitude)));
        double y = 0.5 - Math.log(Math.tan(Math.PI / 4 + radians / 2)) / (2 * Math.PI);
        return Math.max(0, Math.min(1, y)) * (1 << zoom);
    }

    private static long cell(double tiles, int zoom) {
        return Math.min((long) (tiles * CELLS), ((long) CELLS << zoom) - 1);
    }

    static DecodedTile of(List<Dataset> matching, int zoom, int x, int y) {
        Map<String, Long> density = new TreeMap<>();
        Map<Long, DecodedTile.Footprint> touching = new TreeMap<>();
        for (Dataset d : matching) {
            double[] f = footprint(d);
            long column = cell(east((f[0] + f[2]) / 2, zoom), zoom) - (long) x * CELLS;
            long row = cell(south((f[1] + f[3]) / 2, zoom), zoom) - (long) y * CELLS;
            if (column >= 0 && column < CELLS && row >= 0 && row < CELLS) {
                density.merge(column + "," + row, 1L, Long::sum);
            }
            Envelope units = new Envelope((east(f[0], zoom) - x) * EXTENT, (east(f[2], zoom) - x) * EXTENT,
                    (south(f[3], zoom) - y) * EXTENT, (south(f[1], zoom) - y) * EXTENT);
            Envelope tile = new Envelope(-BUFFER, EXTENT + BUFFER, -BUFFER, EXTENT + BUFFER);
            if (units.intersects(tile)) {
                Envelope drawn = units.intersection(tile);
                touching.put(d.id, new DecodedTile.Footprint(
                        d.datasetName.isBlank() ? "Dataset " + d.id : d.datasetName, d.capturedDate.toString(), drawn,
                        Math.round(drawn.getMinX()) == Math.round(drawn.getMaxX())
                                && Math.round(drawn.getMinY()) == Math.round(drawn.getMaxY())));
            }
        }
        return new DecodedTile(density, touching.isEmpty() || touching.size() > MAX_DATASETS ? null : touching);
    }
}
