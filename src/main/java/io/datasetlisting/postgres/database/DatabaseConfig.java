package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the connections to the database, of migrations, of the replica, and of folding. */
@ConfigMapping(prefix = "dataset.database")
public interface DatabaseConfig {

    /** Whether the service migrates the schema at start. */
    @WithDefault("true")
    boolean migrateAtStart();

    /** Whether the service only migrates the schema, and then exits with code 0. */
    @WithDefault("false")
    boolean migrateAndExit();

    /** Whether the service only rebuilds the ranks, and the indexes of texts if they need it, and then exits with code 0. */
    @WithDefault("false")
    boolean rebuildAndExit();

    /** Time limit for opening a connection. */
    @WithDefault("PT5S")
    Duration connectTimeout();

    /** Time after which the service closes a connection on which no data moves, even in the middle of a statement. */
    @WithDefault("PT2M")
    Duration idleTimeout();

    /**
     * The idle timeout of the connections that fold and rebuild ranks. No data moves while PostgreSQL counts all datasets, which
     * takes minutes for a catalogue of ten million.
     */
    @WithDefault("PT10M")
    Duration maintenanceTimeout();

    /**
     * Number of connections for pages, in addition to the general pool, so that a page does not wait for an import. Each
     * connection carries several statements at a time. A replica gets as many connections again.
     */
    @WithDefault("4")
    int pageConnections();

    /**
     * Number of connections for searches, filters and counts on a map, so that no other request waits for a costly one. A replica
     * gets as many connections again.
     */
    @WithDefault("4")
    int searchConnections();

    /** PostgreSQL's {@code statement_timeout} on these connections. Then the request gets 503. */
    @WithDefault("PT5S")
    Duration searchTimeout();

    /** File with the password of the database, which replaces {@code quarkus.datasource.password}. */
    Optional<String> passwordFile();

    /** URL of the replica, {@code postgresql://host:port/database}. The user and password of the primary apply. */
    Optional<String> readUrl();

    /** Largest lag of the replica. While the lag is larger, all reads go to the primary. */
    @WithDefault("PT2S")
    Duration maxReplicaLag();

    /** Time for which a starting service tries to reach the database. Then it exits with code 1. */
    @WithDefault("PT60S")
    Duration startTimeout();

    /**
     * Shortest time between the beginnings of two folds of pending changes into the ranks. Pages are exact at any value, and
     * faster with fewer pending changes. The feed shows a change after the next fold.
     */
    @WithDefault("PT0.3S")
    Duration foldInterval();
}
