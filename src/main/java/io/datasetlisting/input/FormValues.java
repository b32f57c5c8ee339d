package io.datasetlisting.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the texts that a form, or a query, has under one name say together. */
final class FormValues {

    private FormValues() {
    }

    /** Remembers one more under a name. */
    static void add(ObjectNode fields, String name, String value) {
        ArrayNode values = (ArrayNode) fields.get(name);
        (values == null ? fields.putArray(name) : values).add(value);
    }

    /** The last one that is not blank, or else the last one; null where there is none. */
    static String last(JsonNode texts) {
        String last = null;
        for (JsonNode text : texts) {
            last = last == null || isBlank(last) || !isBlank(text.textValue()) ? text.textValue() : last;
        }
        return last;
    }

    /** Whether there is nothing in it, or Python's or JSON's word for nothing. */
    static boolean isBlank(String text) {
        return text == null || text.isBlank() || text.strip().equals("None") || text.strip().equals("null");
    }

    /** All of them, cut at commas, each once: they are a set, and a repeated value must not cost another scan. */
    static List<String> texts(JsonNode values) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode value : values) {
            Arrays.stream(value.textValue().split(",")).map(String::strip).filter(text -> !text.isEmpty())
                    .forEach(texts::add);
        }
        return List.copyOf(texts);
    }

    /** A list of texts: several, one, one cut at its commas, or a list as JSON or Python writes it. */
    static JsonNode items(JsonNode values) {
        List<String> texts = new ArrayList<>();
        for (JsonNode value : values) {
            if (!isBlank(value.textValue())) {
                texts.add(value.textValue().strip());
            }
        }
        if (texts.size() == 1) {
            String text = texts.get(0);
            JsonNode list = text.startsWith("[") || text.startsWith("(") ? StrictJson.parseLiteral(text) : null;
            if (list != null) {
                return list;
            }
            texts = Arrays.stream(text.split(",")).map(String::strip).toList();
        }
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        texts.forEach(items::add);
        return items;
    }
}
