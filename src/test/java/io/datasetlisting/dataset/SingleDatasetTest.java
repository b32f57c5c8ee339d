package io.datasetlisting.dataset;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.OWNER;
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

/** One dataset at its own address: read, changed, deleted. */
@QuarkusTest
class SingleDatasetTest {

    private static final String ONE = Listing.PATH + "1/";
    private static final String ALLOW = "GET, PUT, PATCH, DELETE, HEAD, OPTIONS";
    private static final String NO_SUCH = "{\"detail\":\"No Dataset matches the given query.\"}";
    private static final String FORBIDDEN = "{\"detail\":\"You do not have permission to perform this action.\"}";

    @Inject
    Catalogue catalogue;

    private Caller owner;

    @BeforeEach
    void oneDatasetAndItsOwner() {
        catalogue.replaceWith(dataset(1, d -> {
            d.bbox = new double[]{1, 2, 3, 4};
            d.coordinates = new double[]{2, 3};
        }));
        owner = Caller.existing(OWNER.id(), OWNER.username()).token("writer");
    }

    private JsonObject changed(String json) {
        Response changed = owner.patch(ONE, json);
        assertEquals(200, changed.statusCode(), changed::asString);
        assertEquals(changed.asString(), anonymous().get(ONE).asString());
        return new JsonObject(changed.asString());
    }

