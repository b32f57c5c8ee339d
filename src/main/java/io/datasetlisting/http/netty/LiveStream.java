package io.datasetlisting.http.netty;

import java.util.Map;

import io.vertx.core.http.HttpServerResponse;

/**
 * A response whose parts are worth something at the moment at which they are written: events, changes, the progress of an import.
 */
public final class LiveStream {

    /** The headers, which ask proxies to pass each part on at once: nginx would otherwise wait until a buffer is full. */
    public static final Map<String, String> HEADERS = Map.of("X-Accel-Buffering", "no", "Cache-Control",
            "no-cache, no-transform");

    private LiveStream() {
    }

    /** Adds the headers to a response. */
    public static void announce(HttpServerResponse response) {
        HEADERS.forEach(response::putHeader);
    }
}
