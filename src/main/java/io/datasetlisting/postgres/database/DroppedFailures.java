package io.datasetlisting.postgres.database;

import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Receives failures for which no caller waits any more, such as that of a statement whose request has exceeded its time limit.
 */
@Singleton
class DroppedFailures {

    private static final Logger LOG = Logger.getLogger(DroppedFailures.class);

    void onStart(@Observes StartupEvent event) {
        Infrastructure.setDroppedExceptionHandler(DroppedFailures::log);
    }

    /**
     * The request has reported a failure of the database already, and when the service ends, its event loops refuse what is left.
     * Other failures are defects.
     */
    private static void log(Throwable e) {
        if (DatabaseFailure.isTemporary(e) || e instanceof ApiException || e instanceof CancellationException
                || e instanceof RejectedExecutionException) {
            LOG.debug("A failure for which no caller waits", e);
        } else {
            LOG.error("A failure for which no caller waits", e);
        }
    }
}
