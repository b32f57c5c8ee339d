package io.datasetlisting.http.proxy;

import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.jboss.logging.MDC;

import io.vertx.ext.web.RoutingContext;

/**
 * Assigns the id that names a request in the log, the audit and the header of its response. The header keeps a valid id that the
 * client has sent; log and audit have an own id behind it, which no client chooses.
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
        String own = Long.toHexString(ThreadLocalRandom.current().nextLong());
        boolean isKept = given != null && ID_FORMAT.matcher(given).matches();
        context.response().putHeader(HEADER, isKept ? given : own);
        context.put(HEADER, isKept ? given + '/' + own : own);
        MDC.put(LOG_KEY, of(context));
        context.next();
    }

    /** The id of a request in the log and in the audit. */
    public static String of(RoutingContext context) {
        return context.get(HEADER);
    }
}
