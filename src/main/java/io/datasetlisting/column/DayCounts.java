package io.datasetlisting.column;

import java.time.LocalDate;

/** How many datasets were captured on each day, in UTC. */
public final class DayCounts {

    static final long MICROS_PER_DAY = 86_400_000_000L;

    private static final int DAYS_OF_BLOCK = 1024;

    /** Days since 1970. */
    private final int first;
    /** Null for a block of days without datasets: a single dataset of the year 1 must not take the memory of all days since. */
    private final int[][] blocks;

    /**
     * @param first
     *            days from 1970 to the first day
     * @param days
     *            from the first day to the last one
     */
    DayCounts(int first, int days) {
        this.first = first;
        this.blocks = new int[(days + DAYS_OF_BLOCK - 1) / DAYS_OF_BLOCK][];
    }

    /** Counts a dataset of a moment, in microseconds since 1970. */
    void add(long moment) {
        int day = (int) (Math.floorDiv(moment, MICROS_PER_DAY) - first);
        int[] block = blocks[day / DAYS_OF_BLOCK];
        if (block == null) {
            block = new int[DAYS_OF_BLOCK];
            blocks[day / DAYS_OF_BLOCK] = block;
        }
        block[day % DAYS_OF_BLOCK]++;
    }

    /** The first day with a dataset; null without datasets. */
    public LocalDate firstDay() {
        for (int day = 0; day < end(); day = next(day)) {
            if (on(day) > 0) {
                return LocalDate.ofEpochDay(first + day);
            }
        }
        return null;
    }

    /** The last day with a dataset; null without datasets. */
    public LocalDate lastDay() {
        for (int day = end() - 1; day >= 0; day--) {
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
