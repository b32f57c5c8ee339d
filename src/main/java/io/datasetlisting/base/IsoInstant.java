package io.datasetlisting.base;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses ISO 8601 dates and times in the forms that Django accepts, more than {@link Instant#parse} does. */
public final class IsoInstant {

    private static final Pattern FORMAT = Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})"
            + "(?:[T ](\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:[.,](\\d{1,9}))?)?(Z|z|[+-]\\d{2}(?::?\\d{2})?)?)?");

    private static final Instant MIN = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private IsoInstant() {
    }

    /** Parses a date, optionally with a time and an offset. Without an offset it is UTC. Null if malformed. */
    public static Instant parse(String text) {
        Matcher matcher = FORMAT.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        try {
            LocalDate date = LocalDate.of(part(matcher, 1), part(matcher, 2), part(matcher, 3));
            LocalTime time = LocalTime.of(part(matcher, 4), part(matcher, 5), part(matcher, 6),
                    nanoseconds(matcher.group(7)));
            String offset = matcher.group(8);
            ZoneOffset zone = offset == null ? ZoneOffset.UTC : ZoneOffset.of(offset.toUpperCase(Locale.ROOT));
            Instant instant = date.atTime(time).toInstant(zone);
            return instant.isBefore(MIN) || !instant.isBefore(END) ? null : instant;
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static int nanoseconds(String fraction) {
        return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
    }

    private static int part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }
}
