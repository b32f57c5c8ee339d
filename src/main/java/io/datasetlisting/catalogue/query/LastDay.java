package io.datasetlisting.catalogue.query;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;

/**
 * The last day of capture, in UTC, that a form includes. It is a parameter of the page, its map, its suggestions and the tiles
 * alone: the API has only the moment before which a dataset was captured, and for readers "until 31 December" includes this
 * day.
 */
public final class LastDay {

    public static final String PARAMETER = "captured_until";
    public static final String MOMENT = "captured_before";

    private static final String WRONG = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.";
    private static final LocalDate FIRST = LocalDate.of(1, 1, 1);
    private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

    private LastDay() {
    }

    /**
     * The query of the API for the query of a page.
     *
     * @throws io.datasetlisting.base.ApiException
     *             400 if the last day is not a date
     */
    public static QueryString toMoment(QueryString query) {
        String text = query.get(PARAMETER);
        if (text == null) {
            return query;
        }
        LocalDate day = parse(text);
        if (day == null) {
            throw DrfFields.invalid(PARAMETER, WRONG);
        }
        QueryString rest = query.without(PARAMETER, MOMENT);
        // No dataset is captured after the last day of all, and its end has a year of five digits.
        return day.equals(LAST) ? rest : rest.with(MOMENT, day.plusDays(1).toString());
    }

    /** The date, or null. */
    public static LocalDate parse(String text) {
        try {
            LocalDate day = LocalDate.parse(text.strip());
            return day.isBefore(FIRST) || day.isAfter(LAST) ? null : day;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** The day that ends at a moment; null if no day does. */
    public static LocalDate endingAt(Instant moment) {
        LocalDate day = startingAt(moment);
        return day == null || day.equals(FIRST) ? null : day.minusDays(1);
    }

    /** The day that begins at a moment; null if no day does. */
    public static LocalDate startingAt(Instant moment) {
        return moment.equals(moment.truncatedTo(ChronoUnit.DAYS))
                ? LocalDate.ofInstant(moment, ZoneOffset.UTC)
                : null;
    }
}
