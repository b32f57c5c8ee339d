package io.datasetlisting.faces.build;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.RequestBody;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Makes the document that the service serves, for the generators of clients and for people. Each address stands in the document
 * once; the files of the pages do not. Of the body of a create the document has only the media types
 * that have fields, so that a client knows what it sends and what it receives.
 *
 * <p>
 * Generators read few of the words of JSON Schema 2020-12. So the schemas say less here than in the complete document: an object
 * is whole, as without the parameter {@code fields}, has all of its fields in one place, and an array has one type of items.
 */
public class ServedDocument extends CompleteDocument {

    private static final String REDIRECTS = "Redirects";
    private static final String FILE = "/{file}";
    private static final String LINES = "application/x-ndjson";
    private static final String FILE_OF_ROWS = "application/vnd.apache.parquet";
    private static final Set<String> SELECTIONS = Set.of("DatasetSelection", "StacItemSelection");

    private Map<String, Schema> schemas;

    @Override
    public void filterOpenAPI(OpenAPI document) {
        super.filterOpenAPI(document);
        schemas = document.getComponents().getSchemas();
        Map<String, PathItem> items = document.getPaths().getPathItems();
        Paths paths = OASFactory.createPaths();
        items.forEach((path, item) -> {
            if (!isRedirect(item) && !path.endsWith(FILE) && !isAlsoWithoutSlash(path, items)) {
                giveOwnIds(path, item, document);
                paths.addPathItem(path, item);
            }
        });
        document.setPaths(paths);
        document.setTags(document.getTags().stream().filter(tag -> !tag.getName().equals(REDIRECTS)).toList());
        document.getComponents().getRequestBodies().values().forEach(body -> removeLines(body.getContent()));
        schemas.values().forEach(this::flatten);
        all(document, Schema.class).forEach(this::simplify);
        removeUnused(document);
    }

    private static boolean isRedirect(PathItem item) {
        return item.getOperations().values().stream().allMatch(operation -> operation.getTags().contains(REDIRECTS));
    }

    /** Whether the address also exists without its final slash, and is no redirect there. */
    private static boolean isAlsoWithoutSlash(String path, Map<String, PathItem> items) {
        PathItem other = path.endsWith("/") ? items.get(path.substring(0, path.length() - 1)) : null;
        return other != null && !isRedirect(other);
    }

    private static void giveOwnIds(String path, PathItem item, OpenAPI document) {
        item.getOperations().values().forEach(operation -> {
            withOwnId(path, operation);
            RequestBody body = operation.getRequestBody();
            if (body != null
                    && named(body, document.getComponents().getRequestBodies()).getContent().hasMediaType(LINES)) {
                removeLines(operation, document.getComponents().getResponses());
            }
        });
    }

    /** Removes the responses that a body of lines gets. */
    private static void removeLines(Operation operation, Map<String, APIResponse> responses) {
        List.copyOf(operation.getResponses().getAPIResponses().entrySet()).forEach(entry -> {
            Content content = named(entry.getValue(), responses).getContent();
            if (content != null && Set.of(LINES).equals(content.getMediaTypes().keySet())) {
                operation.getResponses().removeAPIResponse(entry.getKey());
            }
        });
    }

    private static void removeLines(Content content) {
        if (content.getMediaTypes().size() > 1) {
            content.removeMediaType(LINES);
            content.removeMediaType(FILE_OF_ROWS);
        }
    }

    /** Puts the fields of the schemas that an object is made of into the object itself. */
    private void flatten(Schema schema) {
        List<Schema> parts = Stream
                .concat(schema.getRef() == null ? Stream.empty() : Stream.of(schemas.get(name(schema))),
                        schema.getAllOf() == null ? Stream.empty() : schema.getAllOf().stream())
                .toList();
        boolean isClosed = schema.getUnevaluatedProperties() != null
                || parts.stream().anyMatch(part -> named(part, schemas).getAdditionalPropertiesSchema() != null);
        if (parts.isEmpty() || schema.getRequired() == null && !isClosed) {
            return;
        }
        Map<String, Schema> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        for (Schema part : Stream.concat(parts.stream(), Stream.of(OASFactory.createSchema()
                .properties(schema.getProperties()).required(schema.getRequired()))).toList()) {
            Schema named = named(part, schemas);
            flatten(named);
            Objects.requireNonNullElse(named.getProperties(), Map.<String, Schema>of())
                    .forEach((name, property) -> properties.merge(name, property, this::both));
            required.addAll(Objects.requireNonNullElse(named.getRequired(), List.of()));
        }
        schema.setRef(null);
        schema.allOf(null).unevaluatedProperties(null).type(List.of(Schema.SchemaType.OBJECT)).properties(properties)
                .required(required.isEmpty() ? null : List.copyOf(required))
                .additionalPropertiesSchema(isClosed ? OASFactory.createSchema().booleanSchema(false) : null);
    }

