package io.datasetlisting.write.bulk;

import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.postgres.database.StreamConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;

/** Limits how many bulk transfers run at once: each holds a database connection for as long as its client takes. */
// Created at start, so that the gauge exists before the first transfer.
@Startup
@Singleton
class Transfers {

    private final AtomicInteger running = new AtomicInteger();
    private final int max;

    Transfers(StreamConnections config, MeterRegistry meters) {
        max = config.maxTransfers();
        meters.gauge("dataset.transfers.running", running);
    }

    /**
     * A transfer that fails with an {@link ApiException}, 503, while too many run. It counts from the subscription on, so that a
     * transfer whose client has disconnected before never counts.
     */
    <T> Multi<T> limit(Multi<T> transfer) {
        return Multi.createFrom().resource(this::begin, begun -> transfer)
                .withFinalizer(AtomicInteger::decrementAndGet);
    }

    private AtomicInteger begin() {
        if (running.incrementAndGet() > max) {
            running.decrementAndGet();
            throw new ApiException(503, "Too many bulk transfers at once, try again later.");
        }
        return running;
    }
}
