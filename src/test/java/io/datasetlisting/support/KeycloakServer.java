package io.datasetlisting.support;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A Keycloak with the realms of {@code src/test/resources/keycloak}, in its own process. The build unpacks the program. */
public final class KeycloakServer implements AutoCloseable {

    /** The realm that the service trusts. */
    public static final String REALM = "datasets";
    /** The client of the pages, whose tokens are for the service. */
    public static final String PAGES = "dataset-pages";
    public static final String PASSWORD = "secret";
    public static final String AUDIENCE = "datasets";

    private static final Path PROGRAM = Path.of("target", "keycloak", "keycloak-26.4.0");
    private static final Path REALMS = Path.of("src", "test", "resources", "keycloak");
    private static final String ADMIN = "admin";
    /** It compiles itself at its first start. Other tests run at the same time. */
    private static final Duration START = Duration.ofMinutes(6);

    private final int port = FreePort.find();
    private final Path log = Path.of("target", "keycloak", "log");
    private final Process process;
    /** Of two keys with equal priorities the provider uses any one. */
    private int priority = 200;

    private KeycloakServer() throws IOException {
        Path imports = Files.createDirectories(PROGRAM.resolve(Path.of("data", "import")));
        try (Stream<Path> realms = Files.list(REALMS)) {
            for (Path realm : realms.toList()) {
                Files.write(imports.resolve(realm.getFileName()), Files.readAllBytes(realm));
            }
        }
        File script = PROGRAM.resolve(Path.of("bin", "kc.sh")).toFile();
        ProcessBuilder builder = new ProcessBuilder(
                List.of("sh", script.toString(), "start-dev", "--http-host=127.0.0.1",
                        "--http-port=" + port, "--db=dev-mem", "--import-realm"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of("KC_BOOTSTRAP_ADMIN_USERNAME", ADMIN, "KC_BOOTSTRAP_ADMIN_PASSWORD", PASSWORD,
                        "JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx384m",
                        "JAVA_OPTS_APPEND", "-XX:TieredStopAtLevel=1"));
        process = builder.start();
    }

    /** Starts a server and waits until it answers. */
    public static KeycloakServer start() throws IOException {
        KeycloakServer server = new KeycloakServer();
        Awaitility.await("Keycloak").pollInSameThread().pollInterval(Duration.ofMillis(500)).atMost(START)
                .ignoreExceptions().failFast(() -> assertTrue(server.process.isAlive(), server::log))
                .until(() -> given().get(server.issuer(REALM) + "/.well-known/openid-configuration")
                        .statusCode() == 200);
        return server;
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String address() {
        return "http://127.0.0.1:" + port;
    }

    public String issuer(String realm) {
        return address() + "/realms/" + realm;
    }

    /** A new access token of a user. */
    public String token(String user) {
        return tokens(REALM, PAGES, user).getString("access_token");
    }

    public String token(String realm, String client, String user) {
        return tokens(realm, client, user).getString("access_token");
    }

    /** The tokens of a user: {@code access_token}, {@code id_token}, {@code refresh_token}. */
    public JsonObject tokens(String realm, String client, String user) {
        Response answer = given().contentType("application/x-www-form-urlencoded").formParam("grant_type", "password")
                .formParam("client_id", client).formParam("username", user).formParam("password", PASSWORD)
                .formParam("scope", "openid").post(issuer(realm) + "/protocol/openid-connect/token");
        answer.then().statusCode(200);
        return new JsonObject(answer.asString());
    }

    /** The public keys of the realm. */
    public JsonArray keys() {
        return new JsonObject(given().get(issuer(REALM) + "/protocol/openid-connect/certs").asString())
                .getJsonArray("keys");
    }

    /** Makes a new key, which signs all tokens from now on. */
    public void rotate() {
        JsonObject config = new JsonObject(
                Map.of("priority", List.of(Integer.toString(priority++)), "enabled", List.of("true"), "active",
                        List.of("true"), "keySize", List.of("2048"), "algorithm", List.of("RS256")));
        given().header("Authorization", "Bearer " + token("master", "admin-cli", ADMIN)).contentType("application/json")
                .body(new JsonObject().put("name", "newer").put("providerId", "rsa-generated")
                        .put("providerType", "org.keycloak.keys.KeyProvider").put("config", config).encode())
                .post(address() + "/admin/realms/" + REALM + "/components").then().statusCode(201);
    }

    /** How many sessions a user has in a browser or by tokens. */
    public int sessions(String user) {
        return new JsonArray(ask("users/" + id(user) + "/sessions").asString()).size();
    }

    /** Takes a role of the realm from a user. */
    public void removeRole(String user, String role) {
        String definition = ask("roles/" + role).asString();
        admin().contentType("application/json").body('[' + definition + ']')
                .delete(address() + "/admin/realms/" + REALM + "/users/" + id(user) + "/role-mappings/realm").then()
                .statusCode(204);
    }

    public void disable(String user) {
        admin().contentType("application/json").body(new JsonObject().put("enabled", false).encode())
                .put(address() + "/admin/realms/" + REALM + "/users/" + id(user)).then().statusCode(204);
    }

    public void delete(String user) {
        admin().delete(address() + "/admin/realms/" + REALM + "/users/" + id(user)).then().statusCode(204);
    }

    /** The status with which the provider answers to a renewal. */
    public int statusOfRenewal(String refreshToken) {
        return given().contentType("application/x-www-form-urlencoded").formParam("grant_type", "refresh_token")
                .formParam("client_id", PAGES).formParam("refresh_token", refreshToken)
                .post(issuer(REALM) + "/protocol/openid-connect/token").statusCode();
    }

    private String id(String user) {
        return new JsonArray(ask("users?exact=true&username=" + user).asString()).getJsonObject(0).getString("id");
    }

    private Response ask(String path) {
        Response answer = admin().get(address() + "/admin/realms/" + REALM + '/' + path);
        answer.then().statusCode(200);
        return answer;
    }

    private RequestSpecification admin() {
        return given().header("Authorization", "Bearer " + token("master", "admin-cli", ADMIN));
    }

    /** A script of commands for the server at {@code id.example.org}, which ends at the first one that fails. */
    public String commands(String text) {
        return "set -e -o pipefail\nkcadm.sh() { sh " + PROGRAM.resolve(Path.of("bin", "kcadm.sh")).toAbsolutePath()
                + " \"$@\"; }\n" + text.replace("https://id.example.org", address());
    }

    /** Variables of such a script: passwords, and a folder for the session. */
    public Map<String, String> environmentOfCommands(Path folder) {
        return Map.of("KC_CLI_PASSWORD", PASSWORD, "PASSWORD", PASSWORD, "KC_OPTS", "-Duser.home=" + folder,
                "JAVA_HOME", System.getProperty("java.home"));
    }

    /** Ends the server. */
    @Override
    public void close() {
        // The script starts the server as another process.
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }
}
