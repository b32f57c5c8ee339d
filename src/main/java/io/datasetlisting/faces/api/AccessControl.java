package io.datasetlisting.faces.api;

import java.net.URI;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.write.mirror.MirrorConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Admits a request to its endpoint or refuses it, by method and right of the caller. No other class admits a request. */
@Singleton
class AccessControl {

    private static final String ADMITTED = AccessControl.class.getName();

    /** Null if the service is no mirror. */
    private final URI origin;

    AccessControl(MirrorConfig config) {
        origin = config.url().orElse(null);
    }

    /**
     * Handler that fails with 404, 401, 403 or 405, checked in this order, and at last with 403 for a write that a mirror leaves
     * to its origin.
     */
    void admit(RoutingContext context) {
        Endpoint endpoint = Endpoint.of(context);
        if (endpoint == null) {
            throw ApiException.notFound();
        }
        HttpMethod method = context.request().method();
        Caller caller = Caller.of(context);
        if (!isAllowed(endpoint, method, caller)) {
            throw caller.isAnonymous()
                    ? ApiException.unauthenticated()
                    : ApiException.forbidden();
        }
        if (caller.mayWrite()) {
            context.response().putHeader(HttpHeaders.ALLOW, endpoint.allow());
        }
        if (!endpoint.allows(method.name())) {
            context.fail(405);
            return;
        }
        if (origin != null) {
            context.response().putHeader(HttpHeaders.ALLOW, endpoint.allowOfReaders());
            if (!endpoint.isRead(method) && isOfOrigin(endpoint)) {
                throw new ApiException(403, "This service is a mirror. Write to " + origin + ".");
            }
        }
        context.put(ADMITTED, true).next();
    }

    /** Whether an endpoint writes datasets or accounts, which the origin of a mirror numbers. */
    private static boolean isOfOrigin(Endpoint endpoint) {
        return endpoint.isStac() || endpoint.path().startsWith(Endpoints.DATASETS)
                || endpoint.path().startsWith(Endpoints.ACCOUNTS);
    }

    private static boolean isAllowed(Endpoint endpoint, HttpMethod method, Caller caller) {
        return switch (endpoint.access()) {
            case OPEN -> endpoint.isRead(method) || caller.mayWrite();
            case READERS -> true;
            case MEMBERS -> !caller.isAnonymous();
            case ADMINS -> caller.isAdmin();
        };
    }

    /** Handler that answers 404 to each request that {@link #admit} has not admitted. */
    static void requireAdmission(RoutingContext context) {
        if (context.get(ADMITTED) == null) {
            Errors.send(context, 404);
        } else {
            context.next();
        }
    }
}
