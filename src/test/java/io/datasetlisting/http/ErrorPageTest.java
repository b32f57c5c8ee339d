package io.datasetlisting.http;

import static io.datasetlisting.support.Caller.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.HtmlPage;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the error at an address that the service does not have. */
@QuarkusTest
class ErrorPageTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";
    private static final String JSON = "{\"detail\":\"Not found.\"}";

    private static Response request(String method, String path, String accept) {
        Response response = anonymous().request().accept(accept).urlEncodingEnabled(false).request(method, path);
        assertEquals(404, response.statusCode(), path);
        assertTrue(response.header("Vary").startsWith("Accept, "), path);
        assertEquals("nosniff", response.header("X-Content-Type-Options"), path);
        assertNull(response.header("ETag"), path);
        assertEquals("no-store", response.header("Cache-Control"), path);
        return response;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/foo", "/dataset", "/datasets/abc/def", "/datasets/abc/def/", "/foo//bar",
            "/datasets/3;x/",
            "/apis", "/assets/none.js", "/%3Cb%3E/%2Fx", "/foo?p=1"})
    void aBrowserReceivesAPageThatLeadsToTheList(String path) {
        Response response = request("GET", path, BROWSER);
        assertEquals("text/html; charset=utf-8", response.contentType());
        assertTrue(response.header("Content-Security-Policy").contains("script-src 'self' 'sha256-"));
        HtmlPage page = HtmlPage.parse(response.asString());
        assertEquals("Not Found", page.one("//h:h1"));
        assertEquals("The service has no page at this address.", page.one("//h:main/h:p[1]"));
        assertEquals("search", page.one("//h:main/h:form//h:input/@name"));
        URI link = URI.create(page.one("//h:main//h:a/@href"));
        assertEquals("/datasets/", URI.create("http://service" + path).resolve(link).getPath());
        Response head = request("HEAD", path, BROWSER);
        assertEquals("text/html; charset=utf-8", head.contentType());
        assertEquals(response.header("Content-Length"), head.header("Content-Length"));
        assertEquals("", head.asString());
    }

    /** A page repeats the way to the service for each link, so that 300 requests at once could fill the heap. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/a"})
    void thePageOfADeepAddressIsNotLarger(String part) {
        int size = request("GET", "/foo", BROWSER).asByteArray().length;
        assertTrue(request("GET", "/assets" + part.repeat(7_000), BROWSER).asByteArray().length < 1.2 * size);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"GET | /foo | */*", "GET | /foo | application/json, text/html",
            "GET | /foo | application/json, text/html;q=0.9", "GET | /foo | image/webp", "POST | /foo | text/html",
            "DELETE | /foo | text/html", "GET | /api | text/html", "GET | /api/foo | text/html",
            "GET | /api/dataset/3/foo | text/html"})
    void otherRequestsReceiveJson(String method, String path, String accept) {
        Response response = request(method, path, accept);
        assertEquals("application/json", response.contentType());
        assertEquals(JSON, response.asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac/foo", "/foo"})
    void aClientThatAcceptsProblemDetailsReceivesThem(String path) {
        Response response = request("GET", path, "text/html, application/problem+json");
        assertEquals("application/problem+json", response.contentType());
    }
}
