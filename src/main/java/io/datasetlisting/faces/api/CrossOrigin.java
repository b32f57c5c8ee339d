package io.datasetlisting.faces.api;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.ConfigProvider;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.PublicUrl;
import io.quarkus.vertx.http.runtime.VertxHttpConfig;
import io.quarkus.vertx.http.runtime.cors.CORSConfig;
import io.quarkus.vertx.http.runtime.cors.CORSFilter;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Decides which pages may call the service from a browser, by the keys of the platform. The platform's own filter refuses others
 * without a body, refuses the service's own pages where a proxy has changed the host, and repeats headers that only a preflight
 * needs in every response. If no origin is listed, pages of all origins may read the STAC API, the tiles, the stored exports
 * and the rasters, without a token.
 * Vert.x' {@code CorsHandler} answers preflights differently, and has no rule for the service's own origin.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch, CORS protocol</a>
 */
@Singleton
class CrossOrigin {

    /** A page sends nothing else without the consent that a preflight request asks for; a token is not among them. */
    private static final String HEADERS_OF_READERS = "Accept,Content-Type,If-None-Match,Range,If-Range";
    private static final String METHODS_OF_READERS = "GET,HEAD,POST,OPTIONS";
    /** Longer than each origin, which is a scheme, a host name and a port. The response repeats the origin. */
    private static final int MAX_ORIGIN = 300;

    private static final Pattern RASTER = Pattern
            .compile((Endpoints.DATASETS + Endpoints.RASTER).replaceAll("\\{\\w+}", "[^/]+") + "/?");

    private final List<String> origins;
    private final List<Pattern> patterns;
    private final String methods;
    private final String headers;
    private final String exposed;
    private final boolean hasCredentials;
    private final String maxAge;
    private final PublicUrl publicUrl;

    CrossOrigin(PublicUrl publicUrl) {
        CORSConfig config = ConfigProvider.getConfig().unwrap(SmallRyeConfig.class)
                .getConfigMapping(VertxHttpConfig.class).cors();
        this.publicUrl = publicUrl;
        origins = config.origins().orElse(List.of()).stream().map(String::strip).toList();
        patterns = CORSFilter.parseAllowedOriginsRegex(Optional.of(origins));
        methods = list(config.methods());
        headers = list(config.headers());
        exposed = list(config.exposedHeaders());
        hasCredentials = config.accessControlAllowCredentials().orElse(false);
        maxAge = config.accessControlMaxAge().map(age -> Long.toString(age.toSeconds())).orElse(null);
    }

    private static String list(Optional<List<String>> names) {
        return String.join(",", names.orElse(List.of()));
    }

    /** Whether any other origin is allowed, so that responses differ by origin. */
    boolean isOpen() {
        return !origins.isEmpty();
    }

    /** Whether programs of other origins may read a path: clients of STAC, web maps and readers of files are such. */
    private static boolean isForOtherOrigins(String path) {
        return Endpoints.isStac(path) || path != null && (path.startsWith(Endpoints.TILES)
                || path.startsWith(Endpoints.EXPORTS) || RASTER.matcher(path).matches());
    }

    /**
     * Handler for requests from web pages.
     *
     * @throws ApiException
     *             403 for a page of an origin that is not listed
     */
    void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (!isOpen() && isForOtherOrigins(context.normalizedPath())) {
            letRead(context);
        } else if (origin == null || !isOpen() || isOwn(origin, request)) {
            context.next();
        } else if (origin.length() <= MAX_ORIGIN && isListed(origin)) {
            context.response().putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
                    .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, Boolean.toString(hasCredentials))
                    .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
            answerPreflight(context, methods, headers);
        } else {
            throw new ApiException(403, "Pages of this origin may not call this service.");
        }
    }

    /**
     * Allows pages of all origins to read the STAC API, the tiles, the stored exports and the rasters as anonymous callers.
     * The header is the same for each of these, also without an origin, so that caches may keep the response.
     */
    private void letRead(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!request.headers().contains(HttpHeaders.AUTHORIZATION)) {
            context.response().putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
                    .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
            answerPreflight(context, METHODS_OF_READERS, HEADERS_OF_READERS);
        } else {
            context.next();
        }
    }

    /** Answers the request by which a browser asks what a page may send. All other requests go on. */
    private void answerPreflight(RoutingContext context, String allowedMethods, String allowedHeaders) {
        HttpServerRequest request = context.request();
        if (request.method() != HttpMethod.OPTIONS || !request.headers().contains(HttpHeaders.ORIGIN)
                || !request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD)) {
            context.next();
            return;
        }
        HttpServerResponse response = context.response()
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, allowedMethods)
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, allowedHeaders);
        if (maxAge != null) {
            response.putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, maxAge);
        }
        response.end();
    }

    private boolean isOwn(String origin, HttpServerRequest request) {
        return publicUrl.of("/", request).startsWith(origin + '/')
                || origin.equals(request.scheme() + "://" + request.authority());
    }

    private boolean isListed(String origin) {
        return origins.equals(List.of("*")) || origins.contains(origin)
                || CORSFilter.isOriginAllowedByRegex(patterns, origin);
    }
}