    /** The schema of a field that two schemas describe. A part that names no type only says that the field is there. */
    private Schema both(Schema first, Schema second) {
        if (second.getType() == null) {
            return first;
        }
        Schema both = OASFactory.createSchema().allOf(List.of(first, second));
        flatten(both);
        return both;
    }

    /**
     * Generators take a field with a default for one that a client always sends, and some of them do not know a field that is
     * always null.
     */
    private static void simplifyField(Schema field) {
        if (List.of(Schema.SchemaType.NULL).equals(field.getType())) {
            field.type(List.of(Schema.SchemaType.STRING, Schema.SchemaType.NULL));
        }
        if (field.getDefaultValue() != null) {
            String text = "The default is `" + field.getDefaultValue() + "`.";
            field.description(field.getDescription() == null ? text : field.getDescription() + ' ' + text)
                    .defaultValue(null);
        }
    }

    private void simplify(Schema schema) {
        List<Schema> choices = schema.getAnyOf();
        if (choices != null) {
            List<Schema> whole = choices.stream()
                    .filter(choice -> choice.getRef() == null || !SELECTIONS.contains(name(choice))).toList();
            boolean isOfSizes = choices.stream().allMatch(choice -> choice.getRef() == null && choice.getType() == null
                    && choice.getConstValue() == null);
            if (isOfSizes) {
                schema.anyOf(null);
            } else if (whole.size() == 1) {
                schema.anyOf(null).setRef(whole.get(0).getRef());
            } else {
                schema.anyOf(withoutMaps(choices));
            }
        }
        if (schema.getOneOf() != null && schema.getOneOf().stream().anyMatch(this::isMap)) {
            mergeWithMap(schema);
        }
        if (schema.getPrefixItems() != null) {
            schema.items(OASFactory.createSchema().type(schema.getPrefixItems().get(0).getType()))
                    .maxItems(schema.getPrefixItems().size()).prefixItems(null);
        }
        if (List.of(Schema.SchemaType.OBJECT).equals(schema.getType()) && schema.getProperties() == null
                && schema.getAdditionalPropertiesSchema() == null) {
            // Generators take an object without fields for an empty one.
            schema.additionalPropertiesSchema(OASFactory.createSchema().booleanSchema(true));
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(ServedDocument::simplifyField);
        }
        if (schema.getPatternProperties() != null) {
            // Few languages have a type with named fields and a map of all others.
            schema.additionalPropertiesSchema(OASFactory.createSchema().anyOf(withoutMaps(Stream
                    .of(schema.getPatternProperties(), schema.getProperties()).flatMap(each -> each.values().stream())
                    .distinct().toList()))).properties(null).patternProperties(null);
        }
    }

    private boolean isMap(Schema schema) {
        Schema named = named(schema, schemas);
        return named.getProperties() == null && named.getAdditionalPropertiesSchema() != null;
    }

    /** Makes one map of an object and a map, because few languages have a type that is either. */
    private void mergeWithMap(Schema schema) {
        List<Schema> values = new ArrayList<>();
        for (Schema choice : schema.getOneOf()) {
            Schema named = named(choice, schemas);
            values.addAll(
                    isMap(choice) ? named.getAdditionalPropertiesSchema().getAnyOf() : named.getProperties().values());
        }
        schema.oneOf(null).type(List.of(Schema.SchemaType.OBJECT))
                .additionalPropertiesSchema(OASFactory.createSchema().anyOf(withoutMaps(values)));
    }

    /** Puts any object in the place of a map, because few languages have a type that is a map or something else. */
    private List<Schema> withoutMaps(List<Schema> choices) {
        return choices.stream()
                .map(choice -> isMap(choice)
                        ? OASFactory.createSchema().type(List.of(Schema.SchemaType.OBJECT))
                                .additionalPropertiesSchema(OASFactory.createSchema().booleanSchema(true))
                        : choice)
                .toList();
    }
}
