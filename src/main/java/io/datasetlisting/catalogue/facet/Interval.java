package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The length of the buckets of a histogram, in UTC. */
enum Interval {

    YEAR(ChronoUnit.YEARS), MONTH(ChronoUnit.MONTHS), DAY(ChronoUnit.DAYS);

    static final List<String> TITLES = Stream.of(values()).map(Interval::title).toList();

    private final ChronoUnit unit;

    Interval(ChronoUnit unit) {
        this.unit = unit;
    }

    /** Its name in requests and responses. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Interval of(String title) {
        return valueOf(title.toUpperCase(Locale.ROOT));
    }

    /** The next longer interval; a year has none. */
    Interval longer() {
        return values()[ordinal() - 1];
    }

    /** The first day of the interval that a day is in. */
    LocalDate startOf(LocalDate day) {
        return switch (this) {
            case YEAR -> day.withDayOfYear(1);
            case MONTH -> day.withDayOfMonth(1);
            case DAY -> day;
        };
    }

    LocalDate next(LocalDate start) {
        return start.plus(1, unit);
    }

    /** The intervals from the one of the first day to the one of the last day. */
    long count(LocalDate first, LocalDate last) {
        return unit.between(startOf(first), startOf(last)) + 1;
    }
}
