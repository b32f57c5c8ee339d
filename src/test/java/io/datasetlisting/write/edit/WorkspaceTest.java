package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.writer;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests what owners say about their workspaces, and where readers see it. */
@QuarkusTest
class WorkspaceTest {

    private static final JsonObject TEXTS = new JsonObject().put("name", "Reefs & <sand>")
            .put("description", "Surveys of coral.").put("license", "CC-BY-4.0");

    @Inject
    Catalogue catalogue;

    private Caller ada;
    private String path;
    private String collection;

    @BeforeEach
    void createWorkspace() {
        catalogue.replaceWith();
        ada = writer("Ada");
        path = "/api/workspace/" + ada.workspace() + "/";
        collection = "/stac/collections/workspace-" + ada.workspace();
        ada.create("{\"dataset_name\": \"a\", \"coordinates\": [1, 2]}");
    }

    @AfterEach
    void forget() {
        catalogue.sql("delete from workspace");
    }

    private void describe(JsonObject texts) {
        ada.patch(path, texts.encode()).then().statusCode(200);
    }

    private static HtmlPage page(String address) {
        return HtmlPage.parse(anonymous().request().accept("text/html").get(address).asString());
    }

    @Test
    void aWorkspaceHasNoTextsUntilItsOwnerNamesIt() {
        assertEquals("{\"workspace\":" + ada.workspace() + ",\"name\":null,\"description\":null,\"license\":null}",
                anonymous().get(path).asString());
        anonymous().get(collection).then().body("title", equalTo("Workspace " + ada.workspace()));
    }

    @Test
    void aWriterThatHasNotSeenTheNewestTextsChangesNothing() {
        String seen = anonymous().get(path).header("ETag");
        ada.request().contentType("application/json").header("If-Match", seen).body("{\"name\": \"one\"}").patch(path)
                .then().statusCode(200);
        String newer = anonymous().get(path).header("ETag");
        assertNotEquals(seen, newer);
        anonymous().request().header("If-None-Match", newer).get(path).then().statusCode(304).header("ETag", newer);
        for (String method : List.of("PUT", "PATCH")) {
            ada.request().contentType("application/json").header("If-Match", seen).body("{\"description\": \"two\"}")
                    .request(method, path).then()
                    .statusCode(412);
        }
        assertEquals(newer, anonymous().get(path).header("ETag"));
        ada.request().contentType("application/json").header("If-Match", newer).body("{\"description\": \"two\"}")
                .put(path).then().statusCode(200)
                .body("name", equalTo("one")).body("description", equalTo("two"));
    }

    @Test
    void theCollectionHasTheTextsOfTheOwner() {
        describe(TEXTS);
        JsonObject stored = anonymous().json(path);
        stored.remove("workspace");
        assertEquals(TEXTS, stored);
        anonymous().get(collection).then().body("title", equalTo("Reefs & <sand>"))
                .body("description", equalTo("Surveys of coral.")).body("license", equalTo("CC-BY-4.0"))
                .body("links.find { it.rel == 'license' }.href", equalTo("https://spdx.org/licenses/CC-BY-4.0.html"));
        anonymous().get("/stac/collections").then().body("collections.title", hasItem("Reefs & <sand>"))
                .body("collections.find { it.id == 'datasets' }.license", equalTo("other"));
    }

    @Test
    void theSearchForCollectionsFindsTheTexts() {
        describe(TEXTS);
        anonymous().get("/stac/collections?q=coral").then().body("numberMatched", equalTo(1))
                .body("collections.id", equalTo(List.of("workspace-" + ada.workspace())));
        // The words are those of a search for items.
        describe(new JsonObject().put("description", "Récifs  de\ncorail, Ærø."));
        for (String found : List.of("recifs", "R%C3%89CIFS%20de%20corail", "corail-aero,coral", "x,de%20%20corail")) {
            anonymous().get("/stac/collections?q=" + found).then().body("numberMatched", equalTo(1));
        }
        for (String missing : List.of("recif", "recifs%20corail", "sand%20recifs", "-", "%3F,%C2%AD")) {
            anonymous().get("/stac/collections?q=" + missing).then().body("numberMatched", equalTo(0));
        }
        describe(new JsonObject().putNull("description"));
        anonymous().get("/stac/collections?q=coral").then().body("numberMatched", equalTo(0));
    }

    @Test
    void pagesHaveTheNameAtOnce() {
        String list = "/datasets/?workspace=" + ada.workspace();
        String before = page(list).one("//h:h1");
        Response cached = anonymous().request().accept("text/html").get(list);
        assertEquals("Workspace " + ada.workspace(), page(collection + "?f=html").one("//h:h1"));
        describe(TEXTS);
        assertEquals(before.replace(Long.toString(ada.workspace()), "Reefs & <sand>"), page(list).one("//h:h1"));
        assertNotEquals(cached.header("ETag"), anonymous().request().accept("text/html").get(list).header("ETag"));
        assertEquals("Reefs & <sand>", page(collection + "?f=html").one("//h:h1"));
        describe(new JsonObject().put("name", "Sand"));
        assertEquals(before.replace(Long.toString(ada.workspace()), "Sand"), page(list).one("//h:h1"));
        assertEquals("Sand", page(collection + "?f=html").one("//h:h1"));
    }

