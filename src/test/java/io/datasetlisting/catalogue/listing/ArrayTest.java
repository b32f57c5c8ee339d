package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Listing.client;
import static io.datasetlisting.support.Listing.list;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.LowLimits;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the bare arrays of /api/search_datasets and /api/dataset_coords. */
@QuarkusTest
@TestProfile(LowLimits.class)
class ArrayTest {

    private static final String SEARCH = "/api/search_datasets";
    private static final String COORDINATES = "/api/dataset_coords";

    @Inject
    Catalogue catalogue;

    private static Dataset at(long id, double lat, double lon) {
        return dataset(id, d -> d.coordinates = new double[]{lat, lon});
    }

    @ParameterizedTest
    @ValueSource(strings = {SEARCH, SEARCH + "/"})
    void aSearchReturnsABareArray(String path) {
        catalogue.replaceWith(dataset(1, d -> d.datasetName = "Red \"Rocks\""), dataset(2, d -> d.datasetName = "Blue"),
                dataset(3, d -> d.datasetName = "red"));
        client().get(path + "?search=RED").then().statusCode(200).header("Content-Type", "application/json")
                .header("Allow", "GET, HEAD, OPTIONS").header("Cache-Control", startsWith("public"))
                .body(equalTo(
                        "[{\"id\":1,\"dataset_name\":\"Red \\\"Rocks\\\"\"},{\"id\":3,\"dataset_name\":\"red\"}]"));
        client().get(path + "?search=green").then().statusCode(200).body(equalTo("[]"));
        client().get(path + "?search=%00").then().statusCode(400)
                .body(equalTo("{\"search\":[\"Null characters are not allowed.\"]}"));
        client().head(path).then().statusCode(200);
        client().post(path).then().statusCode(401);
        Caller.admin().post(path, "{}").then().statusCode(405);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                              | 1,2,3
            bbox=             | 1,2,3
            bbox=-1,-1,11,11  | 1
            bbox=-999,-999,999,999 | 1,2,3
            bbox=170,-90,-170,90   | 2,3
            bbox=0,0,1,1      |
            """)
    void coordinatesAreFilteredByTheBbox(String query, String found) {
        catalogue.replaceWith(at(1, 10, 11), at(2, -0.5, 175.25), at(3, 90, -175));
        for (String path : List.of(COORDINATES, COORDINATES + "/")) {
            String body = client().get(path + (query == null ? "" : '?' + query)).asString();
            assertEquals(found == null
                    ? "[]"
                    : "[" + found.replaceAll("1(?=,|$)", "{\"id\":1,\"latitude\":10.0,\"longitude\":11.0}")
                            .replaceAll("(?<![.\\d])2(?=,|$)", "{\"id\":2,\"latitude\":-0.5,\"longitude\":175.25}")
                            .replaceAll("(?<![.\\d])3(?=,|$)", "{\"id\":3,\"latitude\":90.0,\"longitude\":-175.0}")
                            + "]",
                    body);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bbox=0,0,20,20&in_bbox=10,10,30,30       | 2
            in_bbox=0,0,20,20&bbox=10,10,30,30       | 2
            bbox=0,0,8,8&in_bbox=20,20,30,30         |
            bbox=-999,-999,999,999&in_bbox=0,0,8,8   | 1
            bbox=&in_bbox=0,0,8,8                    | 1
            """)
    void bothBoxesApply(String query, Long found) {
        catalogue.replaceWith(at(1, 5, 5), at(2, 15, 15), at(3, 25, 25));
        assertEquals(found == null ? List.of() : List.of(found),
                client().get(COORDINATES + '?' + query).jsonPath().getList("id", Long.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bbox=1,2,3", "bbox=a,b,c,d", "bbox=1,5,2,4", "bbox=NaN,0,1,1"})
    void anInvalidBboxIsRefused(String query) {
        client().get(COORDINATES + "?" + query).then().statusCode(400).body(startsWith("{\"bbox\":["));
    }

    @Test
    void anArrayHasTheFilteredDatasetsThatTheCallerMaySee() {
        catalogue.replaceWith(generated(250));
        Caller ada = Caller.writer("Ada");
        long hers = ada.create(
                "{\"dataset_name\":\"hers\",\"coordinates\":[1,2],\"is_private\":true,\"category\":[\"Rocky\"]}");
        List<Integer> listed = new java.util.ArrayList<>();
        for (String next = "?category=Rocky&page_size=100"; next != null;) {
            next = next.startsWith("?") ? next : next.substring(next.indexOf('?'));
            listed.addAll(list(next).jsonPath().getList("results.id"));
            next = list(next).path("next");
        }
        assertEquals(listed, client().get(SEARCH + "?category=Rocky").jsonPath().getList("id"));
        assertEquals(listed, client().get(COORDINATES + "?category=Rocky").jsonPath().getList("id"));
        assertEquals(List.of(hers), ada.get(SEARCH + "?search=hers").jsonPath().getList("id", Long.class));
        assertEquals(List.of(), Caller.writer("Bea").get(SEARCH + "?search=hers").jsonPath().getList("id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {SEARCH, COORDINATES})
    void anAdminsArrayHasTheDatasetsOfTheListing(String path) {
        catalogue.replaceWith(dataset(1, d -> d.isPrivate = true), dataset(2, d -> d.coordinates = null),
                dataset(3, d -> d.isDeleted = true));
        Caller.admin().get(path).then().statusCode(200).body("id", equalTo(List.of(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {SEARCH, COORDINATES})
    void optionsDescribeTheEndpoint(String path) {
        client().options(path).then().statusCode(200).header("Allow", "GET, HEAD, OPTIONS")
                .body(startsWith("{\"name\":\"Dataset "));
    }

    @Test
    void anArrayHasAMaximumLength() {
        catalogue.replaceWith(Catalogue.plain(301));
        assertEquals(LowLimits.ARRAY_SIZE, client().get(SEARCH).jsonPath().getList("id").size());
        assertEquals(LowLimits.ARRAY_SIZE, client().get(COORDINATES).jsonPath().getList("id").size());
        catalogue.awaitNoTransaction();
    }
}
