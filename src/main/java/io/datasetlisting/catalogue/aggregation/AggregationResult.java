package io.datasetlisting.catalogue.aggregation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.datasetlisting.catalogue.index.Interval;

/**
 * The results of aggregations, all of one snapshot.
 *
 * @param listing
 *            the listing version of the snapshot
 */
public record AggregationResult(long listing, List<Value> values) {

    /**
     * The result of an aggregation: a count, a time, or buckets.
     *
     * @param count
     *            of an aggregation without buckets or time
     * @param time
     *            null without datasets
     * @param buckets
     *            null without buckets
     * @param interval
     *            the length of the buckets of times; null for other ones
     * @param isSparse
     *            whether empty buckets of times are left out, because there are too many
     */
    public record Value(Aggregation of, long count, Instant time, List<Bucket> buckets, Interval interval,
            boolean isSparse) {

        static Value of(Aggregation of, long count) {
            return new Value(of, count, null, null, null, false);
        }

        static Value of(Aggregation of, Instant time) {
            return new Value(of, 0, time, null, null, false);
        }

        static Value of(Aggregation of, List<Bucket> buckets) {
            return new Value(of, 0, null, buckets, null, false);
        }

        /** With the largest bucket first. */
        static Value ofLargest(Aggregation of, List<Bucket> buckets) {
            List<Bucket> sorted = new ArrayList<>(buckets);
            sorted.sort(Comparator.comparingLong((Bucket bucket) -> -bucket.count).thenComparing(Bucket::key));
            return of(of, sorted);
        }
    }

    /** The datasets that have something in common. */
    public record Bucket(String key, long count) {
    }
}
