package io.datasetlisting.catalogue.rank;

import java.time.Duration;
import java.util.List;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

import io.datasetlisting.postgres.database.DatabaseConfig;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/**
 * Checks at start, and then at intervals, whether the ranks contain the datasets and whether texts are still sorted as when the
 * ranks were built. A problem stands in the log and in the readiness check. The service stays ready, because most pages are still
 * correct.
 */
@Readiness
@Singleton
class RankHealth implements HealthCheck {

    private static final Logger LOG = Logger.getLogger(RankHealth.class);

    /** The check counts all datasets: 50 ms for a million. */
    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration INTERVAL_WITH_PROBLEMS = Duration.ofMinutes(1);

    private static final String ADVICE = "run the service once with dataset.database.rebuild-and-exit=true";

    private final RankRepository repository;
    private final DatabaseConfig config;
    private final Vertx vertx;
    private volatile List<String> problems = List.of();

    RankHealth(RankRepository repository, DatabaseConfig config, Vertx vertx) {
        this.repository = repository;
        this.config = config;
        this.vertx = vertx;
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (config.rebuildAndExit()) {
            repository.rebuild().await().indefinitely();
            LOG.info("The ranks are rebuilt, the service exits");
            Quarkus.asyncExit(0);
            throw new PreventFurtherStepsException();
        }
        check();
    }

    private void check() {
        repository.problems().subscribe().with(found -> {
            if (!found.equals(problems)) {
                found.forEach(problem -> LOG.warnf("Pages may be wrong: %s; %s", problem, ADVICE));
                problems = found;
            }
            checkIn(found.isEmpty() ? INTERVAL : INTERVAL_WITH_PROBLEMS);
        }, e -> {
            LOG.debug("The ranks could not be checked", e);
            checkIn(INTERVAL_WITH_PROBLEMS);
        });
    }

    private void checkIn(Duration delay) {
        vertx.setTimer(delay.toMillis(), timer -> check());
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("Ranks").up();
        if (!problems.isEmpty()) {
            response.withData("problem", String.join("; ", problems)).withData("advice", ADVICE);
        }
        return response.build();
    }
}
