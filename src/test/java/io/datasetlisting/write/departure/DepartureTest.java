package io.datasetlisting.write.departure;

import static io.datasetlisting.support.Caller.ACCOUNTS;
import static io.datasetlisting.support.Caller.TOKENS;
import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Tests what an admin does when somebody leaves: rename, disable, hand over, erase, and read the audit about it. */
@QuarkusTest
@TestProfile(WithStorage.class)
class DepartureTest {

    private static final String AUDIT = "/api/audit/";

    @Inject
    Catalogue catalogue;

    S3Server s3;

    private Caller ada;
    private Caller eve;
    private long id;

    @BeforeEach
    void createAccounts() {
        catalogue.replaceWith();
        ada = Caller.writer("Ada");
        eve = Caller.writer("Eve");
        id = ada.create("{\"dataset_name\":\"field\",\"coordinates\":[1,2]}");
        catalogue.fold();
        catalogue.sql("delete from audit");
    }

    private static String account(Caller caller) {
        return ACCOUNTS + caller.id() + '/';
    }

    private String dataset() {
        return Listing.PATH + id + '/';
    }

    private static Response change(Caller caller, String json) {
        return admin().patch(account(caller), json);
    }

    private static Response handOver(Caller from, Caller to) {
        return admin().post(account(from) + "handover/", "{\"to\":" + to.id() + '}');
    }

    private static List<String> actions(String query) {
        Response page = admin().get(AUDIT + query);
        page.then().statusCode(200);
        return page.path("results.action");
    }

    @Test
    void anAccountIsReadByItsId() {
        assertEquals("{\"id\":" + ada.id() + ",\"username\":\"Ada\",\"workspace\":" + ada.workspace()
                + ",\"disabled\":false}", admin().get(account(ada)).asString());
        admin().get(ACCOUNTS + "x/").then().statusCode(404).body("detail",
                equalTo("No Account matches the given query."));
        ada.get(ACCOUNTS + "me/").then().statusCode(200).body("id", equalTo((int) ada.id()));
    }

