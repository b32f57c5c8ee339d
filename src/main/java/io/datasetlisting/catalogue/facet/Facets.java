package io.datasetlisting.catalogue.facet;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import io.datasetlisting.base.Sha256;

/**
 * How many datasets each choice of each facet would find.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            the datasets that match all filters
 * @param summary
 *            null if it is not asked for
 * @param days
 *            on how many days the datasets were captured that the choices of {@link Facet#YEAR} count; 0 without that facet
 */
public record Facets(long listing, long count, Summary summary, Map<Facet, List<Choice>> choices, int days) {

    /**
     * A value of a facet.
     *
     * @param id
     *            of the account, if the value is its name; otherwise null
     */
    public record Choice(String value, Long id, long count) {

        Choice(String value, long count) {
            this(value, null, count);
        }
    }

    /**
     * The datasets that match all filters, in one line.
     *
     * @param owners
     *            how many accounts own them
     * @param firstDay
     *            of capture, in UTC; null without datasets
     * @param lastDay
     *            of capture, in UTC; null without datasets
     * @param privates
     *            the private datasets that match the other filters
     */
    public record Summary(long owners, LocalDate firstDay, LocalDate lastDay, long privates) {
    }

    /** A hash of all counts, which is the same in all processes. */
    public long hash() {
        return Sha256
                .number((count + " " + summary + choices + (days < 2 ? "" : "+")).getBytes(StandardCharsets.UTF_8));
    }
}
