package io.datasetlisting.openapi;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.quarkus.test.junit.QuarkusTest;

/** Tests that {@code /q/openapi} serves the document, and that Swagger UI shows it. */
@QuarkusTest
class ServedDocumentTest {

    @Inject
    Endpoints endpoints;

    @Test
    void theDocumentIsServedUnchanged() throws Exception {
        JsonNode written = new YAMLMapper()
                .readTree(ServedDocumentTest.class.getResourceAsStream("/META-INF/openapi.yaml"));
        String yaml = given().accept("application/yaml").get("/q/openapi").then().statusCode(200).extract().asString();
        String json = given().get("/q/openapi?format=json").then().statusCode(200).extract().asString();

        assertEquals(written, new YAMLMapper().readTree(yaml));
        assertEquals(written, new ObjectMapper().readTree(json));
    }

    @Test
    void theDocumentDescribesEachEndpointAndItsMethods() {
        List<String> missing = new ArrayList<>();
        for (Endpoint endpoint : endpoints.all()) {
            Document.Node item = Document.OPEN.pathItem(endpoint.path());
            for (String method : endpoint.allow().toLowerCase(Locale.ROOT).split(", ")) {
                if (!Document.OPEN.get(item, method).isThere()) {
                    missing.add(method + ' ' + endpoint.path());
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

    @Test
    void swaggerUiShowsTheDocument() {
        given().get("/q/swagger-ui").then().statusCode(200).contentType("text/html");
        given().get("/q/swagger-ui/").then().statusCode(200).contentType("text/html")
                .body(containsString("/q/openapi"));
        given().get("/q/swagger-ui/swagger-ui-bundle.js").then().statusCode(200);
        given().get("/q/swagger-ui/nothing.js").then().statusCode(404);
    }
}
