package io.datasetlisting.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers 503 where the service can't answer in time: at once while too many requests are at work, and later to one that
 * waits too long, whatever it waits for. So a client knows what to expect, and nothing piles up.
 */
@Singleton
public class RequestLimits {

    private static final Logger LOG = Logger.getLogger(RequestLimits.class);

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

    /** Answers 503 if as many requests run as may run. */
    public void admit(RoutingContext context) {
        if (RequestEnd.isOver(context)) {
            // The client has disconnected while its token was looked up.
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

    /** Answers 503 if the response has not begun in time. */
    public void startTimer(RoutingContext context) {
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
        context.next();
    }

    /** For a request that has limits of its own. */
    public static void lift(RoutingContext context) {
        Long timer = context.get(TIMER);
        if (timer != null) {
            context.vertx().cancelTimer(timer);
        }
    }
}
