package io.datasetlisting.access.account;

import static io.datasetlisting.support.Caller.ACCOUNTS;
import static io.datasetlisting.support.Caller.TOKENS;
import static io.datasetlisting.support.Caller.admin;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.base.Sha256;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.quarkus.cache.runtime.noop.NoOpCache;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;

/** Tests the tokens that callers make for themselves, and the limits of tokens. */
@QuarkusTest
class OwnTokensTest {

    private static final String ME = ACCOUNTS + "me/";
    private static final String NOT_FOUND = "No Token matches the given query.";
    private static final Duration REVOKED_WITHIN = Duration.ofSeconds(5);

    @Inject
    Catalogue catalogue;

    @Inject
    TokenConfig config;

    @Inject
    Pool pool;

    private Caller ada;
    private Caller bob;

    @BeforeEach
    void addTwoWriters() {
        catalogue.replaceWith();
        ada = Caller.writer("Ada");
        bob = Caller.writer("Bob");
    }

    /** A new token that a caller makes of its own account. */
    private static Caller make(Caller caller, String fields) {
        Response created = caller.post(TOKENS, '{' + fields + '}');
        created.then().statusCode(201).body("user", equalTo((int) caller.id()));
        return caller.holding(created.path("key"));
    }

    private static Caller scoped(Caller caller, Object... workspaces) {
        return make(caller, "\"right\":\"writer\",\"workspaces\":" + List.of(workspaces));
    }

    private static int idOf(Caller caller) {
        List<Integer> ids = admin().get(TOKENS + "?page_size=100").path("results.findAll { it.user == " + caller.id()
                + " }.id");
        return ids.get(0);
    }

    @Test
    void aCallerMakesATokenOfItsOwnAccount() {
        Response created = ada.post(TOKENS, "{\"name\":\"field\",\"right\":\"reader\",\"workspaces\":[9,7,9],"
                + "\"expires\":\"2026-02-01T00:00:00Z\"}");
        created.then().statusCode(201).body("user", equalTo((int) ada.id())).body("right", equalTo("reader"))
                .body("workspaces", equalTo(List.of(7, 9))).body("expires", equalTo("2026-02-01T00:00:00Z"));
        int id = created.path("id");
        String key = created.path("key");
        Response shown = ada.get(TOKENS + id + '/');
        shown.then().statusCode(200).body("id", equalTo(id)).body("name", equalTo("field"))
                .body("workspaces", equalTo(List.of(7, 9))).body("last_used", nullValue())
                .body("revoked", equalTo(false)).body("key", nullValue());
        ada.holding(key).get(ME).then().statusCode(200).body("username", equalTo("Ada"));
        Patience.await("the minute of the last use").until(() -> "2026-01-02T03:04:00Z".equals(
                ada.get(TOKENS + id + '/').path("last_used")));
        assertEquals(Sha256.of(key).length, catalogue.sql("select key_hash from api_token where id = " + id).get(0)
                .getBuffer(0).length());
        ada.request().head(TOKENS + id + '/').then().statusCode(200);
    }

    @Test
    void aFormMakesAToken() {
        ada.send("POST", TOKENS, "application/x-www-form-urlencoded", "right=writer&workspaces=3,5").then()
                .statusCode(201).body("workspaces", equalTo(List.of(3, 5)));
        ada.send("POST", TOKENS, "application/x-www-form-urlencoded", "right=writer&workspaces=3&workspaces=4").then()
                .statusCode(201).body("workspaces", equalTo(List.of(3, 4)));
    }

    @Test
    void aCallerSeesItsOwnTokensAndAnAdminAll() {
        int other = idOf(bob);
        make(ada, "\"right\":\"reader\"");
        ada.get(TOKENS).then().body("count", equalTo(2))
                .body("results.user", equalTo(List.of((int) ada.id(), (int) ada.id())));
        ada.get(TOKENS + "?page_size=1").then().body("results.size()", equalTo(1))
                .body("next", endsWith("/api/token/?p=2&page_size=1"));
        ada.get(TOKENS + other + '/').then().statusCode(404).body("detail", equalTo(NOT_FOUND));
        ada.delete(TOKENS + other + '/').then().statusCode(404).body("detail", equalTo(NOT_FOUND));
        bob.get(ME).then().statusCode(200);
        admin().get(TOKENS).then().body("count", equalTo(
                catalogue.sql("select count(*) from api_token").get(0).getLong(0).intValue()));
        admin().get(TOKENS + other + '/').then().statusCode(200).body("user", equalTo((int) bob.id()));
        ada.holding(ada.token("reader").key()).get(TOKENS).then().body("count", equalTo(3));
    }

