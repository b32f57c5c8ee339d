package io.datasetlisting.faces.api;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Accept;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.RequestBody;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Chooses the {@link Representation} of a response. The parameters {@code format}, and {@code f} of the STAC API, have priority
 * over {@code Accept}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-proactive-negotiation">RFC 9110, Proactive negotiation</a>
 */
final class Negotiation {

    /** The values of the parameter {@code format}. */
    private static final Map<String, String> FORMATS = Map.of("json", MediaTypes.JSON, "api", MediaTypes.JSON,
            "ndjson", MediaTypes.NDJSON, "geojson", MediaTypes.GEO_JSON, "csv", MediaTypes.CSV,
            "geoparquet", MediaTypes.GEO_PARQUET, "flatgeobuf", MediaTypes.FLAT_GEOBUF, "atom", MediaTypes.ATOM);
    /** Those of items. */
    private static final List<String> FILES = List.of("geoparquet", "flatgeobuf");

    private static final Pattern MEDIA_TYPE = Pattern.compile("[^/;\\s]+/[^/;\\s]+\\s*(;.*)?");
    /** A range such as <code>*&#47;*</code>, which does not tell what a body is. */
    private static final Pattern MEDIA_RANGE = Pattern.compile("[^;]*[*].*");

    private Negotiation() {
    }

    /**
     * Handler that stores the {@link Representation}. Answers 404 for an unknown format, 406 if the client accepts none, and
     * fails with 400 for a wrong {@code f} or {@code all}.
     */
    static void choose(RoutingContext context) {
        Endpoint endpoint = Endpoint.of(context);
        if (endpoint != null) {
            HttpServerRequest request = context.request();
            String format = isRead(request) && !endpoint.isStac()
                    ? QueryString.parse(request.query()).get("format")
                    : null;
            boolean isFormatGiven = format != null && !format.isEmpty();
            String mediaType = isFormatGiven
                    ? mediaTypeByFormat(format, endpoint)
                    : mediaTypeByHeaders(request, endpoint);
            if (endpoint.hasFormat(request.method())) {
                mediaType = mediaTypeByF(QueryString.parse(request.query()).getAll(Endpoint.FORMAT), mediaType,
                        endpoint);
            }
            if (mediaType == null) {
                Errors.send(context, isFormatGiven ? 404 : 406);
                return;
            }
            if (mediaType.equals(MediaTypes.GEO_JSON)) {
                asksForAll(context);
            }
            new Representation(mediaType, Errors.acceptsProblem(request)).storeIn(context);
        }
        context.next();
    }

    /**
     * Whether a client wants the features of all pages of the listing, by the parameter {@code all}.
     *
     * @throws ApiException
     *             400 for another value than those of a boolean
     */
    private static boolean asksForAll(RoutingContext context) {
        if (!Endpoint.of(context).path().equals(Endpoints.DATASETS) || !isRead(context.request())) {
            return false;
        }
        DrfFields parameters = DrfFields.of(QueryString.parse(context.request().query()));
        boolean all = parameters.has("all") && Boolean.TRUE.equals(parameters.bool("all"));
        parameters.check();
        return all;
    }

    /**
     * Stores the representation of the error at an address that no endpoint has: a page for a client that prefers HTML to JSON.
     */
    static void chooseForUnknown(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (isRead(request) && MediaTypes.HTML.equals(Accept.best(request.getHeader(HttpHeaders.ACCEPT),
                List.of(MediaTypes.JSON, MediaTypes.HTML)))) {
            new Representation(MediaTypes.HTML, Errors.acceptsProblem(request)).storeIn(context);
        }
    }

    /** The media type of a format, or null if the endpoint does not have the format. */
    private static String mediaTypeByFormat(String format, Endpoint endpoint) {
        String mediaType = FORMATS.get(format);
        return mediaType != null && endpoint.renders().contains(mediaType) ? mediaType : null;
    }

