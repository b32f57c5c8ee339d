package io.datasetlisting.api;

import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.MediaTypes;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Adds the headers that all responses under {@code /api/} have in common. */
@Singleton
class ResponseHeaders {

    private final String vary;

    ResponseHeaders(CrossOrigin crossOrigin) {
        vary = "Accept, Accept-Encoding" + (crossOrigin.isOpen() ? ", Origin" : "");
    }

    void add(RoutingContext context) {
        HttpServerResponse response = context.response();
        vary(context);
        // A browser must not interpret a response as a page.
        response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        context.addHeadersEndHandler(nothing -> {
            exactContentType(context);
            addCacheControl(context.request(), response);
        });
        context.next();
    }

    void vary(RoutingContext context) {
        context.response().putHeader("Vary", vary);
    }

    /**
     * Removes the parameters of a media type, such as the charset that the platform adds: JSON is always UTF-8 (RFC 8259). A
     * success is never a problem, even for a client that accepts nothing else.
     */
    private static void exactContentType(RoutingContext context) {
        HttpServerResponse response = context.response();
        String type = response.headers().get("Content-Type");
        if (type == null) {
            return;
        }
        Endpoint endpoint = Endpoint.of(context);
        List<String> exact = response.getStatusCode() >= 400
                ? List.of(MediaTypes.PROBLEM_JSON)
                : endpoint == null ? List.of() : endpoint.renders();
        String best = MediaTypes.JSON;
        for (String candidate : exact) {
            if (type.startsWith(candidate)) {
                best = candidate;
            }
        }
        response.putHeader("Content-Type", best);
    }

    /** Caches must revalidate every response, because signed links expire. A response to a token is for its client alone. */
    private static void addCacheControl(HttpServerRequest request, HttpServerResponse response) {
        boolean read = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        if (read && (response.getStatusCode() == 200 || response.getStatusCode() == 304)) {
            response.putHeader("Cache-Control", (request.headers().contains("Authorization") ? "private" : "public")
                    + ", max-age=0, must-revalidate");
        }
    }
}
