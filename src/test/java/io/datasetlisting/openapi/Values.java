package io.datasetlisting.openapi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Generates good and bad values for a schema: its examples, its bounds, values just outside the bounds, and unexpected
 * values.
 */
final class Values {

    /** Texts that are invalid for most types. */
    static final List<String> HOSTILE = List.of("", " ", "0", "-1", "1.5", "NaN", "1e999", "99999999999999999999",
            "true", "null", "None", "[]", "{}", "[1,", "a\0b", "\u0001\u001f\u007f", "\u00e9\u65e5\u672c\ud83d\ude00",
            "\u202e\u200b", "' OR 1=1 --", "\"; drop table dataset; --", "<script>alert(1)</script>", "%s%n", "\\",
            "../../etc/passwd", ",,,", "1,2,3,4", "181,91,-181,-91", "2020-13-45", "0000-00-00",
            "9999-12-31T23:59:59.999999999-14:00", "-infinity", "x".repeat(5000));

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int DEEP = 40;
    /** How many values of a part are tried in an otherwise valid whole. */
    private static final int PARTS = 12;

    private final Document document;

    Values(Document document) {
        this.document = document;
    }

    /** The values that the schema names: listed values, bounds, and values one step from the bounds. */
    List<JsonNode> of(Document.Node schema) {
        Set<JsonNode> values = new LinkedHashSet<>();
        collect(schema, values);
        return List.copyOf(values);
    }

    private void collect(Document.Node schema, Set<JsonNode> values) {
        JsonNode keywords = schema.value();
        for (String listed : List.of("enum", "examples")) {
            keywords.path(listed).forEach(values::add);
        }
        for (String one : List.of("const", "default", "example")) {
            if (keywords.has(one)) {
                values.add(keywords.get(one));
            }
        }
        for (String bound : List.of("minimum", "maximum")) {
            if (keywords.has(bound)) {
                BigDecimal number = keywords.get(bound).decimalValue();
                List.of(number, number.add(BigDecimal.ONE), number.subtract(BigDecimal.ONE))
                        .forEach(near -> values.add(JSON.numberNode(near)));
            }
        }
        if (keywords.has("maxLength")) {
            int length = keywords.get("maxLength").intValue();
            values.add(new TextNode("x".repeat(length)));
            values.add(new TextNode("x".repeat(length + 1)));
        }
        if (keywords.has("$ref")) {
            collect(document.followed(schema), values);
        }
        for (String choice : List.of("anyOf", "oneOf")) {
            for (int i = 0; i < keywords.path(choice).size(); i++) {
                collect(document.item(document.schema(schema, choice), i), values);
            }
        }
        if (keywords.has("items") || keywords.has("prefixItems")) {
            collectLists(schema, values);
        }
        if (keywords.has("properties")) {
            collectObjects(schema, values);
        }
    }

    private void collectLists(Document.Node schema, Set<JsonNode> values) {
        values.add(JSON.arrayNode());
        List<JsonNode> items = of(document.schema(schema, "items"));
        items.stream().limit(PARTS).forEach(item -> values.add(JSON.arrayNode().add(item)));
        if (!items.isEmpty()) {
            for (int size : new int[]{2, 101}) {
                ArrayNode many = JSON.arrayNode();
                for (int i = 0; i < size; i++) {
                    many.add(items.get(i % items.size()));
                }
                values.add(many);
            }
        }
        Document.Node prefix = document.schema(schema, "prefixItems");
        ArrayNode good = JSON.arrayNode();
        for (int i = 0; i < prefix.value().size(); i++) {
            good.add(i);
        }
        for (int i = 0; i < good.size(); i++) {
            for (JsonNode part : of(document.item(prefix, i))) {
                values.add(good.deepCopy().set(i, part));
            }
            values.add(good.deepCopy().set(i, JSON.nullNode()));
            values.add(good.deepCopy().set(i, new TextNode("x")));
        }
    }

    private void collectObjects(Document.Node schema, Set<JsonNode> values) {
        values.add(JSON.objectNode());
        Document.Node properties = document.schema(schema, "properties");
        ObjectNode good = JSON.objectNode();
        for (JsonNode required : schema.value().path("required")) {
            of(document.schema(properties, required.textValue())).stream().findFirst()
                    .ifPresent(first -> good.set(required.textValue(), first));
        }
        values.add(good);
        for (Iterator<String> names = properties.value().fieldNames(); names.hasNext();) {
            String name = names.next();
            of(document.schema(properties, name)).stream().limit(PARTS)
                    .forEach(value -> values.add(good.deepCopy().set(name, value)));
            values.add(good.deepCopy().putNull(name));
            values.add(good.deepCopy().put(name, "x"));
        }
    }

    /** Values that fit no schema of the document. */
    static List<JsonNode> strange() {
        List<JsonNode> values = new ArrayList<>();
        HOSTILE.forEach(text -> values.add(new TextNode(text)));
        values.add(new TextNode("\ud800"));
        values.add(JSON.nullNode());
        values.add(JSON.booleanNode(true));
        values.add(JSON.numberNode(-1));
        values.add(JSON.numberNode(new BigDecimal("1.5")));
        values.add(JSON.numberNode(new BigDecimal("1e400")));
        values.add(JSON.numberNode(new BigDecimal("1e-400")));
        values.add(JSON.numberNode(BigInteger.TEN.pow(60)));
        values.add(JSON.arrayNode());
        values.add(JSON.arrayNode().addNull());
        values.add(JSON.arrayNode().add(JSON.arrayNode()));
        values.add(JSON.objectNode());
        values.add(JSON.objectNode().put("", ""));
        values.add(JSON.objectNode().put("a\0b", 1));
        JsonNode deep = JSON.arrayNode();
        for (int i = 0; i < DEEP; i++) {
            deep = JSON.arrayNode().add(deep);
        }
        values.add(deep);
        return values;
    }
}
