package io.datasetlisting.database;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the service does to the database of its own accord. */
@ConfigMapping(prefix = "dataset.database")
public interface DatabaseConfig {

    /** Whether the schema is brought up to date at start. */
    @WithDefault("true")
    boolean migrateAtStart();

    /** Whether the schema is brought up to date and nothing else is done: the service ends with exit code 0. */
    @WithDefault("false")
    boolean migrateAndExit();

    /** How long it may take to connect. */
    @WithDefault("PT5S")
    Duration connectTimeout();

    /** After how long a connection on which nothing moves is given up, in the middle of a statement, too. */
    @WithDefault("PT2M")
    Duration idleTimeout();

    /**
     * Connections for pages, besides those that somebody holds for a while: a page does not wait for an import. Each has
     * several statements under way, and to a replica there are as many again.
     */
    @WithDefault("4")
    int pageConnections();

    /** A replica that is read from, {@code postgresql://host:port/database}; who connects is the same as to the primary. */
    Optional<String> readUrl();

    /** How far a replica may be behind; while it is further, the primary is read from. */
    @WithDefault("PT2S")
    Duration maxReplicaLag();

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
