package io.datasetlisting.http;

import java.util.concurrent.atomic.AtomicInteger;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers 503 where the service can't answer in time: at once while too many requests are at work, and later to one that
 * waits too long, whatever it waits for. So a client knows what to expect, and nothing piles up.
 */
@Singleton
public class RequestLimits {

    private static final Logger LOG = Logger.getLogger(RequestLimits.class);

    /** Behind the pages that are kept, which are answered from memory. */
    private static final int ORDER = -6;
    private static final String TIMER = RequestLimits.class.getName();

    private final long timeout;
    private final int most;
    private final AtomicInteger running = new AtomicInteger();

    RequestLimits(HttpConfig config, MeterRegistry meters) {
        timeout = config.http().requestTimeout().toMillis();
        most = config.http().maxConcurrentRequests();
        meters.gauge("dataset.requests.running", running);
    }

    void register(@Observes Router router) {
        router.route("/api/*").order(ORDER).handler(context -> {
            if (running.incrementAndGet() > most) {
                running.decrementAndGet();
                Errors.send(context, 503);
                return;
            }
            context.addEndHandler(ended -> running.decrementAndGet());
            context.next();
        });
    }

    /** Gives the answer of a request so long until it begins. */
    void begin(RoutingContext context) {
        Vertx vertx = context.vertx();
        long timer = vertx.setTimer(timeout, expired -> {
            if (!context.response().headWritten()) {
                LOG.warnf("%s %s: no answer within %d ms", context.request().method(), context.request().path(),
                        timeout);
                Errors.send(context, 503);
            }
        });
        context.put(TIMER, timer);
        context.addHeadersEndHandler(begun -> vertx.cancelTimer(timer));
        // A client that has gone away gets none.
        context.addEndHandler(ended -> vertx.cancelTimer(timer));
    }

    /** For a request that has limits of its own. */
    public static void lift(RoutingContext context) {
        Long timer = context.get(TIMER);
        if (timer != null) {
            context.vertx().cancelTimer(timer);
        }
    }
}
