package io.datasetlisting.access.identity;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Metrics.metric;
import static io.datasetlisting.support.TestProvider.get;
import static io.datasetlisting.support.TestProvider.post;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import jakarta.inject.Inject;

import org.jose4j.jwk.RsaJsonWebKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.SlowClient;
import io.datasetlisting.support.TestClock;
import io.datasetlisting.support.TestProvider;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests what a subject of the provider can still do after it, its right or the provider's key has gone. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(LowLimits.class)
class LeavingTest {

    private static final String ME = Caller.ACCOUNTS + "me/";
    private static final String IDENTITIES = "/api/identity/";
    /** Only admins read it. */
    private static final String AUDIT = "/api/audit/?page_size=1";
    private static final String GOES_ON = "goes on";

    @Inject
    TestClock clock;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private String subject;
    private long identity;
    /** A token of the provider, and a token that the subject has made with it. Both have the right of an admin. */
    private String bearer;
    private Caller own;

    @BeforeEach
    void addASubject() {
        setTheClock(Duration.ZERO);
        subject = UUID.randomUUID().toString();
        bearer = token("dataset-admin", 60);
        Response made = post(bearer, Caller.TOKENS, new JsonObject().put("right", "admin"));
        made.then().statusCode(201);
        own = Caller.existing(made.jsonPath().getLong("user"), subject).holding(made.path("key"));
        identity = catalogue.sql("select id from account_identity where subject = '" + subject + "'").get(0).getLong(0);
        own.get(AUDIT).then().statusCode(200);
    }

    private void setTheClock(Duration later) {
        clock.setAfterNow(later);
    }

    /** A token that the provider has issued some seconds ago. */
    private String token(String role, long secondsAgo) {
        return TestProvider.token(subject, claims -> claims.put("iat", Instant.now().getEpochSecond() - secondsAgo)
                .put("realm_access", new JsonObject().put("roles", new JsonArray().add(role))));
    }

    private void happen(String event) {
        switch (event) {
            case "block" -> admin().delete(IDENTITIES + identity + '/').then().statusCode(204);
            case "unlink" -> link(Caller.account("heir " + subject).id(), null);
            case "lower" -> link(own.id(), "reader");
            case "disable" -> admin().patch(Caller.ACCOUNTS + own.id() + '/', "{\"disabled\":true}").then()
                    .statusCode(200);
            // The page renews its token.
            case "role" -> get(token("nothing", 30), ME).then().statusCode(200);
            case "gone" -> setTheClock(Duration.ofDays(31));
            case "away" -> TestProvider.goAway();
            default -> throw new IllegalArgumentException(event);
        }
    }

    private void link(long account, String right) {
        JsonObject link = new JsonObject().put("subject", subject).put("user", account);
        admin().post(IDENTITIES, (right == null ? link : link.put("right", right)).encode()).then().statusCode(201);
    }

