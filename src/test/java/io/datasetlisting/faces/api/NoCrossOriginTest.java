package io.datasetlisting.faces.api;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
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

    /** A reader of GeoTIFF in a page follows the redirect to the storage, and may ask for several ranges at once. */
    @Test
    void aPageOfAnotherOriginReadsRastersByRanges() {
        Dataset shown = dataset(7, d -> d.availableRasters = new String[]{"ortho"});
        Dataset hidden = dataset(8, d -> {
            d.availableRasters = new String[]{"ortho"};
            d.isPrivate = true;
        });
        catalogue.replaceWith(shown, hidden);
        for (String end : new String[]{"", "/"}) {
            String path = Listing.PATH + "7/raster/ortho" + end;
            client().header("Origin", "https://map.example.org").redirects().follow(false).get(path).then()
                    .statusCode(302)
                    .header("Access-Control-Allow-Origin", "*");
            client().header("Origin", "https://map.example.org").header("Access-Control-Request-Method", "GET")
                    .header("Access-Control-Request-Headers", "range").options(path).then().statusCode(200)
                    .header("Access-Control-Allow-Headers", containsString("Range"));
            client().header("Authorization", "Token none").header("Origin", "https://map.example.org").get(path).then()
                    .statusCode(401).header("Access-Control-Allow-Origin", nullValue());
        }
        client().get(Listing.PATH + "8/raster/ortho").then().statusCode(404);
        client().get(Listing.PATH + "7/").then().statusCode(200).header("Access-Control-Allow-Origin", nullValue());
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
