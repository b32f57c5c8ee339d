package io.datasetlisting.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An answer other than success. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final ObjectNode fields;
    private final int retryAfter;

    /**
     * @param detail
     *            the sentence that the client reads under {@code detail}
     */
    public ApiException(int status, String detail) {
        this(status, detail, null, 1);
    }

    private ApiException(int status, String detail, ObjectNode fields, int retryAfter) {
        // Part of the normal course of a request: nobody reads its stack.
        super(detail, null, false, false);
        this.status = status;
        this.fields = fields;
        this.retryAfter = retryAfter;
    }

    /** 404 for an address that leads nowhere. */
    public static ApiException notFound() {
        return new ApiException(404, "Not found.");
    }

    /**
     * 404 for a row that is not there, or not for the caller.
     *
     * @param type
     *            what it would have been, {@code Dataset} for example
     */
    public static ApiException noSuch(String type) {
        return new ApiException(404, "No " + type + " matches the given query.");
    }

    /** 403 for a caller who is known, and may not. */
    public static ApiException forbidden() {
        return new ApiException(403, "You do not have permission to perform this action.");
    }

    /**
     * 429 for a client that asks too often.
     *
     * @param retryAfter
     *            seconds until it may ask again
     */
    public static ApiException tooMany(int retryAfter) {
        return new ApiException(429, "Request was throttled. Expected available in " + retryAfter
                + (retryAfter == 1 ? " second." : " seconds."), null, retryAfter);
    }

    /**
     * 400 for a body whose fields are wrong.
     *
     * @param fields
     *            what is wrong with each, by name
     */
    public static ApiException invalid(ObjectNode fields) {
        return new ApiException(400, "Invalid input.", fields, 1);
    }

    public int status() {
        return status;
    }

    /** Seconds after which it may be worth trying again, where the status says that it is. */
    int retryAfter() {
        return retryAfter;
    }

    /** What is wrong with each field, by name; null where the detail says it all. */
    ObjectNode fields() {
        return fields;
    }

    /** What is wrong: the fields by name, or the detail. */
    public ObjectNode reason() {
        return fields != null ? fields : JsonNodeFactory.instance.objectNode().put("detail", getMessage());
    }
}
