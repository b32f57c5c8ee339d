package io.datasetlisting.database;

import java.sql.SQLException;
import java.time.Duration;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

import io.agroal.api.AgroalDataSource;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.StartupEvent;

/** Waits for the database and migrates its schema, before the first request is accepted. */
@Singleton
class DatabaseStart {

    private static final Logger LOG = Logger.getLogger(DatabaseStart.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final AgroalDataSource dataSource;
    private final Flyway flyway;
    private final DatabaseConfig config;

    DatabaseStart(AgroalDataSource dataSource, Flyway flyway, DatabaseConfig config) {
        this.dataSource = dataSource;
        this.flyway = flyway;
        this.config = config;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent event)
            throws InterruptedException {
        awaitDatabase();
        if (config.migrateAtStart()) {
            migrate();
        }
    }

    private void awaitDatabase() throws InterruptedException {
        long deadline = System.nanoTime() + config.startTimeout().toNanos();
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                dataSource.getConnection().close();
                return;
            } catch (SQLException e) {
                String reason = firstLine(e);
                if (System.nanoTime() + pause.toNanos() > deadline) {
                    throw giveUp(
                            "Database not available within " + config.startTimeout().toSeconds() + " s: " + reason);
                }
                LOG.warnf("Database not available, next try in %d ms: %s", pause.toMillis(), reason);
            }
            Thread.sleep(pause.toMillis());
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private void migrate() {
        try {
            flyway.migrate();
        } catch (FlywayException e) {
            LOG.debug("Migration failed", e);
            throw giveUp("Database schema could not be migrated: " + e.getMessage().strip().replaceAll("\\s+", " "));
        }
    }

    /** The platform prints the sentence of this exception alone and ends with its exit code. */
    private static PreventFurtherStepsException giveUp(String reason) {
        return new PreventFurtherStepsException(reason, 1);
    }

    private static String firstLine(SQLException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
    }
}
