package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.function.BiFunction;

import jakarta.inject.Singleton;

import org.wololo.flatgeobuf.generated.ColumnType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.base.Spool;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.FieldType;
import io.datasetlisting.dataset.format.FlatGeobufFile.Column;
import io.datasetlisting.http.input.StrictJson;

/** Writes datasets as FlatGeobuf: a column for each field, under its name. Lists and objects are JSON. */
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
                dataset -> BoundingBox.geometry(BoundingBox.of(dataset.bbox()), dataset.coordinates()), spool);
    }

    private Column<DatasetView> column(DatasetField<?> field) {
        JsonNode schema = StrictJson.parse(field.jsonSchema());
        return switch (schema.path("type").asText()) {
            case "integer" -> column(field, ColumnType.Long, (each, value) -> value);
            case "number" -> column(field, ColumnType.Double, (each, value) -> value);
            case "boolean" -> column(field, ColumnType.Bool, (each, value) -> value);
            case "array", "object" -> column(field, ColumnType.Json, this::text);
            default -> "date-time".equals(schema.path("format").asText())
                    ? column(field, ColumnType.DateTime, (each, time) -> FieldType.seconds((Instant) time))
                    : column(field, ColumnType.String, (each, value) -> value.toString());
        };
    }

    private static Column<DatasetView> column(DatasetField<?> field, int type,
            BiFunction<DatasetField<?>, Object, Object> form) {
        return new Column<>(field.name(), type, dataset -> {
            Object value = dataset.get(field.name());
            return value == null || field.isDetail() && !DatasetField.hasValue(value) ? null : form.apply(field, value);
        });
    }

    private Object text(DatasetField<?> field, Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = json.createGenerator(text)) {
            field.write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
