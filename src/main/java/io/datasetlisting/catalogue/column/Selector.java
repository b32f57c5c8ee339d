package io.datasetlisting.catalogue.column;

import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;

import org.locationtech.jts.geom.Geometry;

import io.datasetlisting.catalogue.query.GeometryMatcher;
import io.datasetlisting.catalogue.query.GeometryMatcher.Deadline;

/** Selects datasets by their columns. */
public interface Selector {

    /** The datasets that match, as bits. The array must not be changed. */
    long[] select(Elements elements);

    /** The columns that it reads. */
    default Set<Column> columns() {
        return EnumSet.noneOf(Column.class);
    }

    /** Selects each dataset. */
    Selector ALL = elements -> Bitmaps.all(elements.size());

    Selector NONE = elements -> new long[elements.words()];

    /** Selects each public dataset. */
    Selector PUBLIC = new Not(new Marked(Column.MARKS, List.of(Mark.PRIVATE)));

    /** The datasets that one of these bits marks. */
    record Marked(Column column, List<Integer> bits) implements Selector {

        @Override
        public long[] select(Elements elements) {
            Bitmaps bitmaps = elements.bitmaps(column);
            if (bits.size() == 1) {
                return bitmaps.get(bits.get(0));
            }
            long[] any = new long[elements.words()];
            for (int bit : bits) {
                if (bitmaps.has(bit)) {
                    or(any, bitmaps.get(bit));
                }
            }
            return any;
        }

        @Override
        public Set<Column> columns() {
            return EnumSet.of(column);
        }
    }

    /** The datasets with an integer from low to high, both included. */
    record Between(Column column, long low, long high) implements Selector {

        @Override
        public long[] select(Elements elements) {
            return elements.integers(column).between(low, high);
        }

        @Override
        public Set<Column> columns() {
            return EnumSet.of(column);
        }
    }

    /** The datasets whose footprint touches a box, in degrees. West is not greater than east. */
    record Touching(double west, double south, double east, double north) implements Selector {

        /** The signs of zeros are such that the difference of equal numbers is no negative zero, see {@link #overlapping}. */
        public Touching {
            west = west == 0 ? -0.0 : west;
            south = south == 0 ? -0.0 : south;
            east = east + 0.0;
            north = north + 0.0;
        }

        @Override
        public long[] select(Elements elements) {
            long[] bits = overlapping(elements.numbers(Column.WESTS), elements.numbers(Column.EASTS), west, east);
            and(bits, overlapping(elements.numbers(Column.SOUTHS), elements.numbers(Column.NORTHS), south, north));
            return bits;
        }

        /** The ranges that have a number in common with another one, as bits. */
        private static long[] overlapping(double[] lows, double[] highs, double low, double high) {
            long[] bits = new long[Bitmaps.words(lows.length)];
            for (int word = 0; word < bits.length; word++) {
                int start = word << 6;
                int end = Math.min(start + Long.SIZE, lows.length);
                long apart = 0;
                for (int i = start; i < end; i++) {
                    // Without a branch, which the processor could not predict: a negative difference has the sign bit.
                    apart |= (Double.doubleToRawLongBits(highs[i] - low)
                            | Double.doubleToRawLongBits(high - lows[i])) >>> Long.SIZE - 1 << i;
                }
                bits[word] = ~apart & -1L >>> Long.SIZE - (end - start);
            }
            return bits;
        }

        @Override
        public Set<Column> columns() {
            return EnumSet.of(Column.WESTS, Column.SOUTHS, Column.EASTS, Column.NORTHS);
        }
    }

    /**
     * Selects the footprints that have a point in common with a geometry.
     *
     * @param boxes
     *            selects footprints that touch boxes around the geometry
     */
    record Intersecting(Geometry geometry, Selector boxes) implements Sized {

        /** Two coordinates, and the objects that hold them. */
        private static final int BYTES_OF_A_POINT = 48;

        /** The selector, which needs more memory and serves one computation. */
        public Selector until(Deadline deadline) {
            GeometryMatcher matcher = new GeometryMatcher(geometry, deadline);
            return elements -> {
                double[] wests = elements.numbers(Column.WESTS);
                double[] souths = elements.numbers(Column.SOUTHS);
                double[] easts = elements.numbers(Column.EASTS);
                double[] norths = elements.numbers(Column.NORTHS);
                long[] bits = boxes.select(elements).clone();
                for (int word = 0; word < bits.length; word++) {
                    for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                        int i = (word << 6) + Long.numberOfTrailingZeros(rest);
                        if (!matcher.touches(wests[i], souths[i], easts[i], norths[i])) {
                            bits[word] &= ~(1L << i);
                        }
                    }
                }
                return bits;
            };
        }

        @Override
        public long bytes() {
            return (long) BYTES_OF_A_POINT * geometry.getNumPoints();
        }
    }

    /** The datasets with these ids. */
    record Identified(NavigableSet<Long> ids) implements Selector {

        @Override
        public long[] select(Elements elements) {
            Integers all = elements.integers(Column.IDS);
            long[] bits = new long[elements.words()];
            if (all.size() > 0) {
                for (long id : ids.subSet(all.min(), true, all.max(), true)) {
                    int place = all.find(id);
                    if (place >= 0) {
                        bits[place >> 6] |= 1L << place;
                    }
                }
            }
            return bits;
        }

        @Override
        public Set<Column> columns() {
            return EnumSet.of(Column.IDS);
        }
    }

    record And(List<Selector> all) implements Selector {

        @Override
        public long[] select(Elements elements) {
            long[] both = all.get(0).select(elements).clone();
            for (Selector each : all.subList(1, all.size())) {
                and(both, each.select(elements));
            }
            return both;
        }

        @Override
        public Set<Column> columns() {
            return Selector.columnsOf(all);
        }
    }

    record Or(List<Selector> any) implements Selector {

        @Override
        public long[] select(Elements elements) {
            long[] either = any.get(0).select(elements).clone();
            for (Selector each : any.subList(1, any.size())) {
                or(either, each.select(elements));
            }
            return either;
        }

        @Override
        public Set<Column> columns() {
            return Selector.columnsOf(any);
        }
    }

    record Not(Selector selector) implements Selector {

        @Override
        public long[] select(Elements elements) {
            long[] others = selector.select(elements).clone();
            for (int i = 0; i < others.length; i++) {
                others[i] = ~others[i];
            }
            Bitmaps.clearBeyond(others, elements.size());
            return others;
        }

        @Override
        public Set<Column> columns() {
            return selector.columns();
        }
    }

    /** The datasets that were found before. */
    record Found(long[][] bits) implements Selector {

        @Override
        public long[] select(Elements elements) {
            return bits[elements.index()];
        }
    }

    static void and(long[] bits, long[] others) {
        for (int i = 0; i < bits.length; i++) {
            bits[i] &= others[i];
        }
    }

    static void or(long[] bits, long[] others) {
        for (int i = 0; i < bits.length; i++) {
            bits[i] |= others[i];
        }
    }

    private static Set<Column> columnsOf(List<Selector> selectors) {
        Set<Column> columns = EnumSet.noneOf(Column.class);
        selectors.forEach(each -> columns.addAll(each.columns()));
        return columns;
    }
}
