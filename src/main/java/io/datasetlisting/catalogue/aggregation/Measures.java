package io.datasetlisting.catalogue.aggregation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Micros;
import io.datasetlisting.catalogue.aggregation.AggregationResult.Bucket;
import io.datasetlisting.catalogue.aggregation.AggregationResult.Value;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.grid.Cells;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.index.FilterCounts;
import io.datasetlisting.catalogue.index.FilterCounts.By;
import io.datasetlisting.catalogue.index.Interval;
import io.datasetlisting.catalogue.snapshot.Snapshot;

/** Computes aggregations of the datasets that match a filter from their columns. */
final class Measures implements ChunkCounter<Measures> {

    /** A response has at most so many buckets of an aggregation; only labels of bands may be more. */
    private static final int MAX_BUCKETS = 10_000;

    private final AggregationRequest request;
    private final FilterCounts counts;
    private final Map<Aggregation, Cells> grids = new EnumMap<>(Aggregation.class);
    private final Map<Aggregation, LongCounts> cells = new EnumMap<>(Aggregation.class);
    private final Map<Aggregation, Value> values = new EnumMap<>(Aggregation.class);
    /** Of the captures, in microseconds since 1970. */
    private final long[] times = {Long.MAX_VALUE, Long.MIN_VALUE};
    private long listing;

    Measures(AggregationRequest request) {
        this.request = request;
        counts = new FilterCounts(request.aggregations().stream().map(Aggregation::by).filter(Objects::nonNull)
                .collect(Collectors.toSet()));
        for (Aggregation each : request.aggregations()) {
            if (each == Aggregation.CENTROID_GEOHASH_GRID_FREQUENCY) {
                grids.put(each, new Cells.Geohash(request.geohashLength()));
            } else if (each == Aggregation.CENTROID_GEOTILE_GRID_FREQUENCY) {
                grids.put(each, new Cells.Geotile(request.tileZoom()));
            }
        }
        grids.keySet().forEach(each -> cells.put(each, new LongCounts()));
    }

    @Override
    public void add(Snapshot chunk) {
        Selection selection = chunk.select(request.filter());
        counts.add(chunk, selection);
        checkNumber(owners().size(), Aggregation.DATASET_USER_FREQUENCY);
        grids.forEach((each, grid) -> {
            LongCounts counted = cells.get(each);
            selection.forEachFootprint((part, place, west, south, east, north) -> {
                counted.add(grid.cell((west + east) / 2, (south + north) / 2));
                checkNumber(counted.size(), each);
            });
        });
        if (request.aggregations().contains(Aggregation.DATETIME_MIN)
                || request.aggregations().contains(Aggregation.DATETIME_MAX)) {
            selection.extend(times);
        }
    }

    @Override
    public Measures result(long version) {
        listing = version;
        request.aggregations().forEach(each -> values.computeIfAbsent(each, this::value));
        return this;
    }

    /** The listing version. */
    long listing() {
        return listing;
    }

    /** The results of the aggregations whose buckets the columns name. */
    Map<Aggregation, Value> values() {
        return values;
    }

    /** Null if other tables name the buckets. */
    private Value value(Aggregation aggregation) {
        return switch (aggregation) {
            case TOTAL_COUNT -> Value.of(aggregation, counts.count());
            case DATETIME_MAX -> Value.of(aggregation, moment(times[1]));
            case DATETIME_MIN -> Value.of(aggregation, moment(times[0]));
            case DATETIME_FREQUENCY -> frequency(counts.integers(aggregation.by()));
            case DATASET_CATEGORY_FREQUENCY, DATASET_RASTERS_FREQUENCY -> Value.ofLargest(aggregation,
                    present(aggregation.by()));
            case CENTROID_GEOHASH_GRID_FREQUENCY, CENTROID_GEOTILE_GRID_FREQUENCY -> grid(aggregation);
            case DATASET_BANDS_FREQUENCY, DATASET_USER_FREQUENCY -> null;
        };
    }

    private Instant moment(long micros) {
        return times[0] > times[1] ? null : Micros.toInstant(micros);
    }

    /** There are fewer years than a response may have buckets. */
    private Value frequency(LongCounts days) {
        Interval.Counts found = request.interval().counts(days, EnumSet.allOf(Interval.class), MAX_BUCKETS);
        List<Bucket> buckets = new ArrayList<>();
        found.counts().forEach((start, number) -> buckets.add(new Bucket(start + "T00:00:00.000Z", number)));
        return new Value(Aggregation.DATETIME_FREQUENCY, 0, null, buckets, found.interval(), found.isSparse());
    }

    private List<Bucket> present(By by) {
        List<Bucket> buckets = new ArrayList<>();
        counts.choices(by).forEach((name, number) -> buckets.add(new Bucket(name, number)));
        buckets.removeIf(each -> each.count() == 0);
        return buckets;
    }

    /** The datasets of each label that has a bit. */
    List<Bucket> bands() {
        return request.aggregations().contains(Aggregation.DATASET_BANDS_FREQUENCY) ? present(By.BAND) : List.of();
    }

    /** The ids of the datasets that have a label without a bit. */
    Long[] withOtherBands() {
        return counts.withOtherBands();
    }

    /** The datasets of each owner. */
    LongCounts owners() {
        return counts.integers(By.OWNER);
    }

    private Value grid(Aggregation aggregation) {
        List<Bucket> buckets = new ArrayList<>();
        cells.get(aggregation)
                .forEach((cell, number) -> buckets.add(new Bucket(grids.get(aggregation).name(cell), number)));
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
