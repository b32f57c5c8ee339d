package io.datasetlisting;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerStart;

/** Logs at DEBUG how long each stage of the start takes, in milliseconds. */
@Singleton
class StartStages {

    private static final Logger LOG = Logger.getLogger(StartStages.class);

    private final List<String> stages = new ArrayList<>();
    private long ended;

    /** The JVM, the configuration, the beans and the mapping of Hibernate. */
    void platform(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event) {
        end("platform");
    }

    /** The first connection, and the migrations. */
    void database(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE + 1) StartupEvent event) {
        end("database");
    }

    /** What the service reads and makes before its first request. */
    void services(@Observes @Priority(Integer.MAX_VALUE) StartupEvent event) {
        end("services");
    }

    void listener(@ObservesAsync HttpServerStart event) {
        end("listener");
        LOG.debugf("Start: %s", String.join(", ", stages));
    }

    private synchronized void end(String stage) {
        long now = ManagementFactory.getRuntimeMXBean().getUptime();
        stages.add(stage + " " + (now - ended) + " ms");
        ended = now;
    }
}
