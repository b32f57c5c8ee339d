package io.datasetlisting.access.account;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.reader;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
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
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.TestClock;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the keys of tokens: the header, the rights, the expiry and the revocation. */
@QuarkusTest
class TokenTest {

    private static final String ME = Caller.ACCOUNTS + "me/";
    private static final String NOT_PROVIDED = "Authentication credentials were not provided.";
    private static final String FORBIDDEN = "{\"detail\":\"You do not have permission to perform this action.\"}";

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @Inject
    @CacheName("tokens")
    Cache cache;

    @BeforeEach
    void createOnePublicDataset() {
        catalogue.replaceWith(dataset(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            Token                       | Invalid token header. No credentials provided.
            token                       | Invalid token header. No credentials provided.
            Token two words             | Invalid token header. Token string should not contain spaces.
            Token  a  b  c              | Invalid token header. Token string should not contain spaces.
            Token wrong                 | Invalid token.
            tOKEN wrong                 | Invalid token.
            Token test-admin-toke       | Invalid token.
            Token test-admin-token2     | Invalid token.
            Token TEST-ADMIN-TOKEN      | Invalid token.
            Token ' or 1=1--            | Invalid token header. Token string should not contain spaces.
            """)
    void aHeaderWithoutAValidKeyIsRefusedForEveryMethod(String header, String detail) {
        for (String method : new String[]{"GET", "HEAD", "OPTIONS", "POST", "PUT"}) {
            Response refused = anonymous().request().header("Authorization", header).request(method, Listing.PATH);
            assertEquals(401, refused.statusCode(), method);
            assertEquals("Token", refused.header("WWW-Authenticate"), method);
            assertEquals("application/json", refused.header("Content-Type"), method);
            assertEquals(method.equals("HEAD") ? "" : "{\"detail\":\"" + detail + "\"}", refused.asString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Token ", "token ", "TOKEN ", "Token   "})
    void theKeywordMayHaveAnyCase(String keyword) {
        anonymous().request().header("Authorization", keyword + admin().key()).get(ME).then().statusCode(200)
                .body("username", equalTo("operator"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer test-admin-token", "Basic dXNlcjpwYXNz", "test-admin-token",
            "Tokentest-admin-token",
            "Token,test-admin-token"})
    void anotherSchemeIsIgnored(String header) {
        anonymous().request().header("Authorization", header).get(Listing.PATH).then().statusCode(200);
        anonymous().request().header("Authorization", header).get(ME).then().statusCode(401)
                .header("WWW-Authenticate", "Token").body("detail", equalTo(NOT_PROVIDED));
    }

    @ParameterizedTest
    @CsvSource({"POST,/api/dataset/", "POST,/api/dataset", "PUT,/api/dataset/", "PATCH,/api/dataset/",
            "DELETE,/api/dataset/", "TRACE,/api/dataset/", "PROPFIND,/api/dataset/", "PUT,/api/dataset/1/",
            "GET,/api/dataset/drafts/", "GET,/api/dataset/deleted/", "PATCH,/api/dataset/1/", "DELETE,/api/dataset/1/",
            "DELETE,/api/dataset/999/", "GET,/api/account/",
            "POST,/api/account/", "GET,/api/account/me/", "POST,/api/account/me/", "GET,/api/token/",
            "POST,/api/token/",
            "OPTIONS,/api/token/", "DELETE,/api/token/1/", "GET,/api/token/1/"})
    void withoutATokenTheResponseAsksForOne(String method, String path) {
        Response refused = anonymous().request().request(method, path);
        assertEquals(401, refused.statusCode());
        assertEquals("Token", refused.header("WWW-Authenticate"));
        assertEquals("{\"detail\":\"" + NOT_PROVIDED + "\"}", refused.asString());
    }

    @ParameterizedTest
    @CsvSource({"POST,/api/dataset/", "PUT,/api/dataset/", "PUT,/api/dataset/1/", "PATCH,/api/dataset/1/",
            "DELETE,/api/dataset/1/", "DELETE,/api/dataset/999/", "GET,/api/account/", "POST,/api/account/",
            "DELETE,/api/account/"})
    void aReaderMayNotWriteEvenByAnUnsupportedMethod(String method, String path) {
        Response refused = reader("Rita").request().body("{}").contentType(Caller.JSON).request(method, path);
        assertEquals(403, refused.statusCode());
        assertEquals(FORBIDDEN, refused.asString());
    }

    @Test
    void aTokenIdentifiesItsAccount() {
        Caller rita = reader("Rita van Dyk");
        assertEquals("{\"id\":" + rita.id() + ",\"username\":\"Rita van Dyk\",\"workspace\":" + rita.workspace() + '}',
                rita.get(ME).asString());
        long id = rita.token("writer").create("{}");
        rita.get(Listing.PATH + id + '/').then().statusCode(200).body("user", equalTo(rita.user()));
    }

    @Test
    void aKeyIsShownOnceAndOnlyItsHashIsStored() {
        Caller rita = reader("Rita");
        assertTrue(rita.key().matches("[0-9a-f]{40}"), rita.key());
        assertArrayEquals(Sha256.of(rita.key()), catalogue.sql(
                "select key_hash from api_token where account_id = " + rita.id()).get(0).getBuffer(0).getBytes());
        String everything = catalogue
                .sql("select t::text, a::text from api_token t join account a on a.id = account_id")
                .stream().map(row -> row.getString(0) + row.getString(1)).collect(Collectors.joining());
        assertTrue(everything.contains("of a test"), everything);
        assertFalse(everything.contains(rita.key()));
        assertFalse(admin().get(Caller.TOKENS).asString().contains(rita.key()));
    }

    /** A form whose field is left blank would otherwise give an admin a key of its own account. */
    @Test
    void aBlankAccountIsNotTheOwnAccount() {
        admin().request().contentType("application/x-www-form-urlencoded")
                .body("right=reader&user=".getBytes(StandardCharsets.UTF_8))
                .post(Caller.TOKENS).then().statusCode(400)
                .body("user[0]", equalTo("A valid integer is required."));
    }

    @Test
    void keysAreUnique() {
        Caller rita = Caller.account("Rita");
        assertEquals(20, IntStream.range(0, 20).mapToObj(i -> rita.token("reader").key()).distinct().count());
    }

    @Test
    void aTokenWorksUntilItExpires() {
        Caller rita = Caller.account("Rita");
        String end = "2026-01-02T04:04:05Z";
        Caller token = rita.holding(admin().newToken(rita, "reader", end).path("key"));
        clock.setAfterStart(Duration.ofHours(1).minusSeconds(1));
        token.get(ME).then().statusCode(200);
        // The instance has just cached the token as valid.
        clock.setAfterStart(Duration.ofHours(1));
        token.get(ME).then().statusCode(401).body("detail", equalTo("Invalid token.")).header("WWW-Authenticate",
                "Token error=\"invalid_token\", error_description=\"The token has expired.\"");
        token.get(Listing.PATH).then().statusCode(401);
    }

    @Test
    void aTokenRevokedByThisInstanceStopsWorkingAtOnce() {
        Caller rita = Caller.account("Rita");
        Response created = admin().newToken(rita, "writer", null);
        Caller token = rita.holding(created.path("key"));
        Caller other = rita.token("writer");
        token.create("{}");
        Response revoked = admin().delete(Caller.TOKENS + created.path("id") + '/');
        assertEquals(204, revoked.statusCode());
        assertEquals("", revoked.asString());
        token.get(Listing.PATH).then().statusCode(401).body("detail", equalTo("Invalid token.")).header(
                "WWW-Authenticate",
                "Token error=\"invalid_token\", error_description=\"The token has been revoked.\"");
        token.post(Listing.PATH, "{}").then().statusCode(401);
        other.create("{}");
    }

    @Test
    void anUnknownKeyWorksSecondsAfterItsTokenIsCreated() {
        Caller rita = reader("Rita");
        String key = "0123456789abcdef0123456789abcdef01234567";
        rita.holding(key).get(ME).then().statusCode(401);
        catalogue.sql("insert into api_token (account_id, name, access_right, key_hash) values (" + rita.id()
                + ", '', 'reader', sha256('" + key + "'))");
        Patience.await("the token is accepted")
                .until(() -> rita.holding(key).get(ME).statusCode() == 200);
    }

    @Test
    void theUseOfATokenIsStoredOnceAMinute() {
        Caller rita = reader("Rita");
        admin().get(Caller.TOKENS + "?p=last").then().body("results[-1].last_used", nullValue());
        useWithEmptyCache(rita);
        Patience.await("the time of the last use").until(() -> TestClock.START.equals(lastUsed(rita)));
        clock.setAfterStart(Duration.ofSeconds(60));
        useWithEmptyCache(rita);
        useWithEmptyCache(rita);
        Instant later = TestClock.START.plusSeconds(61);
        clock.setAfterStart(Duration.ofSeconds(61));
        useWithEmptyCache(rita);
        Patience.await("a later time of the last use").until(() -> {
            Instant lastUsed = lastUsed(rita);
            assertTrue(lastUsed.equals(TestClock.START) || lastUsed.equals(later), lastUsed::toString);
            return lastUsed.equals(later);
        });
        admin().get(Caller.TOKENS + "?p=last").then().body("results[-1].last_used", equalTo("2026-01-02T03:05:00Z"));
    }

    @Test
    void aLockedTokenRowDoesNotBlockReaders() {
        Caller rita = reader("Rita");
        catalogue.during("select * from api_token for update", () -> {
            // More requests than there are connections that can wait for the lock.
            for (int minute = 1; minute <= 30; minute++) {
                clock.setAfterStart(Duration.ofMinutes(2L * minute));
                useWithEmptyCache(rita);
            }
            // The last request may be noted after the lock.
            assertEquals(null, lastUsed(rita));
        });
    }

    /** Sends a request to an instance that does not have the token in its cache. */
    private void useWithEmptyCache(Caller caller) {
        cache.invalidateAll().await().indefinitely();
        caller.get(Listing.PATH).then().statusCode(200);
    }

    private Instant lastUsed(Caller caller) {
        return catalogue.sql("select last_used from api_token where account_id = " + caller.id()).stream()
                .map(row -> row.getOffsetDateTime(0)).map(time -> time == null ? null : time.toInstant())
                .reduce(null, (none, time) -> time);
    }

    @Test
    void anIndexFindsAKeyAmongThousands() {
        Caller rita = reader("Rita");
        catalogue.sql("insert into api_token (account_id, name, access_right, key_hash) select " + rita.id()
                + ", 'one of many', 'reader', sha256(i::text::bytea) from generate_series(1, 2000) i");
        catalogue.sql("analyze api_token");
        String plan = catalogue.sql("explain select * from api_token t join account a on a.id = t.account_id"
                + " where t.key_hash = sha256('1000')").stream().map(row -> row.getString(0)).toList().toString();
        assertTrue(plan.contains("api_token_key_hash_key"), plan);
        rita.holding("1000").get(ME).then().statusCode(200);
        rita.holding("2001").get(ME).then().statusCode(401);
    }

    @Test
    void aKeyIsNotCheckedOnAnUnknownAddress() {
        anonymous().holding("wrong").get("/api/nothing/").then().statusCode(404);
    }
}
