package io.datasetlisting.dataset.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The types of the columns of a Parquet file, and how a value is written as such a type. A value is a value of Java, or JSON. A
 * value that does not fit the type is written as null.
 */
public final class ParquetValues {

    /** The end of the names of the field and of the property. */
    private static final String STATISTICS_OF_BANDS = "band_stats";
    private static final String ELEMENT = "element";
    private static final String ENTRY = "key_value";
    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String LABELS = "band_descr";
    private static final List<String> STATISTICS = List.of("max", "min", "mean", "stddev");
    private static final List<String> EDGES = List.of("xmin", "ymin", "xmax", "ymax");
    private static final int MICROS = 1_000_000;

    /** For JSON that the service has written itself. */
    private static final JsonFactory JSON = JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
            .build();

    private final RecordConsumer out;

    public ParquetValues(RecordConsumer out) {
        this.out = out;
    }

    /**
     * The type of the values that a JSON Schema describes: a text, a time, a number, a boolean, a list, or an object with known
     * members. An object without a description of its members is JSON, or the statistics of bands, by its name.
     */
    public static Type type(String name, JsonNode schema) {
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

    private static Type number(String name) {
        return primitive(name, PrimitiveTypeName.INT64, null);
    }

    private static Type decimal(String name) {
        return primitive(name, PrimitiveTypeName.DOUBLE, null);
    }

    private static Type text(String name) {
        return primitive(name, PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType());
    }

    public static Type bytes(String name) {
        return primitive(name, PrimitiveTypeName.BINARY, null);
    }

    /** In UTC, in microseconds. */
    private static Type time(String name) {
        return primitive(name, PrimitiveTypeName.INT64, LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS));
    }

