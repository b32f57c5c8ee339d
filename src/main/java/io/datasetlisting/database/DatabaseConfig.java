package io.datasetlisting.database;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the service does to the database of its own accord. */
@ConfigMapping(prefix = "dataset.database")
public interface DatabaseConfig {

    /** Whether the schema is brought up to date at start. */
    @WithDefault("true")
    boolean migrateAtStart();

    /** How long to go on asking for a database that does not answer, before giving up with exit code 1. */
    @WithDefault("PT60S")
    Duration startTimeout();

    /**
     * How long changes of datasets are noted until they are folded into the ranks. Pages are exact all the same, and the
     * fewer notes there are the faster.
     */
    @WithDefault("PT0.5S")
    Duration foldInterval();
}
