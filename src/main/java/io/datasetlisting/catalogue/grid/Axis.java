package io.datasetlisting.catalogue.grid;

/**
 * Divides an axis into a power of two of equal intervals, of which each has its lower edge. The last one also has its upper
 * edge.
 */
final class Axis {

    private final double first;
    private final int last;
    private final double size;
    private final double perDegree;

    Axis(double first, double length, int bits) {
        this.first = first;
        last = (1 << bits) - 1;
        size = length / (1L << bits);
        perDegree = (1L << bits) / length;
    }

    static Axis ofLongitudes(int bits) {
        return new Axis(-180, 360, bits);
    }

    static Axis ofLatitudes(int bits) {
        return new Axis(-90, 180, bits);
    }

    /** The interval of a coordinate. */
    int index(double coordinate) {
        int index = Math.max(0, Math.min(last, (int) ((coordinate - first) * perDegree)));
        // The difference above is rounded. The edges are exact.
        if (index > 0 && coordinate < first + index * size) {
            return index - 1;
        }
        return index < last && coordinate >= first + (index + 1) * size ? index + 1 : index;
    }
}
