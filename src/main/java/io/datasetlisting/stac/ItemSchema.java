package io.datasetlisting.stac;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.dataset.DatasetFields;

/**
 * Describes the properties of an item as JSON Schema: those that a filter can name, those that a search can be sorted by, and all.
 *
 * @see <a href="https://docs.ogc.org/is/19-079r2/19-079r2.html">OGC API - Features Part 3, queryables</a>
 * @see <a href="https://docs.ogc.org/is/23-058r2/23-058r2.html">OGC API - Features Part 5, schemas</a>
 */
@Singleton
class ItemSchema {

    private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";
    private static final String ROLE = "x-ogc-role";

    /** One sentence for each property. The schema lists all but the collection in this order, which is the order in an item. */
    private static final Map<String, String> DESCRIPTIONS = new LinkedHashMap<>();

    static {
        DESCRIPTIONS.put("id", "The number of the dataset as text.");
        DESCRIPTIONS.put("collection", "The id of the collection.");
        DESCRIPTIONS.put("geometry", "The area of the dataset, or its point, in longitude and latitude.");
        DESCRIPTIONS.put("datetime", "The time at which the dataset was captured.");
        DESCRIPTIONS.put("updated", "The time of the last change of the dataset.");
        DESCRIPTIONS.put("title", "The name of the dataset.");
        DESCRIPTIONS.put("keywords", "The categories of the dataset.");
        DESCRIPTIONS.put("providers", "The owner of the dataset.");
        DESCRIPTIONS.put("dataset:uav_uid", "The permanent identifier of the dataset, which imports and exports keep.");
        DESCRIPTIONS.put("dataset:user", "The username of the owner.");
        DESCRIPTIONS.put("dataset:workspace", "The number of the workspace that contains the dataset.");
        DESCRIPTIONS.put("dataset:category",
                "The categories of the dataset; a comparison holds if it holds for any of them.");
        DESCRIPTIONS.put("dataset:is_private", "Whether only the owner and admins see the dataset.");
        DESCRIPTIONS.put("dataset:is_shareable", "Whether the owner lets others share the dataset.");
        DESCRIPTIONS.put("dataset:rasters",
                "The rasters that the dataset has; a comparison holds if it holds for any of them.");
        DESCRIPTIONS.put("dataset:bands",
                "The labels of the bands of all rasters; a comparison holds if it holds for any of them.");
        DESCRIPTIONS.put("dataset:cant_orthomosaic", "Whether no orthomosaic can be made of the images.");
        DESCRIPTIONS.put("dataset:is_dem_processing", "Whether an elevation model is being made.");
        DESCRIPTIONS.put("dataset:cumulative_adjustment", "The sum of all adjustments of the elevation.");
        DESCRIPTIONS.put("dataset:latest_adjustment_status", "The status of the latest adjustment of the elevation.");
        DESCRIPTIONS.put("dataset:latest_adjustment_id", "The id of the latest adjustment of the elevation.");
        DESCRIPTIONS.put("dataset:band_stats", "The statistics of the bands of each raster.");
    }

    private final ItemProperties properties;

    ItemSchema(ItemProperties properties) {
        this.properties = properties;
    }

    /** The properties that a filter can name. */
    ObjectNode queryables(String id) {
        return object(id, "Queryables of the datasets", properties.queryables().keySet())
                .put("additionalProperties", false);
    }

    /** The properties that a search can be sorted by. */
    ObjectNode sortables(String id) {
        return object(id, "Sortables of the datasets", properties.sortables().keySet())
                .put("additionalProperties", false);
    }

    /** The members of an item and its properties in one flat list. The collection is a member that clients do not show. */
    ObjectNode schema(String id) {
        return object(id, "Schema of the datasets",
                DESCRIPTIONS.keySet().stream().filter(name -> !name.equals("collection")).toList());
    }

    private ObjectNode object(String id, String title, Collection<String> names) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("$schema", DRAFT).put("$id", id)
                .put("type", "object").put("title", title);
        ObjectNode members = schema.putObject("properties");
        names.forEach(name -> members.set(name, property(name)));
        return schema;
    }

    private ObjectNode property(String name) {
        ObjectNode property = JsonNodeFactory.instance.objectNode().put("title", title(name))
                .put("description", DESCRIPTIONS.get(name));
        Queryable queryable = properties.queryables().get(name);
        if (queryable != null) {
            addType(property, queryable.type());
        }
        switch (name) {
            case "id" -> property.put(ROLE, "id");
            case "geometry" -> property.put(ROLE, "primary-geometry");
            case "datetime" -> property.put(ROLE, "primary-instant");
            case "collection" -> property.putArray("enum").add(ItemProperties.COLLECTION_ID);
            case "keywords" -> addChoices(addTexts(property), DatasetFields.CATEGORIES);
            case "dataset:category" -> addChoices(property.withObject("/items"), DatasetFields.CATEGORIES);
            case "dataset:rasters" -> addChoices(property.withObject("/items"), DatasetFields.RASTERS);
            case "providers" -> {
                ObjectNode provider = property.put("type", "array").putObject("items").put("type", "object")
                        .putObject("properties");
                provider.putObject("name").put("type", "string");
                addTexts(provider.putObject("roles"));
            }
            case "dataset:band_stats" -> property.put("type", "object");
            default -> {
                // The type says all.
            }
        }
        return property;
    }

    private static void addType(ObjectNode property, Queryable.Type type) {
        switch (type) {
            case ID, TEXT -> property.put("type", "string");
            case IDENTIFIER -> property.put("type", "string").put("format", "uuid");
            case INTEGER -> property.put("type", "integer");
            case NUMBER -> property.put("type", "number");
            case BOOLEAN -> property.put("type", "boolean");
            case TIME -> property.put("type", "string").put("format", "date-time");
            case TEXTS -> addTexts(property);
            case GEOMETRY -> property.put("format", "geometry-any");
        }
    }

    /** Makes the schema that of an array of texts, and returns the schema of a text. */
    private static ObjectNode addTexts(ObjectNode property) {
        return property.put("type", "array").putObject("items").put("type", "string");
    }

    private static void addChoices(ObjectNode text, List<String> choices) {
        choices.forEach(text.putArray("enum")::add);
    }

    /** {@code Latest adjustment id} of {@code dataset:latest_adjustment_id}. */
    private static String title(String name) {
        String words = name.replace("dataset:", "").replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
