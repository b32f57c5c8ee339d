package io.datasetlisting.http.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.BlankText;

/** Combines the texts that a form or a query has for one name into one value, as Django REST Framework does. */
final class FormValues {

    /** What a form sends for a field without a value. */
    private static final Set<String> EMPTY = Set.of("", "None", "null");

    private FormValues() {
    }

    /** Adds a text to the array of its name. */
    static void add(ObjectNode fields, String name, String value) {
        ArrayNode values = (ArrayNode) fields.get(name);
        (values == null ? fields.putArray(name) : values).add(value);
    }

    /** The last text that is not blank, otherwise the last text; null without texts. */
    static String last(JsonNode texts) {
        String last = null;
        for (JsonNode text : texts) {
            last = last == null || isBlank(last) || !isBlank(text.textValue()) ? text.textValue() : last;
        }
        return last;
    }

    /** The last text that is not white space; null without one. */
    static String lastFilled(JsonNode texts) {
        String last = null;
        for (JsonNode text : texts) {
            last = BlankText.strip(text.textValue()).isEmpty() ? last : text.textValue();
        }
        return last;
    }

    /** Whether a text is null, white space, {@code None} or {@code null}. */
    static boolean isBlank(String text) {
        return text == null || EMPTY.contains(BlankText.strip(text));
    }

    /** The distinct texts between commas. A repeated text counts once, because each text of a filter costs a scan. */
    static List<String> splitTexts(JsonNode values) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode value : values) {
            Arrays.stream(value.textValue().split(",")).map(BlankText::strip).filter(text -> !text.isEmpty())
                    .forEach(texts::add);
        }
        return List.copyOf(texts);
    }

    /**
     * The items of a list, which a form sends as several texts, one comma-separated text, or a list as JSON or Python writes it.
     */
    static JsonNode items(JsonNode values) {
        List<String> texts = new ArrayList<>();
        for (JsonNode value : values) {
            if (!isBlank(value.textValue())) {
                texts.add(BlankText.strip(value.textValue()));
            }
        }
        if (texts.size() == 1) {
            String text = texts.get(0);
            JsonNode list = text.startsWith("[") || text.startsWith("(") ? StrictJson.parseLiteral(text) : null;
            if (list != null) {
                return list;
            }
            texts = Arrays.stream(text.split(",")).map(BlankText::strip).toList();
        }
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        texts.forEach(items::add);
        return items;
    }
}
