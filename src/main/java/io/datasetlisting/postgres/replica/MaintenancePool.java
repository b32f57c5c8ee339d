package io.datasetlisting.postgres.replica;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import io.quarkus.runtime.ShutdownEvent;
import io.vertx.mutiny.sqlclient.Pool;

/**
 * Two connections to the primary for work beside the requests that may take minutes: folding, checking and rebuilding ranks, and
 * removing old entries of the audit. Requests keep the connections of the other pools, and these connections may be silent for
 * longer.
 */
@Singleton
public class MaintenancePool {

    private Pool pool;

    void use(io.vertx.sqlclient.Pool connections) {
        pool = Pool.newInstance(connections);
    }

    public Pool get() {
        return pool;
    }

    /** The last one to end: its users stop their work before. */
    void onEnd(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ShutdownEvent event) {
        pool.closeAndForget();
    }
}
