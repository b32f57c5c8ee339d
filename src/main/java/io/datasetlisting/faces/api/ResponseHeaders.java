package io.datasetlisting.faces.api;

import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.dataset.raster.RasterConfig;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.faces.web.InlinePart;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.Representation;
import io.netty.handler.codec.DateFormatter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Adds the headers that all responses of the service have in common. */
@Singleton
class ResponseHeaders {

    private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";
    private static final String POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";
    /**
     * No script and no style inside of a page but the two of the frame, and no other host than the storage of the thumbnails,
     * the tile servers and the provider of identities.
     *
     * @see <a href="https://www.w3.org/TR/CSP3/">Content Security Policy</a>
     */
    private static final String POLICY_OF_PAGES = "default-src 'none'; script-src 'self' %s; style-src 'self' %s; "
            + "img-src 'self' data: %s; connect-src 'self'%s; base-uri 'none'; form-action 'self'; "
            + "frame-ancestors 'none'";
    /** Some clients read a text without a charset as Latin-1, the default of the first HTTP. */
    private static final Set<String> TEXTS = Set.of(MediaTypes.HTML, MediaTypes.CSS, MediaTypes.JAVASCRIPT,
            MediaTypes.TEXT, MediaTypes.CSV);

    private final String vary;
    private final String varyOfPages;
    private final String policyOfPages;

    ResponseHeaders(CrossOrigin crossOrigin, ThumbnailLinks thumbnails, PageConfig page, RasterConfig rasters,
            OidcConfig oidc) {
        vary = "Accept, Accept-Encoding" + (crossOrigin.isOpen() ? ", Origin" : "");
        varyOfPages = vary + ", Accept-Language, Cookie";
        String tiles = Stream.of(page.tiles(), page.satellite(), rasters.viewer()).flatMap(Optional::stream)
                .map(address -> " " + originOfTiles(address)).distinct().collect(Collectors.joining());
        String provider = oidc.clientId().flatMap(client -> oidc.issuer())
                .map(issuer -> " " + issuer.getScheme() + "://" + issuer.getAuthority()).orElse("");
        policyOfPages = POLICY_OF_PAGES.formatted(InlinePart.SCRIPT.source(), InlinePart.STYLE.source(),
                thumbnails.origin() + tiles, provider);
    }

    /** The address of a tile may begin with the place of a subdomain: <code>https://{s}.tiles.example.org/...</code>. */
    private static String originOfTiles(String tiles) {
        return tiles.replaceFirst("^([^:]+://[^/]+).*", "$1").replace("://{s}.", "://*.");
    }

    /** Handler that sets {@code Date} when the response begins (RFC 9110). */
    static void addDate(RoutingContext context) {
        context.addHeadersEndHandler(nothing -> setDate(context));
        context.next();
    }

    private static void setDate(RoutingContext context) {
        context.response().putHeader(HttpHeaders.DATE, DateFormatter.format(new Date()));
    }

    /** Handler that sets the headers, some of them when the response begins. */
    void add(RoutingContext context) {
        HttpServerResponse response = context.response();
        setConstant(context);
        context.addHeadersEndHandler(nothing -> {
            String mediaType = mediaType(context);
            if (mediaType != null) {
                response.putHeader("Content-Type", mediaType + (TEXTS.contains(mediaType) ? "; charset=utf-8" : ""));
            }
            if (MediaTypes.hasLanguage(mediaType)) {
                setLanguage(context);
            }
            if (MediaTypes.HTML.equals(mediaType)) {
                response.putHeader(CONTENT_SECURITY_POLICY, policyOfPages);
            } else if (response.getStatusCode() == 304) {
                // A 304 has no media type, and a browser would put this policy on the page that it has kept.
                response.headers().remove(CONTENT_SECURITY_POLICY);
                Representation representation = Representation.of(context);
                if (representation != null && MediaTypes.hasLanguage(representation.mediaType())) {
                    setLanguage(context);
                }
            }
            setCacheControl(context.request(), response);
        });
        context.next();
    }

    /** Only pages and the Atom feed have a language. */
    private void setLanguage(RoutingContext context) {
        context.response().putHeader("Content-Language", Language.of(context).tag()).putHeader("Vary", varyOfPages);
    }

    /** Handler that sets {@code Cache-Control} when the response begins. */
    void addCacheControl(RoutingContext context) {
        context.addHeadersEndHandler(nothing -> setCacheControl(context.request(), context.response()));
        context.next();
    }

    /** Failure handler that sets the constant headers of a request that has failed before {@link #add}. */
    void complete(RoutingContext context) {
        HttpServerResponse response = context.response();
        if (!response.headWritten() && !response.headers().contains("X-Content-Type-Options")) {
            setAllAtOnce(context);
        }
        context.next();
    }

    /** Sets the headers of a request that reaches no route. */
    void setAllAtOnce(RoutingContext context) {
        setDate(context);
        setConstant(context);
    }

    /** Sets the headers that do not depend on the response. */
    private void setConstant(RoutingContext context) {
        // A browser must not interpret data as a page.
        context.response().putHeader("Vary", vary).putHeader("X-Content-Type-Options", "nosniff")
                .putHeader(CONTENT_SECURITY_POLICY, POLICY_OF_DATA);
    }

    /**
     * The media type of a response without parameters, such as the charset that the platform adds: JSON is always UTF-8 (RFC
     * 8259). Null for a response that has none. A successful response never has the media type of a problem, even for a client
     * that accepts no other.
     */
    private static String mediaType(RoutingContext context) {
        HttpServerResponse response = context.response();
        String type = response.headers().get("Content-Type");
        if (type == null) {
            return null;
        }
        Endpoint endpoint = Endpoint.of(context);
        List<String> candidates = response.getStatusCode() >= 400
                ? List.of(MediaTypes.PROBLEM_JSON, MediaTypes.HTML)
                : endpoint == null ? List.of() : endpoint.renders();
        String exact = MediaTypes.JSON;
        for (String candidate : candidates) {
            if (type.startsWith(candidate)) {
                exact = candidate;
            }
        }
        Representation representation = Representation.of(context);
        boolean isEvents = type.startsWith(MediaTypes.NDJSON) && representation != null
                && representation.mediaType().equals(MediaTypes.EVENT_STREAM);
        return isEvents ? MediaTypes.EVENT_STREAM : exact;
    }

    /**
     * Caches must revalidate every successful read, because signed links expire. Shared caches must not store a response to a
     * token. A resource may set another lifetime.
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
