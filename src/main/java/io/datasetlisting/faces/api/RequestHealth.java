package io.datasetlisting.faces.api;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestLimits;

/**
 * The health checks of a standstill: the maximum number of requests runs, and none of them ends. In this state the instance is
 * not ready after ten seconds, and not alive after a minute, or after twice the time limit of requests if that is longer. A
 * database that does not answer causes no standstill, because the requests that wait for it end with 503.
 */
@Singleton
class RequestHealth {

    private static final Duration NOT_READY_AFTER = Duration.ofSeconds(10);
    private static final Duration NOT_ALIVE_AFTER = Duration.ofMinutes(1);

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
        return () -> check(NOT_READY_AFTER);
    }

    @Produces
    @Singleton
    @Liveness
    HealthCheck liveness() {
        // With a longer time limit, requests wait longer for a database that does not answer, and that is no standstill.
        Duration tolerated = Collections.max(List.of(NOT_ALIVE_AFTER, requestTimeout.multipliedBy(2)));
        return () -> check(tolerated);
    }

    private HealthCheckResponse check(Duration tolerated) {
        Duration standstill = limits.standstill();
        return HealthCheckResponse.named("Requests").status(standstill.compareTo(tolerated) < 0)
                .withData("standstill_seconds", standstill.toSeconds()).build();
    }
}
