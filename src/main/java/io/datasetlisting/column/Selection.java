package io.datasetlisting.column;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;

/** The datasets of a snapshot that match a filter. */
public final class Selection {

    private final Elements[] elements;
    private final long[][] bits;

    Selection(Elements[] elements, long[][] bits) {
        this.elements = elements;
        this.bits = bits;
    }

    /**
     * A dataset. It has the values of the columns that were asked for. Not to be kept: the same object stands for the next
     * one.
     */
    public static final class Dataset {

        private Elements part;
        private int place;

        public long id() {
            return integer(Column.IDS);
        }

        /** The id of the owner. */
        public long owner() {
            return integer(Column.OWNERS);
        }

        public long workspace() {
            return integer(Column.WORKSPACES);
        }

        /** Microseconds from 1970 to the capture. */
        public long time() {
            return integer(Column.TIMES);
        }

        /** In degrees, as the other edges of the footprint. */
        public double west() {
            return part.numbers(Column.WESTS)[place];
        }

        public double south() {
            return part.numbers(Column.SOUTHS)[place];
        }

        public double east() {
            return part.numbers(Column.EASTS)[place];
        }

        public double north() {
            return part.numbers(Column.NORTHS)[place];
        }

        private long integer(Column column) {
            return part.integers(column).get(place);
        }
    }

    /** How many datasets match. */
    public long count() {
        long count = 0;
        for (long[] part : bits) {
            count += count(part);
        }
        return count;
    }

    static int count(long[] bits) {
        int count = 0;
        for (long word : bits) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /**
     * How many datasets have each of the bits of {@link Column#MARKS} or {@link Column#BANDS}.
     *
     * @param first
     *            the first of the bits
     */
    public long[] counts(Column column, int first, int bitCount) {
        long[] counts = new long[bitCount];
        for (int i = 0; i < elements.length; i++) {
            Bitmaps bitmaps = elements[i].bitmaps(column);
            for (int bit = 0; bit < bitCount; bit++) {
                if (bitmaps.has(first + bit)) {
                    counts[bit] += countBoth(bits[i], bitmaps.get(first + bit));
                }
            }
        }
        return counts;
    }

    private static int countBoth(long[] some, long[] others) {
        int count = 0;
        for (int i = 0; i < some.length; i++) {
            count += Long.bitCount(some[i] & others[i]);
        }
        return count;
    }

    /** How many datasets have each value of a column of integers. */
    public Tally tally(Column column) {
        long least = Long.MAX_VALUE;
        for (Elements part : elements) {
            least = Math.min(least, part.integers(column).min());
        }
        Tally tally = new Tally(least);
        for (int i = 0; i < elements.length; i++) {
            tally.add(elements[i].integers(column), bits[i]);
        }
        return tally;
    }

    /** How many datasets were captured on each day. Reads {@link Column#TIMES}. */
    public DayCounts days() {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (Elements part : elements) {
            min = Math.min(min, part.integers(Column.TIMES).min());
            max = Math.max(max, part.integers(Column.TIMES).max());
        }
        if (min > max) {
            return new DayCounts(0, 0);
        }
        long first = Math.floorDiv(min, DayCounts.MICROS_PER_DAY);
        long last = Math.floorDiv(max, DayCounts.MICROS_PER_DAY);
        DayCounts counts = new DayCounts((int) first, (int) (last - first + 1));
        for (int i = 0; i < elements.length; i++) {
            elements[i].integers(Column.TIMES).countDays(bits[i], counts);
        }
        return counts;
    }

    /** The datasets that also have a bit of {@link Column#MARKS} or {@link Column#BANDS}. */
    public Selection marked(Column column, int bit) {
        return and(part -> part.bitmaps(column).get(bit));
    }

    /** Visits each dataset that matches, in no certain order. */
    public void forEach(Consumer<Dataset> visitor) {
        Dataset dataset = new Dataset();
        for (int i = 0; i < elements.length; i++) {
            dataset.part = elements[i];
            for (int word = 0; word < bits[i].length; word++) {
                for (long rest = bits[i][word]; rest != 0; rest &= rest - 1) {
                    dataset.place = (word << 6) + Long.numberOfTrailingZeros(rest);
                    visitor.accept(dataset);
                }
            }
        }
    }

    /** Receives footprints, whose edges are in degrees. */
    @FunctionalInterface
    public interface FootprintVisitor {

        void visit(double west, double south, double east, double north);
    }

    /**
     * Visits the footprint of each dataset that matches, in no certain order. For many datasets it is faster than
     * {@link #forEach}.
     */
    public void forEachFootprint(FootprintVisitor visitor) {
        for (int i = 0; i < elements.length; i++) {
            double[] wests = elements[i].numbers(Column.WESTS);
            double[] souths = elements[i].numbers(Column.SOUTHS);
            double[] easts = elements[i].numbers(Column.EASTS);
            double[] norths = elements[i].numbers(Column.NORTHS);
            for (int word = 0; word < bits[i].length; word++) {
                for (long rest = bits[i][word]; rest != 0; rest &= rest - 1) {
                    int place = (word << 6) + Long.numberOfTrailingZeros(rest);
                    visitor.visit(wests[place], souths[place], easts[place], norths[place]);
                }
            }
        }
    }

    /**
     * The datasets of a part that match. Reading arrays of values is faster than visiting the datasets. Not to be kept: the
     * same object and the same arrays stand for the next part.
     */
    public static final class Part {

        private Elements elements;
        private int[] places = new int[0];
        private int size;
        private final Map<Column, long[]> integers = new EnumMap<>(Column.class);
        private final Map<Column, double[]> numbers = new EnumMap<>(Column.class);

        private void move(Elements to, long[] bits) {
            elements = to;
            size = 0;
            if (places.length < to.size()) {
                places = new int[to.size()];
                integers.clear();
                numbers.clear();
            }
            for (int word = 0; word < bits.length; word++) {
                for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                    places[size++] = (word << 6) + Long.numberOfTrailingZeros(rest);
                }
            }
        }

        /** How many datasets match. The elements of arrays behind this number mean nothing. */
        public int size() {
            return size;
        }

        /** The values of a column of integers. */
        public long[] integers(Column column) {
            long[] values = integers.computeIfAbsent(column, absent -> new long[places.length]);
            Integers all = elements.integers(column);
            for (int i = 0; i < size; i++) {
                values[i] = all.get(places[i]);
            }
            return values;
        }

        /** The values of a column of degrees. */
        public double[] numbers(Column column) {
            double[] values = numbers.computeIfAbsent(column, absent -> new double[places.length]);
            double[] all = elements.numbers(column);
            for (int i = 0; i < size; i++) {
                values[i] = all[places[i]];
            }
            return values;
        }
    }

