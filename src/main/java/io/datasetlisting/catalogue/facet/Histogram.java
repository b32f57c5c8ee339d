package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.index.FilterCounts;
import io.datasetlisting.catalogue.index.FilterCounts.By;
import io.datasetlisting.catalogue.index.Interval;
import io.datasetlisting.catalogue.snapshot.Snapshot;

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
        private final FilterCounts counts = new FilterCounts(EnumSet.of(By.DAY));

        Counter(HistogramQuery query) {
            this.query = query;
        }

        @Override
        public void add(Snapshot chunk) {
            counts.add(chunk, chunk.select(query.filter()));
        }

        @Override
        public Histogram result(long listing) {
            Interval.Counts found = query.interval().counts(counts.integers(By.DAY), HistogramQuery.INTERVALS,
                    MAX_BUCKETS);
            List<Bucket> buckets = new ArrayList<>();
            found.counts().forEach((from, datasets) -> buckets
                    .add(new Bucket(from, found.interval().next(from), datasets)));
            return new Histogram(listing, counts.count(), found.interval(), found.isSparse(), buckets);
        }
    }
}
