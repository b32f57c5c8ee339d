package io.datasetlisting.postgres.replica;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

import io.datasetlisting.postgres.database.DatabaseProbe;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.health.api.HealthGroup;
import io.smallrye.mutiny.Uni;

/**
 * The checks of the database. The service is ready while it can read pages: from the primary, or from the replica without it. The
 * group {@code writers} also needs a primary that takes writes.
 */
@Singleton
class DatabaseHealth {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final DatabaseProbe probe;
    private final Reads reads;

    DatabaseHealth(DatabaseProbe probe, Reads reads) {
        this.probe = probe;
        this.reads = reads;
    }

    @Produces
    @Singleton
    @Readiness
    AsyncHealthCheck readiness() {
        return check(() -> probe.problem(TIMEOUT), reads::usesReplica);
    }

    @Produces
    @Singleton
    @HealthGroup("writers")
    AsyncHealthCheck writers() {
        return check(() -> probe.problemOfWrites(TIMEOUT), () -> false);
    }

    private static AsyncHealthCheck check(Supplier<Uni<Optional<String>>> problem, BooleanSupplier isUpDespiteProblem) {
        return () -> problem.get().map(found -> {
            HealthCheckResponseBuilder response = HealthCheckResponse.named("PostgreSQL");
            found.ifPresent(reason -> response.withData("problem", reason));
            return response.status(found.isEmpty() || isUpDespiteProblem.getAsBoolean()).build();
        });
    }
}
