package io.datasetlisting.facet;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.datasetlisting.column.Column;
import io.datasetlisting.column.DayCounts;
import io.datasetlisting.column.Selection;
import io.datasetlisting.column.Snapshot;
import io.datasetlisting.input.DrfFields;

/**
 * How many datasets were captured when.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param buckets
 *            from the first one with a dataset to the last one, with the empty ones between them
 */
record Histogram(long listing, long count, Interval interval, List<Bucket> buckets) {

    static final Set<Column> COLUMNS = EnumSet.of(Column.TIMES);

    private static final int MAX_BUCKETS = 1000;

    /**
     * The datasets of an interval.
     *
     * @param until
     *            the day behind the last one
     */
    record Bucket(LocalDate from, LocalDate until, long count) {
    }

    /** @throws io.datasetlisting.base.ApiException 400 if there are too many months or days */
    static Histogram of(HistogramQuery query, Snapshot snapshot) {
        Selection selection = snapshot.select(query.filter());
        return new Histogram(snapshot.listing(), selection.count(), query.interval(),
                buckets(selection.days(), query.interval()));
    }

    private static List<Bucket> buckets(DayCounts days, Interval interval) {
        List<Bucket> buckets = new ArrayList<>();
        LocalDate last = days.lastDay();
        if (last == null) {
            return buckets;
        }
        LocalDate first = days.firstDay();
        long size = interval.count(first, last);
        if (interval != Interval.YEAR && size > MAX_BUCKETS) {
            throw DrfFields.invalid(HistogramQuery.INTERVAL, String.format(Locale.ROOT,
                    "These datasets were captured from %s to %s, which is %,d buckets. A histogram has at most %,d. "
                            + "Narrow captured_after and captured_before, or choose a longer interval.",
                    first, last, size, MAX_BUCKETS));
        }
        for (LocalDate from = interval.startOf(first); !from.isAfter(last); from = interval.next(from)) {
            LocalDate until = interval.next(from);
            buckets.add(new Bucket(from, until, days.count(from, until)));
        }
        return buckets;
    }
}
