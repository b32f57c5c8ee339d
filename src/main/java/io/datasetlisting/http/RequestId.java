package io.datasetlisting.http;

import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.jboss.logging.MDC;

import io.vertx.ext.web.RoutingContext;

/**
 * What a request is called in the log: its answer tells it, so that whoever complains can name it. A proxy's or a client's
 * own name for it is kept.
 */
public final class RequestId {

    static final String HEADER = "X-Request-Id";

    private static final String LOGGED_AS = "requestId";
    /** Nothing that could look like more than a name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestId() {
    }

    public static void assign(RoutingContext context) {
        String given = context.request().getHeader(HEADER);
        String id = given != null && NAME.matcher(given).matches()
                ? given
                : Long.toHexString(ThreadLocalRandom.current().nextLong());
        context.response().putHeader(HEADER, id);
        MDC.put(LOGGED_AS, id);
        context.next();
    }
}
