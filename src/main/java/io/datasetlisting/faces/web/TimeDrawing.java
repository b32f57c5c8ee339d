package io.datasetlisting.faces.web;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.datasetlisting.base.IsoInstant;
import io.datasetlisting.catalogue.facet.Timeline;
import io.datasetlisting.catalogue.facet.Timeline.Step;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;

/**
 * The bars and labels of one timeline, and the time that is chosen.
 *
 * @param others
 *            the parameters of the view besides its time
 */
record TimeDrawing(Timeline timeline, QueryString others, Range chosen, Language language) {

    private static final int MAX_LABELS = 10;
    /** Shares of the width that a year and a month need, also on a phone. */
    private static final double WIDTH_OF_YEAR = 0.09;
    private static final double WIDTH_OF_MONTH = 0.3;
    /** Share of the place of a bar that the bar fills. */
    private static final double FILLED = 0.8;
    private static final LocalDate EARLIEST = LocalDate.of(1, 1, 1);
    private static final LocalDate LATEST = LocalDate.of(9999, 12, 31);

    private static final String DAY = "d MMMM uuuu";
    private static final String MONTH = "MMMM uuuu";
    private static final String YEAR = "uuuu";

    /**
     * The time of a view in whole days.
     *
     * @param from
     *            null for all days until the last one
     * @param last
     *            null for all days from the first one
     */
    record Range(LocalDate from, LocalDate last) {

        /** @param query with the parameters of the API */
        static Range of(QueryString query) {
            Instant end = time(query, LastDay.MOMENT);
            return new Range(day(time(query, TimeBar.FIRST_DAY)), day(end == null ? null : end.minusNanos(1)));
        }

        private static Instant time(QueryString query, String name) {
            String text = query.get(name);
            return text == null ? null : IsoInstant.parse(text.strip());
        }

        private static LocalDate day(Instant time) {
            return time == null ? null : LocalDate.ofInstant(time, ZoneOffset.UTC);
        }

        boolean isAll() {
            return from == null && last == null;
        }

        boolean contains(Timeline.Bar bar) {
            return !isAll() && (from == null || bar.until().isAfter(from))
                    && (last == null || !bar.from().isAfter(last));
        }
    }

    TimeView view() {
        List<Timeline.Bar> bars = timeline.bars();
        long highest = bars.stream().mapToLong(Timeline.Bar::count).max().orElseThrow();
        String starts = Stream.concat(bars.stream().map(Timeline.Bar::from), Stream.of(end()))
                .map(day -> clamp(day).toString()).collect(Collectors.joining(" "));
        return new TimeView(starts, percent(FILLED / bars.size()),
                IntStream.range(0, bars.size()).filter(i -> bars.get(i).count() > 0)
                        .mapToObj(i -> bar(bars.get(i), (i + (1 - FILLED) / 2) / bars.size(), highest)).toList(),
                labels(), range());
    }

    private TimeView.Bar bar(Timeline.Bar bar, double place, long highest) {
        LocalDate last = bar.until().minusDays(1);
        boolean isNamed = List.of(Step.DAY, Step.MONTH, Step.YEAR).contains(timeline.step());
        String format = switch (timeline.step()) {
            case MONTH -> MONTH;
            case YEAR -> YEAR;
            default -> DAY;
        };
        // The smallest bar is visible, too.
        long height = Math.max(2, Math.round((TimeView.HEIGHT - 1) * (double) bar.count() / highest));
        return new TimeView.Bar(text(format, clamp(bar.from())), isNamed ? null : text(format, clamp(last)),
                ListTexts.number(bar.count(), language), bar.count() == 1, href(bar.from(), last),
                percent(place), (int) height, chosen.contains(bar));
    }

    private TimeView.Chosen range() {
        if (chosen.isAll()) {
            return null;
        }
        double from = chosen.from == null ? 0 : place(chosen.from);
        double until = chosen.last == null || chosen.last.equals(LATEST) ? 1 : place(chosen.last.plusDays(1));
        return new TimeView.Chosen(percent(from), percent(Math.max(0, until - from)));
    }

    /** The months below days, and otherwise the years, or some of the years. */
    private List<TimeView.Label> labels() {
        boolean isOfMonths = timeline.step() == Step.DAY;
        LocalDate first = timeline.bars().get(0).from();
        int step = 1;
        for (int years = end().minusDays(1).getYear() - first.getYear() + 1; !isOfMonths
                && years / step > MAX_LABELS;) {
            step *= 2;
        }
        List<TimeView.Label> labels = new ArrayList<>();
        double next = 1;
        for (LocalDate day = end().minusDays(1); day.isAfter(first.minusDays(1)); day = day.minusDays(1)) {
            day = isOfMonths ? day.withDayOfMonth(1) : LocalDate.of(day.getYear() - day.getYear() % step, 1, 1);
            double place = place(day);
            if (next - place >= (isOfMonths ? WIDTH_OF_MONTH : WIDTH_OF_YEAR)) {
                labels.add(0, label(day, isOfMonths, place));
                next = place;
            }
        }
        return labels;
    }

    private TimeView.Label label(LocalDate day, boolean isMonth, double place) {
        LocalDate last = isMonth ? day.plusMonths(1) : day.plusYears(1);
        return new TimeView.Label(text(isMonth ? MONTH : YEAR, day), href(day, last.minusDays(1)),
                percent(place));
    }

    private String href(LocalDate from, LocalDate last) {
        return "?" + others.with(TimeBar.FIRST_DAY, clamp(from).toString())
                .with(LastDay.PARAMETER, clamp(last).toString());
    }

    private String text(String format, LocalDate day) {
        return DateTimeFormatter.ofPattern(format, language.locale()).format(day);
    }

    private LocalDate end() {
        return timeline.bars().get(timeline.bars().size() - 1).until();
    }

    /** The share of the width that is before a day. */
    private double place(LocalDate day) {
        List<Timeline.Bar> bars = timeline.bars();
        for (int i = 0; i < bars.size(); i++) {
            Timeline.Bar bar = bars.get(i);
            if (day.isBefore(bar.until())) {
                double days = ChronoUnit.DAYS.between(bar.from(), bar.until());
                return (i + Math.max(0, ChronoUnit.DAYS.between(bar.from(), day) / days)) / bars.size();
            }
        }
        return 1;
    }

    /** The nearest day that a filter takes. */
    private static LocalDate clamp(LocalDate day) {
        return day.isBefore(EARLIEST) ? EARLIEST : day.isAfter(LATEST) ? LATEST : day;
    }

    private static String percent(double share) {
        return Math.round(share * 100_000) / 1000.0 + "%";
    }
}
