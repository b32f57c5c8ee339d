package io.datasetlisting.access.account;

import java.util.concurrent.TimeUnit;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Removes old entries of the audit every hour. */
@Singleton
class AuditRemoval {

    private static final Logger LOG = Logger.getLogger(AuditRemoval.class);

    private static final long PAUSE_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final AuditRepository repository;
    private final AuditConfig config;
    private final Vertx vertx;

    AuditRemoval(AuditRepository repository, AuditConfig config, Vertx vertx) {
        this.repository = repository;
        this.config = config;
        this.vertx = vertx;
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        vertx.setPeriodic(PAUSE_MILLIS, hour -> repository.forget(config.keep()).subscribe().with(
                removed -> LOG.debugf("%d old entries of the audit are removed", removed),
                e -> LOG.warnf("Old entries of the audit are not removed: %s", e.getMessage())));
    }
}
