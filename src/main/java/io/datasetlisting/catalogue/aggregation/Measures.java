package io.datasetlisting.catalogue.aggregation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.aggregation.AggregationResult.Bucket;
import io.datasetlisting.catalogue.aggregation.AggregationResult.Value;
import io.datasetlisting.catalogue.column.ChunkCounter;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Interval;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Snapshot;
import io.datasetlisting.dataset.DatasetFields;

/** Computes aggregations of the datasets that match a filter from their columns. */
final class Measures implements ChunkCounter<Measures> {

    /** A response has at most so many buckets of an aggregation. */
    private static final int MAX_BUCKETS = 10_000;

    private final AggregationRequest request;
    private long listing;
    private List<String> labels = List.of();
    private long count;
    private Selection.Times times = new Selection.Times(null, null);
    /** How many datasets have each bit. */
    private final Map<Aggregation, long[]> bits = new EnumMap<>(Aggregation.class);
    /** The datasets of each day since 1970, of each cell or of each owner. */
    private final Map<Aggregation, LongCounts> counts = new EnumMap<>(Aggregation.class);
    private final Map<Aggregation, Value> values = new EnumMap<>(Aggregation.class);
    private final LongStream.Builder withOtherBands = LongStream.builder();

    Measures(AggregationRequest request) {
        this.request = request;
    }

    @Override
    public void add(Snapshot chunk) {
        listing = chunk.listing();
        labels = List.copyOf(chunk.bands().keySet());
        Selection selection = chunk.select(request.filter());
        request.aggregations().stream().distinct().forEach(each -> add(each, selection));
        if (request.aggregations().contains(Aggregation.DATETIME_MIN)
                || request.aggregations().contains(Aggregation.DATETIME_MAX)) {
            times = times.and(selection.times());
        }
    }

    private void add(Aggregation aggregation, Selection selection) {
        switch (aggregation) {
            case TOTAL_COUNT -> count += selection.count();
            case DATETIME_MAX, DATETIME_MIN -> {
                // Both at once.
            }
            case DATETIME_FREQUENCY -> selection.countDays(counts(aggregation));
            case DATASET_CATEGORY_FREQUENCY -> addBits(aggregation, selection, Mark.CATEGORY, DatasetFields.CATEGORIES);
            case DATASET_RASTERS_FREQUENCY -> addBits(aggregation, selection, Mark.RASTER, DatasetFields.RASTERS);
            case CENTROID_GEOHASH_GRID_FREQUENCY -> addCells(aggregation, selection,
                    new Cells.Geohash(request.geohashLength()));
            case CENTROID_GEOTILE_GRID_FREQUENCY -> addCells(aggregation, selection,
                    new Cells.Geotile(request.tileZoom()));
            case DATASET_BANDS_FREQUENCY -> {
                addBits(aggregation, selection.counts(Column.BANDS, 0, labels.size()));
                if (selection.counts(Column.BANDS, Mark.OTHER_BAND, 1)[0] > 0) {
                    Arrays.stream(selection.marked(Column.BANDS, Mark.OTHER_BAND).ids()).forEach(withOtherBands::add);
                }
            }
            case DATASET_USER_FREQUENCY -> {
                selection.count(Column.OWNERS, counts(aggregation));
                checkNumber(counts(aggregation).size(), aggregation);
            }
        }
    }

    private void addBits(Aggregation aggregation, Selection selection, int first, List<String> choices) {
        addBits(aggregation, selection.counts(Column.MARKS, first, choices.size()));
    }

    private void addBits(Aggregation aggregation, long[] more) {
        bits.merge(aggregation, more, (some, others) -> {
            Arrays.setAll(some, i -> some[i] + others[i]);
            return some;
        });
    }

    private void addCells(Aggregation aggregation, Selection selection, Cells cells) {
        selection.forEachPart(part -> {
            double[] wests = part.numbers(Column.WESTS);
            double[] easts = part.numbers(Column.EASTS);
            double[] souths = part.numbers(Column.SOUTHS);
            double[] norths = part.numbers(Column.NORTHS);
            LongCounts counted = counts(aggregation);
            for (int i = 0; i < part.size(); i++) {
                counted.add(cells.cell((wests[i] + easts[i]) / 2, (souths[i] + norths[i]) / 2));
            }
            checkNumber(counted.size(), aggregation);
        });
    }

    private LongCounts counts(Aggregation aggregation) {
        return counts.computeIfAbsent(aggregation, absent -> new LongCounts());
    }

    @Override
    public Measures result() {
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
            case TOTAL_COUNT -> Value.of(aggregation, count);
            case DATETIME_MAX -> Value.of(aggregation, times.last());
            case DATETIME_MIN -> Value.of(aggregation, times.first());
            case DATETIME_FREQUENCY -> frequency(counts(aggregation));
            case DATASET_CATEGORY_FREQUENCY -> Value.ofLargest(aggregation,
                    present(aggregation, DatasetFields.CATEGORIES));
            case DATASET_RASTERS_FREQUENCY -> Value.ofLargest(aggregation, present(aggregation, DatasetFields.RASTERS));
            case CENTROID_GEOHASH_GRID_FREQUENCY -> grid(aggregation, new Cells.Geohash(request.geohashLength()));
            case CENTROID_GEOTILE_GRID_FREQUENCY -> grid(aggregation, new Cells.Geotile(request.tileZoom()));
            case DATASET_BANDS_FREQUENCY, DATASET_USER_FREQUENCY -> null;
        };
    }

    /** There are fewer years than a response may have buckets. */
    private Value frequency(LongCounts days) {
        Interval.Counts found = request.interval().counts(days, EnumSet.allOf(Interval.class), MAX_BUCKETS);
        List<Bucket> buckets = new ArrayList<>();
        found.counts().forEach((start, number) -> buckets.add(new Bucket(start + "T00:00:00.000Z", number)));
        return new Value(Aggregation.DATETIME_FREQUENCY, 0, null, buckets, found.interval(), found.isSparse());
    }

    private List<Bucket> present(Aggregation aggregation, List<String> keys) {
        long[] numbers = bits.getOrDefault(aggregation, new long[0]);
        List<Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] > 0) {
                buckets.add(new Bucket(keys.get(i), numbers[i]));
            }
        }
        return buckets;
    }

    /** The datasets of each label that has a bit. */
    List<Bucket> bands() {
        return present(Aggregation.DATASET_BANDS_FREQUENCY, labels);
    }

    /** The ids of the datasets that have a label without a bit. */
    long[] withOtherBands() {
        return withOtherBands.build().toArray();
    }

    /** The datasets of each owner. */
    LongCounts owners() {
        return counts(Aggregation.DATASET_USER_FREQUENCY);
    }

    private Value grid(Aggregation aggregation, Cells cells) {
        List<Bucket> buckets = new ArrayList<>();
        counts(aggregation).forEach((cell, number) -> buckets.add(new Bucket(cells.name(cell), number)));
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
