package io.datasetlisting.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;

/** Reads the OpenAPI documents that the build makes, and validates values against its schemas. */
final class Document {

    /** The complete document, with the redirects and the files of the pages. */
    static final Document OPEN = new Document(read("complete"));

    /** The document that the service serves. */
    static final Document SERVED = new Document(read("openapi"));

    /** The complete document for responses with all fields: the schemas of a part of a dataset match nothing. */
    static final Document WHOLE = new Document(without("DatasetSelection", "TableSelection",
            "StacItemSelection"));

    private static final String ID = "urn:openapi";

    private final JsonNode root;
    private final JsonSchemaFactory factory;
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();
    private final SchemaValidatorsConfig config = SchemaValidatorsConfig.builder().formatAssertionsEnabled(true)
            .build();

    private Document(JsonNode root) {
        this.root = root;
        String text = root.toString();
        factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012,
                builder -> builder.schemaLoaders(loaders -> loaders.schemas(Map.of(ID, text))));
    }

    private static JsonNode read(String name) {
        try (InputStream yaml = Document.class.getResourceAsStream("/openapi/" + name + ".yaml")) {
            return new YAMLMapper().readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode without(String... schemas) {
        JsonNode root = read("complete");
        for (String schema : schemas) {
            ((ObjectNode) root.at("/components/schemas")).set(schema, BooleanNode.FALSE);
        }
        return root;
    }

    /** A place in the document, reached by following all references on the way. */
    record Node(JsonPointer at, JsonNode value) {

        boolean isThere() {
            return !value.isMissingNode();
        }
    }

    Node root() {
        return new Node(JsonPointer.empty(), root);
    }

    /** The value at a path of names. */
    Node get(Node from, String... names) {
        Node node = from;
        for (String name : names) {
            node = followed(new Node(node.at.appendProperty(name), node.value.path(name)));
        }
        return node;
    }

    Node item(Node array, int index) {
        return followed(new Node(array.at.appendIndex(index), array.value.path(index)));
    }

    Node component(String kind, String name) {
        return get(root(), "components", kind, name);
    }

    /** A schema keeps its reference, because the keywords beside the reference count too. */
    Node schema(Node holder, String name) {
        return new Node(holder.at.appendProperty(name), holder.value.path(name));
    }

    Node followed(Node node) {
        Node end = node;
        while (end.value.has("$ref")) {
            JsonPointer at = JsonPointer.compile(end.value.get("$ref").textValue().substring(1));
            end = new Node(at, root.at(at));
        }
        return end;
    }

    /** The path item of a path. A literal path precedes a path with a parameter. */
    Node pathItem(String path) {
        Node paths = get(root(), "paths");
        if (paths.value.has(path)) {
            return get(paths, path);
        }
        for (Iterator<String> names = paths.value.fieldNames(); names.hasNext();) {
            String name = names.next();
            if (name.contains("{") && path.matches(Pattern.quote(name).replaceAll("\\{\\w+}", "\\\\E[^/]+\\\\Q"))) {
                return get(paths, name);
            }
        }
        return get(paths, path);
    }

    /** The errors of a value by a schema; empty if the value is valid. */
    String errors(Node schema, JsonNode value) {
        var errors = schemas.computeIfAbsent(schema.at.toString(), at -> factory.getSchema(
                JsonNodeFactory.instance.objectNode().put("$ref", ID + '#' + at), config)).validate(value);
        return errors.isEmpty() ? "" : schema.at + ": " + errors.stream().limit(5).toList();
    }
}
