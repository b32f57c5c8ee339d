package io.datasetlisting.postgres.replica;

/** The event before the pools of connections are made, which is the first use of a setting. */
public record BeforeConnections() {
}
