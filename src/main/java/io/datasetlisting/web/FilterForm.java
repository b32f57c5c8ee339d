package io.datasetlisting.web;

import java.util.List;
import java.util.stream.Stream;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.QueryString;

/** The filters of a view as the fields of a form. */
record FilterForm(String search, String user, String workspace, String capturedAfter, String capturedBefore,
        String shareable, String band, String updatedSince, String box, List<Option> categories, List<Option> rasters,
        List<Option> stats, String ordering, String pageSize) {

    record Option(String value, boolean chosen) {
    }

    static FilterForm of(QueryString query) {
        return new FilterForm(text(query, "search"), text(query, "user"), text(query, "workspace"),
                text(query, "captured_after"), text(query, "captured_before"), text(query, "is_shareable"),
                text(query, "band"), text(query, "updated_since"), text(query, "in_bbox"),
                options(query, "category", DatasetFields.CATEGORIES),
                options(query, "available_rasters", DatasetFields.RASTERS),
                options(query, "has_stats", DatasetFields.RASTERS), text(query, "ordering"),
                text(query, "page_size"));
    }

    /** Whether the view has a filter besides the search words, so that the fields are shown. */
    public boolean isOpen() {
        return !(user + workspace + capturedAfter + capturedBefore + shareable + band + updatedSince + box).isEmpty()
                || Stream.of(categories, rasters, stats).flatMap(List::stream)
                        .anyMatch(Option::chosen);
    }

    private static String text(QueryString query, String name) {
        return String.join(",", query.getAll(name));
    }

    private static List<Option> options(QueryString query, String name, List<String> choices) {
        List<String> chosen = query.getAll(name).stream().flatMap(value -> List.of(value.split(",")).stream())
                .map(String::strip).toList();
        return choices.stream().map(choice -> new Option(choice, chosen.contains(choice))).toList();
    }
}
