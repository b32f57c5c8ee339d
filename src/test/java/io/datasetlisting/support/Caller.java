package io.datasetlisting.support;

import static io.restassured.config.EncoderConfig.encoderConfig;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.datasetlisting.dataset.Dataset;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;

/**
 * Calls the API as the holder of a token, or anonymously.
 *
 * @param id
 *            of the account, -1 for an anonymous caller
 * @param key
 *            null without a token
 */
public record Caller(long id, String username, long workspace, String key) {

    public static final String ACCOUNTS = "/api/account/";
    public static final String TOKENS = "/api/token/";
    public static final String JSON = "application/json";

    private static final String ADMIN_KEY = "test-admin-token";

    public static Caller anonymous() {
        return new Caller(-1, null, -1, null);
    }

    /** The holder of the admin token in the configuration of the tests. */
    public static Caller admin() {
        return new Caller(0, "operator", -1, ADMIN_KEY);
    }

    /** The holder of a new account and of a token that may write. */
    public static Caller writer(String username) {
        return account(username).token("writer");
    }

    /** The holder of a new account and of a token that may only read. */
    public static Caller reader(String username) {
        return account(username).token("reader");
    }

    /** A new account, without a token. */
    public static Caller account(String username) {
        Response created = admin().post(ACCOUNTS, new JsonObject().put("username", username).encode());
        created.then().statusCode(201);
        JsonObject account = new JsonObject(created.asString());
        return new Caller(account.getLong("id"), username, account.getLong("workspace"), null);
    }

    /** The account of a dataset's owner, without a token. */
    public static Caller existing(long id, String username) {
        return new Caller(id, username, -1, null);
    }

    /** The account of {@link Catalogue#OWNER}, without a token. */
    public static Caller owner() {
        return existing(Catalogue.OWNER.id(), Catalogue.OWNER.username());
    }

    /** The owner of a private dataset that is listed, with a token that may only read. */
    public static Caller privateOwner(List<Dataset> datasets) {
        Dataset dataset = datasets.stream().filter(d -> d.isPrivate && !d.isDeleted && d.coordinates != null)
                .findFirst().orElseThrow();
        return existing(dataset.ownerId, dataset.ownerName).token("reader");
    }

    /** The same account with a new token. */
    public Caller token(String right) {
        return holding(new JsonObject(admin().newToken(this, right, null).asString()).getString("key"));
    }

    /** The same account with another key. */
    public Caller holding(String otherKey) {
        return new Caller(id, username, workspace, otherKey);
    }

    /** The response to a request for a token, which must succeed. */
    public Response newToken(Caller account, String right, String expires) {
        Response created = post(TOKENS, new JsonObject().put("user", account.id).put("name", "of a test")
                .put("right", right).put("expires", expires).encode());
        created.then().statusCode(201);
        return created;
    }

    /** Creates a dataset, and returns its id. The request must succeed. */
    public long create(String json) {
        Response created = post(Listing.PATH, json);
        created.then().statusCode(201);
        return new JsonObject(created.asString()).getLong("id");
    }

    /** Whether the listings of the caller have a dataset. */
    public boolean lists(Dataset d) {
        return !d.isDeleted && d.coordinates != null && (!d.isPrivate || id == 0 || d.ownerId == id);
    }

    /** The account as datasets name their owner. */
    public String user() {
        return username + ' ' + id;
    }

    /** A client that sends bodies and media types unchanged, and does not decompress responses. */
    public RequestSpecification request() {
        RequestSpecification request = Listing.client()
                .config(Listing.config()
                        .encoderConfig(encoderConfig().appendDefaultContentCharsetToContentTypeIfUndefined(false)
                                .encodeContentTypeAs("multipart/form-data", ContentType.BINARY)
                                .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.BINARY)));
        return key == null ? request : request.header("Authorization", "Token " + key);
    }

    public Response get(String path) {
        return request().get(path);
    }

    /** The JSON of a response that must have status 200. */
    public JsonObject json(String path) {
        return Listing.ok(get(path));
    }

    public Response delete(String path) {
        return request().delete(path);
    }

    public Response post(String path, String json) {
        return send("POST", path, JSON, json);
    }

    public Response patch(String path, String json) {
        return send("PATCH", path, JSON, json);
    }

    public Response send(String method, String path, String contentType, String body) {
        return send(method, path, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    public Response send(String method, String path, String contentType, byte[] body) {
        return request().contentType(contentType).body(body).request(method, path);
    }
}
