package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static io.datasetlisting.support.Listing.list;
import static io.datasetlisting.support.Listing.page;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the pages, links, headers and errors of the listing. */
@QuarkusTest
class ListingTest {

    private static final String INVALID_PAGE = "{\"detail\":\"Invalid page.\"}";
    private static final String NOT_FOUND = "{\"detail\":\"Not found.\"}";

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void createFortyDatasets() {
        catalogue.replaceWith(plain(40));
    }

    @Test
    void theFirstPageHasTheFifteenLowestIdsAndNoPrevious() {
        PageOfDatasets page = page("");
        assertEquals(40, page.count());
        assertEquals(IntStream.rangeClosed(1, 15).mapToObj(i -> 3L * i).toList(), page.ids());
        assertNull(page.previous());
        assertEquals("p=2&page_size=15", URI.create(page.next()).getRawQuery());
    }

    /** The client of Django REST Framework for react-admin sends the page by this name. */
    @Test
    void aClientThatKnowsOnlyPageReadsEachDatasetOnce() {
        List<Long> ids = new ArrayList<>();
        for (int number = 1; number <= 4; number++) {
            ids.addAll(page("?page=" + number + "&page_size=10").ids());
        }
        assertEquals(IntStream.rangeClosed(1, 40).mapToObj(i -> 3L * i).toList(), ids);
        list("?page=5&page_size=10").then().statusCode(404).body(equalTo(INVALID_PAGE));
        assertEquals(page("?p=2").ids(), page("?p=2&page=1").ids());
    }

    @Test
    void theLastPageHasNoNext() {
        PageOfDatasets page = page("?p=3");
        assertEquals(10, page.ids().size());
        assertNull(page.next());
        assertEquals("p=2&page_size=15", URI.create(page.previous()).getRawQuery());
    }

    @Test
    void a200HasExactlyTheHeadersOfTheContract() {
        Response response = list("?p=2&ordering=dataset_name&format=api");
        assertEquals(List.of("allow", "cache-control", "content-length", "content-security-policy", "content-type",
                "date", "etag", "link", "vary", "x-content-type-options", "x-request-id"),
                response.headers().asList().stream().map(header -> header.getName().toLowerCase(Locale.ROOT)).sorted()
                        .toList());
        assertEquals("application/json", response.header("Content-Type"));
        assertEquals("GET, POST, HEAD, OPTIONS", response.header("Allow"));
        assertEquals("Accept, Accept-Encoding", response.header("Vary"));
    }

    @Test
    void linksRepeatTheQuerySortedAndFormEncoded() {
        list("?z=a%20b,c&flag&b=2&b=1&page_size=5&p=2&s=*~/&ordering=-id").then()
                .body("next", endsWith(
                        "/api/dataset/?b=2&b=1&flag=&ordering=-id&p=3&page_size=5&s=%2A~%2F&z=a+b%2Cc"))
                .body("previous", endsWith(
                        "/api/dataset/?b=2&b=1&flag=&ordering=-id&p=1&page_size=5&s=%2A~%2F&z=a+b%2Cc"));
    }

    @Test
    void linksHaveTheEffectivePageSize() {
        list("?page_size=0").then().body("next", endsWith("?p=2&page_size=15"));
        catalogue.replaceWith(plain(101));
        list("?page_size=1000").then().body("next", endsWith("?p=2&page_size=100"));
    }

    @Test
    void linksHaveTheHostOfTheRequest() {
        client().header("Host", "imagery.example.org:8443").get("/api/dataset/").then().body("next",
                equalTo("http://imagery.example.org:8443/api/dataset/?p=2&page_size=15"));
    }

    @Test
    void forwardedHeadersAreIgnoredWithoutATrustedProxy() {
        client().header("Host", "imagery.example.org").header("X-Forwarded-Host", "evil.example")
                .header("X-Forwarded-Proto", "https").header("Forwarded", "host=evil.example;proto=https")
                .get("/api/dataset/").then()
                .body("next", equalTo("http://imagery.example.org/api/dataset/?p=2&page_size=15"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "abc", "1.0", "4", "99999999999999999999999999", "9223372036854775807", "%00",
            "1%00", "%20", "2%20x", "1e0", "0x1", "last%20x", "LAST", "1%3Bdrop+table+dataset", "--1", "+",
            "%2B"})
    void anInvalidPageNumberIsA404(String p) {
        Response response = list("?p=" + p);
        assertEquals(404, response.statusCode(), response::asString);
        assertEquals("no-store", response.header("Cache-Control"));
        assertEquals(INVALID_PAGE, response.asString());
        assertEquals("application/json", response.header("Content-Type"));
    }

    @ParameterizedTest
    @CsvSource({"'',1", "?p=,1", "?p,1", "?p=1,1", "?p=2,2", "?p=02,2", "?p=%202,2", "?p=%2B2,2", "?p=last,3",
            "?p=abc&p=2,2", "?p=1&p=3,3", "?%70=2,2"})
    void theseQueriesSelectAPage(String query, int page) {
        assertEquals(page("?p=" + page).ids(), page(query == null ? "" : query).ids());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "7,7", "100,40", "101,40", "1000000,40", "99999999999999999999,40", "0,15", "-5,15", "abc,15",
            "'',15", "1.5,15", "%00,15", "5&page_size=7,7"})
    void aPageSizeIsLimitedAndAnInvalidOneIsTheDefault(String pageSize, int items) {
        assertEquals(items, page("?page_size=" + (pageSize == null ? "" : pageSize)).ids().size());
    }

