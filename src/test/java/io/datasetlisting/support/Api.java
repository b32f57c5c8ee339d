package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.datasetlisting.openapi.DocumentCheck;
import io.datasetlisting.openapi.Exchange;
import io.vertx.core.json.JsonObject;

/**
 * Calls the API with an asynchronous client, for tests that send many requests at once.
 *
 * @param url
 *            without a trailing slash
 * @param token
 *            null for an anonymous caller
 */
public record Api(String url, String token) {

    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** An account as the API shows it. */
    public record Account(long id, String username, long workspace) {
    }

    public Api with(String otherToken) {
        return new Api(url, otherToken);
    }

    /**
     * @param body
     *            JSON unless the headers say otherwise, or null for none
     * @param headers
     *            names and values in turn
     */
    public CompletableFuture<HttpResponse<String>> send(String method, String path, Object body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).method(method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        if (body != null) {
            request.setHeader("Content-Type", "application/json");
        }
        if (token != null) {
            request.setHeader("Authorization", "Token " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(answer -> {
            DocumentCheck.check(Exchange.of(answer, answer.body().getBytes(StandardCharsets.UTF_8)));
            return answer;
        });
    }

    /** The response as bytes, which is not compared with the OpenAPI document: for tests that send thousands of requests. */
    public HttpResponse<byte[]> bytes(String path) {
        return bytes(HttpRequest.newBuilder(URI.create(url + path)));
    }

    /** The same for a body of JSON. */
    public HttpResponse<byte[]> bytes(String path, Object body) {
        return bytes(HttpRequest.newBuilder(URI.create(url + path)).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString())));
    }

    private HttpResponse<byte[]> bytes(HttpRequest.Builder request) {
        if (token != null) {
            request.setHeader("Authorization", "Token " + token);
        }
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofByteArray()).join();
    }

    public HttpResponse<String> call(String method, String path, Object body, String... headers) {
        return send(method, path, body, headers).join();
    }

    public HttpResponse<String> get(String path) {
        return call("GET", path, null);
    }

    /** The JSON of a response that must have status 200. */
    public JsonObject json(String path) {
        return json(200, get(path));
    }

    public static JsonObject json(int status, HttpResponse<String> answer) {
        assertEquals(status, answer.statusCode(), answer::body);
        return new JsonObject(answer.body());
    }

    /** Creates an account. The token must be an admin's. */
    public Account account(String username) {
        JsonObject account = json(201,
                call("POST", "/api/account/", new JsonObject().put("username", username)));
        return new Account(account.getLong("id"), username, account.getLong("workspace"));
    }

    /** The API with a new token of an account. The present token must be an admin's. */
    public Api as(Account account, String right) {
        return with(json(201, call("POST", "/api/token/",
                new JsonObject().put("user", account.id()).put("name", right).put("right", right))).getString("key"));
    }
}
