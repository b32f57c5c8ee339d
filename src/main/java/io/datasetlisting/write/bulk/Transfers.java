package io.datasetlisting.write.bulk;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.access.account.RateLimit;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.ClientPlaces;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.catalogue.listing.StreamLimits;
import io.datasetlisting.postgres.database.StreamConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.vertx.ext.web.RoutingContext;

/**
 * Limits how many bulk transfers run at once, because an export holds a database connection for as long as its client takes,
 * and logs the progress of exports.
 */
// Created at start, so that the gauge exists before the first transfer.
@Startup
@Singleton
public class Transfers {

    private static final Logger LOG = Logger.getLogger(Transfers.class);

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger exports = new AtomicInteger();
    private final AtomicInteger stored = new AtomicInteger();
    private final AtomicInteger imports = new AtomicInteger();
    private final AtomicInteger files = new AtomicInteger();
    private final ClientPlaces exportsOfClients;
    private final StreamLimits streams;
    private final int max;
    private final Duration progressInterval;

    Transfers(StreamConnections config, StreamConfig bulk, StreamLimits streams, MeterRegistry meters) {
        this.streams = streams;
        max = config.maxTransfers();
        exportsOfClients = new ClientPlaces(Math.max(1, max / 2));
        progressInterval = bulk.progressInterval();
        meters.gauge("dataset.transfers.running", running);
    }

    /**
     * An export within the limits of streams, which fails with an {@link ApiException}: 503 while too many run, 429 while its
     * client has half of all places. It counts from the subscription on, so that a transfer whose client has disconnected
     * before never counts.
     */
    public Multi<byte[]> limit(Multi<byte[]> export, RoutingContext context) {
        return streams.limit(counted(exports, 0, Multi.createFrom().resource(() -> {
            Object client = RateLimit.client(context);
            exportsOfClients.enter(client);
            return client;
        }, client -> export).withFinalizer(exportsOfClients::leave)), context);
    }

    /** Limits an export that the service stores. One has a place beside the exports whose clients may read for long. */
    public <T> Multi<T> limitStored(Multi<T> export) {
        return counted(stored, 1, export);
    }

    /** Limits an import. One has a place beside the exports, whose clients may read for long. */
    public <T> Multi<T> limitImport(Multi<T> transfer) {
        return counted(imports, 1, transfer);
    }

    /** Limits an import of a file. Its row groups take much memory, so that only one file is read at a time. */
    public <T> Multi<T> limitFile(Multi<T> transfer) {
        return Multi.createFrom().resource(() -> {
            if (!files.compareAndSet(0, 1)) {
                throw tooMany();
            }
            return files;
        }, begun -> limitImport(transfer)).withFinalizer(AtomicInteger::decrementAndGet);
    }

    /**
     * Counts a transfer while it runs.
     *
     * @param kept
     *            transfers of this kind that run beside any number of others
     */
    private <T> Multi<T> counted(AtomicInteger kind, int kept, Multi<T> transfer) {
        return Multi.createFrom().resource(() -> {
            int before = kind.getAndIncrement();
            if (running.incrementAndGet() > max && before >= kept) {
                end(kind);
                throw tooMany();
            }
            return kind;
        }, begun -> transfer).withFinalizer(this::end);
    }

    private void end(AtomicInteger kind) {
        kind.decrementAndGet();
        running.decrementAndGet();
    }

    private static ApiException tooMany() {
        return new ApiException(503, "Too many bulk transfers at once, try again later.");
    }

    /** Logs the progress of an export. */
    public <T> Multi<List<T>> logged(Multi<List<T>> exported) {
        Progress progress = new Progress("Export", progressInterval);
        return exported.invoke(rows -> progress.add(rows.size()))
                .onFailure().invoke(e -> LOG.warnf("Export failed: %s", e))
                .onTermination().invoke(progress::end);
    }
}
