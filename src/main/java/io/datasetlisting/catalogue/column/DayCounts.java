package io.datasetlisting.catalogue.column;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Objects;

/** How many datasets were captured on each day, in UTC. */
public final class DayCounts implements Sum<DayCounts> {

    private static final long MICROS_PER_DAY = 86_400_000_000L;
    private static final int DAYS_OF_BLOCK = 1024;

    /** Days from 1970 to the first block. */
    private int first;
    /** Null for a block of days without datasets: a single dataset of the year 1 must not take the memory of all days since. */
    private int[][] blocks = {};

    @Override
    public DayCounts copy() {
        DayCounts copy = new DayCounts();
        copy.first = first;
        copy.blocks = blocks.clone();
        for (int i = 0; i < blocks.length; i++) {
            copy.blocks[i] = blocks[i] == null ? null : blocks[i].clone();
        }
        return copy;
    }

    @Override
    public long bytes() {
        long full = Arrays.stream(blocks).filter(Objects::nonNull).count();
        return full * DAYS_OF_BLOCK * Integer.BYTES + (long) blocks.length * Integer.BYTES;
    }

    @Override
    public boolean add(Selection datasets, int sign) {
        datasets.forEachBits((elements, bits) -> {
            Integers times = elements.integers(Column.TIMES);
            if (bits.length > 0 && times.size() > 0) {
                reach(block(times.min()), block(times.max()));
                for (int word = 0; word < bits.length; word++) {
                    for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                        add(times.get((word << 6) + Long.numberOfTrailingZeros(rest)), sign);
                    }
                }
            }
        });
        return true;
    }

    private static int block(long moment) {
        return (int) Math.floorDiv(moment, MICROS_PER_DAY * DAYS_OF_BLOCK);
    }

    /** Makes room for more blocks of days since 1970. */
    private void reach(int from, int to) {
        int start = first / DAYS_OF_BLOCK;
        if (blocks.length == 0) {
            first = from * DAYS_OF_BLOCK;
            blocks = new int[to - from + 1][];
        } else if (from < start || to >= start + blocks.length) {
            int[][] more = new int[Math.max(start + blocks.length, to + 1) - Math.min(start, from)][];
            System.arraycopy(blocks, 0, more, Math.max(0, start - from), blocks.length);
            first = Math.min(start, from) * DAYS_OF_BLOCK;
            blocks = more;
        }
    }

    private void add(long moment, int sign) {
        int day = (int) (Math.floorDiv(moment, MICROS_PER_DAY) - first);
        int[] block = blocks[day / DAYS_OF_BLOCK];
        if (block == null) {
            block = new int[DAYS_OF_BLOCK];
            blocks[day / DAYS_OF_BLOCK] = block;
        }
        block[day % DAYS_OF_BLOCK] += sign;
    }

    /** The first day with a dataset; null without datasets. */
    public LocalDate firstDay() {
        return blocks.length == 0 ? null : firstDay(LocalDate.ofEpochDay(first));
    }

    /** The first day with a dataset that is not before another day; null if there is none. */
    public LocalDate firstDay(LocalDate from) {
        for (int day = place(from); day < end(); day = next(day)) {
            if (on(day) > 0) {
                return LocalDate.ofEpochDay(first + day);
            }
        }
        return null;
    }

    /** The last day with a dataset; null without datasets. */
    public LocalDate lastDay() {
        for (int day = end() - 1; day >= 0; day = blocks[day / DAYS_OF_BLOCK] == null
                ? day / DAYS_OF_BLOCK * DAYS_OF_BLOCK - 1
                : day - 1) {
            if (on(day) > 0) {
                return LocalDate.ofEpochDay(first + day);
            }
        }
        return null;
    }

    /**
     * The datasets of several days.
     *
     * @param until
     *            the day behind the last one
     */
    public long count(LocalDate from, LocalDate until) {
        long count = 0;
        int end = place(until);
        for (int day = place(from); day < end; day = next(day)) {
            count += on(day);
        }
        return count;
    }

    private int on(int day) {
        int[] block = blocks[day / DAYS_OF_BLOCK];
        return block == null ? 0 : block[day % DAYS_OF_BLOCK];
    }

    /** The next day that may have datasets. */
    private int next(int day) {
        return blocks[day / DAYS_OF_BLOCK] == null ? (day / DAYS_OF_BLOCK + 1) * DAYS_OF_BLOCK : day + 1;
    }

    private int end() {
        return blocks.length * DAYS_OF_BLOCK;
    }

    private int place(LocalDate day) {
        return (int) Math.max(0, Math.min(end(), day.toEpochDay() - first));
    }
}
