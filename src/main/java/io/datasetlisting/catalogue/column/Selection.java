package io.datasetlisting.catalogue.column;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The datasets of a snapshot that match a filter. */
public final class Selection {

    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private final Elements[] elements;
    private final long[][] bits;
    private final Function<Order, Slices[]> slices;

    /** @param slices of the keys of an order */
    public Selection(Elements[] elements, long[][] bits, Function<Order, Slices[]> slices) {
        this.elements = elements;
        this.bits = bits;
        this.slices = slices;
    }

    /** The datasets of each part that match. The arrays must not be changed. */
    public long[][] bits() {
        return bits;
    }

    /** How many datasets match. */
    public long count() {
        return count(bits);
    }

    public static long count(long[][] bits) {
        return Arrays.stream(bits).mapToLong(Selection::count).sum();
    }

    /** How many private datasets match. */
    public long privates() {
        return counts(Column.MARKS, Mark.PRIVATE, 1)[0];
    }

    public static int count(long[] bits) {
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

    /** Counts the values of a column of integers. */
    public void count(Column column, LongCounts counts) {
        forEachPart(column, (integers, size) -> {
            for (int i = 0; i < size; i++) {
                counts.add(integers[i]);
            }
        });
    }

    /** Counts the days since 1970 on which datasets were captured, in UTC. Reads {@link Column#TIMES}. */
    public void countDays(LongCounts days) {
        forEachPart(Column.TIMES, (times, size) -> {
            for (int i = 0; i < size; i++) {
                days.add(Math.floorDiv(times[i], MICROS_PER_DAY));
            }
        });
    }

    /** Receives integers of a part. The array has further elements, and the next part overwrites it. */
    @FunctionalInterface
    private interface IntegersVisitor {

        void visit(long[] integers, int size);
    }

    /** Visits the values of a column. Reading arrays of them is faster than visiting each one. */
    private void forEachPart(Column column, IntegersVisitor visitor) {
        long[] values = {};
        for (int part = 0; part < elements.length; part++) {
            Integers all = elements[part].integers(column);
            values = values.length < all.size() ? new long[all.size()] : values;
            int size = 0;
            for (int word = 0; word < bits[part].length; word++) {
                for (long rest = bits[part][word]; rest != 0; rest &= rest - 1) {
                    values[size++] = all.get((word << 6) + Long.numberOfTrailingZeros(rest));
                }
            }
            visitor.visit(values, size);
        }
    }

    /** Extends a range of two moments, in microseconds since 1970, by those of the captures. Reads {@link Column#TIMES}. */
    public void extend(long[] range) {
        forEachPart(Column.TIMES, (times, size) -> {
            for (int i = 0; i < size; i++) {
                range[0] = Math.min(range[0], times[i]);
                range[1] = Math.max(range[1], times[i]);
            }
        });
    }

    /** The datasets that also have a bit of {@link Column#MARKS} or {@link Column#BANDS}. */
    public Selection marked(Column column, int bit) {
        return and(part -> part.bitmaps(column).get(bit));
    }

    /** Receives a part and a place in it. */
    @FunctionalInterface
    public interface PlaceVisitor {

        void visit(int part, int place);
    }

    /** Visits each dataset that a bit marks. */
    public static void forEachPlace(long[][] bits, PlaceVisitor visitor) {
        for (int part = 0; part < bits.length; part++) {
            for (int word = 0; word < bits[part].length; word++) {
                for (long rest = bits[part][word]; rest != 0; rest &= rest - 1) {
                    visitor.visit(part, (word << 6) + Long.numberOfTrailingZeros(rest));
                }
            }
        }
    }

    /** Receives datasets with the edges of their footprints, in degrees. */
    @FunctionalInterface
    public interface FootprintVisitor {

        /**
         * @param place
         *            of the dataset in the part
         */
        void visit(Elements part, int place, double west, double south, double east, double north);
    }

    /** Visits each dataset that matches, in no certain order. */
    public void forEachFootprint(FootprintVisitor visitor) {
        for (int i = 0; i < elements.length; i++) {
            double[] wests = elements[i].numbers(Column.WESTS);
            double[] souths = elements[i].numbers(Column.SOUTHS);
            double[] easts = elements[i].numbers(Column.EASTS);
            double[] norths = elements[i].numbers(Column.NORTHS);
            for (int word = 0; word < bits[i].length; word++) {
                for (long rest = bits[i][word]; rest != 0; rest &= rest - 1) {
                    int place = (word << 6) + Long.numberOfTrailingZeros(rest);
                    visitor.visit(elements[i], place, wests[place], souths[place], easts[place], norths[place]);
                }
            }
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
        Pager pager = new Pager(elements, slices);
        if (!order.descending()) {
            return pager.page(order, bits, from, to);
        }
        long[] ids = pager.page(order, bits, count - to, count - from);
        for (int i = 0; i < ids.length / 2; i++) {
            long id = ids[i];
            ids[i] = ids[ids.length - 1 - i];
            ids[ids.length - 1 - i] = id;
        }
        return ids;
    }

    /**
     * The ids of the datasets behind the one with this key and id.
     *
     * @param order
     *            by id, or by a column of integers and id
     */
    public long[] pageBehind(Order order, long key, long id, int size) {
        if (order.column() != Column.IDS) {
            return and(order.after(key, id)::select).page(order, 0, size);
        }
        return page(order, order.descending() ? count() - countBelow(id) : countBelow(id + 1), size);
    }

    private long countBelow(long id) {
        long count = 0;
        for (int i = 0; i < elements.length; i++) {
            Integers ids = elements[i].integers(Column.IDS);
            if (ids.max() < id) {
                count += count(bits[i]);
            } else if (ids.min() < id) {
                count += countBoth(bits[i], ids.between(Long.MIN_VALUE, id - 1));
            }
        }
        return count;
    }

    private Selection and(Function<Elements, long[]> others) {
        long[][] both = new long[bits.length][];
        for (int i = 0; i < both.length; i++) {
            both[i] = bits[i].clone();
            Selector.and(both[i], others.apply(elements[i]));
        }
        return new Selection(elements, both, slices);
    }

    /** The ids of all datasets, in no certain order; null if there are more than {@code max}. */
    public long[] ids(long max) {
        return count() > max ? null : ids();
    }

    /** The ids of all datasets, in no certain order. */
    public long[] ids() {
        return IntStream.range(0, bits.length).mapToObj(i -> elements[i].integers(Column.IDS).at(bits[i]))
                .flatMapToLong(Arrays::stream).toArray();
    }
}
