package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;

/** A provider of identities: a web server that publishes keys, and tokens that are signed with them. */
public class TestProvider implements QuarkusTestResourceLifecycleManager {

    public static final String AUDIENCE = "datasets";

    private static final List<RsaJsonWebKey> KEYS = new CopyOnWriteArrayList<>();
    private static final AtomicInteger READ = new AtomicInteger();

    private static HttpServer server;
    private static int port;

    public static String issuer() {
        return "http://127.0.0.1:" + port;
    }

    /** How often the keys have been read. */
    public static int timesRead() {
        return READ.get();
    }

    /** The newest key, which signs tokens. */
    public static RsaJsonWebKey key() {
        return KEYS.get(KEYS.size() - 1);
    }

    /** Makes a new key. Older keys stay valid. */
    public static RsaJsonWebKey rotate() {
        KEYS.add(newKey("key-" + KEYS.size()));
        return key();
    }

    /** The provider publishes a key no longer. */
    public static void withdraw(RsaJsonWebKey key) {
        KEYS.remove(key);
    }

    /** A key that the provider does not publish. */
    public static RsaJsonWebKey newKey(String id) {
        try {
            RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
            key.setKeyId(id);
            return key;
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token of a subject that is valid for some minutes, with other claims. */
    public static String token(String subject, Consumer<JsonObject> change) {
        return token(subject, change, key(), "RS256");
    }

    public static String token(String subject, Consumer<JsonObject> change, JsonWebKey key, String algorithm) {
        long now = Instant.now().getEpochSecond();
        JsonObject claims = new JsonObject().put("iss", issuer()).put("sub", subject).put("aud", AUDIENCE)
                .put("iat", now - 60).put("exp", now + 300).put("typ", "Bearer").put("preferred_username", subject)
                .put("azp", "a-client");
        change.accept(claims);
        return sign(claims, key, algorithm);
    }

    private static String sign(JsonObject claims, JsonWebKey key, String algorithm) {
        JsonWebSignature jws = new JsonWebSignature();
        jws.setPayload(claims.encode());
        jws.setAlgorithmHeaderValue(algorithm);
        jws.setKeyIdHeaderValue(key.getKeyId());
        jws.setKey(key instanceof RsaJsonWebKey rsa ? rsa.getRsaPrivateKey() : key.getKey());
        jws.setDoKeyValidation(false);
        try {
            return jws.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends the server, as a provider that is away. */
    public static void goAway() {
        server.stop(0);
    }

    /** Starts the server again, at the same address. */
    public static void comeBack() {
        serve();
    }

    private static void serve() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        port = server.getAddress().getPort();
        answer("/.well-known/openid-configuration", () -> new JsonObject(Map.of("issuer", issuer(), "jwks_uri",
                issuer() + "/keys", "authorization_endpoint", issuer() + "/authorize", "token_endpoint",
                issuer() + "/token", "userinfo_endpoint", issuer() + "/user", "introspection_endpoint",
                issuer() + "/introspect")).encode());
        answer("/keys", () -> {
            READ.incrementAndGet();
            return new JsonWebKeySet(KEYS).toJson();
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    private static void answer(String path, java.util.function.Supplier<String> json) {
        server.createContext(path, exchange -> {
            byte[] body = json.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @Override
    public Map<String, String> start() {
        KEYS.clear();
        rotate();
        port = 0;
        serve();
        return Map.of("dataset.oidc.issuer", issuer(), "dataset.oidc.audience", AUDIENCE, "dataset.oidc.client-id",
                "pages",
                "dataset.oidc.create-accounts", "true", "dataset.oidc.rights.admin", "dataset-admin",
                "dataset.oidc.rights.writer",
                "dataset-writer,another",
                "dataset.oidc.clients", "a-client,pages");
    }

    @Override
    public void stop() {
        server.stop(0);
    }

    /** Reads with a Bearer token. */
    public static Response get(String token, String path) {
        return bearer(token).get(path);
    }

    /** Sends JSON with a Bearer token. */
    public static Response post(String token, String path, JsonObject body) {
        return bearer(token).contentType(Caller.JSON).body(body.encode()).post(path);
    }

    private static RequestSpecification bearer(String token) {
        return Caller.anonymous().request().header("Authorization", "Bearer " + token);
    }
}
