package io.datasetlisting.support;

import static io.restassured.RestAssured.given;
import static io.restassured.config.DecoderConfig.decoderConfig;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import io.datasetlisting.openapi.DocumentFilter;
import io.restassured.RestAssured;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;

/** Calls the listing as a client does. */
public final class Listing {

    public static final String PATH = "/api/dataset/";

    private Listing() {
    }

    /**
     * An HTTP client that sends addresses unchanged, follows no redirect and does not decompress. Responses must match
     * the OpenAPI document.
     */
    public static RequestSpecification client() {
        return given().config(config())
                .filter(new JsonShortcut()).filter(new DocumentFilter()).urlEncodingEnabled(false).redirects()
                .follow(false);
    }

    /** The configuration of {@link #client}. */
    public static RestAssuredConfig config() {
        RestAssuredConfig config = RestAssured.config();
        return config.decoderConfig(decoderConfig().noContentDecoders())
                .httpClient(config.getHttpClientConfig().httpClientFactory(RequestClient::new));
    }

    /** The headers of a response without {@code Date}, which may be that of the next second. */
    public static List<String> headers(Response response) {
        return response.headers().asList().stream()
                .map(header -> header.getName().toLowerCase(Locale.ROOT) + ": " + header.getValue())
                .filter(header -> !header.startsWith("date: ")).toList();
    }

    /** The response to {@code GET /api/dataset/} with a query, which is empty or begins with a question mark. */
    public static Response list(String query) {
        return client().get(PATH + query);
    }

    /** The JSON of a response that must have status 200. */
    public static JsonObject ok(Response response) {
        assertEquals(200, response.statusCode(), response::asString);
        return new JsonObject(response.asString());
    }

    /** A value as a query has it. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The page of a request that must succeed. */
    public static PageOfDatasets page(String query) {
        Response response = list(query);
        response.then().statusCode(200);
        return PageOfDatasets.of(response);
    }

    /** The ids of all pages of a query, which must be more than one. */
    public static List<Long> several(String query) {
        List<Long> ids = page("?page_size=100&" + query).idsToTheEnd();
        assertTrue(ids.size() > 1, query);
        return ids;
    }

    /** A page as a client reads it. */
    public record PageOfDatasets(long count, String next, String previous, List<Long> ids) {

        public static PageOfDatasets of(Response response) {
            // JsonPath prints and parses the whole page for each value.
            JsonObject page = new JsonObject(response.asString());
            return new PageOfDatasets(page.getLong("count"), page.getString("next"), page.getString("previous"),
                    page.getJsonArray("results").stream().map(row -> ((JsonObject) row).getLong("id")).toList());
        }

        /** All ids from here to the last page, by following {@code next}. */
        public List<Long> idsToTheEnd() {
            List<Long> ids = new ArrayList<>(ids());
            for (PageOfDatasets page = this; page.next() != null;) {
                page = of(client().get(page.next()));
                ids.addAll(page.ids());
            }
            return ids;
        }

        /** All ids from here to the first page, by following {@code previous}, the ids of each page reversed. */
        public List<Long> idsBackToTheStart() {
            List<Long> ids = reversed(ids());
            for (PageOfDatasets page = this; page.previous() != null;) {
                page = of(client().get(page.previous()));
                ids.addAll(reversed(page.ids()));
            }
            return ids;
        }
    }

    public static List<Long> reversed(List<Long> ids) {
        List<Long> reversed = new ArrayList<>(ids);
        Collections.reverse(reversed);
        return reversed;
    }
}