    @Test
    void everybodyReadsAPublicDatasetAsThePageShowsIt() {
        Response read = anonymous().get(ONE);
        assertEquals(200, read.statusCode());
        assertEquals("[" + read.asString() + "]",
                Listing.list("").asString().replaceFirst("^.*\"results\":(.*)}$", "$1"));
        assertEquals(
                Set.of("allow", "cache-control", "content-length", "content-security-policy", "content-type", "etag",
                        "vary", "x-content-type-options", "x-request-id"),
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
        Response get = anonymous().request().header("X-Request-Id", "a").get(ONE);
        Response head = anonymous().request().header("X-Request-Id", "a").head(ONE);
        assertEquals(200, head.statusCode());
        assertEquals("", head.asString());
        for (String header : headers(get)) {
            assertEquals(get.header(header), head.header(header), header);
        }
        anonymous().request().head(Listing.PATH + "2/").then().statusCode(404)
                .header("Content-Length", equalTo(String.valueOf(NO_SUCH.length())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "0", "-1", "abc", "1.0", "01x", "999999999999999999", "9999999999999999999", "%31%00",
            "1%20", "last"})
    void anAddressWithoutADatasetIsA404(String id) {
        for (String method : new String[]{"GET", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
            Response answer = admin().request().contentType(Caller.JSON).body("{}").request(method,
                    Listing.PATH + id + '/');
            assertEquals(404, answer.statusCode(), method);
            assertEquals(NO_SUCH, answer.asString(), method);
        }
    }

    @Test
    void aPatchChangesWhatItNamesAndNothingElse() {
        String before = anonymous().get(ONE).asString();
        JsonObject after = changed("{\"dataset_name\":\"new name\",\"is_shareable\":\"yes\"}");
        JsonObject expected = new JsonObject(before).put("dataset_name", "new name").put("is_shareable", true);
        assertEquals(expected.encode(), after.encode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH"})
    void nothingToChangeIsNoChange(String method) {
        Response before = anonymous().get(ONE);
        Response after = owner.send(method, ONE, Caller.JSON, "{}");
        assertEquals(200, after.statusCode());
        assertEquals(before.asString(), after.asString());
        assertEquals(before.header("ETag"), after.header("ETag"));
    }

    @Test
    void aPutLeavesWhatItDoesNotName() {
        Response put = owner.send("PUT", ONE, Caller.JSON, "{\"dataset_name\":\"put\"}");
        put.then().statusCode(200).body("dataset_name", equalTo("put")).body("category", equalTo(List.of("Forest")))
                .body("captured_date", equalTo("2021-03-04T05:06:07Z"));
    }

    @Test
    void formsChangeADatasetToo() {
        owner.send("PATCH", ONE, "application/x-www-form-urlencoded", "is_shareable=on&category=Rocky,Desert").then()
                .statusCode(200).body("is_shareable", equalTo(true))
                .body("category", equalTo(List.of("Rocky", "Desert")));
        owner.send("PUT", ONE, "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\nü\r\n--b--\r\n").then()
                .statusCode(200).body("dataset_name", equalTo("ü")).body("is_shareable", equalTo(true));
    }

    @Test
    void whatIsReadOnlyStaysAsItIs() {
        String before = anonymous().get(ONE).asString();
        for (Caller caller : List.of(owner, admin())) {
            caller.patch(ONE, """
                    {"id":2,"uav_uid":"00000000-0000-4000-0000-000000000009","user":"operator 0","is_deleted":true,
                    "thumbnail_image":"x","cant_orthomosaic":true,"is_dem_processing":true,"gcps_file":1,
                    "cumulative_adjustment":9,"latest_adjustment_status":"x","latest_adjustment_id":"x","version":9}""")
                    .then().statusCode(200);
            assertEquals(before, anonymous().get(ONE).asString());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"bbox\":[3,4,5,6]} | [4.0,5.0]", "{\"bbox\":[]} | []",
            "{\"coordinates\":[9,9]} | [9.0,9.0]", "{\"coordinates\":[]} | [2.0,3.0]",
            "{\"coordinates\":null} | [2.0,3.0]", "{\"bbox\":[3,4,5,6],\"coordinates\":[9,9]} | [9.0,9.0]",
            "{\"bbox\":[],\"coordinates\":[9,9]} | [9.0,9.0]"})
    void coordinatesFollowTheBboxUntilTheyAreGiven(String patch, String coordinates) {
        assertEquals(coordinates,
                new JsonObject(owner.patch(ONE, patch).asString()).getJsonArray("coordinates").encode());
    }

    @Test
    void coordinatesThatWereGivenStayWhenTheBboxMoves() {
        changed("{\"coordinates\":[2.5,3]}");
        assertEquals("[2.5,3.0]", changed("{\"bbox\":[3,4,5,6]}").getJsonArray("coordinates").encode());
        assertEquals("[4.0,5.0]", changed("{\"coordinates\":[]}").getJsonArray("coordinates").encode());
    }

    @Test
    void aDatasetThatLosesItsLocationIsADraftAgain() {
        owner.patch(ONE, "{\"bbox\":[]}").then().statusCode(200);
        assertEquals(0, Listing.page("").count());
        assertEquals(NO_SUCH, anonymous().get(ONE).asString());
        owner.get(ONE).then().statusCode(200);
    }

    @Test
    void aDeletedDatasetIsGoneForAllButItsRowIsNot() {
        Response deleted = owner.delete(ONE);
        assertEquals(204, deleted.statusCode());
        assertEquals("", deleted.asString());
        assertEquals(ALLOW, deleted.header("Allow"));
        for (Caller caller : List.of(anonymous(), owner, admin())) {
            assertEquals(NO_SUCH, caller.get(ONE).asString());
        }
        for (Caller caller : List.of(owner, admin())) {
            assertEquals(NO_SUCH, caller.delete(ONE).asString());
            assertEquals(NO_SUCH, caller.patch(ONE, "{}").asString());
        }
        assertEquals(0, Listing.page("").count());
        assertEquals(true, catalogue.sql("select is_deleted from dataset where id = 1").get(0).getBoolean(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aPublicDatasetOfAnotherIsNotForWriting(String method) {
        String before = anonymous().get(ONE).asString();
        Response refused = writer("Bob").send(method, ONE, Caller.JSON, "{\"dataset_name\":1,\"bbox\":\"wrong\"}");
        assertEquals(403, refused.statusCode());
        assertEquals(FORBIDDEN, refused.asString());
        assertEquals(before, anonymous().get(ONE).asString());
    }

    @Test
    void anAdminWritesTheDatasetsOfAll() {
        admin().patch(ONE, "{\"dataset_name\":\"by an admin\"}").then().statusCode(200)
                .body("user", equalTo("Ada van Dyk 7"));
        admin().delete(ONE).then().statusCode(204);
    }

    @Test
    void anOwnerWithAReadersTokenDoesNotWrite() {
        Caller reader = owner.token("reader");
        for (String method : new String[]{"PUT", "PATCH", "DELETE"}) {
            assertEquals(FORBIDDEN, reader.send(method, ONE, Caller.JSON, "{}").asString());
        }
    }

    @Test
    void allThatIsWrongWithAChangeIsSaidAndNothingIsChanged() {
        String before = anonymous().get(ONE).asString();
        Response refused = owner.patch(ONE, "{\"dataset_name\":\"new\",\"category\":[],\"is_private\":null}");
        assertEquals(400, refused.statusCode());
        assertEquals(
                "{\"category\":[\"This list may not be empty.\"],\"is_private\":[\"This field may not be null.\"]}",
                refused.asString());
        assertEquals(before, anonymous().get(ONE).asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void withoutTheSlashReadsAreSentToTheSlash(String method) {
        Response moved = anonymous().request().request(method, Listing.PATH + "1?format=json");
        assertEquals(301, moved.statusCode());
        assertEquals("/api/dataset/1/?format=json", moved.header("Location"));
    }

    @Test
    void withoutTheSlashOtherMethodsAreServedAllTheSame() {
        owner.patch("/api/dataset/1", "{\"dataset_name\":\"a\"}").then().statusCode(200)
                .body("dataset_name", equalTo("a"));
        owner.send("PUT", "/api/dataset/1", Caller.JSON, "{}").then().statusCode(200);
        anonymous().request().options("/api/dataset/1").then().statusCode(200);
        owner.delete("/api/dataset/1").then().statusCode(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "TRACE", "PROPFIND"})
    void otherMethodsAreNotAllowed(String method) {
        Response refused = owner.request().request(method, ONE);
        assertEquals(405, refused.statusCode());
        assertEquals("{\"detail\":\"Method \\\"" + method + "\\\" not allowed.\"}", refused.asString());
        assertEquals(ALLOW, refused.header("Allow"));
    }

    @Test
    void optionsTellWhoeverMayChangeItWhatToSend() {
        for (Caller caller : List.of(anonymous(), owner.token("reader"), writer("Bob"))) {
            caller.request().options(ONE).then().statusCode(200).header("Allow", ALLOW)
                    .body("name", equalTo("Dataset Instance")).body("$", not(hasKey("actions")));
        }
        for (Caller caller : List.of(owner, admin())) {
            assertDescribed(new JsonObject(caller.request().options(ONE).asString()), "PUT");
        }
    }

    @Test
    void optionsTellWhoeverMayCreateWhatToSend() {
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
        assertEquals(List.copyOf(new JsonObject(anonymous().get(ONE).asString()).fieldNames()),
                List.copyOf(fields.fieldNames()));
        List<String> writable = new ArrayList<>(fields.fieldNames());
        writable.removeIf(name -> fields.getJsonObject(name).getBoolean("read_only"));
        assertEquals(List.of("workspace", "dataset_name", "category", "captured_date", "is_private", "is_shareable",
                "available_rasters", "band_stats", "bbox", "coordinates"), writable);
        assertTrue(fields.getJsonObject("category").encode().contains("Deep ocean floor"));
    }
}
