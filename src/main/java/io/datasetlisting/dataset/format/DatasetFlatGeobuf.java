package io.datasetlisting.dataset.format;

import java.time.Instant;

import jakarta.inject.Singleton;

import org.wololo.flatgeobuf.generated.ColumnType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.Spool;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.FieldType;
import io.datasetlisting.dataset.format.FlatGeobufFile.Column;
import io.datasetlisting.http.input.StrictJson;

/** Writes datasets, and rows of JSON, as FlatGeobuf: a column for each field, under its name. Lists and objects are JSON. */
@Singleton
public class DatasetFlatGeobuf {

    private final DatasetFields fields;
    private final JsonFactory json;
    private final Spool spool;

    DatasetFlatGeobuf(DatasetFields fields, ObjectMapper mapper, Spool spool) {
        this.fields = fields;
        this.json = mapper.getFactory();
        this.spool = spool;
    }

    /**
     * Checks that a file has a place while it is made.
     *
     * @throws io.datasetlisting.base.ApiException
     *             503 that names the key
     */
    public void requireFolder() {
        spool.requireFolder();
    }

    /**
     * A file of views that have read the bbox and the coordinates. Each of them has one of the two.
     *
     * @param shown
     *            the fields with a column
     *
     * @throws io.datasetlisting.base.ApiException
     *             503 without a place for temporary files. Writing also throws it, when they take too many bytes
     */
    public EncodedFile<DatasetView> open(FieldSelection shown) {
        return new FlatGeobufFile<>(shown.names().stream().map(name -> column(fields.get(name))).toList(),
                BoundingBox::geometry, spool);
    }

    /**
     * A file of rows of JSON, in temporary files as that one.
     *
     * @param columns
     *            JSON Schema of each column, by its name
     */
    public EncodedFile<JsonRow> open(ObjectNode columns) {
        return new FlatGeobufFile<>(
                columns.properties().stream().map(column -> column(column.getKey(), type(column.getValue()))).toList(),
                JsonRow::geometry, spool);
    }

    private static int type(JsonNode schema) {
        return switch (schema.path("type").asText()) {
            case "integer" -> ColumnType.Long;
            case "number" -> ColumnType.Double;
            case "boolean" -> ColumnType.Bool;
            case "array", "object" -> ColumnType.Json;
            default -> "date-time".equals(schema.path("format").asText()) ? ColumnType.DateTime : ColumnType.String;
        };
    }

    private Column<DatasetView> column(DatasetField<?> field) {
        int type = type(StrictJson.parse(field.jsonSchema()));
        return new Column<>(field.name(), type, dataset -> {
            Object value = dataset.get(field.name());
            if (value == null || field.isDetail() && !DatasetField.hasValue(value)) {
                return null;
            }
            return switch (type) {
                case ColumnType.Json -> CsvRecords.text(json, generator -> field.write(generator, value));
                case ColumnType.DateTime -> FieldType.seconds((Instant) value);
                case ColumnType.String -> value.toString();
                default -> value;
            };
        });
    }

    private static Column<JsonRow> column(String name, int type) {
        return new Column<>(name, type, row -> {
            JsonNode value = row.values().path(name);
            if (value.isNull() || value.isMissingNode()) {
                return null;
            }
            return switch (type) {
                case ColumnType.Long -> value.longValue();
                case ColumnType.Double -> value.doubleValue();
                case ColumnType.Bool -> value.booleanValue();
                case ColumnType.Json -> value.toString();
                default -> value.textValue();
            };
        });
    }
}
