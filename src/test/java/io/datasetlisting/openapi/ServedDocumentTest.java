package io.datasetlisting.openapi;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.datasetlisting.faces.build.MergedParts;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.response.Response;

/** Tests that {@code /q/openapi} serves the document. */
@QuarkusTest
class ServedDocumentTest {

    private static final Header REQUEST_ID = new Header("X-Request-Id", "");

    @Inject
    Endpoints endpoints;

    /** The build adds methods and responses, and removes only the rules by which it adds them. */
    @Test
    void theDocumentThatIsServedHasAllThatIsWritten() throws Exception {
        ObjectNode written = new ObjectMapper().valueToTree(new MergedParts().document());
        written.remove("x-common");
        assertEquals(List.of(), missing("", written, Document.OPEN.root().value()));
        String yaml = given().accept("application/yaml").get("/q/openapi").then().statusCode(200).extract().asString();
        String json = given().get("/q/openapi?format=json").then().statusCode(200).extract().asString();
        JsonNode served = new ObjectMapper().readTree(json);

        assertEquals(served, new YAMLMapper().readTree(yaml));
        // Only a service with a provider has its scheme.
        assertFalse(json.contains("OpenIdConnect"));
        assertEquals(Document.SERVED.root().value().get("paths").size(), served.get("paths").size());
        assertFalse(served.has("x-common"));
        assertEquals("[{},{\"Token\":[]}]", served.at("/security").toString());
        assertEquals("[{\"Token\":[]}]",
                served.at("/paths/~1api~1dataset~1/post/security").toString());
        assertEquals("#/components/responses/NotModified",
                served.at("/paths/~1api~1dataset~1/head/responses/304/$ref").textValue());
        assertEquals("#/components/responses/TooLarge",
                served.at("/paths/~1api~1dataset~1/post/responses/413/$ref").textValue());
    }

    /** The places below which the values differ. The second value may have more members of objects. */
    private static List<String> missing(String place, JsonNode written, JsonNode served) {
        if (!written.isObject() || !served.isObject()) {
            boolean isThere = place.endsWith("/security")
                    ? StreamSupport.stream(written.spliterator(), false)
                            .allMatch(each -> StreamSupport.stream(served.spliterator(), false).anyMatch(each::equals))
                    : written.equals(served);
            return isThere ? List.of() : List.of(place + ": " + served);
        }
        return written.properties().stream()
                .flatMap(member -> missing(place + '/' + member.getKey(), member.getValue(),
                        served.path(member.getKey())).stream())
                .toList();
    }

    @Test
    void theDocumentDescribesEachEndpointAndItsMethods() {
        List<String> missing = new ArrayList<>();
        for (Endpoint endpoint : endpoints.all()) {
            for (Document document : List.of(Document.OPEN, Document.SERVED)) {
                // Only the complete document has the files of the pages, and second addresses.
                if (document == Document.SERVED && endpoint.path()
                        .matches("/(assets|stac/api)/.*|/stac/|/api/(search_datasets|dataset_coords)/"
                                + "|/api/dataset/.id./raster/.product./")) {
                    continue;
                }
                Document.Node item = document.pathItem(endpoint.path());
                for (String method : endpoint.allow().toLowerCase(Locale.ROOT).split(", ")) {
                    if (!document.get(item, method).isThere()) {
                        missing.add(method + ' ' + endpoint.path());
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    /** The page at {@code /docs/} loads the document from this address, where the address of the server is relative. */
    @Test
    void theDocumentIsAlsoServedBesideItsPage() throws Exception {
        String yaml = given().get("/docs/openapi.yaml").then().statusCode(200).contentType("application/yaml").extract()
                .asString();
        assertEquals("..", new YAMLMapper().readTree(yaml).at("/servers/0/url").textValue());
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", value = {", none, yaml", ", */*, yaml", ", application/json, json",
            ", 'text/html, application/json', json", "?format=json, none, json", "?format=JSON, application/yaml, json",
            "?format=yaml, application/json, json", "?format=xml, none, yaml", "?format=xml&format=json, none, yaml",
            ".json, application/yaml, json", ".json?format=yaml, none, json", ".yaml, application/json, yaml",
            ".yml?format=json, none, yaml", "/, application/json, json", ".json/, none, yaml"})
    void theAddressTheParameterAndTheHeaderChooseTheFormat(String end, String accept, String format) {
        String address = "/q/openapi" + (end == null ? "" : end);
        String type = "application/" + format + ";charset=UTF-8";
        Headers headers = accept == null ? new Headers() : new Headers(new Header("Accept", accept));

        byte[] body = given().headers(headers).get(address).then().statusCode(200).header("Content-Type", type)
                .extract().asByteArray();
        assertEquals(format.equals("json"), body[0] == '{');
        assertArrayEquals(given().get("/q/openapi." + format).asByteArray(), body);
        given().headers(headers).head(address).then().statusCode(200).header("Content-Type", type);
    }

    @Test
    void theDocumentIsCompressedAndRevalidated() {
        Response full = given().header("Accept-Encoding", "gzip").get("/q/openapi.json");
        full.then().statusCode(200).header("Content-Encoding", "gzip").header("Vary", "Accept, Accept-Encoding");
        given().header("If-None-Match", full.header("ETag")).get("/q/openapi.json").then().statusCode(304);
        given().header("If-None-Match", full.header("ETag")).get("/q/openapi.yaml").then().statusCode(200);
    }

    /** Caches keep all addresses of the document by the same rule, and ask whether it has changed. */
    @ParameterizedTest
    @ValueSource(strings = {"/q/openapi", "/q/openapi.json", "/q/openapi.yaml"})
    void theDocumentHasTheSameHeadersAtAllItsAddressesAndForHead(String address) {
        String rule = given().get("/docs/openapi.yaml").header("Cache-Control");
        assertNotNull(rule);
        Response get = given().get(address);
        assertEquals(rule, get.header("Cache-Control"));
        given().header("If-None-Match", get.header("ETag")).get(address).then().statusCode(304)
                .header("Cache-Control", rule);
        // The client of the tests adds its own encodings unless it has no decoders.
        for (DecoderConfig decoders : List.of(new DecoderConfig(), new DecoderConfig().noContentDecoders())) {
            RestAssuredConfig config = RestAssured.config().decoderConfig(decoders);
            Map<String, String> head = headers(given().config(config).head(address));
            assertEquals(headers(given().config(config).get(address)), head);
            assertTrue(head.containsKey("content-length"), head::toString);
        }
    }

    private static Map<String, String> headers(Response response) {
        return response.headers().asList().stream().filter(header -> !header.hasSameNameAs(REQUEST_ID))
                .filter(header -> !header.getName().equals("date"))
                .collect(Collectors.toMap(header -> header.getName().toLowerCase(Locale.ROOT), Header::getValue));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/openapi.xml", "/q/openapi/x", "/q/openapis", "/q/swagger-ui/"})
    void otherAddressesDoNotExist(String address) {
        given().get(address).then().statusCode(404);
    }
}
