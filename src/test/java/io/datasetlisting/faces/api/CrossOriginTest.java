package io.datasetlisting.faces.api;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FaultsAndOrigins;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Tests requests of pages of other origins if some origins are allowed. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(FaultsAndOrigins.class)
class CrossOriginTest {

    private static final String PAGE = FaultsAndOrigins.PAGE;
    private static final String ONE = Listing.PATH + "3/";
    private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
    private static final String VARY = "Accept, Accept-Encoding, Origin";
    private static final String REFUSED = "{\"detail\":\"Pages of this origin may not call this service.\"}";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @BeforeEach
    void fortyDatasets() {
        catalogue.replaceWith(plain(40));
    }

    private static Response call(String method, String path, String origin, String... headers) {
        var request = client().header("Origin", origin);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.request(method, path);
    }

    private static Set<String> words(Response answer, String header) {
        return Stream.of(answer.header(header).split(", *")).collect(Collectors.toSet());
    }

    private static void assertReadable(Response answer) {
        assertEquals(PAGE, answer.header(ALLOW_ORIGIN));
        assertEquals("false", answer.header("Access-Control-Allow-Credentials"));
        assertEquals(Set.of("Link", "ETag", "Retry-After", "WWW-Authenticate", "Location", "Allow",
                "Preference-Applied", "Dataset-Left-Out", "X-Request-Id", "Accept-Ranges", "Content-Range",
                "Last-Modified"),
                words(answer, "Access-Control-Expose-Headers"));
        assertEquals(VARY, answer.header("Vary"));
        answer.headers().asList().stream().map(header -> header.getName().toLowerCase(Locale.ROOT))
                .filter(name -> name.startsWith("access-control"))
                .forEach(name -> assertEquals(1, answer.headers().getValues(name).size(), name));
    }

    @Test
    void onlyAPreflightNamesMethodsAndHeaders() {
        Response answer = call("GET", Listing.PATH, PAGE);
        assertNull(answer.header("Access-Control-Allow-Methods"));
        assertNull(answer.header("Access-Control-Allow-Headers"));
    }

    @Test
    void anAllowedPageReadsTheCatalogueAndSearchesIt() {
        for (String path : List.of("/stac", "/stac/collections", "/stac/api", "/stac/search?limit=1")) {
            Response answer = call("GET", path, PAGE);
            assertEquals(200, answer.statusCode(), path);
            assertReadable(answer);
        }
        Response found = client().header("Origin", PAGE).contentType("application/json").body("{\"limit\":1}")
                .post("/stac/search");
        found.then().statusCode(200).body("numberMatched", equalTo(40));
        assertReadable(found);
        client().header("Origin", "https://evil.example").get("/stac").then().statusCode(403)
                .body("code", equalTo("Forbidden"));
    }

