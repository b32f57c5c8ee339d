package io.datasetlisting.faces.api;

import io.vertx.core.Handler;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;

/**
 * A route for every path but those of the platform, {@code /q} and below. It compares the path itself, because a regular
 * expression of the router misses paths with unusual characters, such as a line separator.
 */
final class ServiceRoute {

    private static final String PLATFORM = "/q";

    private final Route route;

    /**
     * @param route
     *            matches every path
     */
    ServiceRoute(Route route) {
        this.route = route;
    }

    /** Adds a handler. */
    ServiceRoute handler(Handler<RoutingContext> handler) {
        route.handler(passingOn(handler));
        return this;
    }

    /** Adds the handler of failures. */
    ServiceRoute failureHandler(Handler<RoutingContext> handler) {
        route.failureHandler(passingOn(handler));
        return this;
    }

    private static Handler<RoutingContext> passingOn(Handler<RoutingContext> handler) {
        return context -> {
            if (isOfThePlatform(context)) {
                context.next();
            } else {
                handler.handle(context);
            }
        };
    }

    private static boolean isOfThePlatform(RoutingContext context) {
        String path = normalized(context);
        // The router answers 400 to a path that cannot be decoded.
        return path == null || isOfThePlatform(path);
    }

    private static boolean isOfThePlatform(String path) {
        return path.startsWith(PLATFORM)
                && (path.length() == PLATFORM.length() || path.charAt(PLATFORM.length()) == '/');
    }

    /** Null for a path that cannot be decoded. */
    private static String normalized(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether a path leads to the platform, but is written in another way, with {@code //} or an escaped letter. */
    static boolean isVariantOfThePlatform(RoutingContext context) {
        String path = normalized(context);
        return path != null && isOfThePlatform(path) && !path.equals(context.request().path());
    }
}
