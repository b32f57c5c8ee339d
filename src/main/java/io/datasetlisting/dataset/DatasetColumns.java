package io.datasetlisting.dataset;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.datasetlisting.paging.Ordering;

/** The fields of the contract and where they are stored: no name of a request reaches the SQL but through here. */
public final class DatasetColumns {

    private static final Map<String, Column> COLUMNS = new LinkedHashMap<>();

    static {
        sortable("id", "id", "bigint");
        sortable("uav_uid", "uav_uid", "uuid");
        add("user", "d.owner_name || ' ' || d.owner_id", "text", "owner_name");
        sortable("workspace", "workspace", "bigint");
        sortable("dataset_name", "dataset_name", "text");
        add("category", "d.category", "text[]", null);
        add("thumbnail_image", "d.thumbnail_key", "text", null);
        sortable("captured_date", "captured_date", "timestamptz");
        sortable("is_private", "is_private", "boolean");
        sortable("is_shareable", "is_shareable", "boolean");
        add("available_rasters", "d.available_rasters", "text[]", null);
        add("is_deleted", "d.is_deleted", "boolean", null);
        add("gcps_file", "null::text", "text", null);
        add("band_stats", "d.band_stats::text", "text", null);
        add("bbox", "d.bbox", "float8[]", null);
        add("coordinates", "d.coordinates", "float8[]", null);
        sortable("cant_orthomosaic", "cant_orthomosaic", "boolean");
        sortable("is_dem_processing", "is_dem_processing", "boolean");
        sortable("cumulative_adjustment", "cumulative_adjustment", "float8");
        sortable("latest_adjustment_status", "latest_adjustment_status", "text");
        add("latest_adjustment_id", "d.latest_adjustment_id", "text", null);
    }

    /** All fields, in the order of the contract. */
    public static final Set<String> FIELDS = Collections.unmodifiableSet(COLUMNS.keySet());

    /** The fields that a listing can be ordered by. */
    public static final Set<String> SORTABLE = COLUMNS.entrySet().stream()
            .filter(column -> column.getValue().sorted != null)
            .map(Map.Entry::getKey).collect(Collectors.toUnmodifiableSet());

    private static final String ALL = list(FIELDS);

    /**
     * @param source
     *            what it is read from
     * @param type
     *            of the null in its place when nobody asks for it
     * @param sorted
     *            what it sorts by, null when it does not
     */
    private record Column(String source, String type, String sorted) {
    }

    private DatasetColumns() {
    }

    private static void sortable(String field, String name, String type) {
        add(field, "d." + name, type, name);
    }

    private static void add(String field, String source, String type, String sorted) {
        COLUMNS.put(field, new Column(source, type, sorted));
    }

    /** These fields in the order of the contract. */
    public static Set<String> ordered(Set<String> fields) {
        Set<String> ordered = new LinkedHashSet<>(FIELDS);
        ordered.retainAll(fields);
        return ordered;
    }

    /**
     * Goes on with a select list: all fields in their order, of which those that are not asked for are null, and not read;
     * or nothing when none is.
     */
    public static String select(Set<String> asked) {
        return asked.isEmpty() ? "" : asked.equals(FIELDS) ? ALL : list(asked);
    }

    private static String list(Set<String> asked) {
        return COLUMNS.entrySet().stream()
                .map(column -> asked.contains(column.getKey())
                        ? column.getValue().source
                        : "null::" + column.getValue().type)
                .collect(Collectors.joining(", ", ", ", ""));
    }

    /** The column that a sortable field sorts by. */
    public static String column(String field) {
        return COLUMNS.get(field).sorted;
    }

    public static String orderBy(String prefix, Ordering ordering) {
        return ordering.keys().stream()
                .map(key -> prefix + column(key.field()) + (key.descending() ? " desc" : ""))
                .collect(Collectors.joining(", "));
    }
}
