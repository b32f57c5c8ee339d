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
record FilterForm(String search, String user, String workspace, Moment capturedAfter, Moment capturedBefore,
        String shareable, String band, Moment updatedSince, String box, List<Option> categories, List<Option> rasters,
        List<Option> stats, List<Orders.Item> orders, String pageSize) {

    record Option(String value, boolean chosen) {
    }

    /**
     * A time in UTC.
     *
     * @param isText
     *            whether the visitor's value is no time, so that only a field for text can show it
     */
    record Moment(String value, boolean isText) {

        static Moment of(String text) {
            Instant time = IsoInstant.parse(text.strip());
            return time == null
                    ? new Moment(text, !text.isEmpty())
                    // HTML has three digits for a fraction.
                    : new Moment(LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC)
                            .toString(), false);
        }
    }

    /**
     * @param request
     *            its query has no blank values
     */
    static FilterForm of(ListRequest request, List<Orders.Item> orders) {
        QueryString query = request.query();
        return new FilterForm(last(query, "search"), all(query, "user"), all(query, "workspace"),
                Moment.of(last(query, "captured_after")), Moment.of(last(query, "captured_before")),
                shareable(query), all(query, "band"), Moment.of(last(query, "updated_since")),
                last(query, "in_bbox"), options(query, "category", DatasetFields.CATEGORIES),
                options(query, "available_rasters", DatasetFields.RASTERS),
                options(query, "has_stats", DatasetFields.RASTERS), orders,
                last(query, "page_size").isEmpty() ? "" : Integer.toString(request.pageSize()));
    }

    /** Whether the view has a filter besides the search words and the area of the map, so that the fields are shown. */
    public boolean isOpen() {
        return !(user + workspace + capturedAfter.value + capturedBefore.value + shareable + band + updatedSince.value)
                .isEmpty()
                || Stream.of(categories, rasters, stats).flatMap(List::stream).anyMatch(Option::chosen);
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

    private static List<Option> options(QueryString query, String name, List<String> choices) {
        List<String> chosen = query.getAll(name).stream().flatMap(value -> Stream.of(value.split(",")))
                .map(String::strip).toList();
        return choices.stream().map(choice -> new Option(choice, chosen.contains(choice))).toList();
    }
}