    /**
     * The table of operations.md: after an event, the status of an address that only admins read, for a token of the
     * provider, for the next one and for a token of the service, and that of a poll which has waited, and of a mirror; and
     * what becomes of a stream of each of both tokens that is open. A user that is disabled or deleted gets no further
     * token of the provider: the service sees neither, and not even the other way round. MirrorIT has a mirror.
     */
    @ParameterizedTest
    @CsvSource({"block,   401, 401, 401, 401, 401, ends,    ends", "unlink,  200, 200, 401, 401, 401, ends,    ends",
            "lower,   403, 403, 403, 401, 200, ends,    ends", "disable, 401, 401, 401, 401, 401, ends,    ends",
            "role,    200, 403, 403, 401, 200, ends,    goes on", "gone,    401, 401, 401, 401, 401, ends,    ends",
            "away,    200, 200, 200, 200, 200, goes on, goes on"})
    void whoLeavesHasLeft(String event, int ofBearer, int ofSession, int ofOwn, int ofPoll, int ofMirror,
            String ownStream, String bearerStream) throws IOException {
        String next = token(event.equals("role") ? "nothing" : "dataset-admin", 20);
        String since = Instant.now().toString();
        double before = closedForTime();
        try (SlowClient ofToken = SlowClient.listening(service, own, "?wait=1", "");
                SlowClient ofProvider = SlowClient.listeningWithBearer(service, bearer)) {
            CompletableFuture<Response> poll = CompletableFuture
                    .supplyAsync(() -> own.get(Copy.CHANGES + "?workspace=987654321&wait=2&since=" + since));
            Patience.await("all three wait").until(() -> metric("dataset_changes_listeners") >= 3);
            happen(event);
            await(ofBearer, () -> get(bearer, AUDIT));
            await(ofOwn, () -> own.get(AUDIT));
            await(ofMirror, () -> own.get(Copy.CHANGES + "?since=" + since));
            await(ofSession, () -> get(next, AUDIT));
            assertEquals(ownStream, outcome(ofToken, ownStream, before));
            assertEquals(bearerStream, outcome(ofProvider, bearerStream, before));
            assertEquals(ofPoll, poll.join().statusCode());
        } finally {
            if (event.equals("away")) {
                TestProvider.comeBack();
            }
        }
    }

    /** The streams that were closed because they had taken too long. */
    private static double closedForTime() {
        return metric("dataset_streams_closed_total{reason=\"time\"}");
    }

    /** A stream whose caller has left breaks off, so that no client takes it for complete. So does one that takes too long. */
    private static String outcome(SlowClient stream, String expected, double closedBefore) {
        long end = System.nanoTime() + Duration.ofMillis(1_200).toNanos();
        try {
            stream.head();
            while (stream.line() != null && !(expected.equals(GOES_ON) && System.nanoTime() > end)) {
                // Positions without a change.
            }
            return GOES_ON;
        } catch (IOException e) {
            return closedForTime() > closedBefore ? GOES_ON : "ends";
        }
    }

    private static void await(int status, java.util.function.Supplier<Response> answer) {
        Patience.await("the status " + status).until(() -> answer.get().statusCode() == status);
    }

    /** A mirror has what its token sees: it must not go on with the private datasets of others. */
    @Test
    void aTokenWhoseRightIsLoweredSeesNoPrivateDatasetOfOthers() {
        long secret = Caller.writer("other " + subject).create("{\"is_private\":true,\"coordinates\":[1,2]}");
        own.get("/api/dataset/" + secret + '/').then().statusCode(200);
        link(own.id(), "reader");
        await(404, () -> own.get("/api/dataset/" + secret + '/'));
    }

    @Test
    void aTokenHasTheRightOfItsSubjectAgainWhenTheSubjectHasIt() {
        link(own.id(), "reader");
        await(403, () -> own.get(AUDIT));
        link(own.id(), "admin");
        await(200, () -> own.get(AUDIT));
        link(own.id(), null);
        await(200, () -> own.get(AUDIT));
    }

    @Test
    void theNewestTokenOfTheProviderCounts() {
        get(token("dataset-writer", 10), ME).then().statusCode(200);
        await(403, () -> own.get(AUDIT));
        // A token from before, which is still valid, says nothing new.
        get(token("dataset-admin", 40), ME).then().statusCode(200);
        assertEquals("writer", seen("seen_right"));
        get(token("dataset-admin", 5), ME).then().statusCode(200);
        await(200, () -> own.get(AUDIT));
    }

    private String seen(String column) {
        return catalogue.sql("select " + column + "::text from account_identity where id = " + identity).get(0)
                .getString(0);
    }

    @Test
    void requestsWithOneTokenWriteItsSubjectOnce() {
        String version = seen("xmin");
        for (int i = 0; i < 5; i++) {
            get(bearer, ME).then().statusCode(200);
            get(token("dataset-admin", 50 - i), ME).then().statusCode(200);
        }
        assertEquals(version, seen("xmin"));
    }

