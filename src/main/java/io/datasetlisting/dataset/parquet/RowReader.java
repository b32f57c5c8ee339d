package io.datasetlisting.dataset.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.StrictJson;

/**
 * Makes JSON of the rows of a file: what a line of NDJSON with the same values would have. A time is text, a map an object, bytes
 * stay bytes, and a column without a value is null. A row has the limits of a line.
 */
final class RowReader extends RecordMaterializer<RowReader.Row> {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** In bytes. Longer numbers take long to convert, and no field has them. */
    private static final int MAX_DECIMAL = 32;

    private final int maxLength;
    private final int maxValues;
    private final Root root;
    private ObjectNode values;
    private int length;
    private int count;
    private ApiException refusal;

    /**
     * A row.
     *
     * @param length
     *            of its values, in bytes
     * @param refusal
     *            the reason for which the values are not complete; otherwise null
     */
    record Row(ObjectNode values, int length, ApiException refusal) {
    }

    /**
     * @param maxLength
     *            of the values of a row, in bytes
     * @param maxValues
     *            of a row
     */
    RowReader(MessageType schema, int maxLength, int maxValues) {
        this.maxLength = maxLength;
        this.maxValues = maxValues;
        root = new Root(schema);
    }

    @Override
    public Row getCurrentRecord() {
        return new Row(values, length, refusal);
    }

    @Override
    public GroupConverter getRootConverter() {
        return root;
    }

    /** Whether the row has room for a value. The values of a row without room are read and forgotten. */
    private boolean takes(int bytes) {
        if (refusal == null && (count >= maxValues || bytes > maxLength - length)) {
            refusal = new ApiException(413, count >= maxValues
                    ? "The row has more than " + maxValues + " values."
                    : "The row is longer than " + maxLength + " bytes.");
        }
        count++;
        length += refusal == null ? bytes : 0;
        return refusal == null;
    }

    private Converter converter(Type type, Consumer<JsonNode> parent) {
        if (type.isPrimitive()) {
            return new Value(type.asPrimitiveType(), parent);
        }
        GroupType group = type.asGroupType();
        LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
        boolean hasEntries = group.getFieldCount() == 1 && group.getType(0).isRepetition(Repetition.REPEATED);
        if (logical instanceof ListLogicalTypeAnnotation && hasEntries) {
            return new Array(group.getType(0), parent);
        }
        if ((logical instanceof MapLogicalTypeAnnotation || logical instanceof MapKeyValueTypeAnnotation) && hasEntries
                && !group.getType(0).isPrimitive() && group.getType(0).asGroupType().getFieldCount() == 2) {
            return new Dictionary(group.getType(0).asGroupType(), parent);
        }
        return new Members(group, parent);
    }

    /** A group whose converters are made at the start. */
    private abstract static class Group extends GroupConverter {

        final List<Converter> converters = new ArrayList<>();

        @Override
        public Converter getConverter(int index) {
            return converters.get(index);
        }
    }

    private class Members extends Group {

        private final Consumer<JsonNode> parent;
        ObjectNode object;

        Members(GroupType type, Consumer<JsonNode> parent) {
            this.parent = parent;
            for (Type member : type.getFields()) {
                String name = member.getName();
                converters.add(converter(member, member.isRepetition(Repetition.REPEATED)
                        ? value -> object.withArray("/" + name.replace("~", "~0").replace("/", "~1")).add(value)
                        : value -> object.set(name, value)));
            }
        }

        @Override
        public void start() {
            object = JSON.objectNode();
        }

        @Override
        public void end() {
            if (takes(0)) {
                parent.accept(object);
            }
        }
    }

    private final class Root extends Members {

        private final MessageType schema;

        Root(MessageType schema) {
            super(schema, value -> {
            });
            this.schema = schema;
        }

        @Override
        public void start() {
            super.start();
            length = 0;
            count = 0;
            refusal = null;
        }

        @Override
        public void end() {
            for (Type column : schema.getFields()) {
                if (!object.has(column.getName())) {
                    object.putNull(column.getName());
                }
            }
            values = object;
        }
    }

    /** A list. Its repeated group has one member; the one of old writers is the element itself. */
    private final class Array extends Group {

        private final Consumer<JsonNode> parent;
        private ArrayNode array;

        Array(Type repeated, Consumer<JsonNode> parent) {
            this.parent = parent;
            boolean isElement = repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 1
                    || repeated.getName().equals("array") || repeated.getName().endsWith("_tuple");
            converters.add(isElement
                    ? converter(repeated, value -> array.add(value))
                    : new Entry(repeated.asGroupType(), entry -> array.add(entry.get(0))));
        }

        @Override
        public void start() {
            array = JSON.arrayNode();
        }

        @Override
        public void end() {
            if (takes(0)) {
                parent.accept(array);
            }
        }
    }

    /** A map, whose keys are texts in JSON. */
    private final class Dictionary extends Group {

        private final Consumer<JsonNode> parent;
        private ObjectNode object;

