package io.datasetlisting.access.identity;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Commands;
import io.datasetlisting.support.KeycloakServer;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.ServiceProcess;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests the package with a Keycloak: tokens, accounts, keys, an absence of the provider, and the sign-in of the pages. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KeycloakIT {

    private static final String ME = Caller.ACCOUNTS + "me/";
    private static final String IDENTITIES = "/api/identity/";
    private static final int LAST = 100;
    /** What the service promises for a change by another instance. */
    private static final Duration REVOCATION = Duration.ofSeconds(5);

    private static EmbeddedPostgres postgres;
    private static KeycloakServer keycloak;
    private static ServiceProcess service;
    private static final List<String> SENT = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.start();
        keycloak = KeycloakServer.start();
        service = service("-Ddataset.oidc.create-accounts=true").use();
    }

    private static ServiceProcess service(String... properties) throws IOException {
        List<String> all = new ArrayList<>(List.of("-Ddataset.admin-token=" + admin().key(),
                "-Ddataset.oidc.issuer=" + keycloak.issuer(KeycloakServer.REALM),
                "-Ddataset.oidc.audience=" + KeycloakServer.AUDIENCE,
                "-Ddataset.oidc.client-id=" + KeycloakServer.PAGES,
                "-Ddataset.oidc.rights.admin=dataset-admin", "-Ddataset.oidc.rights.writer=dataset-writer",
                "-Ddataset.oidc.leeway=PT2S"));
        all.addAll(Arrays.asList(properties));
        return ServiceProcess.start(postgres.getPort() + "/postgres", all.toArray(String[]::new));
    }

    @AfterAll
    static void stop() throws IOException {
        if (service != null) {
            service.close();
        }
        if (keycloak != null) {
            keycloak.close();
        }
        postgres.close();
    }

    private static Response get(String token, String path) {
        SENT.add(token);
        return anonymous().request().header("Authorization", "Bearer " + token).get(path);
    }

    private static Response post(String token, String path, String json) {
        SENT.add(token);
        return anonymous().request().header("Authorization", "Bearer " + token).contentType(Caller.JSON).body(json)
                .post(path);
    }

    private static void assertRefused(String detail, String token) {
        get(token, Listing.PATH).then().statusCode(401).body("detail", equalTo(detail)).header("WWW-Authenticate",
                "Bearer error=\"invalid_token\", error_description=\"" + detail + "\"");
    }

    @Test
    @Order(1)
    void theClaimGivesTheRightOfANewAccount() {
        anonymous().get(ME).then().statusCode(401);
        for (String user : List.of("rita", "will", "ada")) {
            String token = keycloak.token(user);
            get(token, ME).then().statusCode(200).body("username", equalTo(user));
            get(token, Listing.PATH).then().statusCode(200);
            get(token, Caller.ACCOUNTS).then().statusCode(user.equals("ada") ? 200 : 403);
            post(token, Listing.PATH,
                    "{\"dataset_name\":\"of " + user + "\",\"is_private\":true,\"coordinates\":[1,2]}").then()
                    .statusCode(user.equals("rita") ? 403 : 201);
        }
        // The owner of a private dataset sees it, and an admin sees all.
        assertEquals(1, get(keycloak.token("will"), Listing.PATH).jsonPath().getInt("count"));
        assertEquals(2, get(keycloak.token("ada"), Listing.PATH).jsonPath().getInt("count"));
        assertEquals(0, get(keycloak.token("rita"), Listing.PATH).jsonPath().getInt("count"));
    }

    @Test
    @Order(2)
    void aSubjectWithTheNameOfAnotherAccountGetsAnotherName() {
        get(keycloak.token("operator"), ME).then().statusCode(200).body("username",
                matchesPattern("operator-[0-9a-f]{8}"));
        assertEquals("operator", admin().get(ME).path("username"));
    }

    @Test
    @Order(3)
    void tokensOfOthersAndForOthersAreRefused() {
        assertRefused("The Bearer token is of another issuer.", keycloak.token("foreign", KeycloakServer.PAGES, "ada"));
        assertRefused("The Bearer token is not for this service.",
                keycloak.token(KeycloakServer.REALM, "another-service", "ada"));
        JsonObject tokens = keycloak.tokens(KeycloakServer.REALM, KeycloakServer.PAGES, "ada");
        assertRefused("The Bearer token is not an access token.", tokens.getString("id_token"));
        assertRefused("The signature algorithm of the Bearer token is not accepted.",
                tokens.getString("refresh_token"));
    }

    @Test
    @Order(4)
    void forgedTokensAreRefused() throws Exception {
        String[] good = keycloak.token("ada").split("\\.");
        String kid = new JsonObject(new String(Base64.getUrlDecoder().decode(good[0]), StandardCharsets.UTF_8))
                .getString("kid");
        String unsigned = base64("{\"alg\":\"none\",\"kid\":\"" + kid + "\"}") + '.' + good[1] + '.';
        assertRefused("The signature algorithm of the Bearer token is not accepted.", unsigned);
        JsonObject key = keycloak.keys().stream().map(JsonObject.class::cast)
                .filter(each -> kid.equals(each.getString("kid")))
                .findFirst().orElseThrow();
        PublicKey published = KeyFactory.getInstance("RSA").generatePublic(
                new RSAPublicKeySpec(number(key.getString("n")), number(key.getString("e"))));
        String signed = base64("{\"alg\":\"HS256\",\"kid\":\"" + kid + "\"}") + '.' + good[1];
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(published.getEncoded(), "HmacSHA256"));
        assertRefused("The signature algorithm of the Bearer token is not accepted.",
                signed + '.' + Base64.getUrlEncoder()
                        .withoutPadding().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII))));
        String payload = new String(Base64.getUrlDecoder().decode(keycloak.token("rita").split("\\.")[1]),
                StandardCharsets.UTF_8).replace("\"preferred_username\":\"rita\"", "\"preferred_username\":\"ada\"");
        assertRefused("The signature of the Bearer token is wrong, or a claim is missing.",
                good[0] + '.' + base64(payload) + '.' + good[2]);
    }

    private static BigInteger number(String base64) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(base64));
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Order(5)
    void aTokenIsValidUntilItsEndAndTheLeeway() {
        String token = keycloak.token(KeycloakServer.REALM, "short-lived", "rita");
        Response first = get(token, ME);
        assertTrue(first.statusCode() == 200, first.asString());
        Patience.await("the end of the token").until(() -> get(token, ME).statusCode() == 401);
        assertRefused("The Bearer token has expired.", token);
    }

    @Test
    @Order(6)
    void aNewKeyOfTheProviderIsKnownAtOnce() {
        String before = keycloak.token("rita");
        get(before, ME).then().statusCode(200);
        keycloak.rotate();
        String after = keycloak.token("rita");
        assertFalse(after.split("\\.")[0].equals(before.split("\\.")[0]));
        get(after, ME).then().statusCode(200);
        get(before, ME).then().statusCode(200);
    }

    @Test
    @Order(7)
    void anIdentityThatIsBlockedAtOneInstanceIsBlockedAtAll() throws IOException {
        String token = keycloak.token("will");
        get(token, ME).then().statusCode(200);
        try (ServiceProcess other = service("-Ddataset.oidc.create-accounts=false")) {
            String address = other.url() + ME;
            anonymous().request().header("Authorization", "Bearer " + token).get(address).then().statusCode(200);
            int will = get(token, ME).path("id");
            List<JsonObject> identities = admin().get(IDENTITIES + "?page_size=100")
                    .jsonPath().<java.util.Map<String, Object>>getList(
                            "results")
                    .stream().map(JsonObject::new).toList();
            long id = identities.stream().filter(each -> each.getInteger("user") == will).findFirst().orElseThrow()
                    .getLong("id");
            admin().delete(IDENTITIES + id + '/').then().statusCode(204);
            long start = System.nanoTime();
            assertRefused("An administrator has blocked this identity.", token);
            Patience.await("the other instance").until(() -> anonymous().request()
                    .header("Authorization", "Bearer " + token).get(address).statusCode() == 401);
            assertTrue(Duration.ofNanos(System.nanoTime() - start).compareTo(REVOCATION) < 0);
            JsonObject identity = identities.stream().filter(each -> each.getLong("id") == id).findFirst()
                    .orElseThrow();
            admin().post(IDENTITIES,
                    new JsonObject().put("subject", identity.getString("subject")).put("user", will).encode())
                    .then().statusCode(201).body("right", nullValue());
            get(token, ME).then().statusCode(200);
        }
        service.use();
    }

    @Test
    @Order(8)
    void withoutCreateAccountsAnAdminLinksASubject() throws Exception {
        EmbeddedPostgres empty = EmbeddedPostgres.start();
        try (ServiceProcess strict = ServiceProcess.start(empty.getPort() + "/postgres",
                "-Ddataset.admin-token=" + admin().key(),
                "-Ddataset.oidc.issuer=" + keycloak.issuer(KeycloakServer.REALM),
                "-Ddataset.oidc.audience=" + KeycloakServer.AUDIENCE)) {
            strict.use();
            String token = keycloak.token("ada");
            String detail = get(token, Listing.PATH).then().statusCode(403).extract().path("detail");
            String subject = detail.replaceFirst(".* subject (\\S+) to .*", "$1");
            Caller account = Caller.account("Ada");
            admin().post(IDENTITIES,
                    new JsonObject().put("subject", subject).put("user", account.id()).put("right", "writer")
                            .encode())
                    .then().statusCode(201);
            get(token, ME).then().statusCode(200).body("username", equalTo("Ada")).body("id",
                    equalTo((int) account.id()));
            post(token, Listing.PATH, "{}").then().statusCode(201);
            // The claim says admin, and the link says writer.
            get(token, Caller.ACCOUNTS).then().statusCode(403);
            assertEquals(2, admin().get(Caller.ACCOUNTS).jsonPath().getInt("count"));
        } finally {
            empty.close();
        }
        service.use();
    }

    @Test
    @Order(9)
    void readersSignInInTheirBrowser() throws IOException {
        int before = keycloak.sessions("ada");
        try (Browser browser = Browser.start()) {
            browser.openPage(service.url().resolve("/datasets/"));
            signIn(browser, true);
            browser.await("document.querySelector('#account').textContent === 'ada'");
            browser.await("!document.querySelector('#sign-in-dialog').open");
            browser.await("document.querySelector('#notice').textContent === 'You are signed in as ada.'");
            // The list shows private datasets, which anonymous readers do not see.
            browser.await("document.querySelectorAll('ol.datasets > li').length === 2");
            assertEquals(0L, browser.read("sessionStorage.length + localStorage.length"));
            assertEquals("", browser.read("document.cookie"));

            // After a reload the provider knows the reader.
            browser.openPage(service.url().resolve("/datasets/"));
            assertEquals("", browser.read("document.querySelector('#account').textContent"));
            signIn(browser, false);
            browser.await("document.querySelector('#account').textContent === 'ada'");
            browser.click("#sign-in");
            browser.await("document.querySelector('#account').textContent === ''");
            browser.await("document.querySelector('#notice').textContent === 'You are signed out.'");
            Patience.await("the end of the session at the provider").until(() -> keycloak.sessions("ada") == before);
            // The next reader of this computer is not the first one.
            signIn(browser, true);
            browser.await("document.querySelector('#account').textContent === 'ada'");
            // A browser that opens no window: the reader stays signed in at the provider, and is told so.
            browser.read("void (window.open = () => null)");
            browser.click("#sign-in");
            browser.await("document.querySelector('#account').textContent === ''");
            browser.await("document.querySelector('#notice').textContent.includes('still signed in')");
            assertEquals(before + 1, keycloak.sessions("ada"));
            assertNull(browser.read("sessionStorage.getItem('dataset-token')"));
        }
    }

    private static void signIn(Browser browser, boolean asksForPassword) {
        browser.click("#sign-in");
        browser.click("#provider");
        if (asksForPassword) {
            String page = browser.enterOtherWindow("#username");
            browser.find("#username").sendKeys("ada");
            browser.find("#password").sendKeys(KeycloakServer.PASSWORD, Keys.ENTER);
            browser.returnTo(page);
        }
    }

    /** The commands of the operator's document, in this order. */
    @Test
    @Order(LAST - 2)
    void theCommandsOfTheDocumentMakeARealmAPersonAndAProgram(@TempDir Path folder) throws Exception {
        List<String> blocks = Commands.blocks(Path.of("docs", "operations.md")).stream()
                .filter(block -> block.contains("kcadm.sh")).toList();
        Program bash = new Program(Program.find("bash").toPath(), folder, keycloak.environmentOfCommands(folder));
        String made = bash.run("-c", keycloak.commands(blocks.get(0)) + "\nenv");
        Map<String, String> environment = made.lines().filter(line -> line.startsWith("DATASET_OIDC_"))
                .collect(Collectors.toMap(line -> line.replaceFirst("=.*", ""),
                        line -> line.replaceFirst("^[^=]*=", "")));
        assertEquals(6, environment.size(), made);
        keycloak.token("house", "admin-cli", "ada");
        try (ServiceProcess house = ServiceProcess.start(environment, postgres.getPort() + "/postgres")) {
            String written = bash.run("-c", keycloak.commands(blocks.get(1))
                    .replace("https://data.example.org", house.url().toString()));
            assertTrue(written.contains("\"dataset_name\":\"Harvested\""), written);
            assertTrue(written.contains("\"username\":\"service-account-harvester\""), written);
        } finally {
            service.use();
        }
    }

    /** No later test needs these users. */
    @Test
    @Order(LAST - 1)
    void anOwnTokenEndsWithTheRightAndTheStayOfItsOwnerAtTheProvider() throws Exception {
        String own = made(keycloak.token("will"), "writer");
        anonymous().holding(own).post(Listing.PATH, "{}").then().statusCode(201);
        keycloak.removeRole("will", "dataset-writer");
        anonymous().holding(own).post(Listing.PATH, "{}").then().statusCode(201);
        // The next token of the provider says what has changed, at each instance.
        get(keycloak.token("will"), ME).then().statusCode(200);
        Patience.await("the right is that of the claims").atMost(REVOCATION)
                .until(() -> anonymous().holding(own).post(Listing.PATH, "{}").statusCode() == 403);
        anonymous().holding(own).get(ME).then().statusCode(200);

        JsonObject session = keycloak.tokens(KeycloakServer.REALM, KeycloakServer.PAGES, "will");
        String disabled = made(session.getString("access_token"), "reader");
        String deleted = made(keycloak.token("operator"), "reader");
        keycloak.disable("will");
        keycloak.delete("operator");
        assertEquals(400, keycloak.statusOfRenewal(session.getString("refresh_token")));
        // The service cannot know. Who is not seen again within the interval has left.
        anonymous().holding(disabled).get(ME).then().statusCode(200);
        anonymous().holding(deleted).get(ME).then().statusCode(200);
        service.stopInOrder();
        service = service("-Ddataset.tokens.seen-within=PT1S").use();
        for (String key : List.of(disabled, deleted)) {
            Patience.await("the interval has passed").until(() -> anonymous().holding(key).get(ME).statusCode() == 401);
            anonymous().holding(key).get(ME).then().header("WWW-Authenticate", "Token error=\"invalid_token\","
                    + " error_description=\"The identity that made the token has not signed in for too long.\"");
        }
    }

    private static String made(String bearer, String right) {
        return post(bearer, Caller.TOKENS, "{\"right\":\"" + right + "\"}").then().statusCode(201).extract()
                .path("key");
    }

    @Test
    @Order(LAST)
    void whileTheProviderIsAwayTheTokensThatAreKnownAreAccepted() {
        String known = keycloak.token("ada");
        get(known, ME).then().statusCode(200);
        String ofAKnownKey = keycloak.token("rita");
        keycloak.rotate();
        String ofANewKey = keycloak.token("ada");
        keycloak.close();
        get(known, ME).then().statusCode(200);
        get(ofAKnownKey, ME).then().statusCode(200);
        get(ofANewKey, ME).then().statusCode(503).header("Retry-After", "1").body("detail",
                equalTo("The keys of the provider of identities cannot be read now, so that this token cannot be verified."
                        + " Try again later."));
        admin().get(ME).then().statusCode(200);
        get(known, Listing.PATH).then().statusCode(200);
        anonymous().get(Listing.PATH).then().statusCode(200);
        admin().get(IDENTITIES + "?page_size=100").then().body("results.issuer",
                hasItem(keycloak.issuer(KeycloakServer.REALM)));
    }

    @Test
    @Order(LAST + 1)
    void theServiceStartsWithoutTheProviderAndLogsNoToken() throws Exception {
        // The newest one: the first one may have ended.
        String token = SENT.get(SENT.size() - 1);
        try (ServiceProcess lonely = service("-Dquarkus.log.category.\"io.datasetlisting\".level=DEBUG").use()) {
            get(token, ME).then().statusCode(503);
            anonymous().get(Listing.PATH).then().statusCode(200);
            admin().get(ME).then().statusCode(200);
            lonely.stop().awaitExit();
            assertNoToken(lonely.log());
            assertEquals(1,
                    lonely.log().lines().filter(line -> line.contains(" WARN ") && line.contains("io.dat.acc.ide"))
                            .count(),
                    lonely::log);
            assertFalse(lonely.log().contains("WARN  [io.qua.oid"), lonely::log);
        }
        service.stop().awaitExit();
        assertNoToken(service.log());
    }

    private static void assertNoToken(String log) {
        for (String token : SENT) {
            for (String part : token.split("\\.")) {
                assertFalse(part.length() > 20 && log.contains(part), () -> part + " is in " + log);
            }
        }
    }
}
