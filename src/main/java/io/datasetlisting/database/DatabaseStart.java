package io.datasetlisting.database;

import java.time.Duration;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;

/** Waits for the database and migrates its schema, before the first request is accepted. */
@Singleton
class DatabaseStart {

    private static final Logger LOG = Logger.getLogger(DatabaseStart.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

    private final DatabaseProbe probe;
    private final Flyway flyway;
    private final DatabaseConfig config;

    DatabaseStart(DatabaseProbe probe, Flyway flyway, DatabaseConfig config) {
        this.probe = probe;
        this.flyway = flyway;
        this.config = config;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent event)
            throws InterruptedException {
        awaitDatabase();
        if (config.migrateAtStart() || config.migrateAndExit()) {
            migrate();
        }
        if (config.migrateAndExit()) {
            LOG.info("Migrated: that was all");
            Quarkus.asyncExit(0);
        }
    }

    private void awaitDatabase() throws InterruptedException {
        long deadline = System.nanoTime() + config.startTimeout().toNanos();
        Duration pause = FIRST_PAUSE;
        for (String reason = whyAway(); reason != null; reason = whyAway()) {
            if (System.nanoTime() + pause.toNanos() > deadline) {
                throw giveUp(
                        "Database not available within " + config.startTimeout().toSeconds() + " s: " + reason);
            }
            LOG.warnf("Database not available, next try in %d ms: %s", pause.toMillis(), reason);
            Thread.sleep(pause.toMillis());
            pause = pause.compareTo(LONGEST_PAUSE.dividedBy(2)) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** One line that says why the database does not answer, or null when it does. */
    private String whyAway() {
        return probe.whyAway(LONGEST_ANSWER).await().indefinitely().orElse(null);
    }

    private void migrate() {
        try {
            flyway.migrate();
        } catch (FlywayException e) {
            LOG.debug("Migration failed", e);
            throw giveUp("Database schema could not be migrated: " + DatabaseProbe.onOneLine(e.getMessage()));
        }
    }

    /** The one exception whose message the platform prints without a stack trace, before it exits with code 1. */
    private static ConfigurationException giveUp(String reason) {
        return new ConfigurationException(reason);
    }
}
