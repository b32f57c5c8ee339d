package io.datasetlisting.catalogue.aggregation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.index.FilterCounts.By;

/**
 * What can be computed of the datasets that a search finds, in the order of their description.
 *
 * @see <a href="https://github.com/stac-api-extensions/aggregation">Aggregation extension of STAC API</a>
 */
public enum Aggregation {

    TOTAL_COUNT("integer", null, null), DATETIME_MAX("datetime", null, null, Column.TIMES), DATETIME_MIN("datetime",
            null,
            null, Column.TIMES), DATETIME_FREQUENCY("datetime", "datetime_frequency_interval",
                    By.DAY), DATASET_CATEGORY_FREQUENCY("string", null, By.CATEGORY), DATASET_RASTERS_FREQUENCY(
                            "string", null, By.RASTER), DATASET_BANDS_FREQUENCY("string", null,
                                    By.BAND), DATASET_USER_FREQUENCY("string", null,
                                            By.OWNER), CENTROID_GEOHASH_GRID_FREQUENCY("string",
                                                    "centroid_geohash_grid_frequency_precision", null, Column.WESTS,
                                                    Column.SOUTHS, Column.EASTS,
                                                    Column.NORTHS), CENTROID_GEOTILE_GRID_FREQUENCY("string",
                                                            "centroid_geotile_grid_frequency_precision", null,
                                                            Column.WESTS, Column.SOUTHS, Column.EASTS, Column.NORTHS);

    private static final String FREQUENCY = "_frequency";
    private static final Map<String, Aggregation> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toMap(Aggregation::id, Function.identity()));

    private final String valueType;
    private final String parameter;
    private final By by;
    private final Set<Column> columns;

    /**
     * @param valueType
     *            the type of the value, or of the keys of buckets
     * @param parameter
     *            the parameter that changes it; null for none
     * @param by
     *            what the datasets of a bucket have in common; null if it is no choice, owner or day
     */
    Aggregation(String valueType, String parameter, By by, Column... columns) {
        this.valueType = valueType;
        this.parameter = parameter;
        this.by = by;
        this.columns = by == null ? Set.of(columns) : by.columns();
    }

    /** Its name in requests and responses. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The aggregation of a name; null if there is none. */
    static Aggregation of(String id) {
        return BY_NAME.get(id);
    }

    /** Whether the result has buckets in place of one value. */
    public boolean hasBuckets() {
        return id().endsWith(FREQUENCY);
    }

    public String valueType() {
        return valueType;
    }

    /** The parameter that it has for itself; null for none. */
    String parameter() {
        return parameter;
    }

    /** What the datasets of a bucket have in common; null if it is no choice, owner or day. */
    By by() {
        return by;
    }

    Set<Column> columns() {
        return columns;
    }
}
