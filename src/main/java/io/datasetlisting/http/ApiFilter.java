package io.datasetlisting.http;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.arc.All;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** What every answer under {@code /api/} has in common, before and whether or not a resource is found. */
@Singleton
public class ApiFilter {

    private static final String API = "/api/";

    /** Before the routes, after the platform's own filters. */
    private static final int PRIORITY = 10;

    private final Map<String, Endpoint> endpoints;
    private final HttpConfig config;

    public ApiFilter(@All List<Endpoint> endpoints, HttpConfig config) {
        this.endpoints = endpoints.stream().collect(Collectors.toMap(Endpoint::path, Function.identity()));
        this.config = config;
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, PRIORITY);
    }

    private void filter(RoutingContext context) {
        String path = context.normalizedPath();
        if (!path.startsWith(API)) {
            context.next();
            return;
        }
        HttpServerRequest request = context.request();
        HttpServerResponse response = context.response();
        response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        if (request.uri().length() > config.http().maxUriLength()) {
            Errors.send(context, 414, "Request address too long.");
            return;
        }
        Endpoint endpoint = endpoints.get(path);
        if (endpoint == null) {
            endpoint = endpoints.get(path + '/');
            if (endpoint != null && (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)) {
                response.setStatusCode(301).putHeader(HttpHeaders.LOCATION, location(endpoint, request.query())).end();
                return;
            }
        }
        if (endpoint != null) {
            response.putHeader(HttpHeaders.ALLOW, endpoint.allow());
        }
        context.addHeadersEndHandler(nothing -> withoutCharset(response));
        context.next();
    }

    /** RFC 8259: JSON is UTF-8 and has no charset parameter; the framework adds one all the same. */
    private static void withoutCharset(HttpServerResponse response) {
        if ("application/json;charset=UTF-8".equals(response.headers().get(HttpHeaders.CONTENT_TYPE))) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        }
    }

    /** The path with its slash and the query as it came; what a header can't carry is escaped. */
    private static String location(Endpoint endpoint, String query) {
        if (query == null) {
            return endpoint.path();
        }
        StringBuilder location = new StringBuilder(endpoint.path()).append('?');
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (c > ' ' && c < 0x7F) {
                location.append(c);
            } else {
                location.append(String.format("%%%02X", c & 0xFF));
            }
        }
        return location.toString();
    }
}