    /** @param element named {@value #ELEMENT} */
    private static Type list(String name, Type element) {
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

    private static GroupType group(String name, Type... members) {
        return new GroupType(Repetition.OPTIONAL, name, members);
    }

    /**
     * A box. Its value is {@code double[]} with the edges.
     *
     * @param isExact
     *            whether the edges are doubles. Edges that are floats take half of the bytes. Their box covers the exact one, and
     *            exceeds it by less than 0.00002 degrees
     */
    public static GroupType box(String name, boolean isExact) {
        PrimitiveTypeName type = isExact ? PrimitiveTypeName.DOUBLE : PrimitiveTypeName.FLOAT;
        return group(name, EDGES.stream().map(edge -> primitive(edge, type, null)).toArray(Type[]::new));
    }

    /** The statistics by raster: those of each band by its name, and the bands by their labels. */
    private static Type statistics(String name) {
        return map(name, group(VALUE,
                map("bands", group(VALUE, STATISTICS.stream().map(ParquetValues::decimal).toArray(Type[]::new))),
                map(LABELS, number(VALUE))));
    }

    private static Type primitive(String name, PrimitiveTypeName type, LogicalTypeAnnotation logical) {
        return new PrimitiveType(Repetition.OPTIONAL, type, name).withLogicalTypeAnnotation(logical);
    }

    /**
     * Writes a field of a record or of a group; nothing for a value that is missing.
     *
     * @param value
     *            {@code double[]} for a list of numbers, and for a box
     */
    public void field(int index, Type type, Object value) {
        Object fitting = fitting(type, value);
        if (fitting == null) {
            return;
        }
        if (type.isPrimitive()) {
            out.startField(type.getName(), index);
            primitive(type.asPrimitiveType(), fitting);
            out.endField(type.getName(), index);
        } else {
            start(type, index);
            group(type.asGroupType(), fitting);
            end(type, index);
        }
    }

    private void start(Type group, int index) {
        out.startField(group.getName(), index);
        out.startGroup();
    }

    private void end(Type group, int index) {
        out.endGroup();
        out.endField(group.getName(), index);
    }

    private void group(GroupType type, Object value) {
        if (value instanceof double[] numbers) {
            if (isList(type)) {
                decimals(type.getType(0), numbers);
            } else {
                for (int i = 0; i < numbers.length; i++) {
                    edge(type.getType(i), i, numbers[i]);
                }
            }
        } else if (isList(type)) {
            entries(type, (Iterable<?>) value, (entry, element) -> field(0, entry.getType(0), element));
        } else if (isStatistics(type)) {
            statistics(type, value);
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

    private void edge(Type type, int index, double number) {
        if (type.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.DOUBLE) {
            decimal(type.getName(), index, number);
        } else {
            out.startField(type.getName(), index);
            out.addFloat(index < EDGES.size() / 2 ? -atLeast(-number) : atLeast(number));
            out.endField(type.getName(), index);
        }
    }

    /** The least float that is not less than the number. */
    private static float atLeast(double number) {
        float nearest = (float) number;
        return nearest < number ? Math.nextUp(nearest) : nearest;
    }

    private void decimal(String name, int index, double number) {
        out.startField(name, index);
        out.addDouble(number);
        out.endField(name, index);
    }

    /**
     * Writes the statistics of bands while it parses them. A tree of them would take more time than all other columns.
     *
     * @param value
     *            JSON, or its text
     */
    private void statistics(GroupType type, Object value) {
        try (JsonParser json = value instanceof String text
                ? JSON.createParser(text)
                : ((JsonNode) value).traverse()) {
            json.nextToken();
            members(type, json, raster -> raster(raster.asGroupType(), json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Member {

        /** The parser is at the value. */
        void write(Type type) throws IOException;
    }

    /** Writes each member of an object as an entry of a map, except the labels of bands, which it returns. */
    private Map<String, Long> members(GroupType map, JsonParser json, Member value) throws IOException {
        GroupType entry = map.getType(0).asGroupType();
        Map<String, Long> labels = null;
        boolean isEmpty = true;
        for (boolean isObject = startsObject(json); isObject && json.nextToken() == JsonToken.FIELD_NAME;) {
            String name = json.currentName();
            json.nextToken();
            if (name.equals(LABELS)) {
                labels = labels(json);
                continue;
            }
            if (isEmpty) {
                out.startField(ENTRY, 0);
                isEmpty = false;
            }
            out.startGroup();
            field(0, entry.getType(0), name);
            value.write(entry.getType(1));
            out.endGroup();
        }
        if (!isEmpty) {
            out.endField(ENTRY, 0);
        }
        return labels;
    }

    /** Whether the value is an object. Another one is skipped. */
    private static boolean startsObject(JsonParser json) throws IOException {
        boolean isObject = json.hasToken(JsonToken.START_OBJECT);
        if (!isObject) {
            json.skipChildren();
        }
        return isObject;
    }

    private static Map<String, Long> labels(JsonParser json) throws IOException {
        if (!startsObject(json)) {
            return null;
        }
        Map<String, Long> labels = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String label = json.currentName();
            labels.put(label, json.nextToken().isNumeric() ? (long) json.getDoubleValue() : null);
            json.skipChildren();
        }
        return labels;
    }

    private void raster(GroupType type, JsonParser json) throws IOException {
        Type bands = type.getType(0);
        Type labelled = type.getType(1);
        start(type, 1);
        start(bands, 0);
        Map<String, Long> labels = members(bands.asGroupType(), json, band -> band(band.asGroupType(), json));
        end(bands, 0);
        if (labels != null) {
            start(labelled, 1);
            entries(labelled.asGroupType(), labels.entrySet(), (entry, label) -> {
                field(0, entry.getType(0), label.getKey());
                field(1, entry.getType(1), label.getValue());
            });
            end(labelled, 1);
        }
        end(type, 1);
    }

    private void band(GroupType type, JsonParser json) throws IOException {
        if (!startsObject(json)) {
            return;
        }
        start(type, 1);
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            if (json.nextToken().isNumeric() && type.containsField(name)) {
                decimal(name, type.getFieldIndex(name), json.getDoubleValue());
            }
            json.skipChildren();
        }
        end(type, 1);
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

    /** Whether a type is that of the statistics of bands, the only map that has a column. */
    private static boolean isStatistics(Type type) {
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation;
    }

    public static boolean isTime(Type type) {
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
    }

    /** The value in the class that this class writes as the type; null if it does not fit. */
    private static Object fitting(Type type, Object value) {
        if (!type.isPrimitive()) {
            return isList(type) && value instanceof Object[] array
                    ? Arrays.asList(array)
                    : value instanceof double[] || isStatistics(type) && value instanceof String
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
