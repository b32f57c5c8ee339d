package io.datasetlisting.web;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.datasetlisting.base.IsoInstant;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.query.LastDay;

/**
 * The filters of a view as the fields of a form.
 *
 * @param pageSize
 *            as a number; empty for the default
 */
record FilterForm(String search, String user, String workspace, List<Moment> moments, String shareable, String band,
        String box, List<Choices> choices, List<Orders.Item> orders, String pageSize) {

    /** A filter with some of the values of a list. */
    record Choices(String label, String name, List<Option> options) {

        static Choices of(String label, String name, List<String> values, QueryString query) {
            List<String> chosen = query.getAll(name).stream().flatMap(value -> Stream.of(value.split(",")))
                    .map(String::strip).toList();
            return new Choices(label, name,
                    values.stream().map(value -> new Option(value, chosen.contains(value))).toList());
        }
    }

    record Option(String value, boolean chosen) {
    }

    /**
     * A filter with a day or a time in UTC.
     *
     * @param type
     *            of the field; empty if the visitor's value is neither, so that only a field for text can show it
     */
    record Moment(String label, String name, String value, String type) {

        private static final String DAY = "date";

        static Moment time(String label, String name, QueryString query) {
            String text = last(query, name);
            Instant time = IsoInstant.parse(text.strip());
            return new Moment(label, name, time == null
                    ? text
                    // HTML has three digits for a fraction.
                    : LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC).toString(),
                    time == null && !text.isEmpty() ? "" : "datetime-local");
        }

        /** The first day, or the first moment of a view that begins at another time than midnight. */
        static Moment first(QueryString query) {
            String label = "Captured from";
            String name = "captured_after";
            Instant time = IsoInstant.parse(last(query, name).strip());
            LocalDate day = time == null ? null : LastDay.startingAt(time);
            return day != null || last(query, name).isEmpty()
                    ? new Moment(label, name, Objects.toString(day, ""), DAY)
                    : time(label, name, query);
        }

        /** The last day, or the moment at which the view ends at another time than midnight. */
        static Moment end(QueryString query) {
            String label = "Captured until";
            String text = last(query, LastDay.PARAMETER);
            if (!text.isEmpty()) {
                return new Moment(label, LastDay.PARAMETER, text, LastDay.parse(text) == null ? "" : DAY);
            }
            Instant end = IsoInstant.parse(last(query, LastDay.MOMENT).strip());
            LocalDate day = end == null ? null : LastDay.endingAt(end);
            return day != null || last(query, LastDay.MOMENT).isEmpty()
                    ? new Moment(label, LastDay.PARAMETER, Objects.toString(day, ""), DAY)
                    : time("Captured before", LastDay.MOMENT, query);
        }

    }

    /**
     * @param request
     *            its query has no blank values
     */
    static FilterForm of(ListRequest request, List<Orders.Item> orders) {
        QueryString query = request.query();
        return new FilterForm(last(query, "search"), all(query, "user"), all(query, "workspace"),
                List.of(Moment.first(query), Moment.end(query),
                        Moment.time("Changed since", "updated_since", query)),
                shareable(query), all(query, "band"), last(query, "in_bbox"),
                List.of(Choices.of("Category", "category", DatasetFields.CATEGORIES, query),
                        Choices.of("Rasters", "available_rasters", DatasetFields.RASTERS, query),
                        Choices.of("With statistics of", "has_stats", DatasetFields.RASTERS, query)),
                orders, last(query, "page_size").isEmpty() ? "" : Integer.toString(request.pageSize()));
    }

    /** Whether the view has a filter besides the search words and the area of the map, so that the fields are shown. */
    public boolean isOpen() {
        return !(user + workspace + shareable + band).isEmpty()
                || moments.stream().anyMatch(moment -> !moment.value.isEmpty())
                || choices.stream().flatMap(choice -> choice.options.stream()).anyMatch(Option::chosen);
    }

    /** Django accepts several spellings. */
    private static String shareable(QueryString query) {
        Boolean value = last(query, "is_shareable").isEmpty() ? null : DrfFields.of(query).bool("is_shareable");
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
