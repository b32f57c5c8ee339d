package io.datasetlisting.access.identity;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Metrics.metric;
import static io.datasetlisting.support.TestProvider.get;
import static io.datasetlisting.support.TestProvider.post;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.OctetSequenceJsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.Sha256;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.TestClock;
import io.datasetlisting.support.TestProvider;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests tokens of a provider of identities: signatures, claims, accounts and keys. KeycloakIT tests the same with Keycloak. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class BearerTest {

    private static final String ME = Caller.ACCOUNTS + "me/";
    private static final String IDENTITIES = "/api/identity/";
    private static final Consumer<JsonObject> UNCHANGED = claims -> {
    };

    @Inject
    TestClock clock;

    @BeforeEach
    void setTheClock() {
        // The library that verifies signatures has its own clock.
        clock.setToNow();
    }

    private static String subject() {
        return UUID.randomUUID().toString();
    }

    private static void assertRefused(String detail, String token) {
        Response refused = get(token, Listing.PATH);
        assertEquals("{\"detail\":\"" + detail + "\"}", refused.asString());
        assertEquals(401, refused.statusCode());
        assertEquals("Bearer error=\"invalid_token\", error_description=\"" + detail + "\"",
                refused.header("WWW-Authenticate"));
    }

    private static String named(String subject, String name) {
        return TestProvider.token(subject, claims -> claims.put("preferred_username", name));
    }

    private static String withRoles(String subject, Object roles) {
        return TestProvider.token(subject, claims -> claims.put("realm_access", new JsonObject().put("roles", roles)));
    }

    @Test
    void aNewSubjectGetsAnAccountWithTheNameOfItsToken() {
        String subject = subject();
        get(named(subject, " Ada " + subject + ' '), ME).then().statusCode(200).body("username",
                equalTo("Ada " + subject));
        long id = get(named(subject, "another name"), ME).jsonPath().getLong("id");
        assertEquals(id, get(named(subject, "Ada " + subject), ME).jsonPath().getLong("id"));
        assertEquals("private, max-age=0, must-revalidate",
                get(named(subject, "x"), Listing.PATH).header("Cache-Control"));
    }

    @Test
    void requestsOfANewSubjectAtTheSameTimeGetOneAccount() {
        String subject = subject();
        List<CompletableFuture<String>> answers = Stream.generate(() -> named(subject, subject)).limit(12)
                .map(token -> CompletableFuture.supplyAsync(() -> get(token, ME).asString())).toList();
        assertEquals(1, answers.stream().map(CompletableFuture::join).distinct().count());
    }

    /** A name of the provider never leads to an account that exists here. */
    @ParameterizedTest
    @ValueSource(strings = {"operator", "OPERATOR", " operator\t", "ｏperator"})
    void anotherAccountKeepsItsName(String name) {
        String subject = subject();
        String mark = HexFormat.of().formatHex(Sha256.of(TestProvider.issuer() + ' ' + subject)).substring(0, 8);
        String username = get(named(subject, name), ME).then().statusCode(200).extract().path("username");
        assertEquals("operator-" + mark, username.toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void aNameThatNoAccountMayHaveIsReplaced() {
        for (Object name : new Object[]{"", "a\u200bb", "x".repeat(151), 7, new JsonArray(), null}) {
            String subject = subject();
            String mark = HexFormat.of().formatHex(Sha256.of(TestProvider.issuer() + ' ' + subject)).substring(0, 8);
            get(TestProvider.token(subject, claims -> claims.put("preferred_username", name)), ME).then()
                    .statusCode(200)
                    .body("username", equalTo("user-" + mark));
        }
        String name = subject() + "x".repeat(114);
        get(named(subject(), name), ME).then().body("username", equalTo(name));
        get(named(subject(), name), ME).then().statusCode(200);
        assertEquals(150, ((String) get(named(subject(), name), ME).path("username")).length());
    }

    @Test
    void theClaimGivesTheRight() {
        String reader = withRoles(subject(), new JsonArray().add("offline_access"));
        String writer = withRoles(subject(), new JsonArray().add("dataset-writer").add("x").add(1));
        String admin = withRoles(subject(), new JsonArray().add("dataset-writer").add("dataset-admin"));
        JsonObject body = new JsonObject().put("username", subject());
        for (String token : List.of(reader, TestProvider.token(subject(), UNCHANGED),
                withRoles(subject(), new JsonObject().put("dataset-admin", true)))) {
            post(token, Listing.PATH, new JsonObject()).then().statusCode(403);
            get(token, Caller.ACCOUNTS).then().statusCode(403);
        }
        for (String token : List.of(writer, withRoles(subject(), "dataset-writer"))) {
            post(token, Listing.PATH, new JsonObject()).then().statusCode(201);
            post(token, Caller.ACCOUNTS, body).then().statusCode(403);
        }
        post(admin, Caller.ACCOUNTS, body).then().statusCode(201);
        get(admin, Caller.ACCOUNTS).then().statusCode(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nothing                 | The Bearer token is not a signed JWT.
            a.b                     | The Bearer token is not a signed JWT.
            a.b.c.d                 | The Bearer token is not a signed JWT.
            e30.e30.e30             | The signature algorithm of the Bearer token is not accepted.
            W10.e30.e30             | The Bearer token is not a signed JWT.
            !.e30.e30               | The Bearer token is not a signed JWT.
            ..                      | The Bearer token is not a signed JWT.
            two words               | Invalid token header. It has one word after Bearer.
            """)
    void aTokenIsAJwt(String token, String detail) {
        assertRefused(detail, token);
    }

    @Test
    void theHeaderHasAToken() {
        anonymous().request().header("Authorization", "bearer").get(Listing.PATH).then().statusCode(401)
                .body("detail", equalTo("Invalid token header. It has one word after Bearer."));
        anonymous().request().header("Authorization", "bEARER  " + TestProvider.token(subject(), UNCHANGED)).get(ME)
                .then().statusCode(200);
        get("nothing", "/api/nothing/").then().statusCode(404);
        // Neither a parameter nor a cookie takes the place of the header.
        String token = TestProvider.token(subject(), UNCHANGED);
        anonymous().get(ME + "?access_token=" + token).then().statusCode(401).header("WWW-Authenticate", "Token");
        anonymous().request().cookie("q_session", token).get(ME).then().statusCode(401);
    }

    @Test
    void onlyAsymmetricSignaturesAreAccepted() throws Exception {
        String subject = subject();
        String good = TestProvider.token(subject, UNCHANGED);
        String payload = good.split("\\.")[1];
        String none = base64(new JsonObject().put("alg", "none").encode()) + '.' + payload + '.';
        assertRefused("The signature algorithm of the Bearer token is not accepted.", none);
        assertRefused("The signature algorithm of the Bearer token is not accepted.", none + "AAAA");
        // The public key as the secret of an HMAC.
        RsaJsonWebKey key = TestProvider.key();
        for (byte[] secret : List.of(key.getRsaPublicKey().getEncoded(),
                key.toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY).getBytes(StandardCharsets.UTF_8))) {
            OctetSequenceJsonWebKey shared = (OctetSequenceJsonWebKey) JsonWebKey.Factory.newJwk(
                    "{\"kty\":\"oct\",\"kid\":\"" + key.getKeyId() + "\",\"k\":\""
                            + Base64.getUrlEncoder().withoutPadding().encodeToString(secret) + "\"}");
            assertRefused("The signature algorithm of the Bearer token is not accepted.",
                    TestProvider.token(subject, UNCHANGED, shared, "HS256"));
        }
        for (String algorithm : List.of("RS256", "RS384", "RS512", "PS256")) {
            get(TestProvider.token(subject, UNCHANGED, key, algorithm), ME).then().statusCode(200);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aChangedTokenIsRefused() {
        String wrong = "The signature of the Bearer token is wrong, or a claim is missing.";
        String[] good = TestProvider.token(subject(), UNCHANGED).split("\\.");
        String[] other = TestProvider.token(subject(), UNCHANGED).split("\\.");
        assertRefused(wrong, good[0] + '.' + other[1] + '.' + good[2]);
        assertRefused(wrong, good[0] + '.' + good[1] + '.' + other[2]);
        assertRefused(wrong, good[0] + '.' + good[1] + '.');
        RsaJsonWebKey forged = TestProvider.newKey(TestProvider.key().getKeyId());
        assertRefused(wrong, TestProvider.token(subject(), UNCHANGED, forged, "RS256"));
        assertRefused(wrong, TestProvider.token(subject(), claims -> claims.remove("iat")));
    }

    @Test
    void theClaimsNameThisServiceAndItsProvider() {
        String service = "The Bearer token is not for this service.";
        for (Object issuer : new Object[]{"https://example.org", TestProvider.issuer() + '/', 7, null}) {
            assertRefused("The Bearer token is of another issuer.",
                    TestProvider.token(subject(), claims -> claims.put("iss", issuer)));
        }
        for (Object audience : new Object[]{"other", "", 7, null, new JsonArray().add("a").add("b"), new JsonArray()}) {
            assertRefused(service, TestProvider.token(subject(), claims -> claims.put("aud", audience)));
        }
        assertRefused(service, TestProvider.token(subject(), claims -> claims.put("azp", "another-client")));
        assertRefused(service, TestProvider.token(subject(), claims -> claims.remove("azp")));
        get(TestProvider.token(subject(), claims -> claims.put("aud", new JsonArray().add("x").add("datasets"))), ME)
                .then()
                .statusCode(200);
        String missing = "A claim of the Bearer token is missing or malformed.";
        for (Object subject : new Object[]{"", "x".repeat(256), "a\0", 7, null}) {
            assertRefused(missing, TestProvider.token("x", claims -> claims.put("sub", subject)));
        }
        for (Object time : new Object[]{null, "tomorrow", 1e300}) {
            assertRefused(missing, TestProvider.token(subject(), claims -> claims.put("exp", time)));
            assertRefused(missing, TestProvider.token(subject(), claims -> claims.put("nbf", time)));
        }
    }

    @Test
    void tokensForOtherPurposesAreRefused() {
        for (Consumer<JsonObject> change : List.<Consumer<JsonObject>>of(claims -> claims.put("typ", "ID"),
                claims -> claims.put("typ", "Refresh"), claims -> claims.put("nonce", "x"),
                claims -> claims.put("at_hash", "x"), claims -> claims.put("cnf", new JsonObject().put("jkt", "x")))) {
            assertRefused("The Bearer token is not an access token.", TestProvider.token(subject(), change));
        }
        get(TestProvider.token(subject(), claims -> claims.remove("typ")), ME).then().statusCode(200);
    }

    @Test
    void clocksMayDifferByTheLeeway() {
        long now = Instant.now().getEpochSecond();
        get(TestProvider.token(subject(), claims -> claims.put("exp", now - 20)), ME).then().statusCode(200);
        get(TestProvider.token(subject(), claims -> claims.put("nbf", now + 20)), ME).then().statusCode(200);
        assertRefused("The Bearer token has expired.",
                TestProvider.token(subject(), claims -> claims.put("exp", now - 31)));
        assertRefused("The Bearer token is not valid yet.",
                TestProvider.token(subject(), claims -> claims.put("nbf", now + 90)));
    }

    @Test
    void aTokenThatIsKnownExpires() {
        String token = TestProvider.token(subject(), UNCHANGED);
        get(token, ME).then().statusCode(200);
        clock.setAfterNow(Duration.ofSeconds(331));
        assertRefused("The Bearer token has expired.", token);
    }

    @Test
    void aNewKeyIsReadAtOnceAndMadeUpKeysRarely() {
        String before = TestProvider.token(subject(), UNCHANGED);
        get(before, ME).then().statusCode(200);
        TestProvider.rotate();
        List<CompletableFuture<Integer>> answers = Stream.generate(() -> TestProvider.token(subject(), UNCHANGED))
                .limit(8)
                .map(token -> CompletableFuture.supplyAsync(() -> get(token, ME).statusCode())).toList();
        assertEquals(List.of(200), answers.stream().map(CompletableFuture::join).distinct().toList());
        get(before, ME).then().statusCode(200);

        int read = TestProvider.timesRead();
        long start = System.nanoTime();
        RsaJsonWebKey unknown = TestProvider.newKey("made-up");
        answers = Stream.generate(() -> TestProvider.token(subject(), UNCHANGED, unknown, "RS256")).limit(40)
                .map(token -> CompletableFuture.supplyAsync(() -> get(token, ME).statusCode())).toList();
        assertEquals(List.of(401), answers.stream().map(CompletableFuture::join).distinct().toList());
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        assertTrue(TestProvider.timesRead() - read <= seconds + 2, () -> TestProvider.timesRead() - read + " times");
    }

    @Test
    void whileTheProviderIsAwayKnownTokensAndKnownKeysAreAccepted() {
        String known = TestProvider.token(subject(), UNCHANGED);
        get(known, ME).then().statusCode(200);
        String new1 = TestProvider.token(subject(), UNCHANGED);
        double failures = metric("dataset_oidc_keys_failures_total");
        TestProvider.goAway();
        try {
            get(known, ME).then().statusCode(200);
            get(new1, ME).then().statusCode(200);
            TestProvider.rotate();
            String undecided = TestProvider.token(subject(), UNCHANGED);
            Response refused = get(undecided, ME);
            assertEquals(
                    "{\"detail\":\"The keys of the provider of identities cannot be read now, so that this token cannot be"
                            + " verified. Try again later.\"}",
                    refused.asString());
            assertEquals(503, refused.statusCode());
            assertEquals("1", refused.header("Retry-After"));
            assertTrue(metric("dataset_oidc_keys_failures_total") > failures);
            assertTrue(metric("dataset_oidc_keys_age_seconds") > 0);
            get(known, ME).then().statusCode(200);
            assertEquals(200, admin().get(ME).statusCode());
            assertRefused("The Bearer token is of another issuer.",
                    TestProvider.token(subject(), claims -> claims.put("iss", "https://example.org")));
        } finally {
            TestProvider.comeBack();
        }
        get(TestProvider.token(subject(), UNCHANGED), ME).then().statusCode(200);
    }

    @Test
    void anAdminLinksASubjectToAnAccountAndBlocksIt() {
        String subject = subject();
        String token = TestProvider.token(subject, UNCHANGED);
        Caller account = Caller.account("owner " + subject);
        JsonObject link = new JsonObject().put("subject", subject).put("user", account.id()).put("right", "writer");
        long id = admin().post(IDENTITIES, link.encode()).then().statusCode(201)
                .body("issuer", equalTo(TestProvider.issuer()))
                .body("subject", equalTo(subject)).body("user", equalTo((int) account.id()))
                .body("right", equalTo("writer"))
                .body("blocked", equalTo(false)).extract().jsonPath().getLong("id");
        get(token, ME).then().body("id", equalTo((int) account.id())).body("username", equalTo(account.username()));
        post(token, Listing.PATH, new JsonObject()).then().statusCode(201);
        String made = post(token, Caller.TOKENS, new JsonObject().put("right", "writer")).then().statusCode(201)
                .extract().path("key");
        account.holding(made).get(ME).then().statusCode(200);

        admin().delete(IDENTITIES + id + '/').then().statusCode(204);
        account.holding(made).get(ME).then().statusCode(401);
        assertRefused("An administrator has blocked this identity.", token);
        assertRefused("An administrator has blocked this identity.", TestProvider.token(subject, UNCHANGED));

        // The claims decide again.
        admin().post(IDENTITIES, link.putNull("right").encode()).then().statusCode(201).body("right", nullValue())
                .body("id", equalTo((int) id));
        get(token, ME).then().body("id", equalTo((int) account.id()));
        post(token, Listing.PATH, new JsonObject()).then().statusCode(403);

        admin().get("/api/audit/?page_size=5").then().statusCode(200)
                .body("results.action", contains("identity.link", "identity.block", "token.create", "dataset.create",
                        "identity.link"))
                .body("results.identity", contains(null, null, (int) id, (int) id, null))
                .body("results[3].user", equalTo((int) account.id())).body("results[3].token", nullValue());
    }

    @Test
    void aLinkWithLessRightLowersTheTokensOfTheSubject() {
        String subject = subject();
        Caller account = Caller.account("owner " + subject);
        JsonObject link = new JsonObject().put("subject", subject).put("user", account.id()).put("right", "writer");
        admin().post(IDENTITIES, link.encode()).then().statusCode(201);
        Caller made = account.holding(post(TestProvider.token(subject, UNCHANGED), Caller.TOKENS,
                new JsonObject().put("right", "writer")).path("key"));
        made.post(Listing.PATH, "{}").then().statusCode(201);
        admin().post(IDENTITIES, link.put("right", "reader").encode()).then().statusCode(201);
        made.post(Listing.PATH, "{}").then().statusCode(403);
    }

    @Test
    void aLongPollIsRefusedWhenItsSubjectIsBlocked() {
        String subject = subject();
        String token = TestProvider.token(subject, UNCHANGED);
        long id = admin().post(IDENTITIES, new JsonObject().put("subject", subject)
                .put("user", Caller.account("poll " + subject).id()).encode()).jsonPath().getLong("id");
        CompletableFuture<Response> poll = CompletableFuture
                .supplyAsync(() -> get(token, Copy.CHANGES + "?workspace=987654321&wait=6&since=" + Instant.now()));
        Patience.await("the poll waits").until(() -> metric("dataset_changes_listeners") > 0);
        admin().delete(IDENTITIES + id + '/').then().statusCode(204);
        poll.join().then().statusCode(401).body("detail", equalTo("An administrator has blocked this identity."));
    }

    @Test
    void theDocumentsHaveTheAddressOfTheProvider() {
        for (String path : List.of("/q/openapi?format=json", "/stac/api")) {
            JsonObject document = anonymous().json(path);
            assertEquals("[{},{\"Token\":[]},{\"OpenIdConnect\":[]}]", document.getJsonArray("security").encode(),
                    path);
            assertEquals(TestProvider.issuer() + "/.well-known/openid-configuration",
                    document.getJsonObject("components")
                            .getJsonObject("securitySchemes").getJsonObject("OpenIdConnect")
                            .getString("openIdConnectUrl"));
        }
        assertTrue(anonymous().get("/q/openapi").asString().contains("- OpenIdConnect: []"));
    }

    @Test
    void onlyAdminsSeeIdentities() {
        String reader = TestProvider.token(subject(), UNCHANGED);
        get(reader, IDENTITIES).then().statusCode(403);
        anonymous().get(IDENTITIES).then().statusCode(401);
        anonymous().delete(IDENTITIES + "1/").then().statusCode(401);
        admin().get(IDENTITIES + "?page_size=1").then().statusCode(200).body("results", hasSize(1));
        admin().delete(IDENTITIES + "999999/").then().statusCode(404)
                .body("detail", equalTo("No Identity matches the given query."));
        String answer = admin().post(IDENTITIES, "{\"user\":999999,\"right\":\"owner\",\"subject\":\"\"}").then()
                .statusCode(400).extract().asString();
        assertTrue(answer.contains("Invalid pk") && answer.contains("right") && answer.contains("subject"), answer);
        assertFalse(admin().request().options(IDENTITIES).asString().isEmpty());
    }

    /** The platform has handlers of its own for identities. */
    @ParameterizedTest
    @ValueSource(strings = {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/dataset",
            "/back-channel-logout", "/q/oidc", "/logout", "/dataset"})
    void thePlatformAddsNoAddress(String path) {
        anonymous().get(path).then().statusCode(404);
        get(TestProvider.token(subject(), UNCHANGED), path).then().statusCode(404);
    }

    @Test
    void theAddressesOfThePlatformIgnoreTheHeader() {
        get("nothing", "/q/health/live").then().statusCode(200);
        get("nothing", "/q/openapi").then().statusCode(200);
    }
}
