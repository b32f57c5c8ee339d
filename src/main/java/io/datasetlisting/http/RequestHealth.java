package io.datasetlisting.http;

import java.time.Duration;

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

    RequestHealth(RequestLimits limits) {
        this.limits = limits;
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
        return () -> standsStillFor(NOT_ALIVE);
    }

    private HealthCheckResponse standsStillFor(Duration tolerated) {
        Duration standstill = limits.standstill();
        return HealthCheckResponse.named("Requests").status(standstill.compareTo(tolerated) < 0)
                .withData("standstill_seconds", standstill.toSeconds()).build();
    }
}
