package io.datasetlisting.access.account;

import static io.datasetlisting.support.Caller.ACCOUNTS;
import static io.datasetlisting.support.Caller.JSON;
import static io.datasetlisting.support.Caller.TOKENS;
import static io.datasetlisting.support.Caller.admin;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.Sha256;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the administration of accounts and tokens by an admin. */
@QuarkusTest
class AccountAdministrationTest {

    @Inject
    Catalogue catalogue;

    @Inject
    AdminTokenRepository tokens;

    @BeforeEach
    void deleteAllAccountsExceptTheOperator() {
        catalogue.replaceWith();
    }

    @Test
    void aNewAccountComesWithAWorkspaceOfItsOwn() {
        Response ada = admin().post(ACCOUNTS, "{\"username\":\"Ada\"}");
        assertEquals(201, ada.statusCode());
        assertEquals(List.of("id", "username", "workspace"),
                List.copyOf(new JsonObject(ada.asString()).fieldNames()));
        ada.then().body("username", equalTo("Ada"));
        assertNotEquals(ada.jsonPath().getLong("workspace"), Caller.account("Bob").workspace());
    }

    @Test
    void aFormCreatesAnAccount() {
        admin().send("POST", ACCOUNTS, "application/x-www-form-urlencoded", "username=Zo%C3%AB+Bell").then()
                .statusCode(201).body("username", equalTo("Zoë Bell"));
    }

