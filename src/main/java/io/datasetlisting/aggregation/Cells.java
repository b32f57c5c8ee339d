package io.datasetlisting.aggregation;

/** A grid of cells over the world. A cell is a number of which the column is the upper half and the row the lower half. */
interface Cells {

    /** The cell of a point in degrees. */
    long cell(double longitude, double latitude);

    /** The name of a cell. */
    String name(long cell);

    /** The column or row of a coordinate in a grid of a power of two of them. */
    private static int index(double coordinate, double first, double span, int bits) {
        int last = (1 << bits) - 1;
        int index = Math.max(0, Math.min(last, (int) ((coordinate - first) / span * (last + 1))));
        // The sum above is rounded. These edges are exact.
        if (index > 0 && coordinate < edge(index, first, span, bits)) {
            return index - 1;
        }
        return index < last && coordinate >= edge(index + 1, first, span, bits) ? index + 1 : index;
    }

    private static double edge(long index, double first, double span, int bits) {
        return index * span / (1L << bits) + first;
    }

    private static long join(int column, int row) {
        return (long) column << Integer.SIZE | row;
    }

    private static int column(long cell) {
        return (int) (cell >>> Integer.SIZE);
    }

    /** The cells of geohashes of some length. */
    record Geohash(int length) implements Cells {

        static final int MAX = 12;
        private static final String DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
        private static final int BITS_OF_DIGIT = 5;

        private int columnBits() {
            return (length * BITS_OF_DIGIT + 1) / 2;
        }

        private int rowBits() {
            return length * BITS_OF_DIGIT / 2;
        }

        @Override
        public long cell(double longitude, double latitude) {
            return join(index(longitude, -180, 360, columnBits()), index(latitude, -90, 180, rowBits()));
        }

        /** The bits of column and row by turns, the highest of the column first. */
        @Override
        public String name(long cell) {
            StringBuilder name = new StringBuilder();
            int columnBit = columnBits();
            int rowBit = rowBits();
            boolean isColumn = true;
            for (int i = 0; i < length; i++) {
                int digit = 0;
                for (int bit = 0; bit < BITS_OF_DIGIT; bit++) {
                    digit = digit << 1 | (isColumn ? column(cell) >>> --columnBit : (int) cell >>> --rowBit) & 1;
                    isColumn = !isColumn;
                }
                name.append(DIGITS.charAt(digit));
            }
            return name.toString();
        }
    }

    /** The tiles of the Web Mercator projection at a zoom. Points beyond its edges belong to the outermost tiles. */
    record Geotile(int zoom) implements Cells {

        static final int MAX = 29;
        private static final int PARALLELS = 1 << 14;
        private static final double[] NORTHINGS = northings();

        /** Of the parallels from pole to pole. Computing one takes longer than finding the two beside a latitude. */
        private static double[] northings() {
            double[] northings = new double[PARALLELS + 1];
            for (int i = 0; i <= PARALLELS; i++) {
                northings[i] = northing(i * 180.0 / PARALLELS - 90);
            }
            return northings;
        }

        /** 0 at the upper edge of the projection, 1 at its lower edge, and beyond them at the poles. */
        private static double northing(double latitude) {
            double sine = Math.sin(Math.toRadians(latitude));
            return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
        }

        @Override
        public long cell(double longitude, double latitude) {
            int below = Math.min((int) ((latitude + 90) / 180 * PARALLELS), PARALLELS - 1);
            int row = row(NORTHINGS[below]);
            if (row != row(NORTHINGS[below + 1])) {
                row = row(northing(latitude));
            }
            return join(index(longitude, -180, 360, zoom), row);
        }

        private int row(double northing) {
            int rows = 1 << zoom;
            return Math.max(0, Math.min(rows - 1, (int) (northing * rows)));
        }

        @Override
        public String name(long cell) {
            return zoom + "/" + column(cell) + '/' + (int) cell;
        }
    }
}
