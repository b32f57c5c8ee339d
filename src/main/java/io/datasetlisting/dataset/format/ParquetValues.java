package io.datasetlisting.dataset.format;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.ConversionPatterns;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The types of the columns of a Parquet file, and how a value is written as such a type. A value is a value of Java, or JSON. A
 * value that does not fit the type is written as null.
 */
final class ParquetValues {

    /** The end of the names of the field and of the property. */
    private static final String STATISTICS_OF_BANDS = "band_stats";
    private static final String ELEMENT = "element";
    private static final String ENTRY = "key_value";
    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String LABELS = "band_descr";
    private static final List<String> STATISTICS = List.of("max", "min", "mean", "stddev");
    private static final int MICROS = 1_000_000;

    private final RecordConsumer out;

    ParquetValues(RecordConsumer out) {
        this.out = out;
    }

    /**
     * The type of the values that a JSON Schema describes: a text, a time, a number, a boolean, a list, or an object with known
     * members. An object without a description of its members is JSON, or the statistics of bands, by its name.
     */
    static Type type(String name, JsonNode schema) {
        return switch (schema.path("type").asText()) {
            case "integer" -> number(name);
            case "number" -> decimal(name);
            case "boolean" -> primitive(name, PrimitiveTypeName.BOOLEAN, null);
            case "array" -> list(name, type(ELEMENT, schema.get("items")));
            case "object" -> schema.has("properties")
                    ? group(name, schema.get("properties").properties().stream()
                            .map(member -> type(member.getKey(), member.getValue())).toArray(Type[]::new))
                    : name.endsWith(STATISTICS_OF_BANDS)
                            ? statistics(name)
                            : primitive(name, PrimitiveTypeName.BINARY, LogicalTypeAnnotation.jsonType());
            default -> "date-time".equals(schema.path("format").asText()) ? time(name) : text(name);
        };
    }

    static Type number(String name) {
        return primitive(name, PrimitiveTypeName.INT64, null);
    }

    static Type decimal(String name) {
        return primitive(name, PrimitiveTypeName.DOUBLE, null);
    }

    static Type text(String name) {
        return primitive(name, PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType());
    }

    static Type bytes(String name) {
        return primitive(name, PrimitiveTypeName.BINARY, null);
    }

