package io.datasetlisting.dataset;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;

import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.storage.ThumbnailLinks;
import io.vertx.mutiny.sqlclient.Row;

/**
 * One field of a dataset: its name in the API, its column, how it is read and written, and its description. {@link DatasetFields} is the
 * table of all fields.
 */
public final class DatasetField<T> {

    private final SerializedString name;
    private final FieldType<T> type;
    private final String expression;
    private final String sortColumn;
    private final Function<Dataset, T> getter;
    private final BiConsumer<Dataset, T> setter;
    private final BiFunction<T, UnaryOperator<String>, T> shown;
    private final boolean isLink;
    private final InputRule<T> writable;
    private final InputRule<T> imported;
    private final boolean isRequired;
    private final int readOrder;
    private final List<ImportColumn<?>> importColumns;
    private final Map<String, Object> description;
    private final String property;
    private final Queryable queryable;

    DatasetField(DatasetFieldBuilder<T> builder) {
        name = new SerializedString(builder.name);
        type = builder.type;
        expression = builder.expression;
        sortColumn = builder.sortColumn;
        getter = builder.getter;
        setter = builder.setter;
        shown = builder.shown;
        isLink = builder.isLink;
        writable = builder.writable;
        imported = builder.imported;
        isRequired = builder.isRequired;
        readOrder = builder.readOrder;
        importColumns = builder.column == null
                ? List.copyOf(builder.importColumns)
                : List.of(new ImportColumn<>(builder.column, type, getter));
        description = builder.description();
        property = builder.property;
        queryable = builder.queryable();
    }

    /**
     * A column that an import writes.
     *
     * @param attribute
     *            the value of the column
     */
    public record ImportColumn<T>(String name, FieldType<T> type, Function<Dataset, T> attribute) {

        /** One value of the column for each dataset. */
        public Object[] values(List<Dataset> datasets) {
            return type.parameters(datasets, attribute);
        }
    }

    public String name() {
        return name.getValue();
    }

    /** The expression of the select list, of a dataset that is named {@code d}. */
    String expression() {
        return expression;
    }

    /** The column that sorts by this field; null when a listing cannot be sorted by it. */
    String sortColumn() {
        return sortColumn;
    }

    /** The name of the field in the properties of an item; null when an item has no such property. */
    public String property() {
        return property;
    }

    /** The property of an item that filters can name; null when the field is none. */
    Queryable queryable() {
        return queryable;
    }

    /** Whether the value is a signed link, which expires. */
    public boolean isLink() {
        return isLink;
    }

    /** How a CSV cell of this field is written. */
    public FieldType.Cell cell() {
        return type.cell();
    }

    /** Whether every line of an import must have this field. */
    boolean isRequired() {
        return isRequired;
    }

    /** Fields of a request are read in ascending order. */
    int readOrder() {
        return readOrder;
    }

    public List<ImportColumn<?>> importColumns() {
        return importColumns;
    }

    /** The description of the field in {@code OPTIONS}. */
    Map<String, Object> description() {
        return description;
    }

    /** The name of the field in words. */
    public String label() {
        return (String) description.get("label");
    }

    /** The value in a row. */
    T read(Row row, int index, UnaryOperator<String> links) {
        return shown.apply(type.fromRow().read(row, index), links);
    }

    /** The value of a dataset. */
    T read(Dataset dataset, UnaryOperator<String> links) {
        return shown.apply(getter.apply(dataset), links);
    }

    /** Sets the dataset's field to the value in a row. */
    void copy(Row row, int index, Dataset dataset) {
        if (setter != null) {
            setter.accept(dataset, type.fromRow().read(row, index));
        }
    }

    void writeName(JsonGenerator json) throws IOException {
        json.writeFieldName(name);
    }

    /** Writes a value of this field as JSON. */
    @SuppressWarnings("unchecked")
    public void write(JsonGenerator json, Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else {
            type.toJson().write(json, (T) value);
        }
    }

    /** Sets the dataset's field to the value that a client sends. */
    void readWritable(DrfFields fields, Dataset dataset, ThumbnailLinks links) {
        read(writable, fields, dataset, links);
    }

    /** Sets the dataset's field to the value that an import sends, for a field that clients may not write. */
    void readImported(DrfFields fields, Dataset dataset, ThumbnailLinks links) {
        if (isRequired && !fields.has(name())) {
            fields.missing(name());
        } else {
            read(imported, fields, dataset, links);
        }
    }

    private void read(InputRule<T> rule, DrfFields fields, Dataset dataset, ThumbnailLinks links) {
        T value = rule == null ? null : rule.read(fields, name(), links);
        if (value != null) {
            setter.accept(dataset, value);
        }
    }

    /** A field in the column of the same name. */
    static <T> DatasetFieldBuilder<T> field(String name, FieldType<T> type) {
        return new DatasetFieldBuilder<>(name, type);
    }
}
