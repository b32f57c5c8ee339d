package io.datasetlisting.column;

import java.time.LocalDate;

/** How many datasets were captured on each day, in UTC. */
public final class DayCounts {

    static final long MICROS_PER_DAY = 86_400_000_000L;

    /** Days since 1970. */
    private final int first;
    private final int[] counts;

    /**
     * @param first
     *            days from 1970 to the first day
     * @param counts
     *            for the first day and the days after it
     */
    DayCounts(int first, int[] counts) {
        this.first = first;
        this.counts = counts;
    }

    /** The first day with a dataset; null without datasets. */
    public LocalDate firstDay() {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                return LocalDate.ofEpochDay(first + i);
            }
        }
        return null;
    }

    /** The last day with a dataset; null without datasets. */
    public LocalDate lastDay() {
        for (int i = counts.length - 1; i >= 0; i--) {
            if (counts[i] > 0) {
                return LocalDate.ofEpochDay(first + i);
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
        for (int i = place(from); i < end; i++) {
            count += counts[i];
        }
        return count;
    }

    private int place(LocalDate day) {
        return (int) Math.max(0, Math.min(counts.length, day.toEpochDay() - first));
    }
}
