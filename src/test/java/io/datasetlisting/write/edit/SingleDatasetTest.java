package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests reading, changing and deleting a single dataset. */
@QuarkusTest
class SingleDatasetTest {

    private static final String DATASET = Listing.PATH + "1/";
    private static final String ALLOW = "GET, PUT, PATCH, DELETE, HEAD, OPTIONS";
    private static final String NO_SUCH = "{\"detail\":\"No Dataset matches the given query.\"}";
    private static final String FORBIDDEN = "{\"detail\":\"You do not have permission to perform this action.\"}";

    @Inject
    Catalogue catalogue;

    private Caller owner;

    @BeforeEach
    void createDatasetAndOwner() {
        catalogue.replaceWith(dataset(1, d -> {
            d.bbox = new double[]{1, 2, 3, 4};
            d.coordinates = new double[]{2, 3};
        }));
        owner = Caller.owner().token("writer");
    }

    private JsonObject changed(String json) {
        Response changed = owner.patch(DATASET, json);
        assertEquals(200, changed.statusCode(), changed::asString);
        assertEquals(changed.asString(), anonymous().get(DATASET).asString());
        return new JsonObject(changed.asString());
    }

    @Test
    void aPublicDatasetIsReadWithoutATokenAsInTheListing() {
        Response read = anonymous().get(DATASET);
        assertEquals(200, read.statusCode());
        assertEquals(Listing.list("").asString().replaceFirst("^.*\"results\":\\[(.*)}]}$", "$1")
                + ",\"description\":null,\"tags\":[],\"data_credits\":null,\"data_captured_by\":null,"
                + "\"institution_name\":null,\"location_name\":null,\"license\":null,\"citation\":null,\"doi\":null,"
                + "\"rasters\":null,\"raster_headers\":null}",
                read.asString());
        assertEquals(
                Set.of("allow", "cache-control", "content-length", "content-security-policy", "content-type", "date",
                        "etag", "vary", "x-content-type-options", "x-request-id"),
                headers(read));
        assertEquals("application/json", read.header("Content-Type"));
        assertEquals(ALLOW, read.header("Allow"));
        assertEquals("Accept, Accept-Encoding", read.header("Vary"));
    }

    private static Set<String> headers(Response response) {
        return Set.copyOf(response.headers().asList().stream()
                .map(header -> header.getName().toLowerCase(Locale.ROOT)).toList());
    }

