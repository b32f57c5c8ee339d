package io.datasetlisting.api;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.PublicUrl;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Checks the address of a request, and finds its endpoint. */
@Singleton
class RequestTarget {

    private final Endpoints endpoints;
    private final PublicUrl publicUrl;
    private final int maxLength;

    RequestTarget(Endpoints endpoints, PublicUrl publicUrl, HttpConfig config) {
        this.endpoints = endpoints;
        this.publicUrl = publicUrl;
        maxLength = config.http().maxUriLength();
    }

    void checkLength(RoutingContext context) {
        if (isTooLong(context.request())) {
            Errors.send(context, 414);
        } else {
            context.next();
        }
    }

    private boolean isTooLong(HttpServerRequest request) {
        return request.uri().length() > maxLength;
    }

    /** Answers a request whose path has malformed percent escapes. */
    void refuseUndecodable(RoutingContext context) {
        Errors.send(context, isTooLong(context.request()) ? 414 : 400);
    }

    void checkHost(RoutingContext context) {
        if (!publicUrl.isAllowed(context.request())) {
            throw PublicUrl.invalidHost();
        }
        context.next();
    }

    void findEndpoint(RoutingContext context) {
        String path = context.normalizedPath();
        Endpoint endpoint = endpoints.find(path);
        if (endpoint == null) {
            endpoint = endpoints.find(path + '/');
            HttpServerRequest request = context.request();
            if (endpoint != null && (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)) {
                context.response().setStatusCode(301)
                        .putHeader("Location", location(path + '/', request.query())).end();
                return;
            }
        }
        if (endpoint != null) {
            context.response().putHeader("Allow", endpoint.allow());
            endpoint.on(context);
        }
        context.next();
    }

    /** The path and the query as sent, with characters escaped that a header cannot carry. */
    private static String location(String path, String query) {
        String address = query == null ? path : path + '?' + query;
        StringBuilder location = new StringBuilder(address.length());
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c > ' ' && c < 0x7F) {
                location.append(c);
            } else {
                location.append(String.format("%%%02X", c & 0xFF));
            }
        }
        return location.toString();
    }
}
