package io.datasetlisting.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.reprezen.kaizen.oasparser.OpenApi3Parser;
import com.reprezen.kaizen.oasparser.model3.OpenApi3;

/** Tests the OpenAPI 3.0 document of {@code /stac}. */
class StacDocumentTest {

    private static final Path FILE = Path.of("src/main/resources/stac/openapi.json");

    /** Set this system property to write the file. */
    private static final String WRITE = "stac.document.write";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The documents have the same paths, methods, parameters, schemas and responses, because one is made from the other. */
    @Test
    void theFileIsMadeFromTheDocumentOfTheService() throws Exception {
        String made = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(StacDocument.make()) + '\n';
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(FILE, made);
        }
        assertEquals(made, Files.readString(FILE),
                "run this test with -D" + WRITE + "=true after a change of openapi.yaml");
    }

    @Test
    void aStrictParserFindsNoError() throws Exception {
        OpenApi3 document = new OpenApi3Parser().parse(FILE.toFile(), true);
        assertTrue(document.isValid(), () -> document.getValidationItems().toString());
        assertEquals(26, document.getPaths().size(), document.getPaths()::toString);
    }

    /** QGIS reads the parameters of a layer at the address of its features. */
    @Test
    void eachCollectionHasTheSameAddresses() throws Exception {
        JsonNode paths = MAPPER.readTree(FILE.toFile()).get("paths");
        for (String path : new String[]{"", "/items", "/items/{id}", "/queryables", "/sortables", "/schema"}) {
            JsonNode expected = paths.path("/collections/datasets" + path);
            assertTrue(expected.path("get").path("operationId").isTextual(), path);
            for (String collection : new String[]{"Areas", "Points"}) {
                String ofOther = expected.toString().replaceFirst("(\"operationId\":\"\\w+)", "$1Of" + collection);
                assertEquals(ofOther,
                        paths.path("/collections/" + collection.toLowerCase(Locale.ROOT) + path).toString());
            }
        }
    }

    /** GDAL and QGIS read the largest page from this place, and OGC's test suite the other keywords. */
    @Test
    void theParametersHaveTheFormThatClientsExpect() throws Exception {
        JsonNode document = MAPPER.readTree(FILE.toFile());
        JsonNode parameters = document.at("/paths/~1collections~1datasets~1items/get/parameters");
        assertTrue(StreamSupport.stream(parameters.spliterator(), false)
                .anyMatch(parameter -> parameter.path("$ref").asText().equals("#/components/parameters/limit")));
        assertEquals("{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":10}",
                document.at("/components/parameters/limit/schema").toString());
        for (String name : new String[]{"limit", "items_bbox", "datetime"}) {
            JsonNode parameter = document.at("/components/parameters/" + name);
            assertEquals("form", parameter.get("style").textValue());
            assertEquals(false, parameter.get("explode").booleanValue());
        }
        assertEquals("{\"type\":\"array\",\"minItems\":4,\"maxItems\":6,\"items\":{\"type\":\"number\"}}",
                document.at("/components/parameters/items_bbox/schema").toString());
    }
}
