package io.datasetlisting.catalogue.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests columns in memory against lists of values. */
class SelectionTest {

    private final Random random = new Random();

    private record Listed(long id, long time, boolean isShareable, long gsd) {

        long key(Order order) {
            return switch (order.column()) {
                case IDS -> id;
                case TIMES -> time;
                // What is not known is last in both directions.
                case GSDS -> gsd == 0 && order.mark() == 1 ? Long.MAX_VALUE : gsd;
                default -> isShareable ? 1 : 0;
            };
        }
    }

    /** Parts of random sizes, many enough for slices, and behind them changed datasets whose ids lie between the others. */
    private List<List<Listed>> datasets(long step, int times) {
        List<Listed> all = new ArrayList<>();
        List<Listed> changed = new ArrayList<>();
        for (int i = 0; i < 12_000; i++) {
            Listed next = new Listed(i * 3L - 8_000, random.nextInt(times) * step, random.nextBoolean(),
                    random.nextInt(3) == 0 ? Double.doubleToRawLongBits((1 + random.nextInt(times)) / 8.0) : 0);
            (random.nextInt(20) == 0 ? changed : all).add(next);
        }
        List<List<Listed>> parts = new ArrayList<>();
        for (int from = 0; from < all.size();) {
            int to = Math.min(from + 1 + random.nextInt(random.nextInt(3) == 0 ? 3 : 1_024), all.size());
            parts.add(all.subList(from, to));
            from = to;
        }
        parts.add(changed);
        return parts;
    }

    private Selection select(List<List<Listed>> parts, LongPredicate isSelected) {
        Map<Column, Object[]> columns = new EnumMap<>(Column.class);
        columns.put(Column.IDS, parts.stream().map(part -> integers(part, Order.of("id", false))).toArray());
        columns.put(Column.TIMES,
                parts.stream().map(part -> integers(part, Order.of("captured_date", false))).toArray());
        columns.put(Column.GSDS,
                parts.stream().map(part -> Integers.of(part.stream().mapToLong(Listed::gsd).toArray())).toArray());
        columns.put(Column.MARKS, parts.stream().map(part -> Bitmaps.of(part.stream()
                .mapToLong(each -> each.isShareable ? 1L << Order.of("is_shareable", false).mark() : 0).toArray()))
                .toArray());
        Elements[] elements = IntStream.range(0, parts.size())
                .mapToObj(i -> new Elements(columns, i, parts.get(i).size())).toArray(Elements[]::new);
        long[][] bits = parts.stream().map(part -> bits(part.stream().mapToLong(Listed::id).toArray(), isSelected))
                .toArray(long[][]::new);
        return new Selection(elements, bits,
                order -> Arrays.stream(elements).map(order::slices).toArray(Slices[]::new));
    }

    private static Integers integers(List<Listed> part, Order order) {
        return Integers.of(part.stream().mapToLong(each -> each.key(order)).toArray());
    }

    private static long[] bits(long[] values, LongPredicate isSelected) {
        long[] bits = new long[Bitmaps.words(values.length)];
        for (int i = 0; i < values.length; i++) {
            bits[i >> 6] |= (isSelected.test(values[i]) ? 1L : 0) << i;
        }
        return bits;
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "1000000, 50000", "1, 100", "777777777777777, 9000", "1000000, 1"})
    void eachPageOfEachOrderIsThatOfTheSortedList(long step, int times) {
        List<List<Listed>> parts = datasets(step, times);
        int kept = 1 + random.nextInt(6);
        Selection selection = select(parts, id -> Math.floorMod(id, 7) < kept);
        for (String column : List.of("id", "captured_date", "is_shareable", "gsd")) {
            for (boolean descending : new boolean[]{false, true}) {
                Order order = Order.of(column, descending);
                Comparator<Listed> ascending = Comparator.comparingLong((Listed each) -> each.key(order))
                        .thenComparingLong(Listed::id);
                List<Long> sorted = parts.stream().flatMap(List::stream)
                        .filter(each -> Math.floorMod(each.id, 7) < kept)
                        .sorted(descending ? ascending.reversed() : ascending).map(Listed::id).toList();
                assertEquals(sorted.size(), selection.count());
                assertBehindEachEdge(selection, parts, order, sorted);
                for (int page = 0; page < 20; page++) {
                    int from = random.nextInt(sorted.size() + 2);
                    int size = 1 + random.nextInt(200);
                    assertEquals(sorted.subList(Math.min(from, sorted.size()), Math.min(from + size, sorted.size())),
                            Arrays.stream(selection.page(order, from, size)).boxed().toList(),
                            () -> order + " from " + from);
                }
            }
        }
    }

    /** A page that is read backwards ends before a dataset of the order. */
    private void assertBehindEachEdge(Selection selection, List<List<Listed>> parts, Order order, List<Long> sorted) {
        if (order.column() == Column.MARKS) {
            return;
        }
        for (int i = 0; i < 5; i++) {
            int place = random.nextInt(sorted.size());
            Listed edge = parts.stream().flatMap(List::stream).filter(each -> each.id == sorted.get(place)).findFirst()
                    .orElseThrow();
            long key = order.column() == Column.GSDS ? edge.gsd : edge.key(order);
            assertEquals(sorted.subList(place + 1, Math.min(place + 51, sorted.size())),
                    Arrays.stream(selection.pageBehind(order, key, edge.id, 50)).boxed().toList(),
                    () -> order + " behind " + edge);
            List<Long> before = new ArrayList<>(sorted.subList(Math.max(place - 50, 0), place));
            Collections.reverse(before);
            assertEquals(before,
                    Arrays.stream(selection.pageBehind(order.reversed(), key, edge.id, 50)).boxed().toList(),
                    () -> order + " before " + edge);
        }
    }

    /** With extreme values and bounds, and with times in whole seconds. */
    @RepeatedTest(50)
    void integersBetweenTwoBoundsAreMarked() {
        long[] scales = {1, 1_000_000, Long.MAX_VALUE / 100};
        long scale = scales[random.nextInt(scales.length)];
        long start = random.nextBoolean() ? 0 : random.nextLong() / 2;
        long[] values = LongStream.range(0, random.nextInt(200)).map(i -> start + random.nextInt(100) * scale)
                .toArray();
        long[] bounds = {Long.MIN_VALUE, Long.MAX_VALUE, start, start + scale, start + scale + 1,
                start + 50 * scale - 1};
        for (long low : bounds) {
            for (long high : bounds) {
                assertEquals(Arrays.toString(bits(values, value -> value >= low && value <= high)),
                        Arrays.toString(Integers.of(values.clone()).between(low, high)),
                        () -> Arrays.toString(values) + " from " + low + " to " + high);
            }
        }
    }
}