    /** Visits each part, also one without a dataset that matches. */
    public void forEachPart(Consumer<Part> visitor) {
        Part part = new Part();
        for (int i = 0; i < elements.length; i++) {
            part.move(elements[i], bits[i]);
            visitor.accept(part);
        }
    }

    /**
     * The ids of a page.
     *
     * @param offset
     *            the datasets before the page
     */
    public long[] page(Order order, long offset, int size) {
        long count = count();
        long from = Math.min(offset, count);
        long to = Math.min(from + size, count);
        if (!order.descending()) {
            return new Pager(elements, bits, order).page(from, to);
        }
        long[] ids = new Pager(elements, bits, order).page(count - to, count - from);
        for (int i = 0; i < ids.length / 2; i++) {
            long id = ids[i];
            ids[i] = ids[ids.length - 1 - i];
            ids[ids.length - 1 - i] = id;
        }
        return ids;
    }

    /**
     * The datasets behind the one with this key and id.
     *
     * @param order
     *            by id, or by a column of integers and id
     */
    public Selection after(Order order, long key, long id) {
        Selector after = order.after(key, id);
        return and(after::select);
    }

    private Selection and(Function<Elements, long[]> others) {
        long[][] both = new long[bits.length][];
        for (int i = 0; i < both.length; i++) {
            both[i] = bits[i].clone();
            Selector.and(both[i], others.apply(elements[i]));
        }
        return new Selection(elements, both);
    }

    /** The ids of all datasets, in no certain order. */
    public long[] ids() {
        LongStream.Builder ids = LongStream.builder();
        forEach(dataset -> ids.add(dataset.id()));
        return ids.build().toArray();
    }
}
