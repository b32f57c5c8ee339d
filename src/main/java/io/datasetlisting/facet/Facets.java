package io.datasetlisting.facet;

import java.util.List;
import java.util.Map;

/**
 * How many datasets each choice of each facet would find.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            the datasets that match all filters
 */
record Facets(long listing, long count, Map<Facet, List<Choice>> choices) {

    /**
     * A value of a facet.
     *
     * @param id
     *            of the account, if the value is its name; otherwise null
     */
    record Choice(String value, Long id, long count) {

        Choice(String value, long count) {
            this(value, null, count);
        }
    }
}