    @Test
    void anAllowedPageReadsTheListingAndADataset() {
        Response listing = call("GET", Listing.PATH, PAGE);
        listing.then().statusCode(200).body("count", equalTo(40));
        assertReadable(listing);
        Response one = call("GET", ONE, PAGE);
        assertReadable(one);
        Response known = call("GET", ONE, PAGE, "If-None-Match", one.header("ETag"));
        assertEquals(304, known.statusCode());
        assertReadable(known);
        assertReadable(call("HEAD", Listing.PATH, PAGE));
        assertReadable(call("OPTIONS", Listing.PATH, PAGE));
        assertReadable(call("GET", Listing.PATH, PAGE, "Accept", "application/x-ndjson"));
        assertReadable(call("GET", "/api/dataset", PAGE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"401 | DELETE | /api/dataset/3/ | X | y",
            "401 | GET | /api/dataset/ | Authorization | Token wrong", "404 | GET | /api/dataset/?p=99 | X | y",
            "404 | GET | /api/nothing | X | y", "405 | DELETE | /api/dataset/ | Authorization | Token test-admin-token",
            "406 | GET | /api/dataset/ | Accept | text/html", "412 | DELETE | /api/dataset/3/ | If-Match | \"x\"",
            "415 | POST | /api/dataset/ | Content-Type | nonsense"})
    void anAllowedPageReadsErrors(int status, String method, String path, String header, String value) {
        Response answer = header.equals("Authorization")
                ? call(method, path, PAGE, header, value)
                : call(method, path, PAGE, header, value, status == 401 ? "X" : "Authorization",
                        "Token test-admin-token");
        assertEquals(status, answer.statusCode());
        assertReadable(answer);
        assertEquals("application/json", answer.header("Content-Type"));
    }

    @Test
    void anAllowedPageReadsThatItsAddressIsTooLong() {
        Response answer = call("GET", Listing.PATH + "?x=" + "a".repeat(2_000), PAGE);
        assertEquals(414, answer.statusCode());
        assertReadable(answer);
    }

    @Test
    void anAllowedPageReadsRetryAfter() throws IOException {
        try (SlowClient other = SlowClient.importing(service, Caller.admin(), "Transfer-Encoding: chunked")) {
            // This export uses the only allowed transfer.
            other.head();
            Response answer = call("GET", Listing.PATH, PAGE, "Accept", "application/x-ndjson");
            assertEquals(503, answer.statusCode());
            assertEquals("1", answer.header("Retry-After"));
            assertReadable(answer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
    void anAllowedPreflightNeedsNoToken(String method) {
        for (String path : List.of(ONE, Listing.PATH, "/api/account/", "/api/token/1/", ONE + "thumbnail/", "/stac",
                "/stac/search", "/stac/collections/datasets/items")) {
            Response answer = call("OPTIONS", path, PAGE, "Access-Control-Request-Method", method,
                    "Access-Control-Request-Headers", "authorization,if-match");
            assertEquals(200, answer.statusCode(), path);
            assertEquals("", answer.asString());
            assertReadable(answer);
            assertEquals(Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
                    words(answer, "Access-Control-Allow-Methods"));
            assertEquals(Set.of("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key",
                    "Accept", "Prefer", "Content-Crs", "Range", "If-Range"),
                    words(answer, "Access-Control-Allow-Headers"));
            assertEquals("3600", answer.header("Access-Control-Max-Age"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://map.example.org", "https://map.example.org:8443",
            "https://map.example.org.evil.example", "https://xmap.example.org", "https://a.b.survey.example.org",
            "https://a.survey.example.org.evil.example", "https://API.example.org.evil.example", "", "%"})
    void aForbiddenPageGetsTheErrorOfTheContract(String origin) {
        for (String method : List.of("GET", "POST", "DELETE", "OPTIONS")) {
            for (String asked : List.of("Access-Control-Request-Method", "X")) {
                Response answer = call(method, ONE, origin, asked, "GET", "Authorization", "Token test-admin-token");
                assertEquals(403, answer.statusCode(), method);
                assertEquals(REFUSED, answer.asString());
                assertEquals("application/json", answer.header("Content-Type"));
                assertEquals(VARY, answer.header("Vary"));
                assertNull(answer.header(ALLOW_ORIGIN));
            }
        }
        client().get(ONE).then().statusCode(200);
    }

    @Test
    void aRefusalIsAProblemDocumentIfTheClientAcceptsIt() {
        call("GET", ONE, "https://evil.example", "Accept", "application/problem+json").then().statusCode(403)
                .header("Content-Type", "application/problem+json").body("title", equalTo("Forbidden"));
    }

    @Test
    void anOriginMayBeAPattern() {
        for (String origin : List.of("https://a.survey.example.org", "https://north.survey.example.org")) {
            call("GET", ONE, origin).then().statusCode(200).header(ALLOW_ORIGIN, origin).header("Vary", VARY);
        }
    }

    /** Browsers also send {@code Origin} with writes to the page's own origin. */
    @ParameterizedTest
    @CsvSource({"http://imagery.internal:8080,imagery.internal:8080", "https://api.example.org,10.0.0.7"})
    void pagesOfTheServiceItselfAreAllowed(String origin, String host) {
        Response answer = Caller.admin().request().header("Origin", origin).header("Host", host)
                .contentType(Caller.JSON).body("{}").patch(ONE);
        assertEquals(200, answer.statusCode());
        assertNull(answer.header(ALLOW_ORIGIN));
    }

    @Test
    void aRequestWithoutAnOriginGetsNoCrossOriginHeaders() {
        Response answer = client().get(Listing.PATH);
        assertEquals(200, answer.statusCode());
        assertEquals(List.of(), answer.headers().asList().stream().map(header -> header.getName())
                .filter(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control")).toList());
        assertEquals(VARY, answer.header("Vary"));
        client().header("Access-Control-Request-Method", "GET").options(Listing.PATH).then().statusCode(200)
                .body("name", equalTo("Dataset List"));
    }
}
