package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.catalogue.column.ChunkCounter;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.DayCounts;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Snapshot;

/**
 * How many datasets were captured when.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param interval
 *            longer than that of the query if the query has too many buckets
 * @param isSparse
 *            whether the empty buckets are left out, because there are too many
 * @param buckets
 *            from the first one with a dataset to the last one
 */
record Histogram(long listing, long count, Interval interval, boolean isSparse, List<Bucket> buckets) {

    static final Set<Column> COLUMNS = EnumSet.of(Column.TIMES);

    /** A histogram of years may have more, if so many years have datasets. */
    private static final int MAX_BUCKETS = 1000;

    /**
     * The datasets of an interval.
     *
     * @param until
     *            the day behind the last one
     */
    record Bucket(LocalDate from, LocalDate until, long count) {
    }

    /** Counts the datasets of a query by days. */
    static final class Counter implements ChunkCounter<Histogram> {

        private final HistogramQuery query;
        private DayCounts days;
        private long listing;
        private long count;

        Counter(HistogramQuery query) {
            this.query = query;
        }

        @Override
        public void add(Snapshot chunk) {
            Selection selection = chunk.select(query.filter());
            listing = chunk.listing();
            count += selection.count();
            days = selection.addTo(days, selection::days);
        }

        @Override
        public Histogram result() {
            return of(query, listing, count, days);
        }
    }

    /**
     * Any range of time has a histogram: the two datasets that are farthest apart, which may be those of another owner, do not
     * decide whether a question has an answer.
     */
    private static Histogram of(HistogramQuery query, long listing, long count, DayCounts days) {
        LocalDate last = days.lastDay();
        if (last == null) {
            return new Histogram(listing, 0, query.interval(), false, List.of());
        }
        Interval interval = query.interval();
        boolean isSparse = isSparse(days, interval, last);
        List<Bucket> buckets = buckets(days, interval, isSparse, last);
        while (buckets == null) {
            interval = interval.longer();
            isSparse = isSparse(days, interval, last);
            buckets = buckets(days, interval, isSparse, last);
        }
        return new Histogram(listing, count, interval, isSparse, buckets);
    }

    private static boolean isSparse(DayCounts days, Interval interval, LocalDate last) {
        return interval.count(days.firstDay(), last) > MAX_BUCKETS;
    }

    /** The buckets of an interval; null if there are too many, and there is a longer interval. */
    private static List<Bucket> buckets(DayCounts days, Interval interval, boolean isSparse, LocalDate last) {
        List<Bucket> buckets = new ArrayList<>();
        LocalDate day = days.firstDay();
        while (day != null && !day.isAfter(last)) {
            if (buckets.size() == MAX_BUCKETS && interval != Interval.YEAR) {
                return null;
            }
            LocalDate from = interval.startOf(day);
            LocalDate until = interval.next(from);
            buckets.add(new Bucket(from, until, days.count(from, until)));
            day = isSparse ? days.firstDay(until) : until;
        }
        return buckets;
    }
}
