package io.datasetlisting.catalogue.search;

import java.util.List;
import java.util.stream.Collectors;

import io.datasetlisting.dataset.cql2.Expression;

/**
 * A request for a page of the datasets that match a filter. The page begins at a dataset, not at a number: so a page far from
 * the start usually costs the same as the first one, and datasets that are added or removed meanwhile neither repeat nor hide
 * others.
 *
 * @param ordering
 *            ends with the id
 * @param limit
 *            largest number of datasets on the page
 */
public record Search(Expression filter, List<SortKey> ordering, int limit, Position from) {

    /**
     * Where a page begins.
     *
     * @param backward
     *            whether the page is before this position instead of after it
     * @param count
     *            number of matching datasets when the listing had this version; null if it is not known
     * @param listing
     *            the listing version of the count, or null
     * @param edge
     *            the sort keys of the dataset next to the page, as text; empty for the start of all datasets, or the end of
     *            all if {@code backward}
     */
    public record Position(boolean backward, Long count, Long listing, List<String> edge) {

        public static final Position START = new Position(false, null, null, List.of());
    }

    /** The order of all datasets as the keys of an {@code order by}, each with the prefix. */
    public String orderBy(String prefix) {
        return ordering.stream().map(key -> key.sql(prefix) + (key.descending() ? " desc" : ""))
                .collect(Collectors.joining(", "));
    }

    /** The same search with at most so many datasets on the page. */
    public Search atMost(int largest) {
        return new Search(filter, ordering, Math.min(limit, largest), from);
    }

    /** The same search from another position. */
    public Search from(Position other) {
        return new Search(filter, ordering, limit, other);
    }
}
