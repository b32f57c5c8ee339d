package io.datasetlisting.access.account;

import static io.datasetlisting.support.Caller.ACCOUNTS;
import static io.datasetlisting.support.Caller.TOKENS;
import static io.datasetlisting.support.Caller.admin;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.base.Sha256;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.VertxContextSupport;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests that each write has its entry in the audit, in its own transaction. */
@QuarkusTest
@TestProfile(WithStorage.class)
class AuditTest {

    private static final String AUDIT = "/api/audit/";
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    @Inject
    Catalogue catalogue;

    @Inject
    AuditRepository repository;

    @Inject
    AdminTokenRepository tokens;

    private Caller ada;
    private String request;

    @BeforeEach
    void emptyTheAudit() {
        catalogue.replaceWith();
        ada = Caller.writer("Ada");
        catalogue.sql("delete from audit");
    }

    /** Sends a request with an id of its own. */
    private Response send(Caller caller, String method, String path, String type, byte[] body) {
        request = "audit-" + REQUESTS.incrementAndGet();
        return caller.request().header("X-Request-Id", request).contentType(type).body(body).request(method, path);
    }

    private Response send(Caller caller, String method, String path, String json) {
        return send(caller, method, path, Caller.JSON, json.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonArray entries() {
        Response page = admin().get(AUDIT + "?page_size=100");
        page.then().statusCode(200);
        return new JsonObject(page.asString()).getJsonArray("results");
    }

    /** The newest entry, which has to be of the last request. */
    private JsonObject assertNewest(Caller caller, AuditAction action, Object... ids) {
        JsonObject entry = entries().getJsonObject(0);
        assertEquals(
                List.of("id", "at", "user", "token", "identity", "action", "ids", "created", "replaced", "request_id"),
                List.copyOf(entry.fieldNames()));
        assertTrue(entry.getString("request_id").matches(request + "/[0-9a-f]{1,16}"), entry::encode);
        assertEquals(action.toString(), entry.getString("action"));
        assertEquals(caller.id(), entry.getLong("user"));
        assertEquals(tokenOf(caller), entry.getLong("token"));
        assertEquals(JsonArray.of(ids).encode(), entry.getJsonArray("ids").encode());
        return entry;
    }

    private long tokenOf(Caller caller) {
        return catalogue.sql("select id from api_token where key_hash = sha256('" + caller.key() + "')").get(0)
                .getLong(0);
    }

    @Test
    void eachWriteOfADatasetHasAnEntry() {
        Response created = send(ada, "POST", Listing.PATH, "{\"dataset_name\":\"secret words\"}");
        created.then().statusCode(201);
        int id = created.path("id");
        JsonObject entry = assertNewest(ada, AuditAction.CREATE_DATASET, id);
        assertNull(entry.getLong("created"));
        assertTrue(Duration.between(Instant.parse(entry.getString("at")), catalogue.sql("select now()").get(0)
                .getOffsetDateTime(0).toInstant()).abs().toMinutes() < 5);
        String path = Listing.PATH + id + '/';
        send(ada, "PATCH", path, "{\"dataset_name\":\"other words\"}").then().statusCode(200)
                .body("dataset_name", equalTo("other words"));
        assertNewest(ada, AuditAction.CHANGE_DATASET, id);
        send(ada, "PUT", path + "thumbnail/", "image/png", Images.of("image/png", 100)).then().statusCode(200);
        assertNewest(ada, AuditAction.STORE_THUMBNAIL, id);
        send(admin(), "DELETE", path, "").then().statusCode(204);
        assertNewest(admin(), AuditAction.DELETE_DATASET, id);
        assertEquals(4, entries().size());
        assertFalse(admin().get(AUDIT).asString().contains("words"));
    }

    @Test
    void aWriteThatIsRefusedHasNoEntry() {
        long id = ada.create("{}");
        catalogue.sql("delete from audit");
        Caller bob = Caller.account("Bob").token("writer");
        catalogue.sql("delete from audit");
        String path = Listing.PATH + id + '/';
        send(ada, "POST", Listing.PATH, "{\"bbox\":[1]}").then().statusCode(400);
        send(bob, "PATCH", path, "{}").then().statusCode(404);
        ada.request().header("If-Match", "\"old\"").contentType(Caller.JSON).body("{}").patch(path).then()
                .statusCode(412);
        send(ada, "DELETE", path + "1/", "").then().statusCode(404);
        send(ada, "DELETE", TOKENS + "999999999/", "").then().statusCode(404);
        send(ada, "POST", TOKENS, "{\"right\":\"admin\"}").then().statusCode(400);
        send(admin(), "POST", ACCOUNTS, "{\"username\":\"ada\"}").then().statusCode(400);
        ada.get(path).then().statusCode(200);
        assertEquals("[]", entries().encode());
    }

    /** Without the table of the audit no write is stored: both are in one transaction. */
    @Test
    void aWriteWhoseEntryCannotBeStoredIsNotStored() {
        long id = ada.create("{\"dataset_name\":\"before\"}");
        catalogue.sql("alter table audit add constraint broken check (action not like 'dataset.%') not valid");
        try {
            assertNotEquals(201, send(ada, "POST", Listing.PATH, "{\"dataset_name\":\"after\"}").statusCode());
            assertNotEquals(200,
                    send(ada, "PATCH", Listing.PATH + id + '/', "{\"dataset_name\":\"after\"}").statusCode());
        } finally {
            catalogue.sql("alter table audit drop constraint broken");
        }
        assertEquals(0, catalogue.sql("select from dataset where dataset_name = 'after'").size());
        ada.create("{\"dataset_name\":\"after\"}");
    }

    @Test
    void aRepeatedCreateHasOneEntry() {
        for (int i = 0; i < 2; i++) {
            ada.request().header("Idempotency-Key", "audit").contentType(Caller.JSON).body("{}").post(Listing.PATH)
                    .then()
                    .statusCode(201);
        }
        assertEquals(1, entries().size());
    }

    @Test
    void accountsAndTokensHaveEntries() {
        int account = send(admin(), "POST", ACCOUNTS, "{\"username\":\"Eve\"}").path("id");
        assertNewest(admin(), AuditAction.CREATE_ACCOUNT, account);
        Response made = send(ada, "POST", TOKENS, "{\"right\":\"reader\"}");
        int token = made.path("id");
        assertNewest(ada, AuditAction.CREATE_TOKEN, token);
        send(ada, "DELETE", TOKENS + token + '/', "").then().statusCode(204);
        assertNewest(ada, AuditAction.REVOKE_TOKEN, token);
        // It was revoked before.
        send(ada, "DELETE", TOKENS + token + '/', "").then().statusCode(204);
        assertEquals(3, entries().size());
        assertFalse(admin().get(AUDIT).asString().contains(made.path("key")));
    }

    @Test
    void anImportIsOneEntryWithCounts() {
        String lines = Bulk.body(LongStream.rangeClosed(1, 2_500).mapToObj(Bulk::line));
        send(admin(), "POST", Listing.PATH, Bulk.NDJSON, lines.getBytes(StandardCharsets.UTF_8)).then().statusCode(200);
        String again = Bulk.body(LongStream.rangeClosed(2_400, 2_600).mapToObj(Bulk::line)) + "[]\n";
        String first = request;
        send(admin(), "POST", Listing.PATH, Bulk.NDJSON, again.getBytes(StandardCharsets.UTF_8)).then().statusCode(200);
        JsonObject second = assertNewest(admin(), AuditAction.IMPORT_DATASETS);
        assertEquals(100, second.getLong("created"));
        assertEquals(101, second.getLong("replaced"));
        JsonArray all = entries();
        JsonObject import1 = all.stream().map(JsonObject.class::cast)
                .filter(entry -> entry.getString("request_id").startsWith(first + "/")
                        && entry.getString("action").equals("dataset.import"))
                .findFirst().orElseThrow();
        assertEquals(2_500, import1.getLong("created"));
        assertEquals(0, import1.getLong("replaced"));
        JsonObject owner = all.getJsonObject(all.size() - 1);
        assertEquals(AuditAction.CREATE_ACCOUNT.toString(), owner.getString("action"));
        assertEquals(import1.getString("request_id"), owner.getString("request_id"));
        assertEquals(3, all.size());
        // An import that writes nothing has no entry.
        send(admin(), "POST", Listing.PATH, Bulk.NDJSON, "[]\n".getBytes(StandardCharsets.UTF_8)).then()
                .statusCode(200);
        assertEquals(3, entries().size());
    }

    @Test
    void theConfiguredTokenHasEntriesOfTheServiceItself() throws Throwable {
        String name = catalogue.sql("select username from account where id = 0").get(0).getString(0);
        VertxContextSupport.subscribeAndAwait(() -> tokens.configure(name, Sha256.of(admin().key())));
        assertEquals("[]", entries().encode());
        try {
            VertxContextSupport.subscribeAndAwait(() -> tokens.configure(name, Sha256.of("another-admin-token")));
        } finally {
            catalogue.sql("delete from api_token where key_hash = sha256('another-admin-token');"
                    + " update api_token set revoked = false where key_hash = sha256('" + admin().key() + "')");
        }
        assertEquals(List.of("token.revoke", "token.create"), catalogue
                .sql("select action from audit where account_id is null and token_id is null and request_id is null"
                        + " order by id")
                .stream().map(row -> row.getString(0)).toList());
        assertEquals(2, entries().size());
    }

    @Test
    void pagesHaveTheNewestEntriesFirst() {
        for (int i = 0; i < 5; i++) {
            ada.create("{}");
        }
        Response page = admin().get(AUDIT + "?page_size=2");
        page.then().statusCode(200).body("count", equalTo(5)).body("results.size()", equalTo(2))
                .body("next", endsWith("/api/audit/?p=2&page_size=2")).header("Allow", "GET, HEAD, OPTIONS");
        List<Integer> ids = page.path("results.id");
        assertTrue(ids.get(0) > ids.get(1));
        Response last = admin().get(AUDIT + "?page_size=2&p=3");
        last.then().body("results.size()", equalTo(1)).body("next", equalTo(null));
        assertTrue(last.<Integer>path("results[0].id") < ids.get(1));
        admin().get(AUDIT + "?p=2").then().statusCode(404);
        admin().get(AUDIT + "?page_size=1000000").then().statusCode(200);
        admin().request().head(AUDIT).then().statusCode(200).header("Content-Type", "application/json");
        admin().request().options(AUDIT).then().body("renders", equalTo(List.of("application/json", Bulk.NDJSON)));
    }

    @Test
    void linesHaveAllEntries() {
        catalogue.sql("insert into audit (account_id, action, ids) select 7, 'dataset.create', array[i]"
                + " from generate_series(1, 1200) i");
        for (Response lines : List.of(admin().get(AUDIT + "?format=ndjson&p=99"),
                admin().request().header("Accept", Bulk.NDJSON).get(AUDIT))) {
            lines.then().statusCode(200).header("Content-Type", Bulk.NDJSON);
            List<Long> ids = lines.asString().lines().map(line -> new JsonObject(line).getJsonArray("ids").getLong(0))
                    .toList();
            assertEquals(LongStream.rangeClosed(1, 1200).mapToObj(i -> 1201 - i).toList(), ids);
        }
        admin().request().head(AUDIT + "?format=ndjson").then().statusCode(200).header("Content-Type", Bulk.NDJSON);
        catalogue.sql("delete from audit");
        assertEquals("", admin().get(AUDIT + "?format=ndjson").asString());
    }

    @Test
    void oldEntriesAreRemoved() throws Throwable {
        catalogue.sql("insert into audit (at, action, ids) select now() - interval '91 days', 'dataset.create', '{}'"
                + " from generate_series(1, 10001) i");
        ada.create("{}");
        assertEquals(10_001, VertxContextSupport.subscribeAndAwait(() -> repository.forget(Duration.ofDays(90))));
        assertEquals(1, entries().size());
        assertEquals(0, VertxContextSupport.subscribeAndAwait(() -> repository.forget(Duration.ofDays(90))));
    }

    /** The removal of a token leaves what it has written. */
    @Test
    void entriesOutliveTheirTokens() {
        ada.create("{}");
        catalogue.sql("delete from api_token where account_id = " + ada.id());
        assertEquals(1, entries().size());
    }
}
