package io.datasetlisting.faces.api;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests that the header {@code Origin} changes nothing if no origin is configured. */
@QuarkusTest
class NoCrossOriginTest {

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fortyDatasets() {
        catalogue.replaceWith(plain(40));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tiles/tilejson.json", "/tiles/0/0/0.mvt", "/stac/tiles/WebMercatorQuad/0/0/0"})
    void aMapOfAnotherOriginReadsTiles(String path) {
        assertEquals("*", client().header("Origin", "https://map.example.org").get(path).then().statusCode(200)
                .extract().header("Access-Control-Allow-Origin"));
        assertNull(client().header("Authorization", "Token none").get(path).header("Access-Control-Allow-Origin"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://map.example.org", "null", "http://localhost"})
    void theOriginHeaderChangesNothing(String origin) {
        for (String method : new String[]{"GET", "POST", "OPTIONS"}) {
            Response plain = client().header("X-Request-Id", "a").request(method, Listing.PATH);
            Response answer = client().header("X-Request-Id", "a").header("Origin", origin)
                    .header("Access-Control-Request-Method", "DELETE")
                    .request(method, Listing.PATH);
            assertEquals(plain.statusCode(), answer.statusCode());
            assertEquals(Listing.headers(plain), Listing.headers(answer));
            assertEquals(plain.asString(), answer.asString());
        }
    }
}
