package io.datasetlisting.faces.item;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldDescription;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.http.input.StrictJson;

/**
 * The table of the properties of an item: the properties of {@link DatasetFields}, and those that STAC has besides. No name of a
 * search reaches the SQL except through this table.
 */
@Singleton
public class ItemProperties {

    public static final String COLLECTION_ID = "datasets";

    /** These come first in items and in the schema, in this order. The others follow in the order of the fields. */
    private static final List<String> FIRST = List.of("id", "collection", "geometry", "datetime", "created", "updated",
            "title", "description",
            "keywords", "providers", "dataset:user");

    /** Clients may write these, which are no fields: the one is the place, the other are categories and tags. */
    private static final Set<String> RECEIVED = Set.of("geometry", "keywords");

    private final Map<String, Property> inItemOrder = new LinkedHashMap<>();
    private final Map<String, Queryable> queryables;
    private final Map<String, Queryable> sortables;

    /**
     * A property.
     *
     * @param queryable
     *            null if filters cannot name the property
     * @param isReceived
     *            whether clients may write the property
     * @param writer
     *            null for a member of the item itself
     */
    public record Property(String name, ObjectNode schema, Queryable queryable, boolean isSortable, boolean isReceived,
            Writer writer) {

        private static Property of(DatasetField<?> field) {
            return new Property(field.property(), schema(field.property(), field.description(), field.schema()),
                    field.queryable(), field.sortColumn() != null, field.isWritable(),
                    field.property().equals("id") ? null : (item, json) -> field.writeProperty(json, item.dataset()));
        }

        /** A property that is no field. */
        private static Property of(String name, String description, String schema, Queryable queryable,
                boolean isSortable, Writer writer) {
            return new Property(name, schema(name, description, (ObjectNode) StrictJson.parse(schema)), queryable,
                    isSortable, RECEIVED.contains(name), writer);
        }

        /** {@code dataset:latest_adjustment_id} has the title {@code Latest adjustment id}. */
        private static ObjectNode schema(String name, String description, ObjectNode type) {
            return JsonNodeFactory.instance.objectNode()
                    .put("title", FieldDescription.words(name.replace("dataset:", "")))
                    .put("description", description).setAll(type);
        }
    }

    /** Writes a property with its name, or nothing. */
    public interface Writer {

        void write(StoredDataset dataset, JsonGenerator json) throws IOException;
    }

    ItemProperties(DatasetFields fields) {
        List<Property> all = new ArrayList<>();
        fields.table().stream().filter(field -> field.property() != null).map(Property::of).forEach(all::add);
        all.addAll(withoutField());
        queryables = byName(all, property -> property.queryable != null);
        sortables = byName(all, property -> property.queryable != null && property.isSortable);
        all.sort(Comparator.comparing(
                property -> FIRST.contains(property.name) ? FIRST.indexOf(property.name) : FIRST.size()));
        all.forEach(property -> inItemOrder.put(property.name, property));
    }

