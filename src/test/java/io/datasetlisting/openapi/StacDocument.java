package io.datasetlisting.openapi;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Makes the OpenAPI 3.0 document of {@code /stac} from the OpenAPI 3.1 document of the service: its paths under {@code /stac}, relative
 * to it, with the components that these refer to, in the words of OpenAPI 3.0.
 */
final class StacDocument {

    private static final String STAC = "/stac";
    private static final String COMPONENTS = "/components/";
    private static final Pattern COLLECTION = Pattern.compile(STAC + "/collections/(\\w+).*");

    private final JsonNode source = Document.OPEN.root().value();
    private final ObjectNode components = JsonNodeFactory.instance.objectNode();
    private final Deque<String> open = new ArrayDeque<>();

    private StacDocument() {
    }

    static ObjectNode make() {
        return new StacDocument().document();
    }

    private ObjectNode document() {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.3");
        document.putObject("info").put("title", "Datasets as STAC API and OGC API - Features")
                .put("version", source.at("/info/version").textValue())
                .put("description", "The datasets of the service for clients of STAC API 1.0.0 and OGC API - Features. "
                        + "Every address also answers `HEAD` and `OPTIONS`. Parameters that an address does not have are a 400.")
                .putObject("license").put("name", "Apache-2.0")
                .put("url", "https://www.apache.org/licenses/LICENSE-2.0.html");
        document.putArray("servers").addObject().put("url", STAC);
        ObjectNode paths = document.putObject("paths");
        source.get("paths").properties().forEach(path -> {
            // The files of the page are for browsers alone. The landing page is named once.
            if (path.getKey().startsWith(STAC + '/') && !path.getKey().startsWith(STAC + "/api/")) {
                paths.set(path.getKey().substring(STAC.length()), pathItem(path.getKey(), path.getValue()));
            }
        });
        components.putObject("securitySchemes").set("Token", source.at("/components/securitySchemes/Token"));
        while (!open.isEmpty()) {
            String place = open.pop();
            String[] names = place.substring(COMPONENTS.length()).split("/");
            if (!components.withObject('/' + names[0]).has(names[1])) {
                components.withObject('/' + names[0]).set(names[1], converted(source.at(JsonPointer.compile(place))));
            }
        }
        ObjectNode sorted = document.putObject("components");
        for (String kind : names(components)) {
            ObjectNode target = sorted.putObject(kind);
            names(components.get(kind)).forEach(name -> target.set(name, components.get(kind).get(name)));
        }
        return document;
    }

    private static Iterable<String> names(JsonNode object) {
        TreeSet<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Each operation has an id of its own: that of a shared path item, and the collection unless this is {@code datasets}. */
    private ObjectNode pathItem(String path, JsonNode item) {
        JsonNode shared = item.has("$ref") ? source.at(item.get("$ref").textValue().substring(1)) : item;
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        shared.properties().forEach(member -> {
            if (List.of("parameters", "get", "post").contains(member.getKey())) {
                JsonNode value = converted(member.getValue());
                if (value instanceof ObjectNode operation) {
                    operation.remove("tags");
                    operation.put("operationId", operation.get("operationId").textValue() + suffix(path));
                }
                result.set(member.getKey(), value);
            }
        });
        return result;
    }

    private static String suffix(String path) {
        Matcher collection = COLLECTION.matcher(path);
        if (!collection.matches() || collection.group(1).equals("datasets")) {
            return "";
        }
        String name = collection.group(1);
        return "Of" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private JsonNode converted(JsonNode node) {
        if (node.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> array.add(converted(item)));
            return array;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            JsonNode value = member.getValue();
            switch (member.getKey()) {
                case "$ref" -> {
                    if (value.isTextual()) {
                        open.push(value.textValue().substring(1));
                    }
                    object.set("$ref", value.isTextual() ? value : converted(value));
                }
                case "example", "value", "enum" -> object.set(member.getKey(), value);
                case "const" -> object.putArray("enum").add(value);
                case "type" -> {
                    if (value.isArray()) {
                        object.set("type", value.get(0));
                        object.put("nullable", true);
                    } else {
                        object.set("type", converted(value));
                    }
                }
                case "examples" -> {
                    if (value.isArray()) {
                        object.set("example", value.get(0));
                    } else {
                        object.set("examples", converted(value));
                    }
                }
                default -> object.set(member.getKey(), converted(value));
            }
        }
        return object;
    }
}
