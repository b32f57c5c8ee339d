package io.datasetlisting.catalogue.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.datasetlisting.dataset.Dataset;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Counts datasets on a grid in Java. */
public final class GridModel {

    public static final double[] WORLD = {-180, -90, 180, 90};

    private static final int MAX_CELLS = 17 * 17;

    private GridModel() {
    }

    /** The counts of a cell and the sums of the places, as the response and the model have them. */
    public record Cell(double west, double south, double side) {
    }

    public record Counted(long count, double longitude, double latitude) {
    }

    public static Map<Cell, Counted> cells(JsonObject grid) {
        Map<Cell, Counted> cells = new HashMap<>();
        Set<Double> sides = new HashSet<>();
        grid.getJsonArray("cells").forEach(each -> {
            JsonObject cell = (JsonObject) each;
            JsonArray box = cell.getJsonArray("bbox");
            double side = box.getDouble(2) - box.getDouble(0);
            sides.add(side);
            assertEquals(side, box.getDouble(3) - box.getDouble(1));
            cells.put(new Cell(box.getDouble(0), box.getDouble(1), side), new Counted(cell.getLong("count"),
                    cell.getDouble("longitude"), cell.getDouble("latitude")));
        });
        assertEquals(grid.getJsonArray("cells").size(), cells.size(), "a cell occurs once");
        assertTrue(cells.size() <= MAX_CELLS && sides.size() <= 1, () -> cells.size() + " cells of sides " + sides);
        return cells;
    }

    public static double[] footprint(Dataset d) {
        return d.bbox.length == 4
                ? new double[]{d.bbox[1], d.bbox[0], d.bbox[3], d.bbox[2]}
                : new double[]{d.coordinates[1], d.coordinates[0], d.coordinates[1], d.coordinates[0]};
    }

    public static boolean touches(Dataset d, double[] box) {
        double[] f = footprint(d);
        boolean isInside = f[1] <= box[3] && f[3] >= box[1];
        return isInside && (box[0] <= box[2]
                ? f[0] <= box[2] && f[2] >= box[0]
                : f[0] <= box[2] || f[2] >= box[0]);
    }

    /** The expected cells: the place of each dataset is moved into the box. */
    public static Map<Cell, Counted> model(List<Dataset> matching, double[] box) {
        double width = box[2] + (box[0] > box[2] ? 360 : 0) - box[0];
        int power = 4;
        while (Math.max(width, box[3] - box[1]) * Math.pow(2, power) / 360 <= 8 && power < 20) {
            power++;
        }
        double side = 360 / Math.pow(2, power);
        Map<Cell, Counted> cells = new HashMap<>();
        for (Dataset d : matching) {
            double[] f = footprint(d);
            double fromWest = (f[0] + f[2]) / 2 - box[0];
            // To the nearer edge of the box, either way around the world.
            if (fromWest < 0) {
                fromWest = fromWest + 360 - width < -fromWest ? Math.min(fromWest + 360, width) : 0;
            }
            double x = box[0] + Math.min(fromWest, width);
            double y = Math.max(box[1], Math.min(box[3], (f[1] + f[3]) / 2));
            double west = Math.floor((x + 180) / side) * side - 180;
            double south = Math.floor((y + 90) / side) * side - 90;
            // The last column and the last row also have their far edge.
            if (west == box[0] + width && width > 0) {
                west -= side;
            }
            if (south == box[3] && box[3] > box[1]) {
                south -= side;
            }
            double x0 = x;
            cells.merge(new Cell(west >= 180 ? west - 360 : west, south, side), new Counted(1, x0, y),
                    (a, b) -> new Counted(a.count + b.count, a.longitude + b.longitude, a.latitude + b.latitude));
        }
        cells.replaceAll((cell, sum) -> {
            double longitude = sum.longitude / sum.count;
            return new Counted(sum.count, longitude - cell.west >= 180 ? longitude - 360 : longitude,
                    sum.latitude / sum.count);
        });
        return cells;
    }

    public static void assertCounts(List<Dataset> expected, double[] box, JsonObject grid, String view) {
        assertEquals(expected.size(), grid.getLong("count"), view);
        assertSame(model(expected, box), cells(grid), view);
        assertEquals(bounds(expected), grid.getJsonArray("bbox"), view);
    }

    /** The narrower of the bounds that go around the world either way, or null without datasets. */
    private static JsonArray bounds(List<Dataset> datasets) {
        List<double[]> plain = datasets.stream().map(GridModel::footprint).toList();
        List<double[]> turned = plain.stream().map(f -> f[0] + f[2] < 0
                ? new double[]{f[0] + 360, f[1], f[2] + 360, f[3]}
                : f).toList();
        double[] one = around(plain);
        double[] other = around(turned);
        boolean crosses = other[2] - other[0] < one[2] - one[0] && other[0] <= 180 && other[2] > 180;
        return datasets.isEmpty()
                ? null
                : crosses
                        ? JsonArray.of(other[0], one[1], other[2] - 360, one[3])
                        : JsonArray.of(one[0], one[1], one[2], one[3]);
    }

    private static double[] around(List<double[]> boxes) {
        return new double[]{boxes.stream().mapToDouble(f -> f[0]).min().orElse(0),
                boxes.stream().mapToDouble(f -> f[1]).min().orElse(0),
                boxes.stream().mapToDouble(f -> f[2]).max().orElse(0),
                boxes.stream().mapToDouble(f -> f[3]).max().orElse(0)};
    }

    public static void assertSame(Map<Cell, Counted> expected, Map<Cell, Counted> actual, String view) {
        assertEquals(expected.keySet(), actual.keySet(), view);
        expected.forEach((cell, counted) -> {
            assertEquals(counted.count, actual.get(cell).count, () -> view + cell);
            assertEquals(counted.longitude, actual.get(cell).longitude, 2e-6, () -> view + cell);
            assertEquals(counted.latitude, actual.get(cell).latitude, 2e-6, () -> view + cell);
        });
    }
}
