package io.datasetlisting.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.LimitedLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers 503 if the service cannot respond in time: immediately while the maximum number of requests runs (three quarters of it
 * for the STAC API), and after the time limit to a request whose response has not begun. So waiting requests do not accumulate.
 */
@Singleton
public class RequestLimits {

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(RequestLimits.class));

    private static final String TIMER = RequestLimits.class.getName();
    private static final String ON_TIMEOUT = TIMER + ".action";
    private static final String SLOT = TIMER + ".slot";

    /**
     * The part of the places that the STAC API leaves to others: a flood of costly searches fills its places before it waits
     * anywhere.
     */
    private static final int LEFT_BY_SEARCHES = 4;

    private final long timeout;
    private final int maxRunning;
    private final Clock clock;
    private final AtomicInteger running = new AtomicInteger();
    private volatile Instant fullSince = Instant.MAX;

    RequestLimits(HttpConfig config, Clock clock, MeterRegistry meters) {
        this.clock = clock;
        timeout = config.http().requestTimeout().toMillis();
        maxRunning = config.http().maxConcurrentRequests();
        meters.gauge("dataset.requests.running", running);
    }

    /** Handler that answers 503 while the maximum number of requests runs. */
    public void admit(RoutingContext context) {
        if (RequestEnd.hasEnded(context)) {
            // The client has disconnected while its token was looked up.
            return;
        }
        takeSlot(context);
        context.next();
    }

    /**
     * Counts a request as running until its end.
     *
     * @throws ApiException
     *             503 while the maximum number of requests runs, or three quarters of it for the STAC API
     */
    public void takeSlot(RoutingContext context) {
        int nowRunning = running.incrementAndGet();
        if (nowRunning > (Endpoint.of(context).isStac() ? maxRunning - maxRunning / LEFT_BY_SEARCHES : maxRunning)) {
            running.decrementAndGet();
            throw Errors.unavailable();
        }
        if (nowRunning == maxRunning) {
            fullSince = clock.instant();
        }
        AtomicBoolean held = new AtomicBoolean(true);
        Runnable release = () -> {
            if (held.getAndSet(false)) {
                fullSince = Instant.MAX;
                running.decrementAndGet();
            }
        };
        context.put(SLOT, release);
        RequestEnd.then(context, release);
    }

    /**
     * Ends a request's share of the requests that run, before the request ends: from now on the time that it takes depends on its
     * client. A stream calls this when its response begins.
     */
    public static void releaseSlot(RoutingContext context) {
        Runnable release = context.get(SLOT);
        if (release != null) {
            release.run();
        }
    }

    /** Time for which the maximum number of requests has run without the end of one of them; zero while fewer run. */
    public Duration standstill() {
        Instant since = fullSince;
        return since.equals(Instant.MAX) ? Duration.ZERO : Duration.between(since, clock.instant());
    }

    /** Handler that starts the timer of a request. The request gets 503 if its response has not begun in time. */
    public void startTimer(RoutingContext context) {
        Vertx vertx = context.vertx();
        long timer = vertx.setTimer(timeout, expired -> {
            Runnable action = context.get(ON_TIMEOUT);
            if (action != null) {
                action.run();
            } else if (!context.response().headWritten()) {
                LOG.warn("no response", context.request().method() + " " + context.request().path()
                        + ": no response within " + timeout + " ms");
                Errors.send(context, 503);
            }
        });
        context.put(TIMER, timer);
        context.addHeadersEndHandler(begun -> vertx.cancelTimer(timer));
        RequestEnd.then(context, () -> vertx.cancelTimer(timer));
        context.next();
    }

    /**
     * Replaces the response 503 at the end of the time limit while the service waits for the client.
     *
     * @param action
     *            null when the service no longer waits for the client
     */
    public static void onTimeout(RoutingContext context, Runnable action) {
        context.put(ON_TIMEOUT, action);
    }

    /** Removes the time limit of a request that has its own limits. */
    public static void lift(RoutingContext context) {
        Long timer = context.get(TIMER);
        if (timer != null) {
            context.vertx().cancelTimer(timer);
        }
    }
}
