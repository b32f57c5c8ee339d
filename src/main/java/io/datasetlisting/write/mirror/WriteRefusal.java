package io.datasetlisting.write.mirror;

import java.net.URI;

import jakarta.inject.Singleton;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Refuses the writes of a mirror. */
@Singleton
public class WriteRefusal {

    /** Null if the service is no mirror. */
    private final URI origin;

    WriteRefusal(MirrorConfig config) {
        origin = config.url().orElse(null);
    }

    /** Handler that fails with 403 for a write of datasets or accounts, which the origin numbers. */
    public void check(RoutingContext context) {
        Endpoint endpoint = Endpoint.of(context);
        if (origin != null) {
            context.response().putHeader(HttpHeaders.ALLOW, endpoint.allowOfReaders());
        }
        if (origin != null && !endpoint.isRead(context.request().method()) && (endpoint.isStac()
                || endpoint.path().startsWith(Endpoints.DATASETS) || endpoint.path().startsWith(Endpoints.ACCOUNTS))) {
            throw new ApiException(403, "This service is a mirror. Write to " + origin + ".");
        }
        context.next();
    }
}
