package io.datasetlisting.dataset;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code OPTIONS} says about datasets, in the words of Django REST Framework's metadata. */
public final class DatasetDescription {

    /** The fields of a dataset, in the order of the contract. */
    public static final Map<String, Object> FIELDS = fields();

    private DatasetDescription() {
    }

    private static Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", readOnly("integer", "ID"));
        fields.put("uav_uid", readOnly("string", "Uav uid"));
        fields.put("user", readOnly("string", "User"));
        fields.put("workspace", writable("integer", "Workspace"));
        fields.put("dataset_name", with(writable("string", "Dataset name"), "max_length", DatasetInput.MAX_NAME));
        fields.put("category",
                with(writable("multiple choice", "Category"), "choices", choices(DatasetInput.CATEGORIES)));
        fields.put("thumbnail_image", readOnly("string", "Thumbnail image"));
        fields.put("captured_date", writable("datetime", "Captured date"));
        fields.put("is_private", writable("boolean", "Is private"));
        fields.put("is_shareable", writable("boolean", "Is shareable"));
        fields.put("available_rasters",
                with(writable("multiple choice", "Available rasters"), "choices", choices(DatasetInput.RASTERS)));
        fields.put("is_deleted", readOnly("boolean", "Is deleted"));
        fields.put("gcps_file", readOnly("field", "Gcps file"));
        fields.put("band_stats", writable("nested object", "Band stats"));
        fields.put("bbox", writable("list", "Bbox"));
        fields.put("coordinates", writable("list", "Coordinates"));
        fields.put("cant_orthomosaic", readOnly("boolean", "Cant orthomosaic"));
        fields.put("is_dem_processing", readOnly("boolean", "Is dem processing"));
        fields.put("cumulative_adjustment", readOnly("float", "Cumulative adjustment"));
        fields.put("latest_adjustment_status", readOnly("string", "Latest adjustment status"));
        fields.put("latest_adjustment_id", readOnly("string", "Latest adjustment id"));
        return fields;
    }

    private static Map<String, Object> readOnly(String type, String label) {
        return field(type, true, label);
    }

    private static Map<String, Object> writable(String type, String label) {
        return field(type, false, label);
    }

    private static Map<String, Object> field(String type, boolean readOnly, String label) {
        Map<String, Object> field = new LinkedHashMap<>();
        field.put("type", type);
        field.put("required", false);
        field.put("read_only", readOnly);
        field.put("label", label);
        return field;
    }

    private static Map<String, Object> with(Map<String, Object> field, String name, Object value) {
        field.put(name, value);
        return field;
    }

    private static List<Map<String, String>> choices(List<String> values) {
        return values.stream().map(value -> {
            Map<String, String> choice = new LinkedHashMap<>();
            choice.put("value", value);
            choice.put("display_name", value);
            return choice;
        }).toList();
    }
}
