package io.datasetlisting.faces.view;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.datasetlisting.base.IsoInstant;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;

/**
 * The filters of a view as the fields of a form. The form does not show the filters that have links alone.
 *
 * @param hidden
 *            what the form repeats without showing it
 * @param days
 *            from which day, and until which
 * @param rare
 *            the fields that few people need
 * @param wrong
 *            the names of the fields whose values cannot be filters
 */
public record FilterForm(String search, List<Parameter> hidden, List<Field> days, List<Field> rare, String shareable,
        Set<String> wrong) {

    /** The largest distance of the rows of the finest raster. */
    static final String FINEST = "gsd_max";
    static final String COARSEST = "gsd_min";

    /** A form sends these fields also if they are empty. */
    public static final List<String> NAMES = List.of("search", "user", "workspace", "captured_after", LastDay.PARAMETER,
            LastDay.MOMENT, "updated_since", "is_shareable", "band", "in_bbox", FINEST, "page_size");

    static final String MINE = "mine";
    static final String PRIVATE = "is_private";

    /** A parameter of the query that a form repeats. */
    public record Parameter(String name, String value) {
    }

    /**
     * A field for a text, a number, or a day or a time in UTC.
     *
     * @param type
     *            of the field; empty for a text, also for the visitor's text that is no day
     */
    record Field(String name, String value, String type) {

        private static final String DAY = "date";

        static Field time(String name, QueryString query) {
            String text = last(query, name);
            Instant time = IsoInstant.parse(text.strip());
            return new Field(name, time == null
                    ? text
                    // HTML has three digits for a fraction.
                    : LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC).toString(),
                    time == null && !text.isEmpty() ? "" : "datetime-local");
        }

        /** The first day, or the first moment of a view that begins at another time than midnight. */
        static Field first(QueryString query) {
            String name = "captured_after";
            Instant time = IsoInstant.parse(last(query, name).strip());
            LocalDate day = time == null ? null : LastDay.startingAt(time);
            return day != null || last(query, name).isEmpty()
                    ? new Field(name, Objects.toString(day, ""), DAY)
                    : time(name, query);
        }

        /** The last day, or the moment at which the view ends at another time than midnight. */
        static Field end(QueryString query) {
            String text = last(query, LastDay.PARAMETER);
            if (!text.isEmpty()) {
                return new Field(LastDay.PARAMETER, text, LastDay.parse(text) == null ? "" : DAY);
            }
            Instant end = IsoInstant.parse(last(query, LastDay.MOMENT).strip());
            LocalDate day = end == null ? null : LastDay.endingAt(end);
            return day != null || last(query, LastDay.MOMENT).isEmpty()
                    ? new Field(LastDay.PARAMETER, Objects.toString(day, ""), DAY)
                    : time(LastDay.MOMENT, query);
        }

        /** Whether it has a day. */
        boolean isDay() {
            return type.equals(DAY) && !value.isEmpty();
        }
    }

    /**
     * @param request
     *            its query has no blank values, and no order that is not chosen
     */
    public static FilterForm of(ListRequest request, Set<String> wrong) {
        QueryString query = request.query();
        List<Parameter> hidden = new ArrayList<>();
        query.forEach((name, value) -> {
            if (Chips.KNOWN.contains(name) && !NAMES.contains(name) && !name.equals(Chips.NUMBER)) {
                hidden.add(new Parameter(name, value));
            }
        });
        return new FilterForm(last(query, "search"), hidden, List.of(Field.first(query), Field.end(query)),
                List.of(new Field("user", all(query, "user"), ""), new Field("band", all(query, "band"), ""),
                        new Field("workspace", all(query, "workspace"), ""),
                        new Field("in_bbox", last(query, "in_bbox"), ""),
                        new Field(FINEST, last(query, FINEST), ""), Field.time("updated_since", query),
                        new Field("page_size", last(query, "page_size").isEmpty()
                                ? ""
                                : Integer.toString(request.pageSize()), "number")),
                bool(query, "is_shareable"), wrong);
    }

    /**
     * The query with a point for the decimal comma of a distance, which readers of several languages write as the page writes
     * it. The API has the point alone.
     */
    public static QueryString withPoints(QueryString query) {
        QueryString mended = query;
        for (String name : List.of(COARSEST, FINEST)) {
            List<String> values = query.getAll(name);
            if (values.stream().anyMatch(FilterForm::hasDecimalComma)) {
                mended = mended.with(name, values.stream()
                        .map(value -> hasDecimalComma(value) ? value.replace(',', '.') : value).toList());
            }
        }
        return mended;
    }

    private static boolean hasDecimalComma(String number) {
        int comma = number.indexOf(',');
        return comma >= 0 && comma == number.lastIndexOf(',') && number.indexOf('.') < 0;
    }

    /** Whether one of the rare fields has a value, so that they are shown. */
    public boolean isOpen() {
        return !shareable.isEmpty() || rare.stream().anyMatch(field -> !field.value.isEmpty());
    }

    /** Whether the value of a field cannot be a filter. */
    public boolean isWrong(String name) {
        return wrong.contains(name);
    }

    /** A parameter as {@code true} or {@code false}, of which Django accepts several spellings; otherwise empty. */
    static String bool(QueryString query, String name) {
        Boolean value = last(query, name).isEmpty() ? null : DrfFields.of(query).bool(name);
        return value == null ? "" : value.toString();
    }

    private static String last(QueryString query, String name) {
        String value = query.get(name);
        return value == null ? "" : value;
    }

    private static String all(QueryString query, String name) {
        return String.join(",", query.getAll(name));
    }
}
