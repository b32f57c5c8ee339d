package io.datasetlisting.catalogue.facet;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.datasetlisting.catalogue.column.DayCounts;
import io.datasetlisting.catalogue.column.Snapshot;
import io.datasetlisting.dataset.cql2.Expression;

/**
 * How many datasets were captured when, in steps that suit a drawing. Unlike a histogram, it has no range that is too long.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param bars
 *            without gaps; empty without datasets
 */
public record Timeline(long listing, Step step, List<Bar> bars) {

    private static final int MAX_BARS = 120;
    private static final int MIN_BARS = 12;

    /**
     * The datasets of a step.
     *
     * @param until
     *            the day behind the last one
     */
    public record Bar(LocalDate from, LocalDate until, long count) {
    }

    /** The length of a bar, in UTC. */
    public enum Step {

        DAY(1, ChronoUnit.DAYS), WEEK(1, ChronoUnit.WEEKS), MONTH(1, ChronoUnit.MONTHS), QUARTER(3,
                ChronoUnit.MONTHS), YEAR(1, ChronoUnit.YEARS), DECADE(10, ChronoUnit.YEARS), CENTURY(100,
                        ChronoUnit.YEARS);

        private final int amount;
        private final ChronoUnit unit;

        Step(int amount, ChronoUnit unit) {
            this.amount = amount;
            this.unit = unit;
        }

        private LocalDate startOf(LocalDate day) {
            return switch (this) {
                case DAY -> day;
                case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                case MONTH, QUARTER -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % amount);
                case YEAR, DECADE, CENTURY -> LocalDate.of(day.getYear() - day.getYear() % amount, 1, 1);
            };
        }

        private LocalDate plus(LocalDate start, int steps) {
            return start.plus((long) amount * steps, unit);
        }

        private int count(LocalDate first, LocalDate last) {
            return Math.toIntExact(unit.between(startOf(first), startOf(last)) / amount + 1);
        }
    }

    static Timeline of(Expression filter, Snapshot snapshot) {
        DayCounts days = snapshot.select(filter).days();
        LocalDate first = days.firstDay();
        LocalDate last = days.lastDay();
        if (last == null) {
            return new Timeline(snapshot.listing(), Step.DAY, List.of());
        }
        // The longest step always suits.
        Step step = Arrays.stream(Step.values()).filter(each -> each.count(first, last) <= MAX_BARS).findFirst()
                .orElseThrow();
        int count = step.count(first, last);
        // A few bars stand in the middle, and are not as broad as long.
        LocalDate start = step.plus(step.startOf(first), -Math.max(0, MIN_BARS - count) / 2);
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < Math.max(MIN_BARS, count); i++) {
            LocalDate from = step.plus(start, i);
            LocalDate until = step.plus(start, i + 1);
            bars.add(new Bar(from, until, days.count(from, until)));
        }
        return new Timeline(snapshot.listing(), step, bars);
    }
}
