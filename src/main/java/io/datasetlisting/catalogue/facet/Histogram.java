package io.datasetlisting.catalogue.facet;

import java.util.EnumSet;
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
 * @param buckets
 *            whose interval is longer than that of the query if the query has too many buckets
 */
record Histogram(long listing, long count, Interval.Counts buckets) {

    static final Set<Column> COLUMNS = EnumSet.of(Column.TIMES);

    /** A histogram of years may have more, if so many years have datasets. */
    private static final int MAX_BUCKETS = 1000;

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
            return new Histogram(listing, counts.count(),
                    query.interval().counts(counts.integers(By.DAY), HistogramQuery.INTERVALS, MAX_BUCKETS));
        }
    }
}
