package io.datasetlisting.faces.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.Header;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Tests that the headers of a response fit into the buffers of proxies, whatever a client asks. */
@QuarkusTest
class HeaderSizeTest {

    /** What nginx takes by default for the status line and all headers. */
    private static final int MAX = 4_096;

    private static final List<Integer> LENGTHS = List.of(450, 680, 900, 1150, 2_000, 3_600, 7_000);

    @Inject
    Catalogue catalogue;

    @Inject
    Endpoints endpoints;

    /** Without the check of the OpenAPI document, which does not describe each path without its slash. */
    private static RequestSpecification client() {
        return RestAssured.given().urlEncodingEnabled(false).redirects().follow(false);
    }

    private static int size(Response response) {
        int size = response.statusLine().length() + 4;
        for (Header header : response.headers()) {
            size += header.getName().length() + header.getValue().length() + 4;
        }
        return size;
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/html", "application/x-ndjson"})
    void theHeadersOfEachAddressHaveABound(String accept) {
        catalogue.replaceWith(Catalogue.plain(10));
        String referer = "http://localhost:" + RestAssured.port + "/datasets/?x=" + "a".repeat(5_000);
        Random random = new Random(RandomTests.seed());
        long asked = 0;
        for (String path : endpoints.all().stream().map(endpoint -> endpoint.path().replaceAll("\\{[^}]+}", "1"))
                .toList()) {
            for (String address : List.of(path, path.replaceFirst("/?$", ""))) {
                for (int length : LENGTHS.stream().filter(l -> random.nextInt(7) < RandomTests.times(1, 7)).toList()) {
                    Response response = client().header("Accept", accept).header("Referer", referer)
                            .get(address + "?p=2&page_size=2&limit=2&language=de&x=" + "a".repeat(length));
                    assertTrue(size(response) < MAX,
                            () -> address + " with " + length + ": " + size(response) + "\n" + response.headers());
                    asked++;
                }
            }
        }
        assertTrue(asked > RandomTests.times(150, 500), asked + " requests");
    }

    /** A frontend asks with all fields, categories, dates and rasters. */
    @Test
    void theLinkHeaderIsLeftOutBeforeTheBodyHasTheLinks() {
        catalogue.replaceWith(Catalogue.plain(10));
        String address = Listing.PATH + "?p=2&page_size=2&x=" + "a".repeat(700);
        Response response = client().get(address);
        assertEquals(null, response.header("Link"));
        assertTrue(response.path("next").toString().contains("p=3"));
    }

    @Test
    void aRedirectThatIsTooLongIsServedInPlace() {
        catalogue.replaceWith(Catalogue.plain(10));
        client().get("/api/dataset?x=" + "a".repeat(2_000)).then().statusCode(301);
        for (String path : List.of("/api/dataset", "/datasets")) {
            Response response = client().get(path + "?page_size=2&x=" + "a".repeat(3_800));
            assertEquals(200, response.statusCode(), path);
        }
        assertEquals(200, client().header("Authorization", "Token " + Caller.admin().key())
                .get("/api/account?x=" + "a".repeat(3_800)).statusCode());
    }
}