    @Test
    void anAbsentFieldStaysAndABlankOneIsCleared() {
        describe(TEXTS);
        for (Object blank : new Object[]{null, "", " \n"}) {
            describe(TEXTS);
            assertEquals(new JsonObject().put("workspace", ada.workspace()).put("name", TEXTS.getString("name"))
                    .putNull("description").put("license", "CC-BY-4.0"),
                    new JsonObject(ada.send("PUT", path, Caller.JSON,
                            new JsonObject().put("description", blank).encode()).asString()));
        }
    }

    @Test
    void onlyTheOwnerAndAdminsWriteIt() {
        Caller bea = writer("Bea");
        assertEquals(403, bea.patch(path, "{\"name\": \"mine\"}").statusCode());
        assertEquals(200, admin().patch(path, "{\"name\": \"by an admin\"}").statusCode());
        anonymous().get(path).then().body("name", equalTo("by an admin"));
        admin().get("/api/audit/?action=workspace.change").then().body("results[0].ids",
                equalTo(List.of((int) ada.workspace())));
    }

    /** A writer may put a dataset into any workspace, so that its texts cannot be hidden until it has a public one. */
    @Test
    void allCallersReadTheTextsButNoCollectionWithoutPublicDatasets() {
        catalogue.sql("update dataset set is_private = true");
        describe(TEXTS);
        for (Caller caller : List.of(anonymous(), writer("Bea"), ada)) {
            caller.get(path).then().body("name", equalTo(TEXTS.getString("name")));
        }
        anonymous().get("/stac/collections").then().body("collections.title", not(hasItem("Reefs & <sand>")));
        assertEquals(404, anonymous().get(collection).statusCode());
        assertEquals(404, admin().get("/api/workspace/9007199254740992/").statusCode());
    }

    @Test
    void changesAtTheSameTimeLoseNothing() throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            String number = Integer.toString(round);
            List<Thread> writers = Stream.of("name", "description").map(field -> new Thread(
                    () -> describe(new JsonObject().put(field, field + number)))).toList();
            writers.forEach(Thread::start);
            for (Thread each : writers) {
                each.join();
            }
            anonymous().get(path).then().body("name", equalTo("name" + number))
                    .body("description", equalTo("description" + number));
        }
    }

    @Test
    void anEqualChangeIsNotWritten() {
        describe(TEXTS);
        long before = catalogue.sql("select max(revision) from workspace").get(0).getLong(0);
        describe(TEXTS);
        describe(new JsonObject());
        assertEquals(before, catalogue.sql("select max(revision) from workspace").get(0).getLong(0));
        assertEquals(200, admin().patch("/api/workspace/4711/", "{\"name\": null}").statusCode());
        assertEquals(1, catalogue.sql("select count(*) from workspace").get(0).getLong(0));
    }

    @Test
    void thePageOfADatasetShowsTheLicenceOfItsWorkspace() {
        String page = "/datasets/" + catalogue.sql("select id from dataset").get(0).getLong(0) + '/';
        assertEquals("The licence is not stated. Ask the owner before you use the data.",
                page(page).one("//h:section[@class='cite']/h:p[1]"));
        describe(TEXTS);
        assertEquals("Licence: CC-BY-4.0", page(page).one("//h:section[@class='cite']/h:p[1]"));
        describe(new JsonObject().put("license", "proprietary"));
        assertEquals("Licence: proprietary", page(page).one("//h:section[@class='cite']/h:p[1]"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"name": [], "license": "a b"} | {"name":["Not a valid string."],"license":["Must be an SPDX identifier or other."]}
            {"description": []}           | {"description":["Not a valid string."]}""")
    void wrongTextsAreRefusedAndChangeNothing(String body, String refusal) {
        describe(TEXTS);
        Response refused = ada.patch(path, body);
        assertEquals(400, refused.statusCode());
        assertEquals(refusal, refused.asString());
        anonymous().get(path).then().body("name", equalTo(TEXTS.getString("name")));
    }

    @Test
    void theTextsOfAllWorkspacesHaveABound() {
        catalogue.sql("insert into workspace select n, repeat('x', 255), repeat('ü', 990), null, n"
                + " from generate_series(5000000001, 5000000469) n");
        Response refused = ada.patch(path, new JsonObject().put("description", "ü".repeat(1000)).encode());
        assertEquals(409, refused.statusCode(), refused::asString);
        assertEquals("{\"detail\":\"The catalogue has no room for more texts of workspaces.\"}", refused.asString());
        describe(new JsonObject().put("name", "short"));
    }
}