        Dictionary(GroupType entry, Consumer<JsonNode> parent) {
            this.parent = parent;
            converters.add(new Entry(entry, values -> object.set(values.get(0).asText(), values.get(1))));
        }

        @Override
        public void start() {
            object = JSON.objectNode();
        }

        @Override
        public void end() {
            if (takes(0)) {
                parent.accept(object);
            }
        }
    }

    /** An entry of a list or a map: its values in their order, null for a missing one. */
    private final class Entry extends Group {

        private final Consumer<List<JsonNode>> parent;
        private final List<JsonNode> entry = new ArrayList<>();

        Entry(GroupType type, Consumer<List<JsonNode>> parent) {
            this.parent = parent;
            for (int i = 0; i < type.getFieldCount(); i++) {
                int index = i;
                entry.add(JSON.nullNode());
                converters.add(converter(type.getType(i), value -> entry.set(index, value)));
            }
        }

        @Override
        public void start() {
            entry.replaceAll(value -> JSON.nullNode());
        }

        @Override
        public void end() {
            if (takes(0)) {
                parent.accept(entry);
            }
        }
    }

    private final class Value extends PrimitiveConverter {

        private final Consumer<JsonNode> parent;
        private final LogicalTypeAnnotation type;
        private final boolean isJson;
        private final boolean isText;

        Value(PrimitiveType primitive, Consumer<JsonNode> parent) {
            this.parent = parent;
            type = primitive.getLogicalTypeAnnotation();
            isJson = type instanceof JsonLogicalTypeAnnotation;
            isText = isJson || type instanceof StringLogicalTypeAnnotation || type instanceof EnumLogicalTypeAnnotation;
        }

        @Override
        public void addBinary(Binary value) {
            if (!takes(value.length())) {
                return;
            }
            if (isText) {
                byte[] bytes = value.getBytes();
                try {
                    parent.accept(isJson
                            ? StrictJson.parse(bytes, 0, bytes.length)
                            : JSON.textNode(StrictJson.decodeUtf8(bytes, 0, bytes.length)));
                } catch (ApiException e) {
                    refusal = e;
                }
            } else if (type instanceof DecimalLogicalTypeAnnotation decimal && value.length() <= MAX_DECIMAL) {
                number(new BigDecimal(new BigInteger(value.getBytes()), decimal.getScale()));
            } else if (type instanceof UUIDLogicalTypeAnnotation) {
                ByteBuffer bytes = value.toByteBuffer();
                parent.accept(JSON.textNode(new UUID(bytes.getLong(), bytes.getLong()).toString()));
            } else {
                parent.accept(JSON.binaryNode(value.getBytes()));
            }
        }

        @Override
        public void addBoolean(boolean value) {
            if (takes(1)) {
                parent.accept(JSON.booleanNode(value));
            }
        }

        @Override
        public void addInt(int value) {
            if (type instanceof DateLogicalTypeAnnotation) {
                if (takes(Integer.BYTES)) {
                    parent.accept(JSON.textNode(
                            LocalDate.ofEpochDay(value).atStartOfDay(ZoneOffset.UTC).toInstant().toString()));
                }
            } else {
                addLong(type instanceof IntLogicalTypeAnnotation integer && !integer.isSigned()
                        ? Integer.toUnsignedLong(value)
                        : value);
            }
        }

        @Override
        public void addLong(long value) {
            if (!takes(Long.BYTES)) {
                return;
            }
            if (type instanceof TimestampLogicalTypeAnnotation time) {
                parent.accept(JSON.textNode(Instant.EPOCH.plus(value, switch (time.getUnit()) {
                    case MILLIS -> ChronoUnit.MILLIS;
                    case MICROS -> ChronoUnit.MICROS;
                    case NANOS -> ChronoUnit.NANOS;
                }).toString()));
            } else if (type instanceof DecimalLogicalTypeAnnotation decimal) {
                number(BigDecimal.valueOf(value, decimal.getScale()));
            } else if (type instanceof IntLogicalTypeAnnotation integer && !integer.isSigned() && value < 0) {
                parent.accept(JSON.numberNode(new BigInteger(Long.toUnsignedString(value))));
            } else {
                parent.accept(JSON.numberNode(value));
            }
        }

        @Override
        public void addFloat(float value) {
            // The digits of a float are fewer than those of the double with its value.
            add(value, Float.toString(value));
        }

        @Override
        public void addDouble(double value) {
            add(value, Double.toString(value));
        }

        private void add(double value, String digits) {
            if (!takes(Double.BYTES)) {
                return;
            }
            if (Double.isFinite(value)) {
                number(new BigDecimal(digits));
            } else {
                // JSON has no such number, and no field takes this text for one.
                parent.accept(JSON.textNode(digits));
            }
        }

        private void number(BigDecimal value) {
            BigDecimal plain = value.stripTrailingZeros();
            parent.accept(plain.scale() <= 0 && plain.precision() - plain.scale() <= Long.SIZE / 4
                    ? JSON.numberNode(plain.longValueExact())
                    : JSON.numberNode(plain));
        }
    }
}