    /**
     * The media type by the parameter {@code f} of the STAC API.
     *
     * @param accepted
     *            the media type by the headers; null if the client accepts none
     *
     * @throws ApiException
     *             400 for an unknown value
     */
    private static String mediaTypeByF(List<String> values, String accepted, Endpoint endpoint) {
        if (values.isEmpty()) {
            return accepted;
        }
        if (values.equals(List.of("html"))) {
            return MediaTypes.HTML;
        }
        boolean hasFiles = endpoint.renders().contains(MediaTypes.GEO_PARQUET);
        if (hasFiles && values.size() == 1 && FILES.contains(values.get(0))) {
            return FORMATS.get(values.get(0));
        }
        if (!values.equals(List.of("json"))) {
            throw new ApiException(400, hasFiles
                    ? "f: one of \"json\", \"html\", \"geoparquet\" and \"flatgeobuf\" is expected."
                    : "f: one of \"json\" and \"html\" is expected.");
        }
        return MediaTypes.GEO_JSON.equals(accepted) || MediaTypes.JSON.equals(accepted)
                ? accepted
                : endpoint.renders().get(0);
    }

    /** The media type by {@code Accept} and {@code Content-Type}, or null if the client accepts none of the endpoint's. */
    private static String mediaTypeByHeaders(HttpServerRequest request, Endpoint endpoint) {
        // An import answers in lines even to a client that accepts only JSON: the last line is JSON.
        boolean isImport = RequestBody.isImport(request) && endpoint.renders().contains(MediaTypes.NDJSON);
        // A write of an item answers with the item.
        boolean hasAllMediaTypes = endpoint.isRead(request.method()) || endpoint.isStac() || isImport;
        String best = Accept.best(request.getHeader(HttpHeaders.ACCEPT),
                hasAllMediaTypes ? offered(request, endpoint) : List.of(MediaTypes.JSON));
        if (best == null) {
            return null;
        }
        return isImport
                ? MediaTypes.NDJSON
                : isRead(request) || isForData(request, endpoint) && hasAllMediaTypes ? best : MediaTypes.JSON;
    }

    /** A browser sends no search by POST, and no item, so the response to these is never a page. */
    private static List<String> offered(HttpServerRequest request, Endpoint endpoint) {
        return isForData(request, endpoint) && endpoint.hasFormat(HttpMethod.GET)
                ? endpoint.renders().stream().filter(type -> !type.equals(MediaTypes.HTML)).toList()
                : endpoint.renders();
    }

    private static boolean isForData(HttpServerRequest request, Endpoint endpoint) {
        HttpMethod method = request.method();
        return method == HttpMethod.POST
                || !isRead(request) && method != HttpMethod.OPTIONS && endpoint.allows(method.name());
    }

    private static boolean isRead(HttpServerRequest request) {
        return request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
    }

    /**
     * Handler that answers 415 to a {@code Content-Type} that is not a media type. The platform would fail on it. For a range of
     * media types the platform would select any resource method, the import for example.
     */
    static void checkContentType(RoutingContext context) {
        String contentType = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (contentType != null && (!MEDIA_TYPE.matcher(contentType.strip()).matches()
                || context.request().method() == HttpMethod.POST && MEDIA_RANGE.matcher(contentType).matches())) {
            Errors.send(context, 415);
        } else {
            context.next();
        }
    }

    /**
     * Handler that tells the platform the chosen media type: it selects the resource method by the headers {@code Accept} and
     * {@code Content-Type}, and would fail on some malformed values. No other code changes a header of a request.
     */
    static void handOver(RoutingContext context) {
        HttpServerRequest request = context.request();
        Representation representation = Representation.of(context);
        if (representation != null) {
            request.headers().set(HttpHeaders.ACCEPT, switch (representation.mediaType()) {
                // The platform writes events in its own format. The method that writes lines also writes events.
                case MediaTypes.EVENT_STREAM -> MediaTypes.NDJSON;
                case MediaTypes.GEO_JSON -> asksForAll(context) ? MediaTypes.ALL_FEATURES : MediaTypes.GEO_JSON;
                default -> representation.mediaType();
            });
            if (!request.headers().contains(HttpHeaders.CONTENT_TYPE)) {
                // The default of RFC 9110, section 8.3.
                request.headers().set(HttpHeaders.CONTENT_TYPE, "application/octet-stream");
            }
        }
        context.next();
    }
}
