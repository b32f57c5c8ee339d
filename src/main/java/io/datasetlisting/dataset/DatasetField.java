package io.datasetlisting.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
import io.datasetlisting.paging.Ordering;
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

    private DatasetField(Builder<T> builder) {
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
    boolean isLink() {
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

    /** The value in a row. */
    T read(Row row, int index, UnaryOperator<String> links) {
        return shown.apply(type.fromRow().read(row, index), links);
    }

    /** The value of a dataset. */
    T read(Dataset dataset, UnaryOperator<String> links) {
        return shown.apply(getter.apply(dataset), links);
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
    static <T> Builder<T> field(String name, FieldType<T> type) {
        return new Builder<>(name, type);
    }

    /** Builds an entry of the table. */
    static final class Builder<T> {

        private final String name;
        private final FieldType<T> type;
        private final List<ImportColumn<?>> importColumns = new ArrayList<>();
        private final Map<String, Object> details = new LinkedHashMap<>();
        private String column;
        private String expression;
        private String sortColumn;
        private Function<Dataset, T> getter = dataset -> null;
        private BiConsumer<Dataset, T> setter;
        private BiFunction<T, UnaryOperator<String>, T> shown = (value, links) -> value;
        private boolean isLink;
        private InputRule<T> writable;
        private InputRule<T> imported;
        private boolean isRequired;
        private int readOrder;
        private String property;
        private String itemExpression;

        private Builder(String name, FieldType<T> type) {
            this.name = name;
            this.type = type;
            column(name);
        }

        /** The column, when its name differs from the name of the field. */
        Builder<T> column(String name) {
            column = name;
            expression = "d." + name;
            return this;
        }

        /** The expression of the select list, when its type differs from the type of the column. */
        Builder<T> selected(String sql) {
            expression = sql;
            return this;
        }

        /** The field has no column: a listing selects the expression, and an import writes no column of this name. */
        Builder<T> computed(String sql) {
            column = null;
            expression = sql;
            return this;
        }

        /** A listing can be sorted by the field's column. */
        Builder<T> sortable() {
            return sortable(column);
        }

        Builder<T> sortable(String column) {
            sortColumn = column;
            return this;
        }

        /** The name of the field in the properties of an item, by which filters can name it. */
        Builder<T> property(String name) {
            property = name;
            return this;
        }

        /** The attribute of the entity. */
        Builder<T> attribute(Function<Dataset, T> getter, BiConsumer<Dataset, T> setter) {
            this.getter = getter;
            this.setter = setter;
            return this;
        }

        /** The value that is shown in place of null. */
        Builder<T> nullShownAs(T value) {
            shown = (stored, links) -> stored == null ? value : stored;
            return this;
        }

        /** The value is made from the stored value by a function that signs links. */
        Builder<T> shownAsLink(BiFunction<T, UnaryOperator<String>, T> link) {
            shown = link;
            isLink = true;
            return this;
        }

        /** Clients may write the field. */
        Builder<T> writable(InputRule<T> rule) {
            writable = rule;
            return this;
        }

        /** An import reads the field by this rule, after the fields that clients may write. */
        Builder<T> imported(InputRule<T> rule) {
            imported = rule;
            return this;
        }

        /** Each line of an import must have the field. */
        Builder<T> required() {
            isRequired = true;
            return this;
        }

        /** The field is read, and its error reported, before all other fields. */
        Builder<T> readFirst() {
            readOrder = -1;
            return this;
        }

        /** The field is read, and its error reported, after all other fields. */
        Builder<T> readLast() {
            readOrder = 1;
            return this;
        }

        /** One of several columns that an import writes in place of the field's own column. */
        <C> Builder<T> importColumn(String name, FieldType<C> type, Function<Dataset, C> attribute) {
            importColumns.add(new ImportColumn<>(name, type, attribute));
            return this;
        }

        /** Adds a key to the description, or replaces the value of a key. */
        Builder<T> described(String key, Object value) {
            details.put(key, value);
            return this;
        }

        /** Filters compare with this value, which is the column's unless the column is empty. */
        Builder<T> shownInItems(String sql) {
            itemExpression = sql;
            return this;
        }

        private Queryable queryable() {
            Queryable.Type queried = property == null ? null : isId() ? Queryable.Type.ID : type.queryable();
            String ordered = sortColumn == null ? column : sortColumn;
            return queried == null
                    ? null
                    : new Queryable(property, queried, itemExpression == null ? ordered : itemExpression, ordered);
        }

        /** An item has its id as text. */
        private boolean isId() {
            return name.equals(Ordering.TIE_BREAKER);
        }

        DatasetField<T> build() {
            return new DatasetField<>(this);
        }

        /** As Django REST Framework describes fields: the label is the name as words. */
        private Map<String, Object> description() {
            Map<String, Object> description = new LinkedHashMap<>();
            description.put("type", type.drf());
            description.put("required", false);
            description.put("read_only", writable == null);
            description.put("label", Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('_', ' '));
            description.putAll(details);
            return description;
        }
    }
}
