package io.datasetlisting.catalogue.grid;

import java.util.stream.IntStream;

/** A grid of cells over the world. A cell is a number: its row in the lower bits, its column above them. */
public interface Cells {

    /** The cell of a point in degrees. */
    long cell(double longitude, double latitude);

    /** The name of a cell. */
    String name(long cell);

    /** The cells of geohashes of some length. */
    final class Geohash implements Cells {

        public static final int MAX = 12;
        private static final String DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
        private static final int BITS_OF_DIGIT = 5;

        private final int length;
        private final int columnBits;
        private final int rowBits;
        private final Axis columns;
        private final Axis rows;

        public Geohash(int length) {
            this.length = length;
            columnBits = (length * BITS_OF_DIGIT + 1) / 2;
            rowBits = length * BITS_OF_DIGIT / 2;
            columns = Axis.ofLongitudes(columnBits);
            rows = Axis.ofLatitudes(rowBits);
        }

        @Override
        public long cell(double longitude, double latitude) {
            return (long) columns.index(longitude) << rowBits | rows.index(latitude);
        }

        /** The bits of column and row by turns, the highest of the column first. */
        @Override
        public String name(long cell) {
            StringBuilder name = new StringBuilder();
            int columnBit = columnBits;
            int rowBit = rowBits;
            boolean isColumn = true;
            for (int i = 0; i < length; i++) {
                int digit = 0;
                for (int bit = 0; bit < BITS_OF_DIGIT; bit++) {
                    digit = digit << 1 | (int) ((isColumn ? cell >>> rowBits >>> --columnBit : cell >>> --rowBit) & 1);
                    isColumn = !isColumn;
                }
                name.append(DIGITS.charAt(digit));
            }
            return name.toString();
        }
    }

    /** The tiles of the Web Mercator projection at a zoom. Points beyond its edges belong to the outermost tiles. */
    final class Geotile implements Cells {

        public static final int MAX = 29;
        private static final int PARALLELS = 1 << 14;
        private static final double PER_DEGREE = PARALLELS / 180.0;

        /** The rows of parallels at the last zoom, because computing a row takes longer than a look at two parallels. */
        private static final int[] ROWS = IntStream.rangeClosed(0, PARALLELS).map(i -> row(i / PER_DEGREE - 90))
                .toArray();

        private final int zoom;
        private final Axis columns;

        public Geotile(int zoom) {
            this.zoom = zoom;
            columns = Axis.ofLongitudes(zoom);
        }

        @Override
        public long cell(double longitude, double latitude) {
            return (long) columns.index(longitude) << zoom | rowOf(latitude);
        }

        /** The column of a point, from the west. */
        public int columnOf(double longitude) {
            return columns.index(longitude);
        }

        /** The row of a point, from the north. */
        public int rowOf(double latitude) {
            int below = Math.min((int) ((latitude + 90) * PER_DEGREE), PARALLELS - 1);
            int row = ROWS[below] >> MAX - zoom;
            return row == ROWS[below + 1] >> MAX - zoom ? row : row(latitude) >> MAX - zoom;
        }

        /** At the last zoom. */
        private static int row(double latitude) {
            double sine = Math.sin(Math.toRadians(latitude));
            double northing = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
            int number = 1 << MAX;
            return Math.max(0, Math.min(number - 1, (int) (northing * number)));
        }

        @Override
        public String name(long cell) {
            return zoom + "/" + (cell >>> zoom) + '/' + (cell & (1L << zoom) - 1);
        }
    }
}
