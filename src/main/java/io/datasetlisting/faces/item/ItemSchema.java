package io.datasetlisting.faces.item;

import java.util.Collection;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Describes the properties of an item as JSON Schema: those that a filter can name, those that a search can be sorted by, and
 * all.
 *
 * @see <a href="https://docs.ogc.org/is/19-079r2/19-079r2.html">OGC API - Features Part 3, queryables</a>
 * @see <a href="https://docs.ogc.org/is/23-058r2/23-058r2.html">OGC API - Features Part 5, schemas</a>
 */
@Singleton
public class ItemSchema {

    private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";
    private final ItemProperties properties;

    ItemSchema(ItemProperties properties) {
        this.properties = properties;
    }

    /** The properties that a filter can name. */
    public ObjectNode queryables(String id) {
        return object(id, "Queryables of the datasets", properties.queryables().keySet())
                .put("additionalProperties", false);
    }

    /** The properties that a search can be sorted by. */
    public ObjectNode sortables(String id) {
        return object(id, "Sortables of the datasets", properties.sortables().keySet())
                .put("additionalProperties", false);
    }

    /**
     * The members of an item and its properties in one flat list. The collection is a member that clients do not show. What
     * clients cannot write is marked.
     */
    public ObjectNode schema(String id) {
        ObjectNode schema = object(id, "Schema of the datasets",
                properties.inItemOrder().stream().map(ItemProperties.Property::name)
                        .filter(name -> !name.equals("collection")).toList());
        properties.inItemOrder().stream().filter(property -> !property.isReceived())
                .map(property -> schema.get("properties").get(property.name()))
                .forEach(member -> {
                    if (member != null) {
                        ((ObjectNode) member).put("readOnly", true);
                    }
                });
        return schema;
    }

    private ObjectNode object(String id, String title, Collection<String> names) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("$schema", DRAFT).put("$id", id)
                .put("type", "object").put("title", title);
        ObjectNode members = schema.putObject("properties");
        names.forEach(name -> members.set(name, properties.schema(name)));
        return schema;
    }
}
