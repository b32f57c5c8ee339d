package io.datasetlisting.api;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.http.Accept;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Compression;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestId;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.RequestMetrics;
import io.datasetlisting.input.QueryString;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** What every answer under {@code /api/} has in common, before and whether or not a resource is found. */
@Singleton
public class ApiFilter {

    private static final Logger LOG = Logger.getLogger(ApiFilter.class);

    /** What the parameter {@code format} may say. */
    private static final Map<String, String> FORMATS = Map.of("json", MediaTypes.JSON, "api", MediaTypes.JSON,
            "ndjson", MediaTypes.NDJSON, "geojson", MediaTypes.GEO_JSON, "csv", MediaTypes.CSV);

    private static final String API = "/api/*";
    /** Some of the platform's filters answer by themselves. */
    private static final int BEFORE_ALL_ELSE = -1000;
    private static final int BEFORE_THE_RESOURCES = -10;
    private static final int BEHIND_AUTHENTICATION = -8;
    private static final Pattern MEDIA_TYPE = Pattern.compile("[^/;\\s]+/[^/;\\s]+\\s*(;.*)?");

    private final Endpoints endpoints;
    private final HttpConfig config;
    private final CrossOrigin crossOrigin;
    private final RequestLimits limits;
    private final PublicUrl publicUrl;
    private final RequestMetrics metrics;
    private final String vary;

    public ApiFilter(Endpoints endpoints, HttpConfig config, CrossOrigin crossOrigin,
            RequestLimits limits, PublicUrl publicUrl, RequestMetrics metrics) {
        this.endpoints = endpoints;
        this.config = config;
        this.crossOrigin = crossOrigin;
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.metrics = metrics;
        vary = "Accept, Accept-Encoding" + (crossOrigin.isOpen() ? ", Origin" : "");
    }

    void register(@Observes Router router) {
        router.route().order(BEFORE_ALL_ELSE).handler(context -> {
            RequestEnd.watch(context);
            RequestId.on(context);
            Compression.on(context);
            // Of the API, a page of another origin has to be able to read the answer: filter() gives it.
            if (isTooLong(context.request()) && !context.normalizedPath().startsWith("/api/")) {
                Errors.send(context, 414);
            } else {
                context.next();
            }
        });
        router.route(API).order(BEFORE_ALL_ELSE).handler(context -> {
            metrics.begin(context);
            // No answer is a page, whatever a browser takes it for.
            context.response().putHeader("Vary", vary).putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
            if (!publicUrl.isAllowed(context.request())) {
                Errors.send(context, PublicUrl.invalidHost());
            } else if (crossOrigin.admits(context)) {
                context.next();
            }
        });
        router.route(API).order(BEFORE_THE_RESOURCES).handler(this::filter).failureHandler(this::failure);
        router.route(API).order(BEHIND_AUTHENTICATION).handler(ApiFilter::checkMediaType);
        // A path that can't be decoded reaches no route at all.
        router.errorHandler(400, context -> {
            Compression.on(context);
            context.response().putHeader("Vary", vary);
            failure(context, isTooLong(context.request()) ? 414 : 400);
        });
    }

    private boolean isTooLong(HttpServerRequest request) {
        return request.uri().length() > config.http().maxUriLength();
    }

    private void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        HttpServerResponse response = context.response();
        if (isTooLong(request)) {
            Errors.send(context, 414);
            return;
        }
        String path = context.normalizedPath();
        Endpoint endpoint = endpoints.find(path);
        if (endpoint == null) {
            endpoint = endpoints.find(path + '/');
            if (endpoint != null && (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)) {
                response.setStatusCode(301).putHeader("Location", location(path + '/', request.query())).end();
                return;
            }
        }
        if (endpoint != null) {
            response.putHeader("Allow", endpoint.allow());
            endpoint.on(context);
            int refusal = negotiate(request, endpoint);
            if (refusal != 0) {
                Errors.send(context, refusal);
                return;
            }
        }
        limits.begin(context);
        context.addHeadersEndHandler(nothing -> {
            exactContentType(response);
            addCacheControl(request, response);
        });
        context.next();
    }

    /** The framework would stumble over what is no media type at all. */
    private static void checkMediaType(RoutingContext context) {
        String contentType = context.request().getHeader("Content-Type");
        if (contentType != null && !MEDIA_TYPE.matcher(contentType.strip()).matches()) {
            Errors.send(context, 415);
        } else {
            context.next();
        }
    }

    /**
     * JSON is UTF-8 and has no charset parameter (RFC 8259), but the framework adds one, and other words of the
     * request's {@code Accept} header; and a success is no problem, even for a client that accepts nothing else.
     */
    private static void exactContentType(HttpServerResponse response) {
        String type = response.headers().get("Content-Type");
        if (type == null) {
            return;
        }
        String other = response.getStatusCode() >= 400
                ? Errors.PROBLEM_JSON
                : FORMATS.values().stream().filter(type::startsWith).findAny().orElse(MediaTypes.JSON);
        response.putHeader("Content-Type", type.startsWith(other) ? other : MediaTypes.JSON);
    }

    /**
     * What is listed changes at any time, and links end: whoever keeps an answer asks whether it is still good. What a
     * token gets to see is for nobody else.
     */
    private static void addCacheControl(HttpServerRequest request, HttpServerResponse response) {
        boolean read = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        if (read && (response.getStatusCode() == 200 || response.getStatusCode() == 304)) {
            response.putHeader("Cache-Control", (request.headers().contains("Authorization") ? "private" : "public")
                    + ", max-age=0, must-revalidate");
        }
    }

    /** What goes wrong before, or outside of, the resources. */
    private void failure(RoutingContext context) {
        if (context.response().ended()) {
            return;
        }
        if (context.failure() instanceof ApiException || Errors.isDatabaseAway(context.failure())) {
            Errors.send(context, context.failure());
        } else {
            failure(context, context.statusCode());
        }
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
     * Leaves one media type in the request's {@code Accept} header for the framework, which would stumble over some of
     * the others. A format that the address names goes before the header. An import answers in lines even to a client
     * that expects MediaTypes.JSON: its last line is.
     *
     * @return 0, or the status that refuses
     */
    private static int negotiate(HttpServerRequest request, Endpoint endpoint) {
        String contentType = request.getHeader("Content-Type");
        if (contentType == null) {
            // What RFC 9110 says to take it for.
            request.headers().set("Content-Type", "application/octet-stream");
        }
        boolean read = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        String format = read ? QueryString.parse(request.query()).get("format") : null;
        String answer;
        if (format != null && !format.isEmpty()) {
            answer = FORMATS.get(format);
            if (answer == null || !endpoint.renders().contains(answer)) {
                return 404;
            }
        } else {
            boolean lines = request.method() == HttpMethod.POST && endpoint.renders().contains(MediaTypes.NDJSON)
                    && contentType != null && contentType.toLowerCase(Locale.ROOT).startsWith(MediaTypes.NDJSON);
            boolean any = read || lines || request.method() == HttpMethod.OPTIONS;
            String best = Accept.best(request.getHeader("Accept"), any ? endpoint.renders() : List.of(MediaTypes.JSON));
            if (best == null) {
                return 406;
            }
            answer = lines ? MediaTypes.NDJSON : read ? best : MediaTypes.JSON;
        }
        request.headers().set("Accept", Errors.wantsProblem(request) ? answer + ", " + Errors.PROBLEM_JSON : answer);
        return 0;
    }

    /** The path with its slash and the query as it came; what a header can't carry is escaped. */
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
