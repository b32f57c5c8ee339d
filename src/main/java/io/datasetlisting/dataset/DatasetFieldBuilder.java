package io.datasetlisting.dataset;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.dataset.DatasetField.ImportColumn;

/** Builds an entry of the table {@link DatasetFields}. */
final class DatasetFieldBuilder<T> {

    final String name;
    final FieldType<T> type;
    final List<ImportColumn<?>> importColumns = new ArrayList<>();
    final Map<String, Object> details = new LinkedHashMap<>();
    String column;
    String expression;
    String sortColumn;
    Function<Dataset, T> getter = dataset -> null;
    BiConsumer<Dataset, T> setter;
    BiFunction<T, UnaryOperator<String>, T> shown = (value, links) -> value;
    boolean isLink;
    InputRule<T> writable;
    InputRule<T> imported;
    boolean isRequired;
    int readOrder;
    String property;
    String itemExpression;
    Queryable.Type queried;

    DatasetFieldBuilder(String name, FieldType<T> type) {
        this.name = name;
        this.type = type;
        queried = type.queried();
        column(name);
    }

    /** The column, when its name differs from the name of the field. */
    DatasetFieldBuilder<T> column(String name) {
        column = name;
        expression = "d." + name;
        return this;
    }

    /** The expression of the select list, when its type differs from the type of the column. */
    DatasetFieldBuilder<T> selected(String sql) {
        expression = sql;
        return this;
    }

    /** The field has no column: a listing selects the expression, and an import writes no column of this name. */
    DatasetFieldBuilder<T> computed(String sql) {
        column = null;
        expression = sql;
        return this;
    }

    /** A listing can be sorted by the field's column. */
    DatasetFieldBuilder<T> sortable() {
        return sortable(column);
    }

    DatasetFieldBuilder<T> sortable(String column) {
        sortColumn = column;
        return this;
    }

    /** The name of the field in the properties of an item, by which filters can name it. */
    DatasetFieldBuilder<T> property(String name) {
        property = name;
        return this;
    }

    /** The attribute of the entity. */
    DatasetFieldBuilder<T> attribute(Function<Dataset, T> getter, BiConsumer<Dataset, T> setter) {
        this.getter = getter;
        this.setter = setter;
        return this;
    }

    /** The value that is shown in place of null. */
    DatasetFieldBuilder<T> nullShownAs(T value) {
        shown = (stored, links) -> stored == null ? value : stored;
        return this;
    }

    /** The value is made from the stored value by a function that signs links. */
    DatasetFieldBuilder<T> shownAsLink(BiFunction<T, UnaryOperator<String>, T> link) {
        shown = link;
        isLink = true;
        return this;
    }

    /** Clients may write the field. */
    DatasetFieldBuilder<T> writable(InputRule<T> rule) {
        writable = rule;
        return this;
    }

    /** An import reads the field by this rule, after the fields that clients may write. */
    DatasetFieldBuilder<T> imported(InputRule<T> rule) {
        imported = rule;
        return this;
    }

    /** Each line of an import must have the field. */
    DatasetFieldBuilder<T> required() {
        isRequired = true;
        return this;
    }

    /** The field is read, and its error reported, before all other fields. */
    DatasetFieldBuilder<T> readFirst() {
        readOrder = -1;
        return this;
    }

    /** The field is read, and its error reported, after all other fields. */
    DatasetFieldBuilder<T> readLast() {
        readOrder = 1;
        return this;
    }

    /** One of several columns that an import writes in place of the field's own column. */
    <C> DatasetFieldBuilder<T> importColumn(String name, FieldType<C> type, Function<Dataset, C> attribute) {
        importColumns.add(new ImportColumn<>(name, type, attribute));
        return this;
    }

    /** Adds a key to the description, or replaces the value of a key. */
    DatasetFieldBuilder<T> described(String key, Object value) {
        details.put(key, value);
        return this;
    }

    /** Filters compare with this value, which is the column's unless the column is empty. */
    DatasetFieldBuilder<T> shownInItems(String sql) {
        itemExpression = sql;
        return this;
    }

    /** Filters compare the field as values of this type, when it differs from the type of the field. */
    DatasetFieldBuilder<T> queriedAs(Queryable.Type type) {
        queried = type;
        return this;
    }

    Queryable queryable() {
        String ordered = sortColumn == null ? column : sortColumn;
        return property == null || queried == null
                ? null
                : new Queryable(property, queried, itemExpression == null ? ordered : itemExpression, ordered);
    }

    DatasetField<T> build() {
        return new DatasetField<>(this);
    }

    /** As Django REST Framework describes fields: the label is the name as words. */
    Map<String, Object> description() {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("type", type.drf());
        description.put("required", false);
        description.put("read_only", writable == null);
        description.put("label", Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('_', ' '));
        description.putAll(details);
        return description;
    }
}