    /** In UTC, in microseconds. */
    static Type time(String name) {
        return primitive(name, PrimitiveTypeName.INT64, LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS));
    }

    /** @param element named {@value #ELEMENT} */
    static Type list(String name, Type element) {
        return ConversionPatterns.listOfElements(Repetition.OPTIONAL, name, element);
    }

    /**
     * A map whose keys are texts.
     *
     * @param value
     *            named {@value #VALUE}
     */
    private static Type map(String name, Type value) {
        return ConversionPatterns.mapType(Repetition.OPTIONAL, name, ENTRY,
                new PrimitiveType(Repetition.REQUIRED, PrimitiveTypeName.BINARY, KEY)
                        .withLogicalTypeAnnotation(LogicalTypeAnnotation.stringType()),
                value);
    }

    static Type group(String name, Type... members) {
        return new GroupType(Repetition.OPTIONAL, name, members);
    }

    /** The statistics by raster: those of each band by its name, and the bands by their labels. */
    private static Type statistics(String name) {
        return map(name, group(VALUE,
                map("bands", group(VALUE, STATISTICS.stream().map(ParquetValues::decimal).toArray(Type[]::new))),
                map(LABELS, number(VALUE))));
    }

    /** The statistics in the members of {@link #statistics(String)}. */
    static ObjectNode statistics(JsonNode stats) {
        ObjectNode rasters = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> raster : stats.properties()) {
            ObjectNode form = rasters.putObject(raster.getKey());
            ObjectNode bands = form.putObject("bands");
            for (Map.Entry<String, JsonNode> member : raster.getValue().properties()) {
                (member.getKey().equals(LABELS) ? form : bands).set(member.getKey(), member.getValue());
            }
        }
        return rasters;
    }

    private static Type primitive(String name, PrimitiveTypeName type, LogicalTypeAnnotation logical) {
        return new PrimitiveType(Repetition.OPTIONAL, type, name).withLogicalTypeAnnotation(logical);
    }

    /**
     * Writes a field of a record or of a group; nothing for a value that is missing.
     *
     * @param value
     *            {@code double[]} for a list, and for a group whose members are numbers
     */
    void field(int index, Type type, Object value) {
        Object fitting = fitting(type, value);
        if (fitting == null) {
            return;
        }
        out.startField(type.getName(), index);
        if (type.isPrimitive()) {
            primitive(type.asPrimitiveType(), fitting);
        } else {
            out.startGroup();
            group(type.asGroupType(), fitting);
            out.endGroup();
        }
        out.endField(type.getName(), index);
    }

    private void group(GroupType type, Object value) {
        if (value instanceof double[] numbers) {
            if (isList(type)) {
                decimals(type.getType(0), numbers);
            } else {
                for (int i = 0; i < numbers.length; i++) {
                    decimal(type.getFieldName(i), i, numbers[i]);
                }
            }
        } else if (isList(type)) {
            entries(type, (Iterable<?>) value, (entry, element) -> field(0, entry.getType(0), element));
        } else if (isMap(type)) {
            entries(type, ((ObjectNode) value).properties(), (entry, member) -> {
                field(0, entry.getType(0), member.getKey());
                field(1, entry.getType(1), member.getValue());
            });
        } else {
            for (int i = 0; i < type.getFieldCount(); i++) {
                field(i, type.getType(i), ((ObjectNode) value).get(type.getFieldName(i)));
            }
        }
    }

    /** As {@link #entries}, without an object for each number. */
    private void decimals(Type entryType, double[] numbers) {
        if (numbers.length > 0) {
            out.startField(entryType.getName(), 0);
            for (double number : numbers) {
                out.startGroup();
                decimal(ELEMENT, 0, number);
                out.endGroup();
            }
            out.endField(entryType.getName(), 0);
        }
    }

    private void decimal(String name, int index, double number) {
        out.startField(name, index);
        out.addDouble(number);
        out.endField(name, index);
    }

    private interface Entry<E> {

        void write(GroupType type, E entry);
    }

    /** The entries of a list or of a map. Parquet has no field without a value. */
    private <E> void entries(GroupType type, Iterable<E> entries, Entry<E> writer) {
        GroupType entryType = type.getType(0).asGroupType();
        boolean isEmpty = true;
        for (E entry : entries) {
            if (isEmpty) {
                out.startField(entryType.getName(), 0);
                isEmpty = false;
            }
            out.startGroup();
            writer.write(entryType, entry);
            out.endGroup();
        }
        if (!isEmpty) {
            out.endField(entryType.getName(), 0);
        }
    }

    private static boolean isList(Type type) {
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation;
    }

    /** Whether a column has the statistics of bands, which the field has as JSON text. */
    static boolean isStatistics(Type type) {
        return isMap(type);
    }

    private static boolean isMap(Type type) {
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation;
    }

    static boolean isTime(Type type) {
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
    }

    /** The value in the class that this class writes as the type; null if it does not fit. */
    private static Object fitting(Type type, Object value) {
        if (!type.isPrimitive()) {
            return isList(type) && value instanceof Object[] array
                    ? Arrays.asList(array)
                    : value instanceof double[]
                            || (isList(type) ? value instanceof ArrayNode : value instanceof ObjectNode)
                                    ? value
                                    : null;
        }
        JsonNode json = value instanceof JsonNode node ? node : null;
        return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
            case INT64 -> isTime(type)
                    ? time(json != null && json.isTextual() ? json.textValue() : value)
                    : json == null ? value : json.isNumber() ? json.longValue() : null;
            case DOUBLE -> json == null ? value : json.isNumber() ? json.doubleValue() : null;
            case BOOLEAN -> json == null ? value : json.isBoolean() ? json.booleanValue() : null;
            default -> json == null
                    ? value
                    : type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.JsonLogicalTypeAnnotation
                            ? json.toString()
                            : json.textValue();
        };
    }

    private static Object time(Object value) {
        if (value instanceof String text) {
            try {
                return time(Instant.parse(text));
            } catch (DateTimeParseException e) {
                return null;
            }
        }
        return value instanceof Instant time ? time.getEpochSecond() * MICROS + time.getNano() / 1_000 : null;
    }

    private void primitive(PrimitiveType type, Object value) {
        switch (type.getPrimitiveTypeName()) {
            case INT64 -> out.addLong((Long) value);
            case DOUBLE -> out.addDouble((Double) value);
            case BOOLEAN -> out.addBoolean((Boolean) value);
            default -> out.addBinary(value instanceof byte[] bytes
                    ? Binary.fromConstantByteArray(bytes)
                    : Binary.fromString(value.toString()));
        }
    }
}
