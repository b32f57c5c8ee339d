package io.datasetlisting.http;

import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.jboss.logging.MDC;

import io.vertx.ext.web.RoutingContext;

/**
 * Assigns the id that names a request in the log and in the header of its response. An id that the client or a proxy has sent is
 * kept.
 */
public final class RequestId {

    private static final String HEADER = "X-Request-Id";

    private static final String LOG_KEY = "requestId";
    /** Allows no characters that could forge a line of the log. */
    private static final Pattern ID_FORMAT = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestId() {
    }

    /** Handler that assigns the id. */
    public static void assign(RoutingContext context) {
        String given = context.request().getHeader(HEADER);
        String id = given != null && ID_FORMAT.matcher(given).matches()
                ? given
                : Long.toHexString(ThreadLocalRandom.current().nextLong());
        context.response().putHeader(HEADER, id);
        MDC.put(LOG_KEY, id);
        context.next();
    }

    /** The id of a request. */
    public static String of(RoutingContext context) {
        return context.response().headers().get(HEADER);
    }
}
