package io.datasetlisting.http;

import io.vertx.ext.web.RoutingContext;

/**
 * The form in which a request is answered, chosen once from {@code format}, {@code Accept} and {@code Content-Type}.
 *
 * @param mediaType
 *            media type of a successful response
 * @param problem
 *            whether errors are written as {@value MediaTypes#PROBLEM_JSON}
 */
public record Representation(String mediaType, boolean problem) {

    private static final String KEY = Representation.class.getName();

    /** The representation of a request, or null before it is chosen. */
    public static Representation of(RoutingContext context) {
        return context.get(KEY);
    }

    /** Makes this the representation of a request, see {@link #of}. */
    public void storeIn(RoutingContext context) {
        context.put(KEY, this);
    }
}
