package io.datasetlisting.catalogue.index;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.time.temporal.TemporalUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;

import io.datasetlisting.catalogue.column.LongCounts;

/** The length of the buckets of times, in the calendar of UTC. */
public enum Interval {

    DAY(ChronoUnit.DAYS), WEEK(ChronoUnit.WEEKS), MONTH(ChronoUnit.MONTHS), QUARTER(IsoFields.QUARTER_YEARS), YEAR(
            ChronoUnit.YEARS);

    private final TemporalUnit unit;

    Interval(TemporalUnit unit) {
        this.unit = unit;
    }

    /**
     * Datasets in intervals.
     *
     * @param interval
     *            their length
     * @param isSparse
     *            whether the intervals without datasets are left out, because there are too many
     * @param counts
     *            by the first days of the intervals
     */
    public record Counts(Interval interval, boolean isSparse, TreeMap<LocalDate, Long> counts) {
    }

    /** Its name in requests and responses. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The first day of the interval that has this day. A week begins on Monday. */
    private LocalDate start(LocalDate day) {
        return switch (this) {
            case DAY -> day;
            case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> day.withDayOfMonth(1);
            case QUARTER -> day.with(IsoFields.DAY_OF_QUARTER, 1);
            case YEAR -> day.withDayOfYear(1);
        };
    }

    /** The start of the next interval. */
    public LocalDate next(LocalDate start) {
        return start.plus(1, unit);
    }

    /**
     * The intervals from the first to the last one that has datasets. If there are too many, the ones without datasets are left
     * out, and if that does not suffice, the intervals are longer: datasets of other owners, which may be far apart, do not
     * decide whether a request has an answer.
     *
     * @param days
     *            the datasets of each day since 1970
     * @param allowed
     *            of the longest one there may be more intervals than the limit
     */
    public Counts counts(LongCounts days, Set<Interval> allowed, int limit) {
        TreeMap<LocalDate, Long> counts = counts(days);
        Interval longer = Arrays.stream(values()).filter(each -> each.compareTo(this) > 0 && allowed.contains(each))
                .findFirst()
                .orElse(null);
        if (counts.size() > limit && longer != null) {
            return longer.counts(days, allowed, limit);
        }
        boolean isSparse = !counts.isEmpty() && unit.between(counts.firstKey(), counts.lastKey()) >= limit;
        if (!isSparse && !counts.isEmpty()) {
            LocalDate last = counts.lastKey();
            for (LocalDate start = counts.firstKey(); start.isBefore(last); start = next(start)) {
                counts.putIfAbsent(start, 0L);
            }
        }
        return new Counts(this, isSparse, counts);
    }

    /** The datasets of each interval that has some. */
    public TreeMap<LocalDate, Long> counts(LongCounts days) {
        TreeMap<LocalDate, Long> counts = new TreeMap<>();
        days.forEach((day, count) -> counts.merge(start(LocalDate.ofEpochDay(day)), (long) count, Long::sum));
        return counts;
    }
}
