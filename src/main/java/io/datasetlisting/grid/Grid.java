package io.datasetlisting.grid;

import java.util.List;

import io.datasetlisting.cql2.Expression.Box;

/**
 * How many datasets of a view lie in each cell of a grid.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            datasets in all cells together
 * @param exact
 *            whether the datasets were counted. Otherwise the counts are estimates with two significant digits, and a cell
 *            with few datasets may be missing
 * @param cells
 *            the cells that are not empty, at most {@value #MAX_CELLS}
 */
public record Grid(long listing, long count, boolean exact, List<Cell> cells) {

    /** A grid has at most 16 cells across and, because it is fixed to the world, parts of one cell more. */
    public static final int MAX_CELLS = 17 * 17;

    private static final double WORLD = 360;
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

        /** The largest cells of which more than 8 fit into the longer side of the box. */
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
        Cell cell(int column, int row, double longitude, double latitude, long count) {
            double west = column * side - 180;
            double turn = west >= 180 ? WORLD : 0;
            double south = row * side - 90;
            return new Cell(longitude - turn, latitude, count,
                    new Box(west - turn, south, west - turn + side, south + side));
        }
    }
}
