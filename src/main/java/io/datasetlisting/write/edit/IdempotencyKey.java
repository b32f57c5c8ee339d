package io.datasetlisting.write.edit;

import io.datasetlisting.base.ApiException;
import io.vertx.core.http.HttpServerRequest;

/**
 * A client's key for one create, so that the client may send the request again.
 *
 * @param request
 *            the SHA-256 of the request
 */
public record IdempotencyKey(long account, String key, byte[] request) {

    private static final String HEADER = "Idempotency-Key";

    /**
     * The key in the header of a request; null without one.
     *
     * @throws ApiException
     *             400 for a malformed key
     */
    public static String of(HttpServerRequest request) {
        String key = request.getHeader(HEADER);
        if (key != null && !key.matches("[!-~]{1,255}")) {
            throw new ApiException(400, HEADER + " must be 1 to 255 printable ASCII characters.");
        }
        return key;
    }
}
