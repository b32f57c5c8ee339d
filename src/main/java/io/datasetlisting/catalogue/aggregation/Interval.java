package io.datasetlisting.catalogue.aggregation;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Period;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** The length of the buckets of times, in the calendar of UTC. */
public enum Interval {

    DAY(Period.ofDays(1)), WEEK(Period.ofWeeks(1)), MONTH(Period.ofMonths(1)), QUARTER(Period.ofMonths(3)), YEAR(
            Period.ofYears(1));

    private static final int MONTHS_OF_QUARTER = 3;

    private final Period length;

    Interval(Period length) {
        this.length = length;
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The next longer interval; a year has none. */
    Interval longer() {
        return values()[ordinal() + 1];
    }

    /** The first day of the interval that has this day. A week begins on Monday. */
    LocalDate start(LocalDate day) {
        return switch (this) {
            case DAY -> day;
            case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> day.withDayOfMonth(1);
            case QUARTER -> LocalDate.of(day.getYear(),
                    (day.getMonthValue() - 1) / MONTHS_OF_QUARTER * MONTHS_OF_QUARTER + 1, 1);
            case YEAR -> day.withDayOfYear(1);
        };
    }

    Period length() {
        return length;
    }

    /** The start of the next interval. */
    LocalDate next(LocalDate start) {
        return start.plus(length);
    }
}
