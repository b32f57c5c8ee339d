package io.datasetlisting.dataset;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.http.input.StrictJson;

/**
 * What a field is for its readers: its name, its descriptions, its property in items, and how pages show it.
 *
 * @param <F>
 *            the field itself
 */
public abstract class FieldDescription<F> {

    private final SerializedString name;
    private final String description;
    private final String drfType;
    private final Map<String, Object> details = new LinkedHashMap<>();
    private final ObjectNode schema;
    private Queryable.Type queried;
    private Function<DatasetView, String> textInItems;
    private boolean isTitle;
    private String property;
    private Display display = Display.VALUE;
    private String meaning = "yes";
    private boolean isOnCards;
    private boolean isDetail;
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
        BAND_STATISTICS,
        /** A JSON object with a value for each raster. */
        BY_RASTER
    }

    FieldDescription(String name, FieldType<?> type, String description) {
        this.name = new SerializedString(name);
        this.description = description;
        schema = (ObjectNode) StrictJson.parse(type.schema());
        queried = type.queried();
        drfType = type.drf();
    }

    /** The field itself. */
    abstract F self();

    /** The column with the value, or the column that sorts by it. */
    abstract String comparedColumn();

    /** Whether clients may write the field. */
    public abstract boolean isWritable();

    /** Writes a value of this field as JSON. */
    public abstract void write(JsonGenerator json, Object value) throws IOException;

    /** Adds a key to the description in {@code OPTIONS}, or replaces the value of a key. */
    F described(String key, Object value) {
        details.put(key, value);
        return self();
    }

    /** The values that the elements of the field can have. */
    F choices(List<String> values) {
        values.forEach(schema.withObject("/items").putArray("enum")::add);
        return described("choices", values.stream().map(value -> {
            Map<String, String> choice = new LinkedHashMap<>();
            choice.put("value", value);
            choice.put("display_name", value);
            return choice;
        }).toList());
    }

    /** The name of the field in the properties of an item, by which filters and orders can name it. */
    F property(String name) {
        property = name;
        return self();
    }

    /** The property has this text in place of the field's value. */
    F textInItems(Function<DatasetView, String> text) {
        textInItems = text;
        return self();
    }

    /** Adds a key to the schema of the property, or replaces the value of a key. */
    F inSchema(String key, String value) {
        schema.put(key, value);
        return self();
    }

    F inSchema(String key, long value) {
        schema.put(key, value);
        return self();
    }

    /** Filters compare the field as values of this type, when it differs from the type of the field. */
    F queriedAs(Queryable.Type type) {
        queried = type;
        return self();
    }

    /** The property is the title of the dataset, which is computed for a blank name. */
    F isTitle() {
        isTitle = true;
        return textInItems(DatasetView::title);
    }

    /** How a page shows the value, when the type does not say it. */
    F display(Display display) {
        this.display = display;
        return self();
    }

    /** What a page says in place of "yes". */
    F trueMeans(String sentence) {
        meaning = sentence;
        return self();
    }

    /** The card of a dataset needs the field. */
    F onCards() {
        isOnCards = true;
        return self();
    }

    /** The card of a dataset shows each value as a tag of this class. */
    F tagOnCards(String cssClass) {
        tag = cssClass;
        return onCards();
    }

    /** Listings do not show it. The dataset alone, exports but CSV and GeoJSON, the feed of changes, and items have it. */
    F detail() {
        isDetail = true;
        return self();
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
        options.put("type", drfType);
        options.put("required", false);
        options.put("read_only", !isWritable());
        options.put("label", label());
        options.putAll(details);
        return options;
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
        return isTitle
                ? new Queryable(property, queried, DatasetTitle.SQL, comparedColumn(), DatasetTitle::id)
                : new Queryable(property, queried, comparedColumn());
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

    boolean isOnCards() {
        return isOnCards;
    }

    /** Whether listings do not show the field. */
    public boolean isDetail() {
        return isDetail;
    }

    /** The class of the tags that a card shows; null when the field has no tags. */
    public String tag() {
        return tag;
    }

    void writeName(JsonGenerator json) throws IOException {
        json.writeFieldName(name);
    }

    /**
     * Writes the property of an item. A missing value is left out, and so is an empty list: GDAL and QGIS make a column of JSON
     * of one that comes first.
     */
    public void writeProperty(JsonGenerator json, DatasetView dataset) throws IOException {
        Object value = dataset.get(name());
        if (textInItems != null) {
            json.writeStringField(property, textInItems.apply(dataset));
        } else if (hasValue(value)) {
            json.writeFieldName(property);
            write(json, value);
        }
    }

    /** Whether a value is neither null nor an empty list. */
    public static boolean hasValue(Object value) {
        return value != null && !(value instanceof Object[] list && list.length == 0);
    }
}