    private static List<Property> withoutField() {
        return List.of(
                Property.of("collection", "The id of the collection.",
                        "{\"type\": \"string\", \"enum\": [\"" + COLLECTION_ID + "\"]}",
                        new Queryable("collection", Queryable.Type.TEXT, "'" + COLLECTION_ID + "'::text"), false, null),
                Property.of("geometry", "The area of the dataset, or its point, in longitude and latitude.",
                        "{\"format\": \"geometry-any\", \"x-ogc-role\": \"primary-geometry\"}",
                        new Queryable("geometry", Queryable.Type.GEOMETRY, "footprint"), false, null),
                Property.of("created", "The time at which the dataset was created, if it is known.",
                        "{\"type\": \"string\", \"format\": \"date-time\"}",
                        new Queryable("created", Queryable.Type.TIME, "created_at"), false, (item, json) -> {
                            if (item.created() != null) {
                                json.writeStringField("created", item.created().toString());
                            }
                        }),
                Property.of("updated", "The time of the last change of the dataset.",
                        "{\"type\": \"string\", \"format\": \"date-time\"}",
                        new Queryable("updated", Queryable.Type.TIME, "updated_at"), true,
                        (item, json) -> json.writeStringField("updated", item.revision().updatedAt().toString())),
                Property.of("keywords", "The categories of the dataset, and behind them the tags of the owner.",
                        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", null, false,
                        ItemProperties::writeKeywords),
                Property.of("providers", """
                        The owner of the dataset, with the credits of the data, and behind it who captured the data, and the \
                        institution.""", """
                        {"type": "array", "items": {"type": "object", "properties": {
                            "name": {"type": "string"}, "description": {"type": "string"},
                            "roles": {"type": "array", "items": {"type": "string"}}}}}""",
                        null, false, ItemProperties::writeProviders),
                Property.of(RasterAssets.GSD,
                        "The distance between the rows of the finest raster in metres, if a raster was read.",
                        "{\"type\": \"number\", \"exclusiveMinimum\": 0}", RasterGsd.QUERYABLE, true, (item, json) -> {
                            BigDecimal finest = RasterAssets.finest(item.dataset());
                            if (finest != null) {
                                json.writeNumberField(RasterAssets.GSD, finest);
                            }
                        }),
                Property.of("dataset:bands",
                        "The labels of the bands of all rasters; a comparison holds if it holds for any of them.",
                        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}",
                        new Queryable("dataset:bands", Queryable.Type.TEXTS, Filter.BANDS_OF_DATASET), false,
                        ItemProperties::writeBands));
    }

    /** A tag that names a category is no second keyword. */
    private static void writeKeywords(StoredDataset item, JsonGenerator json) throws IOException {
        Set<String> keywords = new LinkedHashSet<>(List.of((String[]) item.dataset().get("category")));
        keywords.addAll(List.of((String[]) item.dataset().get("tags")));
        json.writeFieldName("keywords");
        json.writeArray(keywords.toArray(String[]::new), 0, keywords.size());
    }

    /** STAC calls producer who captures and processes the data. Equal names are one provider. */
    private static void writeProviders(StoredDataset item, JsonGenerator json) throws IOException {
        DatasetView dataset = item.dataset();
        Set<String> names = new LinkedHashSet<>(List.of(dataset.owner()));
        Stream.of("data_captured_by", "institution_name").map(field -> (String) dataset.get(field))
                .filter(Objects::nonNull).forEach(names::add);
        String credits = (String) dataset.get("data_credits");
        json.writeArrayFieldStart("providers");
        for (String name : names) {
            json.writeStartObject();
            json.writeStringField("name", name);
            if (credits != null && name.equals(dataset.owner())) {
                json.writeStringField("description", credits);
            }
            json.writeFieldName("roles");
            json.writeArray(new String[]{"producer"}, 0, 1);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The labels of the bands, as the filter {@code band} knows them, if there are any. */
    private static void writeBands(StoredDataset item, JsonGenerator json) throws IOException {
        String bandStats = (String) item.dataset().get("band_stats");
        JsonNode bands = bandStats.contains("\"band_descr\"")
                ? StrictJson.parse(bandStats).path("multispec_ortho").path("band_descr")
                : MissingNode.getInstance();
        if (!bands.isEmpty()) {
            json.writeArrayFieldStart("dataset:bands");
            for (var labels = bands.fieldNames(); labels.hasNext();) {
                json.writeString(labels.next());
            }
            json.writeEndArray();
        }
    }

    private static Map<String, Queryable> byName(List<Property> all, Predicate<Property> chosen) {
        return Collections.unmodifiableMap(all.stream().filter(chosen).map(Property::queryable).collect(
                Collectors.toMap(Queryable::name, Function.identity(), (one, other) -> one, LinkedHashMap::new)));
    }

    /** All properties, in the order in which an item has them. */
    public Collection<Property> inItemOrder() {
        return inItemOrder.values();
    }

    /** JSON Schema of a property. */
    ObjectNode schema(String name) {
        return inItemOrder.get(name).schema.deepCopy();
    }

    /** The properties that a filter can name, by name. */
    public Map<String, Queryable> queryables() {
        return queryables;
    }

    /** The properties that a search can be sorted by, by name. */
    public Map<String, Queryable> sortables() {
        return sortables;
    }
}
