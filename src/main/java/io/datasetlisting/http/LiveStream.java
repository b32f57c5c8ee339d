package io.datasetlisting.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * A response whose parts are worth something at the moment at which they are written: events, changes, the progress of an import.
 */
public final class LiveStream {

    private LiveStream() {
    }

    /** Asks proxies to pass each part on at once: nginx would otherwise wait until a buffer is full. */
    public static void announce(HttpServerResponse response) {
        response.putHeader("X-Accel-Buffering", "no").putHeader(HttpHeaders.CACHE_CONTROL, "no-cache, no-transform");
    }
}
