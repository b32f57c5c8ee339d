package io.datasetlisting.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Tests what generators of clients need of the document that the service serves, without the generators. */
class ClientDocumentTest {

    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete", "options");

    private final JsonNode served = Document.SERVED.root().value();

    private record Operation(String path, String method, JsonNode node) {

        String name() {
            return method + ' ' + path;
        }
    }

    private Stream<Operation> operations() {
        return served.get("paths").properties().stream()
                .flatMap(item -> item.getValue().properties().stream().filter(each -> METHODS.contains(each.getKey()))
                        .map(each -> new Operation(item.getKey(), each.getKey(), each.getValue())));
    }

    @Test
    void eachAddressStandsOnceWithItsPathItemInPlace() {
        JsonNode paths = served.get("paths");
        List<String> wrong = new ArrayList<>();
        paths.properties().forEach(item -> {
            String path = item.getKey();
            if (item.getValue().has("$ref") || path.endsWith("{file}")
                    || path.length() > 1 && path.endsWith("/") && paths.has(path.substring(0, path.length() - 1))) {
                wrong.add(path);
            }
        });
        assertEquals(List.of(), wrong);
        assertTrue(served.at("/components/pathItems").isMissingNode());
        assertTrue(paths.has("/api/dataset/") && paths.has("/api/search_datasets") && paths.has("/stac"));
        assertTrue(served.at("/info/description").textValue().contains("The slash may be missing"));
    }

    @Test
    void eachOperationHasItsOwnIdOneTagAndASuccess() {
        Set<String> tags = new TreeSet<>();
        served.get("tags").forEach(tag -> tags.add(tag.get("name").textValue()));
        Set<String> used = new TreeSet<>();
        Set<String> ids = new TreeSet<>();
        List<String> wrong = new ArrayList<>();
        operations().forEach(operation -> {
            String id = operation.node.path("operationId").asText();
            JsonNode own = operation.node.path("tags");
            boolean succeeds = operation.node.path("responses").properties().stream()
                    .anyMatch(response -> response.getKey().matches("[23]..") && !response.getKey().equals("304"));
            if (!id.matches("[a-z][A-Za-z]+") || !ids.add(id) || own.size() != 1
                    || !tags.contains(own.path(0).textValue()) || !succeeds) {
                wrong.add(operation.name() + ' ' + id + ' ' + own);
            }
            used.add(own.path(0).asText());
        });
        assertEquals(List.of(), wrong);
        assertEquals(tags, used);
        assertTrue(ids.containsAll(Set.of("listDatasets", "createDataset", "headDatasets", "describeDataset",
                "describeRestoreDataset", "readItems", "readItemsOfAreas", "listDatasetNames")), ids::toString);
    }

    /** Generators read an array without items, a part of an object and a default of a field differently, or not at all. */
    @Test
    void theSchemasUseOnlyWordsThatGeneratorsKnow() {
        List<String> wrong = new ArrayList<>();
        forEach(served, "", (place, node) -> {
            boolean isArray = node.path("type").asText().equals("array");
            boolean isObject = node.path("type").asText().equals("object");
            if (place.contains("/example")) {
                return;
            }
            if (isArray && !node.has("items") || node.has("prefixItems") || node.has("patternProperties")
                    || node.has("unevaluatedProperties") || node.has("$ref") && node.has("required")
                    || isObject && !node.has("properties") && !node.has("additionalProperties")
                    || place.matches(".*/schemas/\\w+/properties/[^/]+") && node.has("default")) {
                wrong.add(place);
            }
        });
        assertEquals(List.of(), wrong);
    }

    private interface Visitor {

        void visit(String place, JsonNode node);
    }

    private static void forEach(JsonNode node, String place, Visitor visitor) {
        if (node.isObject()) {
            visitor.visit(place, node);
            node.properties().forEach(each -> forEach(each.getValue(), place + '/' + each.getKey(), visitor));
        } else {
            node.forEach(each -> forEach(each, place + "/[]", visitor));
        }
    }

    @Test
    void eachReferenceLeadsToAComponentAndEachComponentIsUsed() {
        Set<String> used = new TreeSet<>();
        forEach(served, "", (place, node) -> {
            if (node.path("$ref").isTextual()) {
                used.add(node.get("$ref").textValue());
            }
        });
        Set<String> defined = new TreeSet<>();
        served.get("components").properties().stream().filter(kind -> !kind.getKey().equals("securitySchemes"))
                .forEach(kind -> kind.getValue().fieldNames()
                        .forEachRemaining(name -> defined.add("#/components/" + kind.getKey() + '/' + name)));
        assertEquals(used, defined);
    }

    /** The complete document has the responses of an import, too, and operations of several addresses with one id. */
    @Test
    void eachOperationIsThatOfTheCompleteDocument() {
        List<String> wrong = new ArrayList<>();
        operations().forEach(operation -> {
            Document.Node item = Document.OPEN.get(Document.OPEN.root(), "paths", operation.path);
            ObjectNode expected = Document.OPEN.get(item, operation.method).value().deepCopy();
            ObjectNode own = operation.node.deepCopy();
            if (expected.path("operationId").equals(served.at("/paths/~1api~1dataset~1/post/operationId"))) {
                assertEquals("#/components/responses/ImportProgress", expected.at("/responses/200/$ref").textValue());
                ((ObjectNode) expected.get("responses")).remove("200");
            }
            if (!expected.without("operationId").equals(own.without("operationId"))) {
                wrong.add(operation.name());
            }
        });
        assertEquals(List.of(), wrong);
    }

    @Test
    void onlyRedirectsSecondAddressesAndFilesOfPagesAreLeftOut() {
        List<String> wrong = new ArrayList<>();
        Document.OPEN.root().value().get("paths").fieldNames().forEachRemaining(path -> {
            boolean isRedirect = Document.OPEN.get(Document.OPEN.root(), "paths", path, "get", "responses", "301")
                    .isThere();
            boolean isLeftOut = isRedirect || path.endsWith("{file}")
                    || path.matches("/stac/|/api/search_datasets/|/api/dataset_coords/|.*/raster/[{]product[}]/");
            if (isLeftOut == served.get("paths").has(path)) {
                wrong.add(path);
            }
        });
        assertEquals(List.of(), wrong);
    }

    /** A form has the fields of the JSON body. The lines of an import, and their answer, have no fields. */
    @Test
    void aCreateSendsAndReceivesFields() {
        JsonNode post = served.at("/paths/~1api~1dataset~1/post");
        JsonNode content = served.at(post.at("/requestBody/$ref").textValue().substring(1)).get("content");
        content.forEach(type -> assertEquals("#/components/schemas/DatasetInput", type.at("/schema/$ref").textValue()));
        assertEquals(List.of("application/json", "application/x-www-form-urlencoded", "multipart/form-data"),
                content.properties().stream().map(Map.Entry::getKey).toList());
        assertEquals(List.of("201"), post.get("responses").properties().stream().map(Map.Entry::getKey)
                .filter(status -> status.startsWith("2")).toList());
        JsonNode page = served.at("/components/schemas/DatasetPage/properties/results/items");
        assertEquals("#/components/schemas/Dataset", page.get("$ref").textValue());
    }
}
