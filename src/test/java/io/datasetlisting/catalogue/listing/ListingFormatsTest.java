package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Listing.client;
import static io.datasetlisting.support.Listing.list;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Views;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the formats of the listing and the selection of fields. */
@QuarkusTest
class ListingFormatsTest {

    @Inject
    Catalogue catalogue;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            format=geojson            | */*                                  | application/geo+json
            format=geojson&all=true   | */*                                  | application/geo+json
            all=true                  | application/geo+json                 | application/geo+json
            all=true                  | */*                                  | application/json
            format=csv                | application/json                     | text/csv; charset=utf-8
            format=ndjson             | text/html                            | application/x-ndjson
            format=geoparquet         | application/json                     | application/vnd.apache.parquet
            x=1                       | application/vnd.apache.parquet       | application/vnd.apache.parquet
            format=flatgeobuf         | application/json                     | application/vnd.flatgeobuf
            x=1                       | application/vnd.flatgeobuf           | application/vnd.flatgeobuf
            format=json               | text/csv                             | application/json
            format=api                | application/geo+json                 | application/json
            x=1                       | application/geo+json                 | application/geo+json
            x=1                       | text/csv                             | text/csv; charset=utf-8
            x=1                       | application/json;q=0.5,text/csv;q=.6 | text/csv; charset=utf-8
            x=1                       | */*                                  | application/json
            format=                   | application/x-ndjson                 | application/x-ndjson
            format=                   | */*                                  | application/json
            format=csv                | application/problem+json             | text/csv; charset=utf-8
            """)
    void theFormatParameterOverridesTheAcceptHeader(String query, String accept, String type) {
        catalogue.replaceWith(generated(30));
        for (String method : List.of("GET", "HEAD")) {
            Response response = client().accept(accept).request(method, Listing.PATH + '?' + query);
            response.then().statusCode(200).header("Content-Type", type).header("Vary", containsString("Accept"));
            assertEquals(method.equals("HEAD"), response.asByteArray().length == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"xml", "html", "JSON", "shp", "admin", "%00", "json%00", "json%20", "geojson,csv",
            "json&format=xml"})
    void anUnknownFormatIsA404(String format) {
        list("?format=" + format).then().statusCode(404).body(equalTo("{\"detail\":\"Not found.\"}"));
        Caller.admin().get(Caller.ACCOUNTS + "?format=" + format).then().statusCode(404);
    }

    @Test
    void accountsHaveNoCsv() {
        Caller.admin().get(Caller.ACCOUNTS + "?format=csv").then().statusCode(404);
        Caller.admin().get(Caller.ACCOUNTS + "?format=json").then().statusCode(200);
    }

    @Test
    void aGeoJsonPageHasTheDatasetsOfTheJsonPage() {
        catalogue.replaceWith(generated(60));
        Response page = list("?p=2&page_size=10&ordering=-dataset_name");
        Response map = list("?p=2&page_size=10&ordering=-dataset_name&format=geojson");
        map.then().body("type", equalTo("FeatureCollection"))
                .body("numberMatched", equalTo(page.jsonPath().getInt("count")))
                .body("numberReturned", equalTo(10))
                .body("features.id", equalTo(page.jsonPath().getList("results.id")))
                .body("links.rel", equalTo(List.of("self", "first", "prev", "next", "last")));
        assertEquals(new JsonObject(page.asString()).getJsonArray("results").getList(),
                new JsonObject(map.asString()).getJsonArray("features").stream()
                        .map(feature -> ((JsonObject) feature).getJsonObject("properties").getMap()).toList());
        String next = map.jsonPath().getString("links.find { it.rel == 'next' }.href");
        assertEquals(list("?p=3&page_size=10&ordering=-dataset_name").jsonPath().getList("results.id"),
                client().get(next).jsonPath().getList("features.id"));
        list("?format=geojson&p=99").then().statusCode(404).body(equalTo("{\"detail\":\"Invalid page.\"}"));
    }

    @Test
    void aFeatureHasItsGeometryForEverySelectionOfFields() {
        catalogue.replaceWith(dataset(1, d -> d.bbox = new double[]{1, 2, 3, 4}));
        list("?format=geojson&fields=dataset_name").then()
                .body("features[0].geometry.type", equalTo("Polygon"))
                .body("features[0].properties", equalTo(java.util.Map.of("dataset_name", "dataset 1")));
    }

    @Test
    void csvAndNdjsonHaveAllMatchesInOrder() {
        catalogue.replaceWith(generated(700));
        List<Integer> expected = new java.util.ArrayList<>();
        for (String next = "?category=Forest&ordering=-captured_date&page_size=100"; next != null;) {
            Response page = next.startsWith("?") ? list(next) : client().get(next);
            expected.addAll(page.jsonPath().getList("results.id"));
            next = page.path("next");
        }
        Response table = list("?category=Forest&ordering=-captured_date&format=csv&fields=id&p=3&page_size=1");
        table.then().header("Content-Disposition", "attachment; filename=\"datasets.csv\"");
        assertEquals("id\r\n" + String.join("\r\n", expected.stream().map(String::valueOf).toList()) + "\r\n",
                table.asString());
        for (String format : List.of("csv", "ndjson", "json", "geojson", "geojson&all=true", "geoparquet",
                "flatgeobuf")) {
            assertEquals(list("?format=" + format).header("Content-Disposition"),
                    client().head(Listing.PATH + "?format=" + format).header("Content-Disposition"), format);
        }
        Response lines = list("?category=Forest&ordering=-captured_date&format=ndjson&fields=id");
        assertEquals(String.join("\n", expected.stream().map("{\"id\":%d}"::formatted).toList()) + "\n",
                lines.asString());
    }

    /** The pages of a GeoParquet file are compressed. */
    @ParameterizedTest
    @CsvSource({"geoparquet, datasets.parquet", "flatgeobuf, datasets.fgb"})
    void aFileHasItsNameAndAWrongParameterIsRefused(String format, String name) {
        catalogue.replaceWith(generated(30));
        String query = Listing.PATH + "?format=" + format + "&category=Forest";
        Response file = client().header("Accept-Encoding", "gzip").get(query);
        file.then().statusCode(200).header("Content-Disposition", "attachment; filename=\"" + name + '"');
        assertEquals(format.equals("geoparquet"), file.header("Content-Encoding") == null);
        for (String method : List.of("GET", "HEAD")) {
            for (String wrong : List.of("&workspace=x", "&fields=nothing")) {
                client().request(method, query + wrong).then().statusCode(400);
            }
        }
    }

