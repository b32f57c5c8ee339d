package io.datasetlisting.postgres.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** The primary or the replica, with its kinds of connections. */
public interface DatabaseServer {

    /**
     * Runs short statements on a few connections that all callers share. Each statement waits for the statements before it on its
     * connection.
     */
    StatementRunner pages();

    /** Runs a statement on each of the connections for pages: behind a balancer they may lead to several servers. */
    StatementRunner allPages();

    /** Runs statements that may take long, such as searches; see {@link Searches}. Each has a connection of its own. */
    Searches searches();

    /** A connection for one stream, which closes it. */
    Uni<SqlConnection> stream();
}
