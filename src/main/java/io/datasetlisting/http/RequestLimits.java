package io.datasetlisting.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
    private final Clock clock;
    private final AtomicInteger running = new AtomicInteger();
    private volatile Instant fullSince = Instant.MAX;

    RequestLimits(HttpConfig config, Clock clock, MeterRegistry meters) {
        this.clock = clock;
        timeout = config.http().requestTimeout().toMillis();
        most = config.http().maxConcurrentRequests();
        meters.gauge("dataset.requests.running", running);
    }

    void register(@Observes Router router) {
        router.route("/api/*").order(ORDER).handler(context -> {
            if (RequestEnd.isOver(context)) {
                // Nothing is begun for a client that has gone away while its token was looked up.
                return;
            }
            int now = running.incrementAndGet();
            if (now > most) {
                running.decrementAndGet();
                Errors.send(context, 503);
                return;
            }
            if (now == most) {
                fullSince = clock.instant();
            }
            RequestEnd.then(context, this::end);
            context.next();
        });
    }

    private void end() {
        fullSince = Instant.MAX;
        running.decrementAndGet();
    }

    /** For how long as many requests have been running as may run, without one that ended; zero while fewer run. */
    Duration standstill() {
        Instant since = fullSince;
        return since.equals(Instant.MAX) ? Duration.ZERO : Duration.between(since, clock.instant());
    }

    /** Gives the answer of a request so long until it begins. */
    public void begin(RoutingContext context) {
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
        RequestEnd.then(context, () -> vertx.cancelTimer(timer));
    }

    /** For a request that has limits of its own. */
    public static void lift(RoutingContext context) {
        Long timer = context.get(TIMER);
        if (timer != null) {
            context.vertx().cancelTimer(timer);
        }
    }
}