    @Test
    void aPageSizeAboveTheMaximumIsTheMaximum() {
        catalogue.replaceWith(plain(130));
        assertEquals(100, page("?page_size=101").ids().size());
    }

    @Test
    void anEmptyListingIsAPageWithoutResults() {
        catalogue.replaceWith();
        assertEquals("{\"count\":0,\"next\":null,\"previous\":null,\"results\":[]}", list("").asString());
        assertEquals("{\"count\":0,\"next\":null,\"previous\":null,\"results\":[]}", list("?p=last").asString());
        // With an empty table, PostgreSQL does not evaluate the offset of the page.
        catalogue.replaceWith(dataset(1, d -> d.coordinates = null));
        assertEquals("{\"count\":0,\"next\":null,\"previous\":null,\"results\":[]}",
                list("?p=last&page_size=1").asString());
        assertEquals(404, list("?p=2").statusCode());
    }

    @Test
    void optionsDescribeTheEndpoint() {
        Response response = client().options("/api/dataset/");
        assertEquals(200, response.statusCode());
        assertEquals(
                "{\"name\":\"Dataset List\",\"description\":\"\",\"renders\":[\"application/json\","
                        + "\"application/x-ndjson\",\"application/geo+json\",\"text/csv\","
                        + "\"application/vnd.apache.parquet\",\"application/vnd.flatgeobuf\"],\"parses\":[\"application/json\","
                        + "\"application/x-www-form-urlencoded\",\"multipart/form-data\",\"application/x-ndjson\"]}",
                response.asString());
        assertEquals("GET, POST, HEAD, OPTIONS", response.header("Allow"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void aReadWithoutTheTrailingSlashIsRedirectedWithItsQuery(String method) {
        Response response = client().request(method, "/api/dataset?p=2&x=a%20b&y=%7B");
        assertEquals(301, response.statusCode());
        assertEquals("/api/dataset/?p=2&x=a%20b&y=%7B", response.header("Location"));
        assertEquals("/api/dataset/", client().request(method, "/api/dataset").header("Location"));
    }

    @Test
    void twoLeadingSlashesDoNotRedirectToAnotherHost() {
        Response response = client().get("//api/dataset?p=2");
        assertTrue(response.statusCode() == 404 || "/api/dataset/?p=2".equals(response.header("Location")),
                response::asString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS", "PUT"})
    void otherMethodsWithoutTheTrailingSlashHaveTheSameResponse(String method) {
        assertEquals(client().request(method, "/api/dataset/").asString(),
                client().request(method, "/api/dataset").asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/xml", "image/*", "nonsense"})
    void anAcceptHeaderWithoutJsonIsA406(String accept) {
        Response response = client().header("Accept", accept).get("/api/dataset/");
        assertEquals(406, response.statusCode());
        assertEquals("{\"detail\":\"Could not satisfy the request Accept header.\"}", response.asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/*", "application/json", "text/html,application/json;q=0.9",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/problem+json",
            "application/json, application/x-ndjson", "application/x-ndjson;q=0.5, application/json"})
    void theseAcceptHeadersGetJson(String accept) {
        Response response = client().header("Accept", accept).get("/api/dataset/");
        assertEquals(200, response.statusCode());
        assertEquals("application/json", response.header("Content-Type"));
    }

    @Test
    void errorsAreProblemDetailsWhenTheAcceptHeaderAllowsThem() {
        Response response = client().header("Accept", "application/json, application/problem+json")
                .get("/api/dataset/?p=0");
        assertEquals(404, response.statusCode());
        assertEquals("application/problem+json", response.header("Content-Type"));
        assertEquals("{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"Invalid page.\"}",
                response.asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/", "/api", "/api/nothing", "/api/dataset/x/y", "/nothing", "/api/bench/constant/"})
    void unknownPathsAreA404WithTheSameJson(String path) {
        Response response = client().get(path);
        assertEquals(404, response.statusCode());
        assertEquals(NOT_FOUND, response.asString());
    }

    @Test
    void aPageAndItsCountAreReadInOneSnapshot() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!done.get()) {
                catalogue.sql("update dataset set is_deleted = not is_deleted");
            }
        });
        writer.start();
        Set<Long> counts = new HashSet<>();
        for (int i = 0; i < 200 && (i < 50 || counts.size() < 2); i++) {
            PageOfDatasets page = page("?page_size=100");
            assertEquals(page.count(), page.ids().size());
            counts.add(page.count());
        }
        done.set(true);
        writer.join();
        assertEquals(Set.of(0L, 40L), counts);
    }

    @Test
    void anAbsentLinkIsNull() {
        list("?page_size=100").then().body("$", org.hamcrest.Matchers.hasKey("next")).body("next", nullValue());
    }
}
