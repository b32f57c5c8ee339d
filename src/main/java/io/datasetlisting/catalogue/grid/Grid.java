package io.datasetlisting.catalogue.grid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Box;

/**
 * How many datasets of a view lie in each cell of a grid.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            datasets in all cells together
 * @param bounds
 *            of the footprints of all datasets, the narrower of those around the world either way; null without datasets
 * @param cells
 *            the cells that are not empty, at most 17 by 17: the grid is fixed to the world
 */
public record Grid(long listing, long count, Box bounds, List<Cell> cells) {

    static final Set<Column> COLUMNS = EnumSet.of(Column.WESTS, Column.SOUTHS, Column.EASTS, Column.NORTHS);

    private static final double WORLD = 360;
    /** The same cells make the same response, and so the same ETag. */
    private static final Comparator<Cell> IN_ROWS = Comparator.comparingDouble((Cell cell) -> cell.box().south())
            .thenComparingDouble(cell -> cell.box().west());
    private static final int MIN_CELLS_ACROSS = 8;
    /** About 40 metres. A smaller box has fewer cells. */
    private static final double MIN_SIDE = WORLD / (1 << 20);

    /**
     * A cell of the grid.
     *
     * @param longitude
     *            the mean of its datasets, like the latitude
     */
    public record Cell(double longitude, double latitude, long count, Box box) {
    }

    /**
     * The cells over a box. Their sides are 360 / 2<sup>k</sup> degrees, and the edges of cells are at multiples of this
     * length from the corner of the world. So a view that moves keeps its cells.
     *
     * @param box
     *            the view
     * @param side
     *            of a cell, in degrees
     */
    public record Cells(Box box, double side) {

        /** The largest cells of which more than 8 fit into the longer side of the box, or else the smallest ones. */
        public static Cells over(Box box) {
            double longest = Math.max(east(box) - box.west(), box.north() - box.south());
            double side = WORLD / 2 / MIN_CELLS_ACROSS;
            while (longest / side <= MIN_CELLS_ACROSS && side > MIN_SIDE) {
                side /= 2;
            }
            return new Cells(box, side);
        }

        /** The eastern edge of the box; greater than 180 if the box crosses the antimeridian. */
        double east() {
            return east(box);
        }

        private static double east(Box box) {
            return box.crossesAntimeridian() ? box.east() + WORLD : box.east();
        }

        /**
         * The middle of the longitudes outside of the box. A dataset that touches the box, and whose centre is west of it,
         * lies across the antimeridian, and is nearer to the eastern edge of the box.
         */
        double middleOutside() {
            return (box.west() + east() - WORLD) / 2;
        }

        /** The last column, from the corner of the world. A place on the eastern edge of the box is in the last column. */
        int lastColumn() {
            return last(box.west() + 180, east() + 180);
        }

        /** The last row, from the corner of the world. */
        int lastRow() {
            return last(box.south() + 90, box.north() + 90);
        }

        private int last(double from, double to) {
            return (int) Math.max(Math.floor(from / side), Math.ceil(to / side) - 1);
        }

        /** The cell of a column and a row, with a place in it. Its longitudes are between -180 and 180. */
        private Cell cell(int column, int row, double longitude, double latitude, long count) {
            double west = column * side - 180;
            double turn = west >= 180 ? WORLD : 0;
            double south = row * side - 90;
            return new Cell(longitude - turn, latitude, count,
                    new Box(west - turn, south, west - turn + side, south + side));
        }
    }

    /** Counts the datasets of a filter in cells. */
    static final class Counter implements ChunkCounter<Grid>, Selection.FootprintVisitor {

        /** A tenth of a metre. */
        private static final double PLACES = 1e6;
        /** Sums have whole parts of a degree, so that they do not depend on the order of additions. */
        private static final double PARTS = 1e8;

        private final Expression filter;
        private final Cells cells;
        private final double west;
        private final double south;
        private final double east;
        private final double north;
        private final double side;
        private final double middle;
        private final int firstColumn;
        private final int firstRow;
        private final int lastColumn;
        private final int lastRow;
        private final int columns;
        private final long[] counts;
        private final long[] longitudes;
        private final long[] latitudes;
        private final Bounds bounds = new Bounds();

        Counter(Expression filter, Cells cells) {
            this.filter = filter;
            this.cells = cells;
            west = cells.box.west();
            south = cells.box.south();
            east = cells.east();
            north = cells.box.north();
            side = cells.side;
            middle = cells.middleOutside();
            lastColumn = cells.lastColumn();
            lastRow = cells.lastRow();
            firstColumn = Math.min((int) ((west + 180) / side), lastColumn);
            firstRow = Math.min((int) ((south + 90) / side), lastRow);
            columns = lastColumn - firstColumn + 1;
            counts = new long[columns * (lastRow - firstRow + 1)];
            longitudes = new long[counts.length];
            latitudes = new long[counts.length];
        }

        @Override
        public void add(Snapshot chunk) {
            chunk.select(filter).forEachFootprint(this);
        }

        @Override
        public Grid result(long listing) {
            List<Cell> filled = cells();
            return new Grid(listing, filled.stream().mapToLong(Cell::count).sum(), bounds.box(), filled);
        }

        /** Counts a dataset at the point of the box that is nearest to its centre. So no cell is outside of the box. */
        @Override
        public void visit(Elements part, int place, double fromLongitude, double fromLatitude, double toLongitude,
                double toLatitude) {
            bounds.add(fromLongitude, fromLatitude, toLongitude, toLatitude);
            double centre = (fromLongitude + toLongitude) / 2;
            double x = between(west, east, centre < middle ? centre + WORLD : centre);
            double y = between(south, north, (fromLatitude + toLatitude) / 2);
            // The numbers are not negative, so that a cast is a floor.
            int column = Math.min((int) ((x + 180) / side), lastColumn) - firstColumn;
            int row = Math.min((int) ((y + 90) / side), lastRow) - firstRow;
            int cell = row * columns + column;
            counts[cell]++;
            longitudes[cell] += (long) (x * PARTS);
            latitudes[cell] += (long) (y * PARTS);
        }

        /** Faster than the methods of {@link Math}, which distinguish zeros by their signs. */
        private static double between(double low, double high, double value) {
            return value < low ? low : value > high ? high : value;
        }

        /** From south to north, and from west to east. */
        private List<Cell> cells() {
            List<Cell> filled = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    filled.add(cells.cell(firstColumn + i % columns, firstRow + i / columns,
                            mean(longitudes[i], counts[i]), mean(latitudes[i], counts[i]), counts[i]));
                }
            }
            // A box across the antimeridian begins with the eastern half of the world.
            filled.sort(IN_ROWS);
            return filled;
        }

        private static double mean(long parts, long count) {
            return Math.round(parts / PARTS / count * PLACES) / PLACES;
        }
    }
}
