package io.datasetlisting.database;

import java.time.Duration;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;

/** The readiness check of the database: whether the primary answers, and if not, why. */
@Readiness
@Singleton
class DatabaseHealth implements AsyncHealthCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final DatabaseProbe probe;

    DatabaseHealth(DatabaseProbe probe) {
        this.probe = probe;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("PostgreSQL");
        return probe.problem(TIMEOUT).map(reason -> reason.map(problem -> response.down().withData("problem", problem))
                .orElseGet(response::up).build());
    }
}
