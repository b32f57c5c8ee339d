package io.datasetlisting.web;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.listing.ListingQuery;
import io.datasetlisting.paging.Ordering;
import io.datasetlisting.query.Filter;

/**
 * The search of the STAC API that finds the datasets of a view, in the same order.
 *
 * @param box
 *            west, south, east, north; empty without a box
 * @param filter
 *            CQL2 text; empty without a condition
 * @param leftOut
 *            the parameters of the view that a search cannot express. The search finds more datasets than the view
 */
record StacSearch(List<String> box, String filter, String sortby, int limit, List<String> leftOut) {

    /** Properties of items that are no fields of a dataset. */
    private static final String BANDS = "dataset:bands";
    private static final String UPDATED = "updated";

    /** Later times have a year of five digits, which RFC 3339 does not have. */
    private static final Instant END = Instant.parse("9999-12-31T23:59:59.999999Z");

    static StacSearch of(ListingQuery view, DatasetFields fields) {
        return new Translation(view.filter(), fields).search(view);
    }

    /** The query of the search by GET. */
    String query() {
        QueryString query = QueryString.parse(null).with("limit", Integer.toString(limit)).with("sortby", sortby);
        query = box.isEmpty() ? query : query.with("bbox", String.join(",", box));
        return (filter.isEmpty() ? query : query.with("filter", filter)).toString();
    }

    /** Collects the conditions of a filter, and the parameters without an equal condition. */
    private static final class Translation {

        private final Filter filter;
        private final DatasetFields fields;
        private final List<String> conditions = new ArrayList<>();
        private final List<String> leftOut = new ArrayList<>();

        Translation(Filter filter, DatasetFields fields) {
            this.filter = filter;
            this.fields = fields;
        }

        StacSearch search(ListingQuery view) {
            addIn(fields.get("workspace").property(), filter.workspaces().stream().map(Object::toString).toList());
            // A number is also the id of an owner, which is no property of an item.
            if (!leaveOut("user", filter.users().stream().anyMatch(user -> user.matches("\\d+")))) {
                addTexts(fields.get("user").property(), filter.users());
            }
            addTexts(fields.get("category").property(), filter.categories());
            addTexts(fields.get("available_rasters").property(), filter.rasters());
            addTexts(BANDS, filter.bands());
            if (filter.shareable() != null) {
                conditions.add(fields.get("is_shareable").property() + " = " + filter.shareable());
            }
            addTime("captured_after", fields.get("captured_date").property() + " >= ", filter.capturedAfter());
            addTime("captured_before", fields.get("captured_date").property() + " < ", filter.capturedBefore());
            addTime("updated_since", UPDATED + " >= ", filter.updatedSince());
            leaveOut("search", filter.search() != null);
            leaveOut("has_stats", !filter.stats().isEmpty());
            return new StacSearch(filter.boxes().isEmpty() ? List.of() : corners(filter.boxes().get(0)),
                    String.join(" and ", conditions), sortby(view.request().ordering()), view.request().pageSize(),
                    List.copyOf(leftOut));
        }

        /** Records a parameter that the search cannot express. The result is whether the parameter is left out. */
        private boolean leaveOut(String parameter, boolean isLeftOut) {
            return isLeftOut && leftOut.add(parameter);
        }

        private void addTexts(String property, List<String> texts) {
            addIn(property, texts.stream()
                    .map(text -> "'" + text.replace("\\", "\\\\").replace("'", "''") + "'").toList());
        }

        private void addIn(String property, List<String> literals) {
            if (!literals.isEmpty()) {
                conditions.add(property + " in (" + String.join(", ", literals) + ")");
            }
        }

        private void addTime(String parameter, String comparison, Instant time) {
            if (time != null && !leaveOut(parameter, time.isAfter(END))) {
                conditions.add(comparison + "timestamp('" + time + "')");
            }
        }

        private String sortby(Ordering ordering) {
            return ordering.keys().stream()
                    .map(key -> (key.descending() ? "-" : "") + fields.get(key.field()).property())
                    .collect(Collectors.joining(","));
        }

        private static List<String> corners(Filter.Box box) {
            return DoubleStream.of(box.west(), box.south(), box.east(), box.north())
                    .mapToObj(degrees -> BigDecimal.valueOf(degrees).stripTrailingZeros().toPlainString()).toList();
        }
    }
}
