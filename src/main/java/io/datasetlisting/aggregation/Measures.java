package io.datasetlisting.aggregation;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import io.datasetlisting.aggregation.AggregationResult.Bucket;
import io.datasetlisting.aggregation.AggregationResult.Value;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.column.Column;
import io.datasetlisting.column.Mark;
import io.datasetlisting.column.Selection;
import io.datasetlisting.column.Snapshot;
import io.datasetlisting.dataset.DatasetFields;

/** Computes aggregations of the datasets of a selection from their columns. */
final class Measures {

    /** A response has at most so many buckets of an aggregation. */
    private static final int MAX_BUCKETS = 10_000;
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private final AggregationRequest request;
    private final Snapshot snapshot;
    private final Selection selection;

    Measures(AggregationRequest request, Snapshot snapshot) {
        this.request = request;
        this.snapshot = snapshot;
        selection = snapshot.select(request.filter());
    }

    /** The result of an aggregation whose buckets the columns name. */
    Value value(Aggregation aggregation) {
        return switch (aggregation) {
            case TOTAL_COUNT -> Value.of(aggregation, selection.count());
            case DATETIME_MAX -> Value.of(aggregation, selection.times().last());
            case DATETIME_MIN -> Value.of(aggregation, selection.times().first());
            case DATETIME_FREQUENCY -> frequency(days());
            case DATASET_CATEGORY_FREQUENCY -> choices(aggregation, Mark.CATEGORY, DatasetFields.CATEGORIES);
            case DATASET_RASTERS_FREQUENCY -> choices(aggregation, Mark.RASTER, DatasetFields.RASTERS);
            case CENTROID_GEOHASH_GRID_FREQUENCY -> grid(aggregation, new Cells.Geohash(request.geohashLength()));
            case CENTROID_GEOTILE_GRID_FREQUENCY -> grid(aggregation, new Cells.Geotile(request.tileZoom()));
            case DATASET_BANDS_FREQUENCY, DATASET_USER_FREQUENCY -> throw new IllegalArgumentException(
                    aggregation.id());
        };
    }

    /** The datasets of each day since 1970. */
    private LongCounts days() {
        LongCounts days = new LongCounts();
        selection.forEachPart(part -> {
            long[] times = part.integers(Column.TIMES);
            for (int i = 0; i < part.size(); i++) {
                days.add(Math.floorDiv(times[i], MICROS_PER_DAY));
            }
        });
        return days;
    }

    /**
     * The intervals from the first to the last one that has datasets. If there are too many, the empty ones are left out, and if
     * that does not suffice, the interval is longer: datasets of other owners, which may be far apart, do not decide whether a
     * request has an answer. There are fewer years than a response may have buckets.
     */
    private Value frequency(LongCounts days) {
        Interval interval = request.interval();
        TreeMap<LocalDate, Long> counts = counts(days, interval);
        while (counts.size() > MAX_BUCKETS) {
            interval = interval.longer();
            counts = counts(days, interval);
        }
        List<Bucket> buckets = new ArrayList<>();
        boolean isSparse = !counts.isEmpty()
                && counts.firstKey().plus(interval.length().multipliedBy(MAX_BUCKETS)).compareTo(counts.lastKey()) <= 0;
        if (isSparse) {
            counts.forEach((start, count) -> buckets.add(bucket(start, count)));
        } else if (!counts.isEmpty()) {
            LocalDate last = counts.lastKey();
            for (LocalDate start = counts.firstKey(); !start.isAfter(last); start = interval.next(start)) {
                buckets.add(bucket(start, counts.getOrDefault(start, 0L)));
            }
        }
        return new Value(Aggregation.DATETIME_FREQUENCY, 0, null, buckets, interval, isSparse);
    }

    private static TreeMap<LocalDate, Long> counts(LongCounts days, Interval interval) {
        TreeMap<LocalDate, Long> counts = new TreeMap<>();
        days.forEach(
                (day, count) -> counts.merge(interval.start(LocalDate.ofEpochDay(day)), (long) count, Long::sum));
        return counts;
    }

    private static Bucket bucket(LocalDate start, long count) {
        return new Bucket(start + "T00:00:00.000Z", count);
    }

    private Value choices(Aggregation aggregation, int first, List<String> choices) {
        return Value.ofLargest(aggregation, present(selection.counts(Column.MARKS, first, choices.size()), choices));
    }

    private static List<Bucket> present(long[] counts, List<String> keys) {
        List<Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                buckets.add(new Bucket(keys.get(i), counts[i]));
            }
        }
        return buckets;
    }

    /** The datasets of each label that has a bit. */
    List<Bucket> bands() {
        List<String> labels = new ArrayList<>(snapshot.bands().keySet());
        return present(selection.counts(Column.BANDS, 0, labels.size()), labels);
    }

    /** The ids of the datasets that have a label without a bit. */
    long[] withOtherBands() {
        return selection.counts(Column.BANDS, Mark.OTHER_BAND, 1)[0] == 0
                ? new long[0]
                : selection.marked(Column.BANDS, Mark.OTHER_BAND).ids();
    }

    /** The datasets of each owner. */
    LongCounts owners() {
        LongCounts owners = new LongCounts();
        selection.forEachPart(part -> {
            long[] ids = part.integers(Column.OWNERS);
            for (int i = 0; i < part.size(); i++) {
                owners.add(ids[i]);
            }
        });
        checkNumber(owners.size(), Aggregation.DATASET_USER_FREQUENCY);
        return owners;
    }

    private Value grid(Aggregation aggregation, Cells cells) {
        LongCounts counts = new LongCounts();
        selection.forEachPart(part -> {
            double[] wests = part.numbers(Column.WESTS);
            double[] easts = part.numbers(Column.EASTS);
            double[] souths = part.numbers(Column.SOUTHS);
            double[] norths = part.numbers(Column.NORTHS);
            for (int i = 0; i < part.size(); i++) {
                counts.add(cells.cell((wests[i] + easts[i]) / 2, (souths[i] + norths[i]) / 2));
            }
            checkNumber(counts.size(), aggregation);
        });
        List<Bucket> buckets = new ArrayList<>();
        counts.forEach((cell, count) -> buckets.add(new Bucket(cells.name(cell), count)));
        return Value.ofLargest(aggregation, buckets);
    }

    /**
     * @throws ApiException
     *             400 for too many buckets
     */
    private static void checkNumber(int buckets, Aggregation of) {
        if (buckets > MAX_BUCKETS) {
            String parameter = of.parameter();
            throw AggregationRequest.refuse(parameter == null ? of.id() : parameter,
                    "the result would have more than " + MAX_BUCKETS + " buckets. Use "
                            + (parameter == null
                                    ? "further conditions."
                                    : "a smaller precision, or further conditions."));
        }
    }
}
