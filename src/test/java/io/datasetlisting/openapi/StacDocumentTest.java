package io.datasetlisting.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.reprezen.kaizen.oasparser.OpenApi3Parser;
import com.reprezen.kaizen.oasparser.model3.OpenApi3;

/** Tests the OpenAPI 3.0 document of {@code /stac}. */
class StacDocumentTest {

    /** The build makes this file of the document of the service. */
    private static final Path FILE = Path.of("target", "classes", "openapi", "stac.json");

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void aStrictParserFindsNoError() throws Exception {
        OpenApi3 document = new OpenApi3Parser().parse(FILE.toFile(), true);
        assertTrue(document.isValid(), () -> document.getValidationItems().toString());
        assertEquals(60, document.getPaths().size(), document.getPaths()::toString);
    }

    /** QGIS reads the parameters of a layer at the address of its features. */
    @Test
    void eachCollectionHasTheSameAddresses() throws Exception {
        JsonNode paths = MAPPER.readTree(FILE.toFile()).get("paths");
        for (String path : new String[]{"", "/items", "/items/{id}", "/queryables", "/sortables", "/schema", "/tiles",
                "/tiles/WebMercatorQuad", "/tiles/WebMercatorQuad/{z}/{y}/{x}", "/aggregations", "/aggregate"}) {
            JsonNode expected = paths.path("/collections/datasets" + path);
            assertTrue(expected.path("get").path("operationId").isTextual(), path);
            if (path.startsWith("/items")) {
                // The other collections are read-only.
                assertTrue(expected.has(path.equals("/items") ? "post" : "patch"), path);
                ((ObjectNode) expected).remove(List.of("post", "put", "patch", "delete"));
            }
            for (String collection : new String[]{"Areas", "Points"}) {
                String ofOther = expected.toString().replaceAll("(\"operationId\":\"\\w+)", "$1Of" + collection);
                assertEquals(ofOther,
                        paths.path("/collections/" + collection.toLowerCase(Locale.ROOT) + path).toString());
            }
            assertEquals(withNotFound(expected.get("get")).toString()
                    .replaceAll("(\"operationId\":\"\\w+)", "$1OfWorkspace"),
                    paths.path("/collections/workspace-{workspace}" + path).get("get").toString());
        }
    }

    /** The workspace may have no public dataset. */
    private static JsonNode withNotFound(JsonNode operation) {
        ObjectNode copy = operation.deepCopy();
        ObjectNode responses = (ObjectNode) copy.get("responses");
        Map<String, JsonNode> sorted = new TreeMap<>();
        responses.properties().forEach(each -> sorted.put(each.getKey(), each.getValue()));
        sorted.put("404", MAPPER.createObjectNode().put("$ref", "#/components/responses/StacNotFound"));
        responses.removeAll().setAll(sorted);
        return copy;
    }

    /** GDAL and QGIS read the largest page from this place, and OGC's test suite the other keywords. */
    @Test
    void theParametersHaveTheFormThatClientsExpect() throws Exception {
        JsonNode document = MAPPER.readTree(FILE.toFile());
        JsonNode parameters = document.at("/paths/~1collections~1datasets~1items/get/parameters");
        assertTrue(StreamSupport.stream(parameters.spliterator(), false)
                .anyMatch(parameter -> parameter.path("$ref").asText().equals("#/components/parameters/limit")));
        assertEquals(MAPPER.readTree("{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":10}"),
                document.at("/components/parameters/limit/schema"));
        for (String name : new String[]{"limit", "items_bbox", "datetime"}) {
            JsonNode parameter = document.at("/components/parameters/" + name);
            assertEquals("form", parameter.get("style").textValue());
            assertEquals(false, parameter.get("explode").booleanValue());
        }
        assertEquals(
                MAPPER.readTree("{\"type\":\"array\",\"minItems\":4,\"maxItems\":6,\"items\":{\"type\":\"number\"}}"),
                document.at("/components/parameters/items_bbox/schema"));
    }
}
