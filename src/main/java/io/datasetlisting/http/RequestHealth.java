package io.datasetlisting.http;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/**
 * Says when the service stands still: as many requests run as may run, and none of them ends. An instance in this state gets
 * no requests after ten seconds, and is restarted after a minute. A database that is away does not lead there: the requests
 * that wait for it end with 503.
 */
@Singleton
class RequestHealth {

    private static final Duration NOT_READY = Duration.ofSeconds(10);
    private static final Duration NOT_ALIVE = Duration.ofMinutes(1);

    private final RequestLimits limits;
    private final Duration requestTimeout;

    RequestHealth(RequestLimits limits, HttpConfig config) {
        this.limits = limits;
        requestTimeout = config.http().requestTimeout();
    }

    @Produces
    @Singleton
    @Readiness
    HealthCheck readiness() {
        return () -> standsStillFor(NOT_READY);
    }

    @Produces
    @Singleton
    @Liveness
    HealthCheck liveness() {
        // Where requests may wait for longer than usual, they wait for a database that is away for longer, too.
        Duration tolerated = Collections.max(List.of(NOT_ALIVE, requestTimeout.multipliedBy(2)));
        return () -> standsStillFor(tolerated);
    }

    private HealthCheckResponse standsStillFor(Duration tolerated) {
        Duration standstill = limits.standstill();
        return HealthCheckResponse.named("Requests").status(standstill.compareTo(tolerated) < 0)
                .withData("standstill_seconds", standstill.toSeconds()).build();
    }
}
