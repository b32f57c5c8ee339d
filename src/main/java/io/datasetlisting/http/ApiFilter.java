package io.datasetlisting.http;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.quarkus.arc.All;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** What every answer under {@code /api/} has in common, before and whether or not a resource is found. */
@Singleton
public class ApiFilter {

    private static final Logger LOG = Logger.getLogger(ApiFilter.class);

    private static final String API = "/api/*";
    private static final int BEFORE_THE_RESOURCES = -10;

    private final Map<String, Endpoint> endpoints;
    private final HttpConfig config;

    public ApiFilter(@All List<Endpoint> endpoints, HttpConfig config) {
        this.endpoints = endpoints.stream().collect(Collectors.toMap(Endpoint::path, Function.identity()));
        this.config = config;
    }

    void register(@Observes Router router) {
        router.route(API).order(BEFORE_THE_RESOURCES).handler(this::filter).failureHandler(this::failure);
        // A path that can't be decoded reaches no route at all.
        router.errorHandler(400, context -> failure(context, 400));
    }

    private void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        HttpServerResponse response = context.response();
        response.putHeader("Vary", "Accept");
        acceptJson(request);
        if (request.uri().length() > config.http().maxUriLength()) {
            Errors.send(context, 414);
            return;
        }
        String path = context.normalizedPath();
        Endpoint endpoint = endpoints.get(path);
        if (endpoint == null) {
            endpoint = endpoints.get(path + '/');
            if (endpoint != null && (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)) {
                response.setStatusCode(301).putHeader("Location", location(endpoint, request.query())).end();
                return;
            }
        }
        if (endpoint != null) {
            response.putHeader("Allow", endpoint.allow());
        }
        context.addHeadersEndHandler(nothing -> exactContentType(response));
        context.next();
    }

    /**
     * JSON is UTF-8 and has no charset parameter (RFC 8259), but the framework adds one, and other words of the
     * request's {@code Accept} header; and a success is no problem, even for a client that accepts nothing else.
     */
    private static void exactContentType(HttpServerResponse response) {
        String type = response.headers().get("Content-Type");
        if (type != null) {
            response.putHeader("Content-Type", response.getStatusCode() >= 400 && type.startsWith(Errors.PROBLEM_JSON)
                    ? Errors.PROBLEM_JSON
                    : "application/json");
        }
    }

    /** What goes wrong before, or outside of, the resources. */
    private void failure(RoutingContext context) {
        failure(context, context.statusCode());
    }

    private static void failure(RoutingContext context, int status) {
        if (status < 400 || status >= 500) {
            LOG.errorf(context.failure(), "%s %s failed", context.request().method(), context.request().path());
            Errors.send(context, 500);
        } else {
            Errors.send(context, status);
        }
    }

    /**
     * No preference, and a taste for problem details, leave JSON to the successes; the framework would refuse the one
     * and stumble over an empty header.
     */
    private static void acceptJson(HttpServerRequest request) {
        String accept = request.getHeader("Accept");
        if (accept != null && accept.isBlank()) {
            request.headers().remove("Accept");
        } else if (accept != null && accept.contains(Errors.PROBLEM_JSON)) {
            request.headers().set("Accept", "application/json, " + accept);
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
