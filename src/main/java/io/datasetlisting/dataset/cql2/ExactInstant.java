package io.datasetlisting.dataset.cql2;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A point in time of any precision, split at the microseconds of PostgreSQL. It can lie outside the years 1 to 9999, which are
 * the only years in the database.
 *
 * @param floor
 *            the time, rounded down to microseconds
 * @param isExact
 *            whether the time is {@code floor}; otherwise it is less than a microsecond later
 */
public record ExactInstant(Instant floor, boolean isExact) {

    private static final Pattern DATE = Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})");

    private static final Pattern DATE_TIME = Pattern.compile(DATE.pattern()
            + "[Tt]([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)(?:\\.(\\d+))?(?:[Zz]|([+-])([01]\\d|2[0-3]):([0-5]\\d))");

    private static final int MICROSECOND_DIGITS = 6;

    /**
     * Parses a {@code date-time} of <a href="https://www.rfc-editor.org/rfc/rfc3339#section-5.6">RFC 3339</a>. The second 60 is
     * the first second of the next minute, in every minute: Java and PostgreSQL have no leap seconds. Null if malformed.
     */
    public static ExactInstant parse(String text) {
        Matcher matcher = DATE_TIME.matcher(text);
        LocalDate date = matcher.matches() ? date(matcher) : null;
        if (date == null) {
            return null;
        }
        LocalDateTime time = date.atTime(part(matcher, 4), part(matcher, 5)).plusSeconds(part(matcher, 6));
        Instant second = time.toInstant(ZoneOffset.UTC).minusSeconds(offset(matcher));
        String fraction = matcher.group(7) == null ? "" : matcher.group(7);
        String padded = (fraction + "000000").substring(0, MICROSECOND_DIGITS);
        boolean isExact = fraction.chars().skip(MICROSECOND_DIGITS).allMatch(digit -> digit == '0');
        return new ExactInstant(second.plusNanos(Integer.parseInt(padded) * 1_000L), isExact);
    }

    /** Parses a {@code full-date} of RFC 3339, which stands for its midnight in UTC. Null if malformed. */
    public static ExactInstant parseDate(String text) {
        Matcher matcher = DATE.matcher(text);
        LocalDate date = matcher.matches() ? date(matcher) : null;
        return date == null ? null : new ExactInstant(date.atStartOfDay().toInstant(ZoneOffset.UTC), true);
    }

    private static LocalDate date(Matcher matcher) {
        try {
            return LocalDate.of(part(matcher, 1), part(matcher, 2), part(matcher, 3));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Seconds before UTC. A {@code ZoneOffset} has at most 18 hours. */
    private static int offset(Matcher matcher) {
        if (matcher.group(8) == null) {
            return 0;
        }
        int seconds = (part(matcher, 9) * 60 + part(matcher, 10)) * 60;
        return matcher.group(8).equals("-") ? -seconds : seconds;
    }

    private static int part(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }
}
