package io.datasetlisting.web;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.IsoInstant;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.paging.ListRequest;

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
     * A filter with a time in UTC.
     *
     * @param isText
     *            whether the visitor's value is no time, so that only a field for text can show it
     */
    record Moment(String label, String name, String value, boolean isText) {

        static Moment of(String label, String name, QueryString query) {
            String text = last(query, name);
            Instant time = IsoInstant.parse(text.strip());
            return time == null
                    ? new Moment(label, name, text, !text.isEmpty())
                    // HTML has three digits for a fraction.
                    : new Moment(label, name,
                            LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC).toString(),
                            false);
        }
    }

    /**
     * @param request
     *            its query has no blank values
     */
    static FilterForm of(ListRequest request, List<Orders.Item> orders) {
        QueryString query = request.query();
        return new FilterForm(last(query, "search"), all(query, "user"), all(query, "workspace"),
                List.of(Moment.of("Captured from", "captured_after", query),
                        Moment.of("Captured before", "captured_before", query),
                        Moment.of("Changed since", "updated_since", query)),
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
