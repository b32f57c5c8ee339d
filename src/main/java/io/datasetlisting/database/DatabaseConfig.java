package io.datasetlisting.database;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What happens to the database when the service starts. */
@ConfigMapping(prefix = "dataset.database")
public interface DatabaseConfig {

    /** Whether the schema is brought up to date at start. */
    @WithDefault("true")
    boolean migrateAtStart();

    /** How long to go on asking for a database that does not answer, before giving up with exit code 1. */
    @WithDefault("PT60S")
    Duration startTimeout();
}
