package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.util.List;
import java.util.TreeMap;

/**
 * Counts days in the intervals of the calendar, in Java.
 *
 * @param counts
 *            by the first days of the intervals
 * @param isSparse
 *            whether empty intervals between others are left out
 */
public record CalendarModel(String interval, TreeMap<LocalDate, Long> counts, boolean isSparse) {

    /**
     * Counts days.
     *
     * @param intervals
     *            ascending: a longer one counts if there are too many of the one before
     * @param most
     *            intervals that may be counted, except of the longest ones
     */
    public static CalendarModel of(List<LocalDate> days, List<String> intervals, int most) {
        String interval = intervals.get(0);
        TreeMap<LocalDate, Long> counts = new TreeMap<>();
        days.forEach(day -> counts.merge(start(interval, day), 1L, Long::sum));
        for (LocalDate day = days.isEmpty() ? null : counts.firstKey(); day != null && day.isBefore(counts.lastKey())
                && counts.size() <= most; day = next(interval, day)) {
            counts.putIfAbsent(day, 0L);
        }
        boolean isSparse = counts.size() > most;
        counts.values().removeIf(count -> isSparse && count == 0);
        return counts.size() > most && intervals.size() > 1
                ? of(days, intervals.subList(1, intervals.size()), most)
                : new CalendarModel(interval, counts, isSparse);
    }

    /** The first day of the interval of a day. */
    private static LocalDate start(String interval, LocalDate day) {
        return switch (interval) {
            case "day" -> day;
            case "week" -> day.minusDays(day.getDayOfWeek().getValue() - 1);
            case "month" -> day.withDayOfMonth(1);
            case "quarter" -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3);
            default -> day.withDayOfYear(1);
        };
    }

    /** The first day of the next interval. */
    static LocalDate next(String interval, LocalDate start) {
        return switch (interval) {
            case "day" -> start.plusDays(1);
            case "week" -> start.plusDays(7);
            case "month" -> start.plusMonths(1);
            case "quarter" -> start.plusMonths(3);
            default -> start.plusYears(1);
        };
    }
}
