package io.datasetlisting.web;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The parts of a document of the catalogue that people look for: the extent of a collection, and the properties of queryables or
 * of a schema.
 *
 * @param from
 *            the day of the earliest dataset; null without an extent
 * @param box
 *            west, south, east and north, as the list's filter takes them; null without an extent
 * @param properties
 *            empty for a document that describes none
 */
record DocumentFacts(String from, String until, String box, List<Property> properties) {

    private static final int LENGTH_OF_DAY = "2023-05-31".length();

    /** A property that a filter can name. */
    record Property(String name, String title, String type) {
    }

    static DocumentFacts of(JsonNode document) {
        JsonNode times = document.at("/extent/temporal/interval/0");
        JsonNode box = document.at("/extent/spatial/bbox/0");
        List<Property> properties = document.path("properties").propertyStream()
                .filter(entry -> entry.getValue().isObject()).map(entry -> new Property(entry.getKey(),
                        entry.getValue().path("title").asText(""), type(entry.getValue())))
                .toList();
        if (!times.path(0).isTextual() || box.size() != 4) {
            return new DocumentFacts(null, null, null, properties);
        }
        return new DocumentFacts(day(times.get(0)), day(times.path(1)),
                String.join(",", box.valueStream().map(JsonNode::asText).toList()), properties);
    }

    private static String day(JsonNode time) {
        String text = time.asText();
        return text.length() < LENGTH_OF_DAY ? text : text.substring(0, LENGTH_OF_DAY);
    }

    /** The name of a schema elsewhere stands for a type. */
    private static String type(JsonNode property) {
        return property.path("format").asText(property.path("type").isTextual() ? property.get("type").asText() : "");
    }
}
