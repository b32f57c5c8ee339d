package io.datasetlisting.base;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An error of the contract: a status, and the sentence or the fields that the client receives. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 64;

    private final int status;
    private final ObjectNode fields;
    private final int retryAfter;
    private final String challenge;

    /**
     * @param detail
     *            the sentence that the client receives as {@code detail}
     */
    public ApiException(int status, String detail) {
        this(status, detail, null, 1);
    }

    private ApiException(int status, String detail, ObjectNode fields, int retryAfter) {
        this(status, detail, fields, retryAfter, "Token");
    }

    private ApiException(int status, String detail, ObjectNode fields, int retryAfter, String challenge) {
        // Without a stack trace, which is expensive and never logged.
        super(detail, null, false, false);
        this.status = status;
        this.fields = fields;
        this.retryAfter = retryAfter;
        this.challenge = challenge;
    }

    /** 503 for what the service, as it is configured, cannot do: a later request would get the same. */
    public static ApiException unable(String detail) {
        return new ApiException(503, detail, null, 0);
    }

    /** The start of a text from outside, for the sentence of an error. */
    public static String shorten(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    /** 404 for a path without an endpoint. */
    public static ApiException notFound() {
        return new ApiException(404, "Not found.");
    }

    /**
     * 404 for a row that does not exist, or that the caller may not see.
     *
     * @param type
     *            name of the type, {@code Dataset} for example
     */
    public static ApiException noSuch(String type) {
        return new ApiException(404, "No " + type + " matches the given query.");
    }

    /** 401 for a request that needs a token and has none. */
    public static ApiException unauthenticated() {
        return new ApiException(401, "Authentication credentials were not provided.");
    }

    /**
     * 401 for a Bearer token that is not accepted.
     *
     * @param detail
     *            without a quotation mark
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc6750#section-3">RFC 6750</a>
     */
    public static ApiException invalidBearer(String detail) {
        return new ApiException(401, detail, null, 1, challenge("Bearer", detail));
    }

    /**
     * 401 for a token of the service that has been valid.
     *
     * @param reason
     *            the description in the challenge, without a quotation mark
     */
    public static ApiException invalidToken(String detail, String reason) {
        return new ApiException(401, detail, null, 1, challenge("Token", reason));
    }

    private static String challenge(String scheme, String description) {
        return scheme + " error=\"invalid_token\", error_description=\"" + description + '"';
    }

    /** 403 for a caller with a valid token that lacks the right. */
    public static ApiException forbidden() {
        return new ApiException(403, "You do not have permission to perform this action.");
    }

    /**
     * 429 for a client that has exceeded its rate limit.
     *
     * @param retryAfter
     *            seconds until the next request may succeed
     */
    public static ApiException tooMany(int retryAfter) {
        return new ApiException(429, "Request was throttled. Expected available in " + retryAfter
                + (retryAfter == 1 ? " second." : " seconds."), null, retryAfter);
    }

    /**
     * 400 for invalid fields.
     *
     * @param fields
     *            the messages of each field, by name
     */
    public static ApiException invalid(ObjectNode fields) {
        return new ApiException(400, "Invalid input.", fields, 1);
    }

    public int status() {
        return status;
    }

    /** Seconds until a retry may succeed; 0 if none does. Sent only with 429 and 503. */
    public int retryAfter() {
        return retryAfter;
    }

    /** How a client may authenticate. Sent only with 401. */
    public String challenge() {
        return challenge;
    }

    /** The messages of each field, by name; null if there is only a detail. */
    public ObjectNode fields() {
        return fields;
    }

    /** The reason for readers: the messages of each field after its name, or the detail. */
    public List<String> sentences() {
        return sentences(getMessage(), fields);
    }

    public static List<String> sentences(String detail, ObjectNode fields) {
        if (fields == null) {
            return List.of(detail);
        }
        List<String> sentences = new ArrayList<>();
        fields.properties().forEach(field -> {
            for (JsonNode message : field.getValue()) {
                sentences.add(field.getKey() + ": " + message.asText());
            }
        });
        return sentences;
    }

    /** The reason as JSON: the messages of each field, or the detail. */
    public ObjectNode reason() {
        return fields != null ? fields : JsonNodeFactory.instance.objectNode().put("detail", getMessage());
    }
}