    @Test
    void headHasTheHeadersOfGet() {
        Response get = anonymous().request().header("X-Request-Id", "a").get(DATASET);
        Response head = anonymous().request().header("X-Request-Id", "a").head(DATASET);
        assertEquals(200, head.statusCode());
        assertEquals("", head.asString());
        assertEquals(Set.copyOf(Listing.headers(get)), Set.copyOf(Listing.headers(head)));
        anonymous().request().head(Listing.PATH + "2/").then().statusCode(404)
                .header("Content-Length", equalTo(String.valueOf(NO_SUCH.length())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "0", "-1", "abc", "1.0", "01x", "999999999999999999", "9999999999999999999", "%31%00",
            "1%20", "last"})
    void anUnknownIdIsA404(String id) {
        for (String method : new String[]{"GET", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
            Response answer = admin().request().contentType(Caller.JSON).body("{}").request(method,
                    Listing.PATH + id + '/');
            assertEquals(404, answer.statusCode(), method);
            assertEquals(NO_SUCH, answer.asString(), method);
        }
    }

    @Test
    void aPatchChangesOnlyTheFieldsOfItsBody() {
        String before = anonymous().get(DATASET).asString();
        JsonObject after = changed("{\"dataset_name\":\"new name\",\"is_shareable\":\"yes\"}");
        JsonObject expected = new JsonObject(before).put("dataset_name", "new name").put("is_shareable", true);
        assertEquals(expected.encode(), after.encode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH"})
    void anEmptyBodyDoesNotChangeTheVersion(String method) {
        Response before = anonymous().get(DATASET);
        Response after = owner.send(method, DATASET, Caller.JSON, "{}");
        assertEquals(200, after.statusCode());
        assertEquals(before.asString(), after.asString());
        assertEquals(before.header("ETag"), after.header("ETag"));
    }

    @Test
    void aPutKeepsAbsentFields() {
        Response put = owner.send("PUT", DATASET, Caller.JSON, "{\"dataset_name\":\"put\"}");
        put.then().statusCode(200).body("dataset_name", equalTo("put")).body("category", equalTo(List.of("Forest")))
                .body("captured_date", equalTo("2021-03-04T05:06:07Z"));
    }

    @Test
    void aFormChangesADataset() {
        owner.send("PATCH", DATASET, "application/x-www-form-urlencoded", "is_shareable=on&category=Rocky,Desert")
                .then()
                .statusCode(200).body("is_shareable", equalTo(true))
                .body("category", equalTo(List.of("Rocky", "Desert")));
        owner.send("PUT", DATASET, "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\nü\r\n--b--\r\n").then()
                .statusCode(200).body("dataset_name", equalTo("ü")).body("is_shareable", equalTo(true));
    }

    @Test
    void readOnlyFieldsAreIgnored() {
        String before = anonymous().get(DATASET).asString();
        for (Caller caller : List.of(owner, admin())) {
            caller.patch(DATASET, """
                    {"id":2,"uav_uid":"00000000-0000-4000-0000-000000000009","user":"operator 0","is_deleted":true,
                    "thumbnail_image":"x","cant_orthomosaic":true,"is_dem_processing":true,"gcps_file":1,
                    "cumulative_adjustment":9,"latest_adjustment_status":"x","latest_adjustment_id":"x","version":9}""")
                    .then().statusCode(200);
            assertEquals(before, anonymous().get(DATASET).asString());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"bbox\":[3,4,5,6]} | [4.0,5.0]", "{\"bbox\":[]} | [2.0,3.0]",
            "{\"bbox\":[],\"coordinates\":[]} | []",
            "{\"coordinates\":[9,9]} | [9.0,9.0]", "{\"coordinates\":[]} | [2.0,3.0]",
            "{\"coordinates\":null} | [2.0,3.0]", "{\"bbox\":[3,4,5,6],\"coordinates\":[9,9]} | [9.0,9.0]",
            "{\"bbox\":[],\"coordinates\":[9,9]} | [9.0,9.0]"})
    void coordinatesFollowTheBboxUnlessTheyAreGiven(String patch, String coordinates) {
        assertEquals(coordinates,
                new JsonObject(owner.patch(DATASET, patch).asString()).getJsonArray("coordinates").encode());
    }

    @Test
    void givenCoordinatesAreKeptWhenTheBboxChanges() {
        changed("{\"coordinates\":[2.5,3]}");
        assertEquals("[2.5,3.0]", changed("{\"bbox\":[3,4,5,6]}").getJsonArray("coordinates").encode());
        assertEquals("[4.0,5.0]", changed("{\"coordinates\":[]}").getJsonArray("coordinates").encode());
    }

    /** A change names its fields: the dataset stays at its coordinates. */
    @Test
    void aDatasetWithoutABboxStaysListed() {
        Response item = anonymous().get("/stac/collections/datasets/items/" + DATASET.replaceAll("\\D", ""));
        owner.patch(DATASET, "{\"bbox\":[]}").then().statusCode(200);
        assertEquals(1, Listing.page("").count());
        anonymous().get(item.jsonPath().getString("links.find { it.rel == 'self' }.href")).then().statusCode(200)
                .body("geometry.type", equalTo("Point"));
        owner.patch(DATASET, "{\"bbox\":null}").then().statusCode(400);
        assertEquals(1, Listing.page("").count());
    }

    @Test
    void aDatasetWithoutALocationIsADraft() {
        owner.patch(DATASET, "{\"bbox\":[],\"coordinates\":[]}").then().statusCode(200);
        assertEquals(0, Listing.page("").count());
        assertEquals(NO_SUCH, anonymous().get(DATASET).asString());
        owner.get(DATASET).then().statusCode(200);
    }

    @Test
    void aDeletedDatasetIsA404ForAllCallersAndItsRowIsKept() {
        Response deleted = owner.delete(DATASET);
        assertEquals(204, deleted.statusCode());
        assertEquals("", deleted.asString());
        assertEquals(ALLOW, deleted.header("Allow"));
        for (Caller caller : List.of(anonymous(), owner, admin())) {
            assertEquals(NO_SUCH, caller.get(DATASET).asString());
        }
        for (Caller caller : List.of(owner, admin())) {
            assertEquals(NO_SUCH, caller.delete(DATASET).asString());
            assertEquals(NO_SUCH, caller.patch(DATASET, "{}").asString());
        }
        assertEquals(0, Listing.page("").count());
        assertEquals(true, catalogue.sql("select is_deleted from dataset where id = 1").get(0).getBoolean(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aPublicDatasetOfAnotherOwnerCannotBeWritten(String method) {
        String before = anonymous().get(DATASET).asString();
        Response refused = writer("Bob").send(method, DATASET, Caller.JSON, "{\"dataset_name\":1,\"bbox\":\"wrong\"}");
        assertEquals(403, refused.statusCode());
        assertEquals(FORBIDDEN, refused.asString());
        assertEquals(before, anonymous().get(DATASET).asString());
    }

    @Test
    void anAdminMayWriteEveryDataset() {
        admin().patch(DATASET, "{\"dataset_name\":\"by an admin\"}").then().statusCode(200)
                .body("user", equalTo("Ada van Dyk 7"));
        admin().delete(DATASET).then().statusCode(204);
    }

    @Test
    void allErrorsOfAChangeAreReportedAndNothingIsChanged() {
        String before = anonymous().get(DATASET).asString();
        Response refused = owner.patch(DATASET, "{\"dataset_name\":\"new\",\"category\":[],\"is_private\":null}");
        assertEquals(400, refused.statusCode());
        assertEquals(
                "{\"category\":[\"This list may not be empty.\"],\"is_private\":[\"This field may not be null.\"]}",
                refused.asString());
        assertEquals(before, anonymous().get(DATASET).asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void aReadWithoutTheTrailingSlashIsRedirected(String method) {
        Response moved = anonymous().request().request(method, Listing.PATH + "1?format=json");
        assertEquals(301, moved.statusCode());
        assertEquals("/api/dataset/1/?format=json", moved.header("Location"));
    }

    @Test
    void otherMethodsWithoutTheTrailingSlashAreAccepted() {
        owner.patch("/api/dataset/1", "{\"dataset_name\":\"a\"}").then().statusCode(200)
                .body("dataset_name", equalTo("a"));
        owner.send("PUT", "/api/dataset/1", Caller.JSON, "{}").then().statusCode(200);
        anonymous().request().options("/api/dataset/1").then().statusCode(200);
        owner.delete("/api/dataset/1").then().statusCode(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "TRACE", "PROPFIND"})
    void otherMethodsAreNotAllowed(String method) {
        Response refused = owner.request().request(method, DATASET);
        assertEquals(405, refused.statusCode());
        assertEquals("{\"detail\":\"Method \\\"" + method + "\\\" not allowed.\"}", refused.asString());
        assertEquals(ALLOW, refused.header("Allow"));
    }

    @Test
    void optionsDescribeTheFieldsOfAPutOnlyToCallersThatMayWrite() {
        for (Caller caller : List.of(anonymous(), owner.token("reader"), writer("Bob"))) {
            caller.request().options(DATASET).then().statusCode(200).header("Allow", ALLOW)
                    .body("name", equalTo("Dataset Instance")).body("$", not(hasKey("actions")));
        }
        for (Caller caller : List.of(owner, admin())) {
            assertDescribed(new JsonObject(caller.request().options(DATASET).asString()), "PUT");
        }
    }

    @Test
    void optionsDescribeTheFieldsOfAPostOnlyToCallersThatMayCreate() {
        for (Caller caller : List.of(anonymous(), owner.token("reader"))) {
            caller.request().options(Listing.PATH).then().statusCode(200).body("$", not(hasKey("actions")));
        }
        for (Caller caller : List.of(owner, admin())) {
            assertDescribed(new JsonObject(caller.request().options(Listing.PATH).asString()), "POST");
        }
    }

    private static void assertDescribed(JsonObject options, String method) {
        assertEquals(List.of("name", "description", "renders", "parses", "actions"),
                List.copyOf(options.fieldNames()));
        JsonObject fields = options.getJsonObject("actions").getJsonObject(method);
        assertEquals(List.copyOf(anonymous().json(DATASET).fieldNames()), List.copyOf(fields.fieldNames()));
        List<String> writable = new ArrayList<>(fields.fieldNames());
        writable.removeIf(name -> fields.getJsonObject(name).getBoolean("read_only"));
        assertEquals(List.of("workspace", "dataset_name", "category", "captured_date", "is_private", "is_shareable",
                "available_rasters", "band_stats", "bbox", "coordinates", "description", "tags", "data_credits",
                "data_captured_by", "institution_name", "location_name", "license", "citation", "doi",
                "rasters"), writable);
        assertTrue(fields.getJsonObject("category").encode().contains("Deep ocean floor"));
    }
}