    @Test
    void aTokenOfASubjectWithoutAnyRightIsRefused() {
        catalogue.sql("update account_identity set seen_right = 'none' where id = " + identity);
        await(401, () -> own.get(ME));
        own.get(ME).then().body("detail", equalTo("Invalid token.")).header("WWW-Authenticate",
                "Token error=\"invalid_token\", error_description=\"The identity that made the token has no right any more.\"");
    }

    @Test
    void aTokenThatIsMadeWithABearerTokenExpires() {
        Instant last = Instant.parse(made("").path("expires"));
        assertTrue(Duration.between(last, Instant.now().plus(90, ChronoUnit.DAYS)).abs().toMinutes() < 5,
                last::toString);
        made(",\"expires\":null").then().statusCode(201);
        String early = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS).toString();
        made(",\"expires\":\"" + early + '"').then().statusCode(201).body("expires", equalTo(early));
        Response refused = made(",\"expires\":\"" + Instant.now().plus(91, ChronoUnit.DAYS) + '"');
        assertEquals(400, refused.statusCode());
        assertTrue(refused.asString().startsWith(
                "{\"expires\":[\"A token that is made with a Bearer token expires at "), refused.asString());

        // Its tokens do not outlive it, whatever its right is.
        Caller brief = own.holding(made(",\"expires\":\"" + early + '"').path("key"));
        brief.post(Caller.TOKENS, "{\"right\":\"admin\"}").then().statusCode(201).body("expires", equalTo(early));
        brief.post(Caller.TOKENS, "{\"right\":\"admin\",\"expires\":null}").then().statusCode(400);
    }

    private Response made(String fields) {
        return post(bearer, Caller.TOKENS, new JsonObject("{\"right\":\"admin\"" + fields + '}'));
    }

    @Test
    void aSubjectThatIsBlockedMakesNoTokenWhileItIsCached() {
        get(bearer, ME).then().statusCode(200);
        catalogue.sql("update account_identity set blocked = true where id = " + identity);
        assertEquals(List.of(401, 401), List.of(made("").statusCode(),
                own.post(Caller.TOKENS, "{\"right\":\"admin\",\"user\":0}").statusCode()));
    }

    @Test
    void aSubjectOfAnotherProviderIsNotLinked() {
        admin().post(IDENTITIES, new JsonObject().put("subject", subject).put("user", own.id())
                .put("issuer", TestProvider.issuer() + '/').encode()).then().statusCode(400).body("issuer",
                        equalTo(List.of("The provider of this service is " + TestProvider.issuer() + ".")));
        admin().post(IDENTITIES, new JsonObject().put("subject", subject).put("user", own.id())
                .put("issuer", TestProvider.issuer()).encode()).then().statusCode(201);
    }

    @Test
    void aWithdrawnKeyIsNotTrustedThoughNoUnknownKeyArrives() {
        RsaJsonWebKey stays = TestProvider.key();
        RsaJsonWebKey stolen = TestProvider.rotate();
        String used = token("dataset-admin", 10);
        get(used, ME).then().statusCode(200);
        String unused = token("dataset-admin", 5);
        TestProvider.withdraw(stolen);
        await(401, () -> get(used, ME));
        get(unused, ME).then().statusCode(401).header("WWW-Authenticate", "Bearer error=\"invalid_token\","
                + " error_description=\"The signature of the Bearer token is wrong, or a claim is missing.\"");
        assertEquals(stays, TestProvider.key());
        get(token("dataset-admin", 1), ME).then().statusCode(200);
    }

    @Test
    void whileTheProviderIsAwayItsKeysAreTrustedForABoundedTime() {
        get(bearer, ME).then().statusCode(200);
        TestProvider.goAway();
        try {
            get(bearer, ME).then().statusCode(200);
            Patience.await("the keys are too old").pollInterval(Duration.ofMillis(200))
                    .until(() -> get(bearer, ME).statusCode() == 503);
            own.get(ME).then().statusCode(200);
        } finally {
            TestProvider.comeBack();
        }
        Patience.await("the keys are read again").until(() -> get(bearer, ME).statusCode() == 200);
    }
}
