package io.datasetlisting.access.account;

import io.datasetlisting.http.proxy.RequestId;
import io.vertx.ext.web.RoutingContext;

/**
 * The caller of a write, and the request by which it writes.
 *
 * @param requestId
 *            null for a write of the service itself
 */
public record Author(Caller caller, String requestId) {

    /** The service itself: the configuration, the sample data, a mirror. */
    public static final Author SERVICE = new Author(Caller.ANONYMOUS, null);

    public static Author of(RoutingContext context) {
        return new Author(Caller.of(context), RequestId.of(context));
    }
}
