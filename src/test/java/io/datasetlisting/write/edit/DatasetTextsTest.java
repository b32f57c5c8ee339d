package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests what owners say about their datasets: the fields behind those of the contract, which listings do not show. */
@QuarkusTest
class DatasetTextsTest {

    private static final List<String> NAMES = List.of("description", "tags", "data_credits", "data_captured_by",
            "institution_name", "location_name");
    private static final String FORM = "application/x-www-form-urlencoded";

    private static final JsonObject TEXTS = new JsonObject()
            .put("description", "A reef.\n\n\"Quoted\" <b>text</b> \\ é 🛰")
            .put("tags", new JsonArray().add("Riff, außen").add("{\"a\\b\"}").add("NULL"))
            .put("data_credits", "The crew").put("data_captured_by", "Lan").put("institution_name", "Naxa")
            .put("location_name", "Óbidos");

    @Inject
    Catalogue catalogue;

    private Caller ada;

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        ada = writer("Ada");
    }

    private static JsonObject ok(Response response) {
        assertTrue(response.statusCode() < 300, response::asString);
        return new JsonObject(response.asString());
    }

    private static JsonObject texts(JsonObject dataset) {
        JsonObject texts = new JsonObject();
        NAMES.forEach(name -> texts.put(name, dataset.getValue(name)));
        return texts;
    }

    /** The path of a new dataset at a place. */
    private String created(JsonObject fields) {
        return Listing.PATH + ada.create(fields.copy().put("coordinates", new JsonArray().add(1).add(2)).encode())
                + '/';
    }

    @Test
    void theyAreKeptBehindTheFieldsOfTheContract() {
        String path = created(TEXTS);
        JsonObject read = ok(anonymous().get(path));
        assertEquals(TEXTS, texts(read));
        assertEquals(Stream.concat(Stream.of("latest_adjustment_id"), NAMES.stream()).toList(),
                List.copyOf(read.fieldNames()).subList(20, 27));
    }

    @Test
    void noListingHasThem() {
        created(TEXTS);
        for (String query : List.of("", "?search=dataset", "?ordering=-id,user", "?workspace=" + ada.workspace())) {
            Listing.list(query).then().statusCode(200).body("results", everyItem(not(hasKey("description"))))
                    .body("results", everyItem(not(hasKey("tags"))));
        }
        Listing.list("?format=geojson").then().body("features.properties", everyItem(not(hasKey("description"))));
        assertFalse(anonymous().request().accept("text/csv").get(Listing.PATH).asString().contains("description"));
        for (String name : NAMES) {
            for (String format : List.of("json", "geojson", "csv", "ndjson")) {
                Response refused = Listing.list("?format=" + format + "&fields=id," + name);
                assertEquals(400, refused.statusCode(), format);
                assertEquals("{\"fields\":[\"\\\"" + name + "\\\" is not a valid choice.\"]}", refused.asString());
            }
        }
        Listing.list("?search=reef").then().body("count", equalTo(0));
    }

    @Test
    void eachOneIsChangedAloneAndClearedByNullAndByABlank() {
        String path = created(TEXTS);
        JsonObject expected = TEXTS.copy();
        for (String name : NAMES) {
            Object other = name.equals("tags") ? new JsonArray().add("x") : "other " + name;
            expected.put(name, other);
            assertEquals(expected, texts(ok(ada.patch(path, new JsonObject().put(name, other).encode()))));
        }
        for (String name : NAMES) {
            expected.put(name, name.equals("tags") ? new JsonArray() : null);
            for (Object blank : Stream.of(null, "", " \n\u200b").toList()) {
                ok(ada.patch(path, new JsonObject().put(name, TEXTS.getValue(name)).encode()));
                assertEquals(expected, texts(ok(ada.patch(path, new JsonObject().put(name, blank).encode()))),
                        name + blank);
            }
        }
        assertEquals(expected, texts(ok(ada.patch(path, "{\"tags\": []}"))));
        assertEquals(expected, texts(ok(ada.send("PUT", path, Caller.JSON, "{}"))));
    }

    @Test
    void aFormClearsThemAndWithoutThemLeavesThem() {
        String path = created(TEXTS);
        assertEquals(TEXTS, texts(ok(ada.send("PATCH", path, FORM, "is_shareable=true"))));
        assertEquals(TEXTS.copy().put("description", null).put("tags", new JsonArray()).put("location_name", null),
                texts(ok(ada.send("PATCH", path, FORM, "description=&tags=None&location_name=null"))));
    }

    @Test
    void whoReadsADatasetAndWritesItBackChangesNoText() {
        String path = created(TEXTS);
        assertEquals(TEXTS, texts(ok(ada.send("PUT", path, Caller.JSON, anonymous().get(path).asString()))));
        String empty = created(new JsonObject());
        String before = anonymous().get(empty).asString();
        assertEquals(before, ada.send("PUT", empty, Caller.JSON, before).asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"description", "tags", "data_credits", "data_captured_by", "institution_name",
            "location_name"})
    void aChangeOfOneOfThemIsANewRevision(String name) {
        String path = created(TEXTS);
        Response before = anonymous().get(path);
        String item = path.replace(Listing.PATH, "/stac/collections/datasets/items/").replaceFirst("/$", "");
        String tagOfItem = anonymous().get(item).header("ETag");
        String tagOfPage = Listing.list("").header("ETag");
        String updated = anonymous().get(item).jsonPath().getString("properties.updated");
        Response changed = ada.request().header("If-Match", before.header("ETag")).contentType(Caller.JSON)
                .body("{\"" + name + "\": \"new\"}").patch(path);
        assertEquals(200, changed.statusCode(), changed::asString);
        assertNotEquals(before.header("ETag"), changed.header("ETag"));
        assertNotEquals(tagOfPage, Listing.list("").header("ETag"));
        assertEquals(200, anonymous().request().header("If-None-Match", tagOfItem).get(item).statusCode());
        assertNotEquals(updated, anonymous().get(item).jsonPath().getString("properties.updated"));
        assertEquals(412, ada.request().header("If-Match", before.header("ETag")).contentType(Caller.JSON)
                .body("{\"" + name + "\": \"late\"}").patch(path).statusCode());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            "coral"                      | ["coral"]
            "coral, reef,,coral , "      | ["coral","reef"]
            "['coral', 'a, b']"          | ["coral","a, b"]
            ["a, b", "a, b", "", " c "]  | ["a, b","c"]
            [7, "7", 1.50]               | ["7","1.5"]
            "(draft"                     | ["(draft"]
            "[]"                         | []
            """)
    void notationsOfTagsAreRead(String given, String kept) {
        assertEquals(kept, ok(anonymous().get(created(new JsonObject("{\"tags\": " + given + "}"))))
                .getJsonArray("tags").encode());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            tags=a&tags=b,c      | ["a","b,c"]
            tags=a, b            | ["a","b"]
            tags=["a", "b,c"]    | ["a","b,c"]
            tags=['a']           | ["a"]
            tags=()              | []
            """)
    void notationsOfTagsInFormsAreRead(String form, String kept) {
        assertEquals(kept, ok(ada.send("POST", Listing.PATH, FORM, form)).getJsonArray("tags").encode());
    }

    private static String array(int size, String item) {
        return IntStream.range(0, size).mapToObj(i -> '"' + item.replace("#", Integer.toString(i)) + '"').toList()
                .toString();
    }

    @Test
    void errorsNameTheFieldAndTheLimit() {
        List<String> wrong = new ArrayList<>();
        wrong.add("description: \"" + "ü".repeat(5_001) + "\" | [\"" + tooLong(5_000) + "\"]");
        wrong.add("data_credits: \"" + "x".repeat(1_001) + "\" | [\"" + tooLong(1_000) + "\"]");
        for (String name : List.of("data_captured_by", "institution_name", "location_name")) {
            wrong.add(name + ": \"" + "x".repeat(256) + "\" | [\"" + tooLong(255) + "\"]");
        }
        wrong.add("description: [\"x\"] | [\"Not a valid string.\"]");
        wrong.add("location_name: true | [\"Not a valid string.\"]");
        wrong.add("institution_name: \"a\\u0000\" | [\"Null characters are not allowed.\"]");
        wrong.add("data_credits: \"\\ud800\" | [\"Surrogate characters are not allowed: U+D800.\"]");
        wrong.add("tags: " + array(51, "#") + " | [\"Ensure this field has no more than 50 elements.\"]");
        wrong.add("tags: " + array(501, "a") + " | [\"Ensure this field has no more than 50 elements.\"]");
        wrong.add("tags: 5 | [\"Expected a list of items but got type \\\"int\\\".\"]");
        wrong.add("tags: {} | [\"Expected a list of items but got type \\\"dict\\\".\"]");
        wrong.add("tags: [\"a\", null, {}, \"" + "x".repeat(101)
                + "\"] | {\"1\":[\"Not a valid string.\"],\"2\":[\"Not a valid string.\"],\"3\":[\"" + tooLong(100)
                + "\"]}");
        for (String each : wrong) {
            String[] parts = each.split(" \\| ");
            String[] field = parts[0].split(": ", 2);
            Response refused = ada.post(Listing.PATH, "{\"" + field[0] + "\": " + field[1] + "}");
            assertEquals(400, refused.statusCode(), field[0]);
            assertEquals("{\"" + field[0] + "\":" + parts[1] + "}", refused.asString());
        }
    }

    private static String tooLong(int max) {
        return "Ensure this field has no more than " + max + " characters.";
    }

    @Test
    void theLongestTextsAreKept() {
        JsonObject longest = new JsonObject().put("description", "🛰".repeat(5_000))
                .put("tags", new JsonArray(IntStream.range(0, 50).mapToObj(i -> "ﷺ".repeat(98) + (10 + i)).toList()))
                .put("data_credits", "ﷺ".repeat(1_000)).put("data_captured_by", "é".repeat(255))
                .put("institution_name", "ß".repeat(255)).put("location_name", "x ".repeat(127) + "x");
        assertEquals(longest, texts(ok(anonymous().get(created(longest)))));
        List<String> tags = List.of("a".repeat(100), "b".repeat(100));
        assertEquals(new JsonArray(tags),
                ok(anonymous().get(created(new JsonObject().put("tags", String.join(",", tags)))))
                        .getJsonArray("tags"));
    }

    @Test
    void optionsDescribeThem() {
        ada.request().options(Listing.PATH).then()
                .body("actions.POST.description", equalTo(new JsonObject().put("type", "string").put("required", false)
                        .put("read_only", false).put("label", "Description").put("max_length", 5_000).getMap()))
                .body("actions.POST.tags.type", equalTo("list")).body("actions.POST.location_name.label",
                        equalTo("Location name"));
    }

    @Test
    void anExportThatIsImportedAgainLosesNothing() {
        created(TEXTS);
        created(new JsonObject().put("location_name", "here"));
        created(new JsonObject());
        List<String> exported = Bulk.exported(admin(), "");
        assertEquals(TEXTS, texts(new JsonObject(exported.get(0))));
        assertTrue(exported.get(1).endsWith(",\"latest_adjustment_id\":\"\",\"location_name\":\"here\"}"),
                exported.get(1));
        // A line without them has the shape of the listing.
        assertTrue(exported.get(2).endsWith(",\"latest_adjustment_id\":\"\"}"), exported.get(2));
        catalogue.replaceWith();
        assertEquals(Bulk.Outcome.of(3, 0), Bulk.importAll(String.join("\n", exported)));
        assertEquals(exported, Bulk.exported(admin(), ""));
        // A line that replaces a dataset says all of it.
        JsonObject first = new JsonObject(exported.get(0));
        NAMES.forEach(first::remove);
        assertEquals(Bulk.Outcome.of(0, 1), Bulk.importAll(first));
        assertEquals(first.encode(), Bulk.exported(admin(), "").get(0));
    }

    @Test
    void anImportChecksThem() {
        assertEquals(
                "{1={\"tags\":[\"Expected a list of items but got type \\\"int\\\".\"],\"location_name\":[\""
                        + tooLong(255) + "\"]}}",
                Bulk.importAll(Bulk.line(1).put("tags", 5).put("location_name", "x".repeat(256))).refusals()
                        .toString());
    }

    @Test
    void theFeedOfChangesHasThemForMirrors() {
        catalogue.replaceWith(dataset(1, d -> {
        }));
        String changes = Listing.PATH + "changes/";
        Patience.await("the first fold").until(() -> !ok(admin().get(changes)).getJsonArray("changes").isEmpty());
        JsonObject before = ok(admin().get(changes));
        assertFalse(before.getJsonArray("changes").getJsonObject(0).getJsonObject("dataset").containsKey("tags"));
        ok(admin().patch(Listing.PATH + "1/", TEXTS.encode()));
        String since = changes + "?wait=20&since=" + before.getString("next");
        JsonObject change = ok(admin().get(since)).getJsonArray("changes").getJsonObject(0);
        assertEquals(TEXTS, texts(change.getJsonObject("dataset")));
        assertNull(change.getJsonObject("dataset").getValue("gone"));
    }
}
