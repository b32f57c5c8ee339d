package io.datasetlisting.http;

import java.util.List;
import java.util.Locale;

import io.vertx.ext.web.RoutingContext;

/**
 * An address of the API, made known by the room that answers it as a CDI bean.
 *
 * @param path
 *            with a slash at both ends, or at its beginning alone when it is served with and without; one segment may be {@code {id}}, which stands for any
 * @param allow
 *            its methods, as the {@code Allow} header names them
 * @param access
 *            who may call it
 * @param renders
 *            the media types that it answers in, the usual one first
 */
public record Endpoint(String path, String allow, Access access, List<String> renders) {

    private static final String ANY_SEGMENT = "{id}";

    /** Who may call an address. */
    public enum Access {
        /** Everybody reads, writers and admins write. */
        OPEN,
        /** Everybody who has a token. */
        MEMBERS,
        /** Admins alone. */
        ADMINS
    }

    /** An address that answers in JSON alone. */
    public Endpoint(String path, String allow, Access access) {
        this(path, allow, access, List.of(MediaTypes.JSON));
    }

    private static final String KEY = Endpoint.class.getName();

    /** The endpoint of a request, or null when its path is not in the table. */
    public static Endpoint of(RoutingContext context) {
        return context.get(KEY);
    }

    /** Remembers the endpoint of a request. */
    public void storeIn(RoutingContext context) {
        context.put(KEY, this);
    }

    /** Whether it has a method. */
    public boolean allows(String method) {
        return List.of(allow.split(", ")).contains(method);
    }

    boolean hasSegment() {
        return path.contains(ANY_SEGMENT);
    }

    /** Whether a path with a slash at its end leads here. */
    boolean matches(String requested) {
        int open = path.indexOf(ANY_SEGMENT);
        if (open < 0) {
            return path.equals(requested) || !path.endsWith("/") && requested.equals(path + '/');
        }
        String rest = path.substring(open + ANY_SEGMENT.length());
        int end = requested.length() - rest.length();
        return end > open && requested.startsWith(path.substring(0, open)) && requested.endsWith(rest)
                && requested.indexOf('/', open) == end && !hasMatrixParameters(requested);
    }

    /** The framework would cut them off before it looks for a resource, and so find another address than is asked for. */
    private static boolean hasMatrixParameters(String requested) {
        return requested.indexOf(';') >= 0 || requested.toLowerCase(Locale.ROOT).contains("%3b");
    }
}
