package io.datasetlisting.postgres.database;

import java.time.Duration;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;

import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;

/**
 * Waits for the database and migrates its schema, before the service opens its port: beside an instance with the same port, a run
 * that only migrates could not exit with code 0. Flyway's own keys for waiting have no effect where another process migrates.
 */
@Singleton
class DatabaseStart {

    private static final Logger LOG = Logger.getLogger(DatabaseStart.class);

    private static final Duration MIN_PAUSE = Duration.ofMillis(250);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);

    private final DatabaseProbe probe;
    private final SchemaHistory history;
    private final Flyway flyway;
    private final DatabaseConfig config;

    DatabaseStart(DatabaseProbe probe, SchemaHistory history, Flyway flyway, DatabaseConfig config) {
        this.probe = probe;
        this.history = history;
        this.flyway = flyway;
        this.config = config;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent event)
            throws InterruptedException {
        awaitDatabase();
        if (config.migrateAndExit() || config.migrateAtStart() && !history.isComplete(PROBE_TIMEOUT)) {
            migrate();
        }
        if (config.migrateAndExit() && !config.rebuildAndExit()) {
            LOG.info("The schema is migrated, the service exits");
            Quarkus.asyncExit(0);
            throw new PreventFurtherStepsException();
        }
    }

    private void awaitDatabase() throws InterruptedException {
        long deadline = System.nanoTime() + config.startTimeout().toNanos();
        Duration pause = MIN_PAUSE;
        for (String problem = problem(); problem != null; problem = problem()) {
            if (System.nanoTime() + pause.toNanos() > deadline) {
                throw giveUp(
                        "Database not available within " + config.startTimeout().toSeconds() + " s: " + problem);
            }
            LOG.warnf("Database not available, next try in %d ms: %s", pause.toMillis(), problem);
            Thread.sleep(pause.toMillis());
            pause = pause.compareTo(MAX_PAUSE.dividedBy(2)) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
        }
    }

    /** One line that says why the database does not answer, or null if it answers. */
    private String problem() {
        return probe.problem(PROBE_TIMEOUT).await().indefinitely().orElse(null);
    }

    private void migrate() {
        try {
            flyway.migrate();
        } catch (FlywayValidateException e) {
            // Flyway's own message has a line for each migration, and recommends a repair that would hide the difference.
            LOG.debug("Migration failed", e);
            throw giveUp("Database schema could not be migrated: the database has other migrations than this version of"
                    + " the service. The schema of an unreleased build needs an export and an import: see docs/operations.md");
        } catch (FlywayException e) {
            LOG.debug("Migration failed", e);
            throw giveUp("Database schema could not be migrated: " + DatabaseFailure.onOneLine(e.getMessage()));
        }
    }

    /** The platform prints the message of this exception without a stack trace, and exits with code 1. */
    private static ConfigurationException giveUp(String reason) {
        return new ConfigurationException(reason);
    }
}