    @Test
    void aRenameReachesDatasetsTheirTagsTheFeedAndTheOrder() {
        String position = anonymous().get(Listing.PATH + "changes/").path("next");
        String before = anonymous().get(dataset()).header("ETag");
        change(ada, "{\"username\":\"Zoe\"}").then().statusCode(200).body("username", equalTo("Zoe"));
        Response after = anonymous().get(dataset());
        after.then().body("user", equalTo("Zoe " + ada.id()));
        assertNotEquals(before, after.header("ETag"));
        catalogue.fold();
        Response feed = anonymous().get(Listing.PATH + "changes/?since=" + position);
        assertEquals(List.of("put"), feed.path("changes.change"));
        assertEquals(List.of("Zoe " + ada.id()), feed.path("changes.dataset.user"));
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
        assertEquals(List.of("account.rename"), actions(""));
        ada.get(ACCOUNTS + "me/").then().body("username", equalTo("Zoe"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"username":"EVE"}  | {"username":["A user with that username already exists."]}
            {"username":""}     | {"username":["This field may not be blank."]}
            {"disabled":"x"}    | {"disabled":["Must be a valid boolean."]}
            """)
    void anInvalidChangeIsRefused(String body, String error) {
        Response refused = change(ada, body);
        assertEquals(400, refused.statusCode());
        assertEquals(error, refused.asString());
        assertEquals(List.of(), actions(""));
    }

    @Test
    void aDisabledAccountHasNoTokensAndKeepsItsDatasets() {
        change(ada, "{\"disabled\":true}").then().statusCode(200).body("disabled", equalTo(true));
        ada.get(ACCOUNTS + "me/").then().statusCode(401);
        anonymous().get(dataset()).then().statusCode(200);
        assertEquals(1, Listing.page("").count());
        admin().post(TOKENS, "{\"user\":" + ada.id() + ",\"right\":\"reader\"}").then().statusCode(400)
                .body("user", equalTo(List.of("This account is disabled.")));
        assertEquals(List.of("token.revoke", "account.disable"), actions(""));
        change(ada, "{\"disabled\":false}").then().statusCode(200);
        ada.get(ACCOUNTS + "me/").then().statusCode(401);
        ada.token("writer").get(ACCOUNTS + "me/").then().statusCode(200);
    }

    @Test
    void nobodyLocksItselfOut() {
        admin().patch(ACCOUNTS + "0/", "{\"disabled\":true}").then().statusCode(400);
        admin().patch(ACCOUNTS + "0/", "{\"username\":\"other\"}").then().statusCode(400);
        Caller chief = eve.token("admin");
        chief.patch(account(eve), "{\"disabled\":true}").then().statusCode(400)
                .body("disabled", equalTo(List.of("You cannot disable your own account.")));
        chief.get(ACCOUNTS).then().statusCode(200);
    }

    @Test
    void aHandoverMovesAllDatasetsAlsoDeletedOnesAndDrafts() {
        long draft = ada.create("{\"dataset_name\":\"draft\"}");
        long deleted = ada.create("{\"dataset_name\":\"deleted\",\"coordinates\":[1,2]}");
        ada.delete(Listing.PATH + deleted + '/').then().statusCode(204);
        catalogue.fold();
        catalogue.sql("delete from audit");
        String position = anonymous().get(Listing.PATH + "changes/").path("next");
        String before = anonymous().get(dataset()).header("ETag");
        Response moved = handOver(ada, eve);
        assertEquals("{\"from\":" + ada.id() + ",\"to\":" + eve.id() + ",\"datasets\":3}", moved.asString());
        anonymous().get(dataset()).then().body("user", equalTo(eve.user()));
        assertNotEquals(before, anonymous().get(dataset()).header("ETag"));
        eve.get(Listing.PATH + draft + '/').then().statusCode(200);
        ada.get(Listing.PATH + draft + '/').then().statusCode(404);
        eve.request().post(Listing.PATH + deleted + "/restore/").then().statusCode(200);
        // A fold of the service may take its changes first, without the last one.
        Patience.await("the feed has both datasets").untilAsserted(() -> {
            catalogue.fold();
            Response feed = anonymous().get(Listing.PATH + "changes/?since=" + position);
            assertEquals(2, feed.<List<String>>path("changes.change").size());
            assertTrue(feed.<List<String>>path("changes.dataset.user").stream().allMatch(eve.user()::equals));
        });
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
        Response entry = admin().get(AUDIT + "?action=account.handover");
        assertEquals(List.of(3), entry.path("results.replaced"));
        assertEquals(List.of(List.of((int) ada.id(), (int) eve.id())), entry.path("results.ids"));
    }

    @Test
    void aHandoverToNobodyIsRefused() {
        handOver(ada, ada).then().statusCode(400).body("to",
                equalTo(List.of("The datasets belong to this account already.")));
        admin().post(account(ada) + "handover/", "{\"to\":999999}").then().statusCode(400);
        admin().post(account(ada) + "handover/", "{}").then().statusCode(400);
        change(eve, "{\"disabled\":true}").then().statusCode(200);
        handOver(ada, eve).then().statusCode(400).body("to", equalTo(List.of("This account is disabled.")));
        anonymous().get(dataset()).then().body("user", equalTo(ada.user()));
    }

    /** A change before the handover stays, and one after it is refused: none takes the handover back. */
    @Test
    void changesAtTheSameTimeTakeNoHandoverBack() {
        List<CompletableFuture<Integer>> changes = IntStream.range(0, 20).mapToObj(i -> CompletableFuture.supplyAsync(
                () -> ada.patch(dataset(), "{\"dataset_name\":\"name " + i + "\"}").statusCode())).toList();
        handOver(ada, eve).then().statusCode(200).body("datasets", equalTo(1));
        changes.forEach(each -> assertTrue(List.of(200, 403).contains(each.join())));
        anonymous().get(dataset()).then().body("user", equalTo(eve.user()));
        catalogue.fold();
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
    }

    @Test
    void anErasedAccountHasAPseudonymAndNoPersonalData() {
        Caller person = Caller.writer("Philomena");
        catalogue.sql("insert into account_identity (account_id, issuer, subject) values (" + person.id()
                + ", 'https://id.example.org', 'philomena@example.org')");
        person.request().header("Idempotency-Key", "once").contentType(Caller.JSON).body("{\"coordinates\":[1,2]}")
                .post(Listing.PATH).then().statusCode(201);
        long deleted = person.create("{\"coordinates\":[3,4]}");
        person.delete(Listing.PATH + deleted + '/').then().statusCode(204);
        person.create("{\"dataset_name\":\"draft\"}");
        String workspace = "/api/workspace/" + person.workspace() + '/';
        person.patch(workspace, "{\"name\":\"Flights of Philomena\"}").then().statusCode(200);
        anonymous().get(workspace).then().body("name", equalTo("Flights of Philomena"));
        catalogue.fold();
        assertNotEquals(List.of(), tablesWith("philomena"));

        admin().post(account(person) + "erase/", "{}").then().statusCode(409);
        change(person, "{\"disabled\":true}").then().statusCode(200);
        String pseudonym = "erased-" + person.id();
        admin().post(account(person) + "erase/", "{}").then().statusCode(200).body("username", equalTo(pseudonym));
        assertEquals(List.of(pseudonym + ' ' + person.id()), admin().get(Listing.PATH + "?user=" + person.id())
                .path("results.user"));
        assertEquals(0,
                catalogue.sql("select count(*) from api_token where account_id = " + person.id()).get(0).getLong(0));
        assertEquals("account.erase", actions("").get(0));
        assertEquals((int) person.id(), (int) admin().get(AUDIT + "?action=dataset.delete").path("results[0].user"));
        catalogue.fold();
        assertEquals(List.of(), tablesWith("philomena"));
        anonymous().get(workspace).then().body("name", equalTo(null));
        assertEquals(0, Listing.page("?user=Philomena").count());
        assertEquals(1, Listing.page("?user=" + pseudonym).count());
    }

    /** The tables of the database that have a text, in upper or lower case. */
    private List<String> tablesWith(String text) {
        return catalogue.sql("select table_name from information_schema.tables where table_schema = 'public'"
                + " and table_type = 'BASE TABLE' order by 1").stream().map(row -> row.getString(0))
                .filter(table -> catalogue.sql("select exists (select from \"" + table + "\" t where t::text ilike '%"
                        + text + "%')").get(0).getBoolean(0))
                .toList();
    }

    /** As on another instance, whose memory still has the token with the earlier name. */
    @Test
    void aCreateUnderTheEarlierNameOfARenamedAccountHasTheNewOne() {
        ada.get("/api/account/me/").then().statusCode(200);
        catalogue.sql("update account set username = 'Renamed' where id = " + ada.id());
        ada.post(Listing.PATH, "{\"coordinates\":[1,2]}").then().statusCode(201)
                .body("user", equalTo("Renamed " + ada.id()));
        ada.get("/api/account/me/").then().statusCode(200);
        catalogue.sql("update account set username = 'Gone', disabled = true where id = " + ada.id());
        ada.post(Listing.PATH, "{\"coordinates\":[1,2]}").then().statusCode(401).body("detail",
                equalTo("Invalid token."));
    }

    @Test
    void anErasedDatasetIsInNoStoredAnswer() {
        Supplier<Response> create = () -> ada.request().header("Idempotency-Key", "once")
                .contentType("application/json")
                .body("{\"dataset_name\":\"Secret\",\"coordinates\":[1,2]}").post(Listing.PATH);
        long id = create.get().then().statusCode(201).extract().jsonPath().getLong("id");
        admin().delete(Listing.PATH + id + "/").then().statusCode(204);
        admin().post(Listing.PATH + id + "/erase/", "").then().statusCode(204);
        assertEquals(0,
                catalogue.sql("select count(*) from idempotency_key where response like '%Secret%'").get(0).getLong(0));
        assertNotEquals(id, create.get().then().statusCode(201).extract().jsonPath().getLong("id"));
    }

    @Test
    void anErasedDatasetIsGoneWithAllItsThumbnails() {
        List<String> others = s3.list(S3Resource.BUCKET);
        for (String type : List.of("image/png", "image/jpeg")) {
            ada.send("PUT", dataset() + "thumbnail/", type, Images.of(type, 100)).then().statusCode(200);
        }
        assertEquals(others.size() + 2, s3.list(S3Resource.BUCKET).size());
        admin().request().post(dataset() + "erase/").then().statusCode(409);
        ada.delete(dataset()).then().statusCode(204);
        admin().request().post(dataset() + "erase/").then().statusCode(204);
        assertEquals(others, s3.list(S3Resource.BUCKET));
        admin().request().post(dataset() + "restore/").then().statusCode(404);
        admin().request().post(dataset() + "erase/").then().statusCode(404);
        assertEquals(List.of("dataset.erase", "dataset.delete"),
                actions("?dataset=" + id + "&action=dataset.erase,dataset.delete"));
    }

    @Test
    void theAuditIsFiltered() {
        ada.patch(dataset(), "{\"dataset_name\":\"other\"}").then().statusCode(200);
        eve.create("{\"dataset_name\":\"of Eve\"}");
        assertEquals(List.of("dataset.change"), actions("?user=Ada"));
        assertEquals(List.of("dataset.create"), actions("?user=" + eve.id()));
        assertEquals(2, actions("?user=Ada,Eve").size());
        assertEquals(List.of("dataset.change"), actions("?dataset=" + id));
        assertEquals(List.of("dataset.create"), actions("?action=dataset.create"));
        String at = admin().get(AUDIT + "?user=Ada").path("results[0].at");
        assertEquals(2, actions("?since=" + at).size());
        assertEquals(List.of(), actions("?until=" + at));
        assertEquals(1, admin().get(AUDIT + "?format=ndjson&user=Ada").asString().lines().count());
        String next = admin().get(AUDIT + "?page_size=1&action=dataset.create,dataset.change").path("next");
        assertTrue(next.contains("action="), next);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            id=1          | {"id":["Unknown parameter."]}
            users=Ada     | {"users":["Unknown parameter."]}
            dataset=x     | {"dataset":["A valid integer is required."]}
            action=delete | {"action":["\\"delete\\" is not a valid choice."]}
            """)
    void theAuditRefusesWhatItDoesNotKnow(String query, String error) {
        for (String format : List.of("", "&format=ndjson")) {
            Response refused = admin().get(AUDIT + '?' + query + format);
            assertEquals(400, refused.statusCode());
            assertEquals(error, refused.asString());
        }
        anonymous().get(AUDIT + '?' + query).then().statusCode(401);
    }
}