    @Test
    void accountsAreListedInThePageEnvelope() {
        IntStream.range(0, 20).forEach(i -> Caller.account("user " + i));
        Response first = admin().get(ACCOUNTS);
        assertEquals(List.of("count", "next", "previous", "results"),
                List.copyOf(new JsonObject(first.asString()).fieldNames()));
        assertEquals("GET, POST, HEAD, OPTIONS", first.header("Allow"));
        first.then().statusCode(200).body("count", equalTo(21)).body("previous", nullValue())
                .body("next", endsWith("/api/account/?p=2&page_size=15"))
                .body("results[0].username", equalTo("operator"))
                .body("results.size()", equalTo(15));
        admin().get(ACCOUNTS + "?p=last&page_size=20").then().body("results.username", equalTo(List.of("user 19")))
                .body("previous", endsWith("/api/account/?p=1&page_size=20")).body("next", nullValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {ACCOUNTS, TOKENS})
    void aPageBeyondTheEndIsA404(String path) {
        for (String p : new String[]{"3", "0", "abc", "999999999999999", "99999999999999999999"}) {
            admin().get(path + "?p=" + p).then().statusCode(404).body("detail", equalTo("Invalid page."));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {}                        | {"username":["This field is required."]}
            {"username":null}         | {"username":["This field may not be null."]}
            {"username":""}           | {"username":["This field may not be blank."]}
            {"username":"  "}         | {"username":["This field may not be blank."]}
            {"username":true}         | {"username":["Not a valid string."]}
            {"username":["a"]}        | {"username":["Not a valid string."]}
            {"username":"a\\u0000b"}  | {"username":["Null characters are not allowed."]}
            {"username":"\\ud800"}    | {"username":["Surrogate characters are not allowed: U+D800."]}
            {"username":"OPERATOR"}   | {"username":["A user with that username already exists."]}
            {"username":"ｏｐｅｒａｔｏｒ"} | {"username":["A user with that username already exists."]}
            {"username":"a\\nb"}       | {"username":["Control and other invisible characters are not allowed: U+000A."]}
            {"username":"a\\u200bb"}   | {"username":["Control and other invisible characters are not allowed: U+200B."]}
            {"username":"\\u202ea"}    | {"username":["Control and other invisible characters are not allowed: U+202E."]}
            {"username":"\\u2028"}     | {"username":["This field may not be blank."]}
            {"username":"\\u00a0"}     | {"username":["This field may not be blank."]}
            {"username":"operator"}   | {"username":["A user with that username already exists."]}
            {"username":" operator "} | {"username":["A user with that username already exists."]}
            []                        | {"non_field_errors":["Invalid data. Expected a dictionary, but got list."]}
            null                      | {"non_field_errors":["No data provided"]}
            """)
    void anInvalidAccountIsRefused(String body, String error) {
        Response refused = admin().post(ACCOUNTS, body);
        assertEquals(400, refused.statusCode());
        assertEquals(error, refused.asString());
        assertEquals(1, accounts());
    }

    @Test
    void aUsernameIsNormalized() {
        admin().post(ACCOUNTS, "{\"username\":\" Zoe\u0308\u00a0Ｂell\u3000\"}").then().statusCode(201)
                .body("username", equalTo("Zoë Bell"));
        for (String alike : new String[]{"zoë bell", "ZOË BELL", "Zoë\u2003Bell", "Zoë ⓑell", "Zoe\u0308 Bell"}) {
            admin().post(ACCOUNTS, "{\"username\":\"" + alike + "\"}").then().statusCode(400)
                    .body("username", equalTo(List.of("A user with that username already exists.")));
        }
        admin().post(ACCOUNTS, "{\"username\":\"Zoe Bell\"}").then().statusCode(201);
        admin().post(ACCOUNTS, "{\"username\":\"ΝΊΚΟΣ\"}").then().statusCode(201);
        admin().post(ACCOUNTS, "{\"username\":\"νίκοσ\"}").then().statusCode(400);
    }

    @Test
    void theConfiguredAdminCannotHaveTheNameOfAnotherAccount() {
        Caller.account("Chief");
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> VertxContextSupport.subscribeAndAwait(() -> tokens.configure("CHIEF", new byte[32])));
        assertTrue(refused.getMessage().endsWith("set dataset.admin-username"), refused.getMessage());
    }

    @Test
    void theConfiguredAdminNeedsNoWorkspaceWhereItsAccountExists() throws Throwable {
        long last = catalogue.sql("select last_value from account_workspace_seq").get(0).getLong(0);
        catalogue.sql("select setval('account_workspace_seq', 9007199254740991)");
        try {
            String name = catalogue.sql("select username from account where id = 0").get(0).getString(0);
            assertTrue(VertxContextSupport
                    .subscribeAndAwait(() -> tokens.configure(name, Sha256.of("test-admin-token"))));
        } finally {
            catalogue.sql("select setval('account_workspace_seq', " + last + ")");
        }
    }

    @Test
    void aUsernameHas150CharactersAtMost() {
        admin().post(ACCOUNTS, "{\"username\":\"" + "🛰".repeat(150) + "\"}").then().statusCode(201);
        admin().post(ACCOUNTS, "{\"username\":\"" + "a".repeat(151) + "\"}").then().statusCode(400)
                .body("username", equalTo(List.of("Ensure this field has no more than 150 characters.")));
    }

    @Test
    void onlyOneOfManyConcurrentRequestsGetsAUsername() {
        try (ErrorLog log = ErrorLog.open()) {
            List<CompletableFuture<Integer>> answers = IntStream.range(0, 10).mapToObj(i -> CompletableFuture
                    .supplyAsync(() -> admin().post(ACCOUNTS, "{\"username\":\"Ada\"}").statusCode())).toList();
            assertEquals(1, answers.stream().filter(answer -> answer.join() == 201).count());
            assertEquals(9, answers.stream().filter(answer -> answer.join() == 400).count());
            log.assertEmpty();
        }
    }

    @Test
    void aNewTokenShowsItsFieldsAndItsKey() {
        Caller ada = Caller.account("Ada");
        Response created = admin().post(TOKENS, "{\"user\":" + ada.id()
                + ",\"name\":\"laptop\",\"right\":\"writer\",\"expires\":\"2026-02-01T00:00:00+01:00\"}");
        assertEquals(201, created.statusCode());
        JsonObject token = new JsonObject(created.asString());
        assertEquals(List.of("id", "user", "name", "right", "workspaces", "expires", "key"),
                List.copyOf(token.fieldNames()));
        token.remove("id");
        token.remove("key");
        assertEquals("{\"user\":" + ada.id()
                + ",\"name\":\"laptop\",\"right\":\"writer\",\"workspaces\":null,\"expires\":\"2026-01-31T23:00:00Z\"}",
                token.encode());
    }

    /** The account of the configured admin has the id 0. */
    @Test
    void theConfiguredAdminCanHaveMoreTokens() {
        Response created = admin().post(TOKENS, "{\"user\":0,\"right\":\"reader\"}");
        created.then().statusCode(201).body("user", equalTo(0));
        admin().delete(TOKENS + created.path("id") + "/").then().statusCode(204);
    }

    @Test
    void aTokenWithoutExpiryShowsNull() {
        Caller ada = Caller.account("Ada");
        for (String expires : new String[]{"", ",\"expires\":null"}) {
            admin().post(TOKENS, "{\"user\":" + ada.id() + ",\"right\":\"reader\"" + expires + '}').then()
                    .statusCode(201).body("expires", nullValue()).body("name", equalTo(""));
        }
    }

    @Test
    void tokensAreListedWithoutTheirKeys() {
        Caller ada = Caller.writer("Ada");
        Response page = admin().get(TOKENS + "?p=last");
        JsonArray tokens = new JsonObject(page.asString()).getJsonArray("results");
        JsonObject token = tokens.getJsonObject(tokens.size() - 1);
        assertEquals(
                List.of("id", "user", "username", "name", "right", "workspaces", "expires", "last_used", "revoked"),
                List.copyOf(token.fieldNames()));
        assertEquals(ada.id(), token.getLong("user"));
        assertEquals("Ada", token.getString("username"));
        assertEquals("writer", token.getString("right"));
        assertFalse(page.asString().contains(ada.key()));
        admin().delete(TOKENS + token.getLong("id") + '/');
        admin().get(TOKENS + "?p=last").then().body("results[-1].revoked", equalTo(true));
    }

    @Test
    void tokensAreListedInPages() {
        Caller ada = Caller.account("Ada");
        IntStream.range(0, 3).forEach(i -> ada.token("reader"));
        long count = admin().get(TOKENS).jsonPath().getLong("count");
        assertTrue(count >= 4);
        admin().get(TOKENS + "?page_size=2").then().body("results.size()", equalTo(2))
                .body("next", endsWith("/api/token/?p=2&page_size=2"));
        admin().get(TOKENS + "?page_size=1&p=" + count).then().body("next", nullValue())
                .body("results[0].user", equalTo((int) ada.id()));
    }

    @Test
    void allErrorsOfATokenAreReportedTogether() {
        assertEquals("{\"name\":[\"Ensure this field has no more than 255 characters.\"],"
                + "\"right\":[\"\\\"root\\\" is not a valid choice.\"],\"expires\":[\"This moment has passed.\"],"
                + "\"user\":[\"Invalid pk \\\"12345\\\" - object does not exist.\"]}",
                admin().post(TOKENS, "{\"name\":\"" + "a".repeat(256)
                        + "\",\"right\":\"root\",\"expires\":\"2026-01-02T03:04:05Z\",\"user\":12345}").asString());
        assertEquals("{\"right\":[\"This field is required.\"]}",
                admin().post(TOKENS, "{}").asString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '\0', textBlock = """
            "user":null                 ; {"user":["This field may not be null."]}
            "user":"Ada"                ; {"user":["A valid integer is required."]}
            "user":1.5                  ; {"user":["A valid integer is required."]}
            "user":-1                   ; {"user":["Ensure this value is greater than or equal to 0."]}
            "user":1e300                ; {"user":["Ensure this value is less than or equal to 9007199254740991."]}
            "user":0,"right":null       ; {"right":["This field may not be null."]}
            "user":0,"right":"READER"   ; {"right":["\\"READER\\" is not a valid choice."]}
            "user":0,"right":["reader"] ; {"right":["\\"\\" is not a valid choice."]}
            "user":0,"name":null        ; {"name":["This field may not be null."]}
            "user":0,"expires":"soon"   ; {"expires":["Datetime has wrong format. Use one of these formats instead: \
            YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."]}
            """)
    void anInvalidTokenIsRefused(String fields, String error) {
        String body = fields.contains("right") ? '{' + fields + '}' : "{\"right\":\"reader\"," + fields + '}';
        Response refused = admin().post(TOKENS, body);
        assertEquals(400, refused.statusCode());
        assertEquals(error, refused.asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999", "0", "abc", "-1", "99999999999999999999"})
    void revokingAnUnknownTokenIsNotFound(String id) {
        admin().delete(TOKENS + id + '/').then().statusCode(404)
                .body("detail", equalTo("No Token matches the given query."));
    }

    @ParameterizedTest
    @ValueSource(strings = {ACCOUNTS, TOKENS})
    void onlyJsonAndFormsAreRead(String path) {
        admin().send("POST", path, "text/plain", "username=Ada").then().statusCode(415)
                .body("detail", equalTo("Unsupported media type \"text/plain\" in request."));
        admin().send("POST", path, "application/x-ndjson", "{}").then().statusCode(415);
        admin().send("POST", path, JSON, "{\"username\":").then().statusCode(400);
        assertEquals(1, accounts());
    }

    @Test
    void optionsDescribeEachAddress() {
        for (String path : new String[]{ACCOUNTS, ACCOUNTS + "me/", TOKENS, TOKENS + "1/"}) {
            admin().request().options(path).then().statusCode(200)
                    .body("renders", equalTo(List.of("application/json")));
        }
    }

    private long accounts() {
        return catalogue.sql("select count(*) from account").get(0).getLong(0);
    }
}
