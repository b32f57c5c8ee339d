package io.datasetlisting.http;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/**
 * An endpoint of the API: a path with its methods, the access to it, and its media types.
 *
 * @param path
 *            begins with a slash. {@code {id}}, and any other name in braces, stands for a segment or a part of one
 * @param allow
 *            the methods, in the form of the {@code Allow} header
 * @param access
 *            the callers that may use it
 * @param methods
 *            the same methods, one by one
 * @param renders
 *            the media types of successful responses, the default first
 * @param name
 *            its name in the description that {@code OPTIONS} returns; null if its resource describes it, or nothing does
 */
public record Endpoint(String path, String allow, List<String> methods, Access access, List<String> renders,
        String name) {

    /** The parameter of the STAC API that chooses between JSON and a page. */
    public static final String FORMAT = "f";

    /** The callers that may use an endpoint. */
    public enum Access {
        /** All callers read; writers and admins write. */
        OPEN,
        /** All callers. No method writes, not even POST. */
        READERS,
        /** All callers with a token. */
        MEMBERS,
        /** Only admins. */
        ADMINS
    }

    /** An endpoint whose only media type is JSON. */
    public Endpoint(String path, String allow, Access access) {
        this(path, allow, access, List.of(MediaTypes.JSON));
    }

    /** An endpoint without a name. */
    public Endpoint(String path, String allow, Access access, List<String> renders) {
        this(path, allow, List.of(allow.split(", ")), access, renders, null);
    }

    /** The same endpoint with a name. */
    Endpoint named(String description) {
        return new Endpoint(path, allow, methods, access, renders, description);
    }

    private static final String KEY = Endpoint.class.getName();

    /** The endpoint of a request, or null if no endpoint has its path. */
    public static Endpoint of(RoutingContext context) {
        return context.get(KEY);
    }

    /** Makes this the endpoint of a request, see {@link #of}. */
    public void storeIn(RoutingContext context) {
        context.put(KEY, this);
    }

    /**
     * The {@code Allow} header for callers that may not write. Clients of OGC API read a method in it as permission; clients of
     * Django REST Framework read all methods that the endpoint has.
     */
    public String allowOfReaders() {
        return isStac() && access == Access.OPEN ? Endpoints.READ : allow;
    }

    /** Whether the endpoint has a method. */
    public boolean allows(String method) {
        return methods.contains(method);
    }

    /** Whether a request with this method only reads. */
    public boolean isRead(HttpMethod method) {
        return access == Access.READERS || method == HttpMethod.GET || method == HttpMethod.HEAD
                || method == HttpMethod.OPTIONS;
    }

    /** Whether this is an endpoint of the STAC API. */
    public boolean isStac() {
        return Endpoints.isStac(path);
    }

    /** Whether a request with this method may choose between JSON and a page by the parameter {@value #FORMAT}. */
    public boolean hasFormat(HttpMethod method) {
        return (method == HttpMethod.GET || method == HttpMethod.HEAD) && renders.contains(MediaTypes.JSON)
                && renders.contains(MediaTypes.HTML);
    }

    /** The same endpoint with a page beside its JSON. */
    Endpoint withPage() {
        return new Endpoint(path, allow, methods, access,
                Stream.concat(renders.stream(), Stream.of(MediaTypes.HTML)).toList(), name);
    }

    boolean hasVariableSegment() {
        return path.indexOf('{') >= 0;
    }

    /** Whether the path of a request leads to this endpoint. */
    boolean matches(String requested) {
        return matches(path, requested) && !(hasVariableSegment() && hasMatrixParameters(requested));
    }

    private static boolean matches(String pattern, String requested) {
        int start = pattern.indexOf('{');
        if (start < 0) {
            return pattern.equals(requested);
        }
        String rest = pattern.substring(pattern.indexOf('}') + 1);
        int slash = requested.indexOf('/', start);
        int end = rest.indexOf('{') >= 0 ? slash : requested.length() - rest.length();
        return end > start && requested.startsWith(pattern.substring(0, start)) && (slash < 0 || slash >= end)
                && matches(rest, requested.substring(end));
    }

    /**
     * Quarkus REST removes matrix parameters before it selects the resource, and would select another one than the client
     * requests.
     */
    private static boolean hasMatrixParameters(String requested) {
        return requested.indexOf(';') >= 0 || requested.toLowerCase(Locale.ROOT).contains("%3b");
    }
}
