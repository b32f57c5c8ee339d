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
import java.util.function.Supplier;

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
final class RowReader extends RecordMaterializer<ParquetRows.Row> {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** In bytes. Longer numbers take long to convert, and no field has them. */
    private static final int MAX_DECIMAL = 32;

    private final int maxLength;
    private final int maxValues;
    private final Root root;
    private long number;
    private ObjectNode values;
    private int length;
    private int count;
    private ApiException refusal;

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
    public ParquetRows.Row getCurrentRecord() {
        return new ParquetRows.Row(number, values, length, refusal);
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
            Group<ArrayNode> list = new Group<>(JSON::arrayNode, parent);
            Type repeated = group.getType(0);
            return list.with(isElement(repeated)
                    ? converter(repeated, value -> list.value.add(value))
                    : entry(repeated.asGroupType(), entry -> list.value.add(entry.get(0))));
        }
        if ((logical instanceof MapLogicalTypeAnnotation || logical instanceof MapKeyValueTypeAnnotation) && hasEntries
                && !group.getType(0).isPrimitive() && group.getType(0).asGroupType().getFieldCount() == 2) {
            // Keys are texts in JSON.
            Group<ObjectNode> map = new Group<>(JSON::objectNode, parent);
            return map.with(entry(group.getType(0).asGroupType(),
                    entry -> map.value.set(entry.get(0).asText(), entry.get(1))));
        }
        return new Members(group, parent);
    }

    /** The repeated group of a list has one member; the one of old writers is the element itself. */
    private static boolean isElement(Type repeated) {
        return repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 1
                || repeated.getName().equals("array") || repeated.getName().endsWith("_tuple");
    }

    /** An entry of a list or a map: its values in their order, null for a missing one. */
    private Converter entry(GroupType type, Consumer<JsonNode> parent) {
        Group<ArrayNode> entry = new Group<>(() -> {
            ArrayNode missing = JSON.arrayNode();
            type.getFields().forEach(field -> missing.addNull());
            return missing;
        }, parent);
        for (int i = 0; i < type.getFieldCount(); i++) {
            int index = i;
            entry.with(converter(type.getType(i), value -> entry.value.set(index, value)));
        }
        return entry;
    }

    /** A group that becomes a value, which its converters fill. They are made at the start. */
    private class Group<N extends JsonNode> extends GroupConverter {

        private final List<Converter> converters = new ArrayList<>();
        private final Supplier<N> empty;
        private final Consumer<JsonNode> parent;
        N value;

        Group(Supplier<N> empty, Consumer<JsonNode> parent) {
            this.empty = empty;
            this.parent = parent;
        }

        Group<N> with(Converter converter) {
            converters.add(converter);
            return this;
        }

        @Override
        public Converter getConverter(int index) {
            return converters.get(index);
        }

        @Override
        public void start() {
            value = empty.get();
        }

        @Override
        public void end() {
            if (takes(0)) {
                parent.accept(value);
            }
        }
    }

    /** A group whose values have names. */
    private class Members extends Group<ObjectNode> {

        Members(GroupType type, Consumer<JsonNode> parent) {
            super(JSON::objectNode, parent);
            for (Type member : type.getFields()) {
                String name = member.getName();
                with(converter(member, member.isRepetition(Repetition.REPEATED)
                        ? element -> value.withArray("/" + name.replace("~", "~0").replace("/", "~1")).add(element)
                        : single -> value.set(name, single)));
            }
        }
    }

    private final class Root extends Members {

        private final MessageType schema;

        Root(MessageType schema) {
            super(schema, row -> {
            });
            this.schema = schema;
        }

        @Override
        public void start() {
            super.start();
            number++;
            length = 0;
            count = 0;
            refusal = null;
        }

        @Override
        public void end() {
            for (Type column : schema.getFields()) {
                if (!value.has(column.getName())) {
                    value.putNull(column.getName());
                }
            }
            values = value;
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
