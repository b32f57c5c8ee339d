package io.datasetlisting.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonGenerator;

import io.datasetlisting.dataset.rule.InputRule;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.input.DrfFields;
import io.vertx.mutiny.sqlclient.Row;

/**
 * One field of a dataset: its description, its column, and how it is read and written. {@link DatasetFields} is the table
 * of all fields. The methods that return the field itself describe it there, and nowhere else.
 */
public final class DatasetField<T> extends FieldDescription<DatasetField<T>> {

    private final FieldType<T> type;
    private final List<ImportColumn<?>> importColumns = new ArrayList<>();
    private String column;
    private String expression;
    private String sortColumn;
    private Function<Dataset, T> getter = dataset -> null;
    private BiConsumer<Dataset, T> setter;
    private BiFunction<T, UnaryOperator<String>, T> shown = (value, links) -> value;
    private InputRule<T> writable;
    private InputRule<T> imported;
    private boolean isRequired;
    private boolean isOptionalInItems;
    private int readOrder;

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

    @Override
    DatasetField<T> self() {
        return this;
    }

    private DatasetField(String name, FieldType<T> type, String description) {
        super(name, type, description);
        this.type = type;
        column(name);
    }

    /**
     * A field in the column of the same name.
     *
     * @param description
     *            one sentence
     */
    static <T> DatasetField<T> field(String name, FieldType<T> type, String description) {
        return new DatasetField<>(name, type, description);
    }

    /** The column, when its name differs from the name of the field. */
    DatasetField<T> column(String name) {
        column = name;
        expression = "d." + name;
        return this;
    }

    /** The expression of the select list, when its type differs from the type of the column. */
    DatasetField<T> selected(String sql) {
        expression = sql;
        return this;
    }

    /** The field has no column: a listing selects the expression, and an import writes no column of this name. */
    DatasetField<T> computed(String sql) {
        column = null;
        expression = sql;
        return this;
    }

    /** A listing can be sorted by the field's column. */
    DatasetField<T> sortable() {
        return sortable(column);
    }

    DatasetField<T> sortable(String column) {
        sortColumn = column;
        return this;
    }

    /** The attribute of the entity. */
    DatasetField<T> attribute(Function<Dataset, T> getter, BiConsumer<Dataset, T> setter) {
        this.getter = getter;
        this.setter = setter;
        return this;
    }

    /** The value that is shown in place of null. */
    DatasetField<T> nullShownAs(T value) {
        shown = (stored, links) -> stored == null ? value : stored;
        return this;
    }

    /** A null is stored in place of an empty value, which a client sends to clear the field. */
    DatasetField<T> attributeOrNull(Function<Dataset, T> getter, BiConsumer<Dataset, T> setter, Predicate<T> isEmpty) {
        return attribute(getter, (dataset, value) -> setter.accept(dataset,
                value == null || isEmpty.test(value) ? null : value));
    }

    /** The value is made from the stored value by a function that signs links. */
    DatasetField<T> shownAsLink(BiFunction<T, UnaryOperator<String>, T> link) {
        shown = link;
        return display(Display.LINK);
    }

    /** Clients may write the field. */
    DatasetField<T> writable(InputRule<T> rule) {
        writable = rule;
        return this;
    }

    /** An import reads the field by this rule, after the fields that clients may write. */
    DatasetField<T> imported(InputRule<T> rule) {
        imported = rule;
        return this;
    }

    /** Each line of an import must have the field. */
    DatasetField<T> required() {
        isRequired = true;
        return this;
    }

    /** The field is read, and its error reported, before all other fields. */
    DatasetField<T> readFirst() {
        readOrder = -1;
        return this;
    }

    /** The field is read, and its error reported, after all other fields. */
    DatasetField<T> readLast() {
        readOrder = 1;
        return this;
    }

    /** One of several columns that an import writes in place of the field's own column. */
    <C> DatasetField<T> importColumn(String name, FieldType<C> type, Function<Dataset, C> attribute) {
        importColumns.add(new ImportColumn<>(name, type, attribute));
        return this;
    }

    /** An item without the property stands for a dataset with the value of a new one. */
    DatasetField<T> optionalInItems() {
        isOptionalInItems = true;
        return this;
    }

    /** Whether an item without the property stands for a dataset with the value of a new one. */
    public boolean isOptionalInItems() {
        return isOptionalInItems;
    }

    /** Sets the dataset's field to the value of a new dataset. */
    public void clear(Dataset dataset) {
        setter.accept(dataset, getter.apply(new Dataset()));
    }

    @Override
    public boolean isWritable() {
        return writable != null;
    }

    /** The expression of the select list, of a dataset that is named {@code d}. */
    String expression() {
        return expression;
    }

    /** The column that sorts by this field; null when a listing cannot be sorted by it. */
    public String sortColumn() {
        return sortColumn;
    }

    @Override
    String comparedColumn() {
        return sortColumn == null ? column : sortColumn;
    }

    /** JSON Schema of the field's values in a listing, as text. */
    public String jsonSchema() {
        return type.schema();
    }

    /** How a CSV cell of this field is written. */
    public FieldType.Cell cell() {
        return type.cell();
    }

    /** Whether every line of an import must have this field. */
    public boolean isRequired() {
        return isRequired;
    }

    /** Fields of a request are read in ascending order. */
    int readOrder() {
        return readOrder;
    }

    public List<ImportColumn<?>> importColumns() {
        return column == null ? importColumns : List.of(new ImportColumn<>(column, type, getter));
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

    @Override
    @SuppressWarnings("unchecked")
    public void write(JsonGenerator json, Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else {
            type.toJson().write(json, (T) value);
        }
    }

    /** Sets the dataset's field to the value that a client sends. */
    public void readWritable(DrfFields fields, Dataset dataset, ThumbnailLinks links) {
        read(writable, fields, dataset, links);
    }

    /** Sets the dataset's field to the value that an import sends, if the field has a rule for imports. */
    public void readImported(DrfFields fields, Dataset dataset, ThumbnailLinks links) {
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
}