    @Test
    void aCallerMakesNoTokenOfAnotherAccount() {
        for (long user : new long[]{bob.id(), 0, 123_456_789}) {
            ada.post(TOKENS, "{\"right\":\"reader\",\"user\":" + user + '}').then().statusCode(403);
        }
        ada.post(TOKENS, "{\"right\":\"reader\",\"user\":" + ada.id() + '}').then().statusCode(201);
    }

    @Test
    void anAdminMakesTokensOfItsOwnAccountAndOfOthers() {
        Caller chief = Caller.account("Chief").token("admin");
        chief.post(TOKENS, "{\"right\":\"admin\"}").then().statusCode(201).body("user", equalTo((int) chief.id()));
        chief.post(TOKENS, "{\"right\":\"writer\",\"user\":" + bob.id() + '}').then().statusCode(201)
                .body("user", equalTo((int) bob.id()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '\0', textBlock = """
            "right":"admin"                    ; {"right":["Your own right is writer."]}
            "workspaces":[1]                   ; {"right":["This field is required."]}
            "right":"writer","workspaces":[]   ; {"workspaces":["This list may not be empty."]}
            "right":"writer","workspaces":5    ; {"workspaces":["Expected a list of items but got type \\"int\\"."]}
            "right":"writer","workspaces":[1,"a",-1,1.5,1e300] ; {"workspaces":{"1":["A valid integer is required."],\
            "2":["Ensure this value is greater than or equal to 0."],"3":["A valid integer is required."],\
            "4":["Ensure this value is less than or equal to 9007199254740991."]}}
            "right":"reader","expires":"2026-01-02T03:04:05Z" ; {"expires":["This moment has passed."]}
            """)
    void aTokenThatIsNotValidIsRefused(String fields, String error) {
        Response refused = ada.post(TOKENS, '{' + fields + '}');
        assertEquals(400, refused.statusCode());
        assertEquals(error, refused.asString());
    }

    @Test
    void aTokenHasAtMost100Workspaces() {
        String hundred = IntStream.range(0, 100).mapToObj(String::valueOf).toList().toString();
        make(ada, "\"right\":\"writer\",\"workspaces\":" + hundred);
        ada.post(TOKENS, "{\"right\":\"writer\",\"workspaces\":" + hundred.replace("[", "[1000,") + '}').then()
                .statusCode(400)
                .body("workspaces", equalTo(List.of("Ensure this field has no more than 100 elements.")));
    }

    @Test
    void noTokenMakesATokenThatMayDoMoreThanItself() {
        Caller reader = ada.token("reader");
        reader.post(TOKENS, "{\"right\":\"writer\"}").then().statusCode(400)
                .body("right", equalTo(List.of("Your own right is reader.")));
        make(reader, "\"right\":\"reader\"");

        Caller limited = scoped(ada, 3, 4);
        for (String workspaces : new String[]{"null", "[5]", "[3,5]"}) {
            limited.post(TOKENS, "{\"right\":\"writer\",\"workspaces\":" + workspaces + '}').then().statusCode(400)
                    .body("workspaces", equalTo(List.of("This token may write in these workspaces only: 3, 4.")));
        }
        limited.post(TOKENS, "{\"right\":\"writer\"}").then().statusCode(201)
                .body("workspaces", equalTo(List.of(3, 4)));
        scoped(limited, 4);
        admin().get(TOKENS + "?page_size=100").then().body("results.findAll { it.workspaces == [4] }.size()",
                equalTo(1));
    }

    @Test
    void noTokenMakesATokenThatOutlivesIt() {
        Caller brief = make(ada, "\"right\":\"writer\",\"expires\":\"2026-02-01T00:00:00Z\"");
        brief.post(TOKENS, "{\"right\":\"reader\"}").then().statusCode(201)
                .body("expires", equalTo("2026-02-01T00:00:00Z"));
        for (String later : new String[]{"null", "\"2026-02-01T00:00:01Z\""}) {
            brief.post(TOKENS, "{\"right\":\"reader\",\"expires\":" + later + '}').then().statusCode(400)
                    .body("expires", equalTo(List.of("Your own token expires at 2026-02-01T00:00:00Z.")));
        }
        brief.post(TOKENS, "{\"right\":\"reader\",\"expires\":\"2026-01-31\"}").then().statusCode(201);
        Caller chief = Caller.account("Chief");
        Caller briefAdmin = chief.holding(admin().newToken(chief, "admin", "2026-02-01T00:00:00Z").path("key"));
        briefAdmin.newToken(bob, "writer", null).then().body("expires", nullValue());
    }

    @Test
    void aCallerRevokesItsOwnTokensButNoneThatMayDoMore() {
        int writer = idOf(ada);
        Caller reader = make(ada, "\"right\":\"reader\"");
        reader.delete(TOKENS + writer + '/').then().statusCode(403);
        scoped(ada, 3).delete(TOKENS + writer + '/').then().statusCode(403);
        ada.get(ME).then().statusCode(200);
        int own = ada.get(TOKENS).<List<Integer>>path("results.findAll { it.right == 'reader' }.id").get(0);
        reader.delete(TOKENS + own + '/').then().statusCode(204);
        reader.get(ME).then().statusCode(401);
        ada.delete(TOKENS + writer + '/').then().statusCode(204);
        ada.get(ME).then().statusCode(401);
        bob.get(ME).then().statusCode(200);
    }

    @Test
    void aScopedTokenWritesInItsWorkspacesOnly() {
        long mine = ada.create("{\"workspace\":3}");
        long other = ada.create("{\"workspace\":9,\"is_private\":true,\"coordinates\":[1,2]}");
        Caller limited = scoped(ada, 3, 4);
        String sentence = "This token may write in these workspaces only: 3, 4.";
        String there = Listing.PATH + mine + '/';
        String elsewhere = Listing.PATH + other + '/';

        limited.create("{\"workspace\":4}");
        // Without the field, the workspace of the account.
        Stream.of(limited.post(Listing.PATH, "{}"), limited.post(Listing.PATH, "{\"workspace\":9}"),
                limited.request().header("Idempotency-Key", "scoped").contentType(Caller.JSON)
                        .body("{\"workspace\":9}").post(Listing.PATH),
                limited.patch(elsewhere, "{\"dataset_name\":\"x\"}"), limited.patch(elsewhere, "{\"workspace\":3}"),
                limited.send("PUT", elsewhere, Caller.JSON, "{}"), limited.patch(there, "{\"workspace\":9}"),
                limited.delete(elsewhere),
                limited.send("PUT", elsewhere + "thumbnail/", "image/png", Images.of("image/png", 100)))
                .forEach(refused -> refused.then().statusCode(403).body("detail", equalTo(sentence)));
        limited.patch(there, "{\"workspace\":4}").then().statusCode(200);
        // Reading is not limited.
        limited.get(elsewhere).then().statusCode(200).body("dataset_name", equalTo(""));
        assertTrue(limited.request().options(there).path("actions") != null);
        assertTrue(limited.request().options(elsewhere).path("actions") == null);
        limited.delete(there).then().statusCode(204);
        assertEquals(0,
                catalogue.sql("select 1 from dataset where workspace = 9 and (is_deleted or dataset_name <> '')")
                        .size());
    }

    @Test
    void aScopedAdminNeitherImportsNorMakesAccounts() {
        Caller chief = Caller.account("Chief");
        chief = scopedAdmin(chief);
        chief.post(ACCOUNTS, "{\"username\":\"Eve\"}").then().statusCode(403);
        chief.send("POST", Listing.PATH, "application/x-ndjson", "{}").then().statusCode(403);
        // It may change datasets of others, in its workspaces.
        long there = bob.create("{\"workspace\":3}");
        long elsewhere = bob.create("{\"workspace\":9}");
        chief.patch(Listing.PATH + there + '/', "{\"dataset_name\":\"x\"}").then().statusCode(200);
        chief.patch(Listing.PATH + elsewhere + '/', "{\"dataset_name\":\"x\"}").then().statusCode(403);
        chief.post(TOKENS, "{\"right\":\"admin\",\"user\":" + bob.id() + '}').then().statusCode(201)
                .body("workspaces", equalTo(List.of(3)));
        chief.delete(TOKENS + idOf(bob) + '/').then().statusCode(403);
        chief.get(ACCOUNTS).then().statusCode(200);
    }

    private static Caller scopedAdmin(Caller account) {
        return account.holding(admin().post(TOKENS,
                "{\"right\":\"admin\",\"workspaces\":[3],\"user\":" + account.id() + '}').path("key"));
    }

    @Test
    void anAccountHasAtMostSoManyValidTokens() {
        int max = config.maxTokensPerAccount();
        assertEquals(100, max);
        catalogue.sql("insert into api_token (account_id, name, access_right, key_hash) select " + ada.id()
                + ", '', 'reader', sha256(('own' || i)::bytea) from generate_series(1, " + (max - 3) + ") i");
        List<Integer> statuses = IntStream.range(0, 10).mapToObj(i -> CompletableFuture
                .supplyAsync(() -> ada.post(TOKENS, "{\"right\":\"reader\"}").statusCode())).toList().stream()
                .map(CompletableFuture::join).sorted().toList();
        assertEquals(List.of(201, 201, 400, 400, 400, 400, 400, 400, 400, 400), statuses);
        String sentence = "This account has 100 valid tokens, and may not have more. Revoke one of them first.";
        for (Caller caller : List.of(ada, admin())) {
            caller.post(TOKENS, "{\"right\":\"reader\",\"user\":" + ada.id() + '}').then().statusCode(400)
                    .body("non_field_errors", equalTo(List.of(sentence)));
        }
        make(bob, "\"right\":\"reader\"");
        ada.delete(TOKENS + ada.get(TOKENS + "?p=last").path("results[-1].id") + '/').then().statusCode(204);
        make(ada, "\"right\":\"reader\"");
    }

    @Test
    void theNumberOfTokensThatAreNotValidAnyMoreHasABound() {
        catalogue.sql("insert into api_token (account_id, name, access_right, key_hash, revoked, expires) select "
                + ada.id() + ", '', 'reader', sha256(('old' || i)::bytea), i % 2 = 0,"
                + " case when i % 2 = 1 then timestamptz '2026-01-01' end from generate_series(1, 250) i");
        make(ada, "\"right\":\"reader\"");
        ada.get(TOKENS).then().body("count", equalTo(102));
        ada.get(ME).then().statusCode(200);
    }

    @Test
    void theConfiguredTokenStaysRevoked() {
        catalogue.sql("insert into api_token (account_id, name, access_right, key_hash, revoked) select 0,"
                + " case i when 1 then 'dataset.admin-token' else '' end, 'reader', sha256(('op' || i)::bytea), true"
                + " from generate_series(1, 150) i");
        try {
            admin().post(TOKENS, "{\"right\":\"reader\"}").then().statusCode(201);
            assertEquals(101, catalogue.sql("select 1 from api_token where account_id = 0 and revoked").size());
            assertEquals(1, catalogue.sql("select 1 from api_token where key_hash = sha256('op1')").size());
        } finally {
            catalogue.sql("delete from api_token where account_id = 0 and right(name, 1) <> 'n'"
                    + " or key_hash = sha256('op1')");
        }
    }

    /** A stolen key must not survive its revocation by a token that it makes in the last seconds. */
    @Test
    void aTokenThatIsRevokedMakesNoTokenWhileItIsCached() {
        Caller token = make(ada, "\"right\":\"writer\"");
        token.get(ME).then().statusCode(200);
        catalogue.sql("update api_token set revoked = true where key_hash = sha256('" + token.key() + "')");
        token.post(TOKENS, "{\"right\":\"writer\"}").then().statusCode(401).body("detail", equalTo("Invalid token."));
    }

    /** Two instances, each with a cache of its own. The cache of the one that answers has the lifetime of the package. */
    @Test
    void aTokenRevokedByAnotherInstanceLosesAccessWithinFiveSeconds() throws Throwable {
        TokenRepository otherInstance = new TokenRepository(
                new StoredTokenRepository(pool, new NoOpCache(), config), config);
        Caller token = make(ada, "\"right\":\"writer\"");
        long id = catalogue.sql("select max(id) from api_token where account_id = " + ada.id()).get(0).getLong(0);
        token.get(ME).then().statusCode(200);
        long revoked = System.nanoTime();
        VertxContextSupport.subscribeAndAwait(() -> otherInstance.revoke(id, Author.SERVICE, found -> {
        }));
        Patience.await("the token is refused").atMost(REVOKED_WITHIN).until(() -> token.get(ME).statusCode() == 401);
        assertTrue(System.nanoTime() - revoked < REVOKED_WITHIN.toNanos());
        token.post(Listing.PATH, "{}").then().statusCode(401);
        ada.get(ME).then().statusCode(200);
    }
}
