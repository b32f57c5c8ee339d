package io.datasetlisting.api;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.PublicUrl;
import io.quarkus.vertx.http.runtime.cors.CORSFilter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Which pages may call the service out of a browser. The platform's filter, which comes next, writes the headers and
 * answers preflights; here is what it would answer without a body, or not as it should.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch, CORS protocol</a>
 */
@Singleton
class CrossOrigin {

    private final List<String> origins;
    private final List<Pattern> patterns;
    private final PublicUrl publicUrl;

    CrossOrigin(@ConfigProperty(name = "quarkus.http.cors.origins") Optional<List<String>> origins,
            PublicUrl publicUrl) {
        this.origins = origins.orElse(List.of()).stream().map(String::strip).toList();
        this.publicUrl = publicUrl;
        patterns = CORSFilter.parseAllowedOriginsRegex(Optional.of(this.origins));
    }

    /** Whether there is any page that may, so that answers differ by who asks. */
    boolean isOpen() {
        return !origins.isEmpty();
    }

    /** False when the request has been answered. */
    boolean admits(RoutingContext context) {
        HttpServerRequest request = context.request();
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin == null) {
            return true;
        }
        if (!isOpen() || isOwn(origin, request)) {
            // The platform would refuse: all origins, or the service's own where a proxy has changed the host.
            request.headers().remove(HttpHeaders.ORIGIN);
            return true;
        }
        if (isListed(origin)) {
            return true;
        }
        Errors.send(context, new ApiException(403, "Pages of this origin may not call this service."));
        return false;
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
