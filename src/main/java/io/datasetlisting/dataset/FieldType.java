package io.datasetlisting.dataset;

import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonGenerator;

import io.datasetlisting.dataset.cql2.Queryable;
import io.vertx.mutiny.sqlclient.Row;

/**
 * The type of a field's values: how PostgreSQL names the type, how a row is read, how JSON and CSV are written, and how an import
 * sends the values.
 *
 * @param sql
 *            the type's name in PostgreSQL
 * @param drf
 *            the type's name in the metadata of Django REST Framework
 * @param schema
 *            JSON Schema of the values in an item
 * @param queried
 *            the type of the values in a filter; null when filters have no such values
 * @param cell
 *            how a CSV cell is written
 * @param parameter
 *            the type in which an import sends the values
 */
public record FieldType<T>(String sql, String drf, String schema, Queryable.Type queried, Cell cell,
        FromRow<T> fromRow, ToJson<T> toJson, String parameter,
        IntFunction<Object[]> parameters, Function<T, Object> toParameter) {

    static final FieldType<Long> INTEGER = new FieldType<>("bigint", "integer",
            "{\"type\": \"integer\"}", Queryable.Type.INTEGER, Cell.LITERAL,
            Row::getLong,
            (json, value) -> json.writeNumber(value), Long[]::new);

    static final FieldType<Double> NUMBER = new FieldType<>("float8", "float",
            "{\"type\": \"number\"}", Queryable.Type.NUMBER, Cell.JSON,
            Row::getDouble,
            (json, value) -> json.writeNumber(value), Double[]::new);

    static final FieldType<Boolean> BOOLEAN = new FieldType<>("boolean", "boolean",
            "{\"type\": \"boolean\"}", Queryable.Type.BOOLEAN,
            Cell.LITERAL, Row::getBoolean,
            JsonGenerator::writeBoolean, Boolean[]::new);

    static final FieldType<String> TEXT = new FieldType<>("text", "string",
            "{\"type\": \"string\"}", Queryable.Type.TEXT, Cell.TEXT,
            Row::getString,
            JsonGenerator::writeString, String[]::new);

    static final FieldType<UUID> IDENTIFIER = new FieldType<>("uuid", "string",
            "{\"type\": \"string\", \"format\": \"uuid\"}", Queryable.Type.IDENTIFIER, Cell.TEXT,
            Row::getUUID,
            (json, value) -> json.writeString(value.toString()), UUID[]::new);

    static final FieldType<Instant> TIME = new FieldType<>("timestamptz", "datetime",
            "{\"type\": \"string\", \"format\": \"date-time\"}", Queryable.Type.TIME, Cell.TEXT,
            FieldType::instant,
            (json, value) -> json.writeString(seconds(value)), "timestamptz", OffsetDateTime[]::new,
            value -> value.atOffset(ZoneOffset.UTC));

    static final FieldType<String[]> TEXTS = sentAsText("text[]", "multiple choice",
            "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", Queryable.Type.TEXTS,
            Row::getArrayOfStrings,
            (json, values) -> json.writeArray(values, 0, values.length), FieldType::arrayLiteral);

    static final FieldType<double[]> NUMBERS = sentAsText("float8[]", "list",
            "{\"type\": \"array\", \"items\": {\"type\": \"number\"}}", null, FieldType::doubles,
            (json, values) -> json.writeArray(values, 0, values.length), FieldType::arrayLiteral);

    /** JSON text. */
    static final FieldType<String> JSON = sentAsText("jsonb", "nested object",
            "{\"type\": \"object\"}", null, Row::getString,
            (json, value) -> CompactJson.write(value, json), value -> value);

    /** The type of a field that is always null. */
    static final FieldType<Void> NOTHING = new FieldType<>("text", "field",
            "{\"type\": \"null\"}", null, Cell.TEXT, (row, index) -> null,
            (json, value) -> json.writeNull(), Void[]::new);

    /** How a CSV cell is written: as text, as a number or boolean that needs no quotes, or as JSON text. */
    public enum Cell {
        TEXT, LITERAL, JSON
    }

    /** Reads a column of a row. */
    interface FromRow<T> {

        T read(Row row, int index);
    }

    /** Writes a value that is not null. */
    interface ToJson<T> {

        void write(JsonGenerator json, T value) throws IOException;
    }

    private FieldType(String sql, String drf, String schema, Queryable.Type queried, Cell cell, FromRow<T> fromRow,
            ToJson<T> toJson,
            IntFunction<Object[]> parameters) {
        this(sql, drf, schema, queried, cell, fromRow, toJson, sql, parameters, value -> value);
    }

    /**
     * An import sends one array for each column. The elements are text, because PostgreSQL has no arrays of arrays of
     * different lengths.
     */
    private static <T> FieldType<T> sentAsText(String sql, String drf, String schema, Queryable.Type queried,
            FromRow<T> fromRow,
            ToJson<T> toJson,
            Function<T, Object> literal) {
        return new FieldType<>(sql, drf, schema, queried, Cell.JSON, fromRow, toJson, "text", String[]::new, literal);
    }

    /** The parameter of an import: one value for each dataset. */
    Object[] parameters(List<Dataset> datasets, Function<Dataset, T> attribute) {
        Object[] array = parameters.apply(datasets.size());
        for (int i = 0; i < array.length; i++) {
            T value = attribute.apply(datasets.get(i));
            array[i] = value == null ? null : toParameter.apply(value);
        }
        return array;
    }

    private static Instant instant(Row row, int index) {
        OffsetDateTime time = row.getOffsetDateTime(index);
        return time == null ? null : time.toInstant();
    }

    /** A time as the listing shows it, in whole seconds. */
    public static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static double[] doubles(Row row, int index) {
        Double[] boxed = row.getArrayOfDoubles(index);
        if (boxed == null) {
            return null;
        }
        double[] doubles = new double[boxed.length];
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = boxed[i];
        }
        return doubles;
    }

    private static String arrayLiteral(String[] texts) {
        return Stream.of(texts).map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String arrayLiteral(double[] numbers) {
        return DoubleStream.of(numbers).mapToObj(Double::toString).collect(Collectors.joining(",", "{", "}"));
    }
}
