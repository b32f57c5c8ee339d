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
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.StrictJson;
import io.datasetlisting.storage.ThumbnailLinks;
import io.vertx.mutiny.sqlclient.Row;

/**
 * One field of a dataset: its name in the API, its column, how it is read, written and shown, its property in items, and
 * its description. {@link DatasetFields} is the table of all fields. The methods that return the field itself describe it
 * there, and nowhere else.
 */
public final class DatasetField<T> {

    private final SerializedString name;
    private final FieldType<T> type;
    private final String description;
    private final List<ImportColumn<?>> importColumns = new ArrayList<>();
    private final Map<String, Object> details = new LinkedHashMap<>();
    private final ObjectNode schema;
    private String column;
    private String expression;
    private String sortColumn;
    private Function<Dataset, T> getter = dataset -> null;
    private BiConsumer<Dataset, T> setter;
    private BiFunction<T, UnaryOperator<String>, T> shown = (value, links) -> value;
    private InputRule<T> writable;
    private InputRule<T> imported;
    private boolean isRequired;
    private int readOrder;
    private String property;
    private Function<DatasetView, String> textInItems;
    private Queryable.Type queried;
    private boolean isTitle;
    private Display display = Display.VALUE;
    private String meaning = "yes";
    private boolean isOnCards;
    private String tag;

    /** How a page shows a value. */
    public enum Display {
        /** As its type says. */
        VALUE,
        /** A number that is a name. The reader's locale must not group its digits. */
        NUMBER_AS_NAME,
        /** A link, which expires. */
        LINK,
        /** {@code [latitude, longitude]} as a position in words. */
        POSITION,
        /** {@code [lat_a, lon_a, lat_b, lon_b]} as two positions in words. */
        AREA,
        /** Statistics as the number of their bands. The page also has a chart. */
        BAND_STATISTICS
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

    private DatasetField(String name, FieldType<T> type, String description) {
        this.name = new SerializedString(name);
        this.type = type;
        this.description = description;
        schema = (ObjectNode) StrictJson.parse(type.schema());
        queried = type.queried();
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

    /** Adds a key to the description in {@code OPTIONS}, or replaces the value of a key. */
    DatasetField<T> described(String key, Object value) {
        details.put(key, value);
        return this;
    }

    /** The values that the elements of the field can have. */
    DatasetField<T> choices(List<String> values) {
        values.forEach(schema.withObject("/items").putArray("enum")::add);
        return described("choices", values.stream().map(value -> {
            Map<String, String> choice = new LinkedHashMap<>();
            choice.put("value", value);
            choice.put("display_name", value);
            return choice;
        }).toList());
    }

    /** The name of the field in the properties of an item, by which filters and orders can name it. */
    DatasetField<T> property(String name) {
        property = name;
        return this;
    }

    /** The property has this text in place of the field's value. */
    DatasetField<T> textInItems(Function<DatasetView, String> text) {
        textInItems = text;
        return this;
    }

    /** Adds a key to the schema of the property, or replaces the value of a key. */
    DatasetField<T> inSchema(String key, String value) {
        schema.put(key, value);
        return this;
    }

    /** Filters compare the field as values of this type, when it differs from the type of the field. */
    DatasetField<T> queriedAs(Queryable.Type type) {
        queried = type;
        return this;
    }

    /** The property is the title of the dataset, which is computed for a blank name. */
    DatasetField<T> isTitle() {
        isTitle = true;
        return textInItems(DatasetView::title);
    }

    /** How a page shows the value, when the type does not say it. */
    DatasetField<T> display(Display display) {
        this.display = display;
        return this;
    }

    /** What a page says in place of "yes". */
    DatasetField<T> trueMeans(String sentence) {
        meaning = sentence;
        return this;
    }

    /** The card of a dataset needs the field. */
    DatasetField<T> onCards() {
        isOnCards = true;
        return this;
    }

    /** The card of a dataset shows each value as a tag of this class. */
    DatasetField<T> tagOnCards(String cssClass) {
        tag = cssClass;
        return onCards();
    }

    public String name() {
        return name.getValue();
    }

    /** The name of the field for people: its words, or the label that it is described with. */
    public String label() {
        return (String) details.getOrDefault("label", words(name()));
    }

    /** {@code Captured date} of {@code captured_date}. */
    public static String words(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('_', ' ');
    }

    /** One sentence. */
    public String description() {
        return description;
    }

    /** The description of the field in {@code OPTIONS}, as Django REST Framework describes fields. */
    Map<String, Object> options() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("type", type.drf());
        options.put("required", false);
        options.put("read_only", writable == null);
        options.put("label", label());
        options.putAll(details);
        return options;
    }

    /** The expression of the select list, of a dataset that is named {@code d}. */
    String expression() {
        return expression;
    }

    /** The column that sorts by this field; null when a listing cannot be sorted by it. */
    public String sortColumn() {
        return sortColumn;
    }

    /** The name of the field in the properties of an item; null when an item has no such property. */
    public String property() {
        return property;
    }

    /** JSON Schema of the property. */
    public ObjectNode schema() {
        return schema;
    }

    /** The property of an item that filters can name; null when the field is none. */
    public Queryable queryable() {
        if (property == null || queried == null) {
            return null;
        }
        String value = sortColumn == null ? column : sortColumn;
        return isTitle
                ? new Queryable(property, queried, DatasetTitle.SQL, value, DatasetTitle::id)
                : new Queryable(property, queried, value);
    }

    public Display display() {
        return display;
    }

    /** Whether the value is a signed link, which expires. */
    public boolean isLink() {
        return display == Display.LINK;
    }

    /** What a page says when the value is true. */
    public String meaning() {
        return meaning;
    }

    public boolean isOnCards() {
        return isOnCards;
    }

    /** The class of the tags that a card shows; null when the field has no tags. */
    public String tag() {
        return tag;
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

    /** Writes the property of an item. An empty list is left out: GDAL and QGIS make a column of JSON of one that comes first. */
    public void writeProperty(JsonGenerator json, DatasetView dataset) throws IOException {
        Object value = dataset.get(name());
        if (textInItems != null) {
            json.writeStringField(property, textInItems.apply(dataset));
        } else if (!(value instanceof Object[] list && list.length == 0)) {
            json.writeFieldName(property);
            write(json, value);
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
}
