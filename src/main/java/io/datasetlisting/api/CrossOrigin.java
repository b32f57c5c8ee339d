package io.datasetlisting.api;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.ConfigProvider;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.PublicUrl;
import io.quarkus.vertx.http.runtime.VertxHttpConfig;
import io.quarkus.vertx.http.runtime.cors.CORSConfig;
import io.quarkus.vertx.http.runtime.cors.CORSFilter;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Decides which pages may call the service from a browser. The platform's filter writes the headers and answers preflights; this class
 * calls it only for origins that are listed, because the filter refuses others without a body, and refuses the service's own pages
 * where a proxy has changed the host. Vert.x' {@code CorsHandler} answers preflights differently, and has no rule for the service's own
 * origin.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch, CORS protocol</a>
 */
@Singleton
class CrossOrigin {

    private final List<String> origins;
    private final List<Pattern> patterns;
    private final CORSFilter filter;
    private final PublicUrl publicUrl;

    CrossOrigin(PublicUrl publicUrl) {
        CORSConfig config = ConfigProvider.getConfig().unwrap(SmallRyeConfig.class)
                .getConfigMapping(VertxHttpConfig.class).cors();
        this.publicUrl = publicUrl;
        origins = config.origins().orElse(List.of()).stream().map(String::strip).toList();
        patterns = CORSFilter.parseAllowedOriginsRegex(Optional.of(origins));
        filter = new CORSFilter(config);
    }

    /** Whether any other origin is allowed, so that responses differ by origin. */
    boolean isOpen() {
        return !origins.isEmpty();
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
        if (origin == null || !isOpen() || isOwn(origin, request)) {
            context.next();
        } else if (isListed(origin)) {
            filter.handle(context);
        } else {
            throw new ApiException(403, "Pages of this origin may not call this service.");
        }
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