    @Test
    void geoJsonOfAllPagesHasTheFeaturesOfEachPageInOrder() {
        catalogue.replaceWith(generated(700));
        String query = "?category=Forest&ordering=-captured_date&format=geojson";
        JsonArray expected = new JsonArray();
        for (String next = query + "&page_size=100"; next != null;) {
            Response page = next.startsWith("?") ? list(next) : client().get(next);
            new JsonObject(page.asString()).getJsonArray("features").forEach(expected::add);
            next = page.path("links.find { it.rel == 'next' }?.href");
        }
        assertTrue(expected.size() > 100);
        for (Caller caller : List.of(Caller.anonymous(), Caller.admin())) {
            Response all = caller.get(Listing.PATH + query + "&all=true&p=99&page_size=1");
            all.then().header("Content-Type", "application/geo+json")
                    .header("Content-Disposition", "attachment; filename=\"datasets.geojson\"");
            JsonObject collection = new JsonObject(all.asString());
            assertEquals(List.of("type", "features"), List.copyOf(collection.fieldNames()));
            assertEquals("FeatureCollection", collection.getString("type"));
            if (caller.key() == null) {
                assertEquals(expected, collection.getJsonArray("features"));
            } else {
                // Neither drafts nor deleted datasets.
                assertEquals(caller.get(Listing.PATH + "?category=Forest&page_size=1").jsonPath().getInt("count"),
                        collection.getJsonArray("features").size());
            }
        }
        list("?format=geojson&all=false&page_size=3").then().body("numberReturned", equalTo(3));
        list("?format=geojson&all=maybe").then().statusCode(400)
                .body(equalTo("{\"all\":[\"Must be a valid boolean.\"]}"));
        list("?format=geojson&all=true&workspace=x").then().statusCode(400).header("Content-Type", "application/json");
    }

