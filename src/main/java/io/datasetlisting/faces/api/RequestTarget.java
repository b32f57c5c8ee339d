package io.datasetlisting.faces.api;

import java.util.Map;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.ApiDescription;
import io.datasetlisting.http.input.RequestBody;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.Json;
import io.vertx.ext.web.RoutingContext;

/** Checks the host and the length of a request's address and the size of its headers, and finds the endpoint of its path. */
@Singleton
class RequestTarget {

    private static final Pattern DOT_SEGMENT = Pattern
            .compile("(?i)(?:^|/|%2f|%5c|\\\\)(?:\\.|%2e){1,2}(?=$|/|%2f|%5c|\\\\)");
    private static final String PLATFORM = "/q";
    /** With the other headers it stays below 4,096 bytes, which is what nginx takes by default. */
    private static final int MAX_LOCATION = 3_000;

    private final Endpoints endpoints;
    private final PublicUrl publicUrl;
    private final int maxLength;
    private final long maxHeaderSize;

    RequestTarget(Endpoints endpoints, PublicUrl publicUrl, HttpConfig config,
            @ConfigProperty(name = "quarkus.http.limits.max-header-size") MemorySize maxHeaderSize) {
        this.endpoints = endpoints;
        this.publicUrl = publicUrl;
        maxLength = config.http().maxUriLength();
        this.maxHeaderSize = maxHeaderSize.asLongValue();
    }

    /** Handler that answers 414 to an address that is too long. */
    void checkLength(RoutingContext context) {
        if (isTooLong(context.request())) {
            Errors.send(context, 414);
        } else {
            context.next();
        }
    }

    /**
     * Handler that answers 431 to headers of HTTP/2 that are larger than HTTP/1 allows. The server refuses such headers of HTTP/1
     * before they reach a handler. It refuses much larger headers of HTTP/2, without a body.
     */
    void checkHeaders(RoutingContext context) {
        if (context.request().version() == HttpVersion.HTTP_2 && sizeOfHeaders(context.request()) > maxHeaderSize) {
            Errors.send(context, 431);
        } else {
            context.next();
        }
    }

    private static long sizeOfHeaders(HttpServerRequest request) {
        long size = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    private boolean isTooLong(HttpServerRequest request) {
        return request.uri().length() > maxLength;
    }

    /**
     * Whether a proxy may take a path for another one than the router does. The router resolves a segment {@code .} or
     * {@code ..}, percent-encoded or not, and so leads a path that a proxy takes for one of the API to another one. A backslash
     * and an encoded slash separate segments, too, as some proxies have it. A rule of a proxy for the paths of the platform does
     * not know {@code //q/metrics} and {@code /%71/metrics}.
     */
    static boolean isAmbiguous(RoutingContext context) {
        String path = context.request().path();
        // A dot segment contains a dot or an escape. Most paths contain neither.
        return path != null && ((path.indexOf('.') >= 0 || path.indexOf('%') >= 0) && DOT_SEGMENT.matcher(path).find()
                || isVariantOfThePlatform(context, path));
    }

    /** Whether a path leads to the platform, but is written in another way, with {@code //} or an escaped letter. */
    private static boolean isVariantOfThePlatform(RoutingContext context, String path) {
        try {
            String normalized = context.normalizedPath();
            return !normalized.equals(path) && (normalized.equals(PLATFORM) || normalized.startsWith(PLATFORM + '/'));
        } catch (IllegalArgumentException e) {
            // The router answers 400 to a path that cannot be decoded.
            return false;
        }
    }

    /** Answers 414 or 400 to a request whose path has malformed percent escapes. */
    void refuseUndecodable(RoutingContext context) {
        Errors.send(context, isTooLong(context.request()) ? 414 : 400);
    }

    /**
     * Handler that checks the host which the request names.
     *
     * @throws io.datasetlisting.base.ApiException
     *             400 if the host is not allowed
     */
    void checkHost(RoutingContext context) {
        if (!publicUrl.isAllowed(context.request())) {
            throw PublicUrl.invalidHost();
        }
        context.next();
    }

    /**
     * Handler that answers {@code OPTIONS}, except where a resource also describes fields: with the description of an endpoint
     * that has a name, else with {@code Allow} alone. The platform would add its own {@code Allow}.
     */
    void answerOptions(RoutingContext context) {
        Endpoint endpoint = Endpoint.of(context);
        if (context.request().method() != HttpMethod.OPTIONS) {
            context.next();
        } else if (endpoint.name() != null) {
            context.response().putHeader(HttpHeaders.CONTENT_TYPE, MediaTypes.JSON).end(Json.encodeToBuffer(
                    new ApiDescription(endpoint.name(), "", endpoint.renders(), RequestBody.MEDIA_TYPES, null)));
        } else if (endpoint.access() == Endpoint.Access.READERS || endpoint.isStac()) {
            context.response().end();
        } else {
            context.next();
        }
    }

    /**
     * Handler that stores the endpoint and sets {@code Allow}. Redirects GET and HEAD to the path with a slash at its end,
     * if the header with this address is not too long for proxies.
     */
    void findEndpoint(RoutingContext context) {
        String path = context.normalizedPath();
        Endpoint endpoint = endpoints.find(path);
        if (endpoint == null) {
            endpoint = endpoints.find(path + '/');
            HttpServerRequest request = context.request();
            if (endpoint != null && (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)) {
                String location = publicUrl.prefix() + PercentEncoding.address(path + '/', request.query());
                if (location.length() <= MAX_LOCATION) {
                    context.response().setStatusCode(301).putHeader("Location", location).end();
                    return;
                }
            }
        }
        if (endpoint != null) {
            context.response().putHeader("Allow", endpoint.allowOfReaders());
            endpoint.storeIn(context);
        } else if (endpoints.isForPeople(path)) {
            Negotiation.chooseForUnknown(context);
        }
        context.next();
    }
}
