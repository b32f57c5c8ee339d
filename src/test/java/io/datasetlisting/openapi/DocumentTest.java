package io.datasetlisting.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Tests the examples of the OpenAPI documents, and {@link DocumentCheck}. */
class DocumentTest {

    private static final Document DOCUMENT = Document.OPEN;
    private static final String PLACES = "/api/dataset_coords";
    private static final String PLACE = "{\"id\":1,\"latitude\":1.5,\"longitude\":2}";

    private static JsonNode sample() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                DocumentTest.class.getResourceAsStream("/sample/noaa-nashville-2020.ndjson"),
                StandardCharsets.UTF_8))) {
            return new ObjectMapper().readTree(lines.readLine());
        }
    }

    private static Document.Node example(String name) {
        return DOCUMENT.component("examples", name);
    }

    @Test
    void theExamplesEqualTheSampleData() throws IOException {
        ObjectNode shown = example("Dataset").value().get("value").deepCopy();
        ObjectNode stored = sample().deepCopy();
        // A line has these fields only with a value.
        stored.putNull("description").putArray("tags");
        List.of("data_credits", "data_captured_by", "institution_name", "location_name", "license",
                "citation", "doi", "rasters", "raster_headers").forEach(stored::putNull);
        // The link has the same path, but another storage and signature.
        String link = shown.remove("thumbnail_image").textValue();
        assertTrue(stored.remove("thumbnail_image").textValue().endsWith(link.replaceFirst("\\?.*", "")
                .replaceFirst("http://localhost:9000/datasets/", "")), link);
        assertEquals(stored.toString(), shown.toString());
        assertEquals(sample(), new ObjectMapper().readTree(example("DatasetLines").value().get("value").textValue()));
    }

    @Test
    void theExamplesFitTheirSchemas() {
        List<String> wrong = new ArrayList<>();
        check(DOCUMENT, DOCUMENT.root(), wrong);
        check(Document.SERVED, Document.SERVED.root(), wrong);
        assertEquals(List.of(), wrong);
    }

    /** Checks the examples beside and inside all schemas below a node. */
    private static void check(Document document, Document.Node node, List<String> wrong) {
        JsonNode value = node.value();
        Document.Node schema = document.schema(node, "schema");
        if (schema.isThere() && value.has("example")) {
            wrong.addAll(errors(document, schema, value.get("example")));
        }
        if (schema.isThere() && !value.has("x-itemSchema")) {
            value.path("examples").fieldNames().forEachRemaining(name -> wrong.addAll(
                    errors(document, schema, document.get(node, "examples", name).value().get("value"))));
        }
        if (node.at().toString().startsWith("/components/schemas/")) {
            value.path("examples").forEach(example -> wrong.addAll(errors(document, node, example)));
        }
        if (value.isObject() && !node.at().toString().startsWith("/components/examples")) {
            value.fieldNames().forEachRemaining(name -> check(document, document.schema(node, name), wrong));
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check(document, new Document.Node(node.at().appendIndex(i), value.get(i)), wrong);
            }
        }
    }

    private static List<String> errors(Document document, Document.Node schema, JsonNode example) {
        String errors = document.errors(schema, example);
        return errors.isEmpty() ? List.of() : List.of(errors);
    }

    private static Exchange answer(String method, String path, int status, String type, String body,
            String... headers) {
        Map<String, List<String>> all = Exchange.anyCase(Map.of("Vary", List.of("Accept, Accept-Encoding"), "Allow",
                List.of("GET, HEAD, OPTIONS"), "Content-Type", List.of(type), "Cache-Control",
                List.of("public, max-age=0, must-revalidate")));
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i + 1] == null) {
                all.remove(headers[i]);
            } else {
                all.put(headers[i], List.of(headers[i + 1]));
            }
        }
        return new Exchange(method, path, Map.of(), status, all, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertDocumented(boolean known, Exchange exchange) {
        List<String> violations = DocumentCheck.violations(exchange);
        assertEquals(known, violations.isEmpty(), () -> violations + " in " + exchange);
    }

    @Test
    void theCheckAcceptsGoodResponsesAndRefusesBadOnes() {
        String json = "application/json";
        assertDocumented(true, answer("GET", PLACES, 200, json, '[' + PLACE + ']'));
        assertDocumented(true,
                answer("GET", PLACES + "/?bbox=x", 400, json, "{\"bbox\":[\"no\"]}", "Cache-Control", null));
        assertDocumented(false, answer("GET", PLACES, 202, json, "[]"));
        assertDocumented(false, answer("GET", PLACES, 200, json + ";charset=UTF-8", "[]"));
        assertDocumented(false, answer("GET", PLACES, 200, json, "[" + PLACE.replace("}", ",\"more\":1}") + ']'));
        assertDocumented(false, answer("GET", PLACES, 200, json, "[{\"id\":1,\"latitude\":1.5}]"));
        assertDocumented(false, answer("GET", PLACES, 200, json, "[" + PLACE.replace("1.5", "\"1.5\"") + ']'));
        assertDocumented(false, answer("GET", PLACES, 200, json, "["));
        assertDocumented(false, answer("GET", PLACES, 200, json, "[]", "Vary", null));
        assertDocumented(false, answer("GET", PLACES, 200, json, "[]", "X-New", "1"));
        assertDocumented(false, answer("GET", PLACES, 200, json, "[]", "Cache-Control", "no-store"));
        assertDocumented(false, answer("HEAD", PLACES, 200, json, "[]"));
        assertDocumented(false, answer("PUT", PLACES, 200, json, "[]"));
        assertDocumented(false, answer("GET", "/api/nowhere", 200, json, "[]"));
        assertDocumented(true, answer("GET", "/api/nowhere", 404, json, "{\"detail\":\"Not found.\"}", "Allow", null,
                "Cache-Control", null));
    }

    @Test
    void aFieldMayBeMissingIfTheRequestSelectsOthers() throws IOException {
        String line = new ObjectMapper().writeValueAsString(((ObjectNode) sample()).without("bbox")) + '\n';
        String path = "/api/dataset/?format=ndjson";
        assertFalse(DocumentCheck.violations(answer("GET", path, 200, "application/x-ndjson", line)).isEmpty());
        assertDocumented(true, answer("GET", path + "&fields=id", 200, "application/x-ndjson", line));
    }
}