    @Test
    void aCsvWithoutDatasetsHasItsHeader() {
        catalogue.replaceWith();
        assertEquals("id,dataset_name\r\n", list("?format=csv&fields=dataset_name,id").asString());
        for (Caller caller : List.of(Caller.anonymous(), Caller.admin())) {
            assertEquals("", caller.get(Listing.PATH + "?format=ndjson").asString());
        }
        list("?format=geojson&all=true").then().body("type", equalTo("FeatureCollection")).body("features", hasSize(0));
        list("?format=geojson").then().body("features", hasSize(0)).body("numberMatched", equalTo(0));
    }

    @Test
    void onlySelectedFieldsAreWrittenInTheOrderOfTheContract() {
        catalogue.replaceWith(generated(20));
        JsonObject page = new JsonObject(list("?fields=dataset_name,id&fields=user&page_size=3").asString());
        assertEquals(List.of("count", "next", "previous", "results"), List.copyOf(page.fieldNames()));
        assertTrue(page.getString("next").contains("fields=dataset_name%2Cid&fields=user&p=2"));
        JsonArray whole = new JsonObject(list("?page_size=3").asString()).getJsonArray("results");
        for (int i = 0; i < 3; i++) {
            JsonObject some = page.getJsonArray("results").getJsonObject(i);
            assertEquals(List.of("id", "user", "dataset_name"), List.copyOf(some.fieldNames()));
            some.fieldNames().forEach(name -> assertEquals(whole.getJsonObject(0).getMap().get(name) == null,
                    some.getValue(name) == null));
            assertEquals(whole.getJsonObject(i).getLong("id"), some.getLong("id"));
        }
        for (String field : Views.FIELDS.names()) {
            JsonObject one = new JsonObject(list("?page_size=1&fields=" + field).asString());
            assertEquals(whole.getJsonObject(0).getValue(field),
                    one.getJsonArray("results").getJsonObject(0).getValue(field), field);
        }
    }

    @Test
    void fieldsThatAreNotSelectedAreNotRead() {
        catalogue.replaceWith(generated(20));
        catalogue.sql("alter table dataset rename column band_stats to hidden");
        try {
            assertFalse(
                    list("?fields=id,thumbnail_image").jsonPath().getString("results[0].thumbnail_image").isEmpty());
            list("?fields=band_stats").then().statusCode(500);
        } finally {
            catalogue.sql("alter table dataset rename column hidden to band_stats");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "geojson"})
    void theLinkHeaderLinksToTheOtherPages(String format) {
        catalogue.replaceWith(Catalogue.plain(50));
        String query = "&category=Forest&format=" + format;
        list("?p=1&page_size=10" + query).then().header("Link", matchesPattern(
                "<http[^>]+p=1&page_size=10>; rel=\"first\", <[^>]+p=2&page_size=10>; rel=\"next\", "
                        + "<[^>]+p=5&page_size=10>; rel=\"last\", "
                        + "<http[^>]+/api/dataset/changes/\\?category=Forest&since=[^>]+>; rel=\"changes\""));
        list("?p=last&page_size=10" + query).then().header("Link", matchesPattern(
                "<[^>]+p=1&page_size=10>; rel=\"first\", <[^>]+p=4&page_size=10>; rel=\"prev\", "
                        + "<[^>]+p=5&page_size=10>; rel=\"last\", "
                        + "<http[^>]+/api/dataset/changes/\\?category=Forest&since=[^>]+>; rel=\"changes\""));
    }
}
