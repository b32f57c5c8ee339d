package io.datasetlisting.api;

import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.MediaTypes;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Adds the headers that all responses under {@code /api/} and {@code /stac} have in common. */
@Singleton
class ResponseHeaders {

    private final String vary;

    ResponseHeaders(CrossOrigin crossOrigin) {
        vary = "Accept, Accept-Encoding" + (crossOrigin.isOpen() ? ", Origin" : "");
    }

    /** Handler that sets the headers, some of them when the response begins. */
    void add(RoutingContext context) {
        HttpServerResponse response = context.response();
        setVary(context);
        // A browser must not interpret a response as a page.
        response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        context.addHeadersEndHandler(nothing -> {
            setExactContentType(context);
            setCacheControl(context.request(), response);
        });
        context.next();
    }

    /** Sets {@code Vary}, also on the response to a request that reaches no route. */
    void setVary(RoutingContext context) {
        context.response().putHeader("Vary", vary);
    }

    /**
     * Removes the parameters of a media type, such as the charset that the platform adds: JSON is always UTF-8 (RFC 8259). A
     * successful response never has the media type of a problem, even for a client that accepts no other.
     */
    private static void setExactContentType(RoutingContext context) {
        HttpServerResponse response = context.response();
        String type = response.headers().get("Content-Type");
        if (type == null) {
            return;
        }
        Endpoint endpoint = Endpoint.of(context);
        List<String> candidates = response.getStatusCode() >= 400
                ? List.of(MediaTypes.PROBLEM_JSON)
                : endpoint == null ? List.of() : endpoint.renders();
        String exact = MediaTypes.JSON;
        for (String candidate : candidates) {
            if (type.startsWith(candidate)) {
                exact = candidate;
            }
        }
        response.putHeader("Content-Type", exact);
    }

    /**
     * Caches must revalidate every response, because signed links expire. Shared caches must not store a response to a token. A resource
     * may set another lifetime.
     */
    private static void setCacheControl(HttpServerRequest request, HttpServerResponse response) {
        boolean isRead = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        if (isRead && !response.headers().contains("Cache-Control")
                && (response.getStatusCode() == 200 || response.getStatusCode() == 304)) {
            response.putHeader("Cache-Control", (request.headers().contains("Authorization") ? "private" : "public")
                    + ", max-age=0, must-revalidate");
        }
    }
}
