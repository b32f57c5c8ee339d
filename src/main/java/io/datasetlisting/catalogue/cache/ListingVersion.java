package io.datasetlisting.catalogue.cache;

import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.rank.ListingVersionRepository;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.RequestEnd;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Knows the listing version, and reads it from the database only when it may have changed. */
@Singleton
public class ListingVersion {

    private final ListingVersionRepository repository;
    private final long maxAge;
    private final AtomicInteger writers = new AtomicInteger();
    private volatile long lastWrite = System.nanoTime();
    private volatile Reading last;

    ListingVersion(ListingVersionRepository repository, CacheConfig config) {
        this.repository = repository;
        maxAge = config.maxAge().toNanos();
    }

    /** A read of the version; the result is not older than the start of the read. */
    private static final class Reading {

        private final long started = System.nanoTime();
        private final Uni<Long> version;

        Reading(Uni<Long> version) {
            this.version = CallerContext.forEachCaller(version.memoize().indefinitely());
        }
    }

    /** The listing version for a cached page of a caller. That of a caller with a token is not older than its request. */
    public Uni<Long> current(Caller caller) {
        return caller.isAnonymous() ? current() : repository.read(caller);
    }

    /**
     * The listing version: at most {@code dataset.cache.max-age} old, and newer than each write through this instance
     * that has ended. Concurrent callers share one read.
     */
    public Uni<Long> current() {
        Reading reading = last;
        long now = System.nanoTime();
        // A running write may have committed already.
        if (reading == null || writers.get() > 0 || reading.started - lastWrite <= 0
                || now - reading.started >= maxAge) {
            reading = new Reading(repository.read(Caller.ANONYMOUS));
            last = reading;
        }
        return reading.version;
    }

    /** While a write runs, and after it, the version is read anew: the write may commit at any moment. */
    public void trackWrite(RoutingContext context) {
        if (!Endpoint.of(context).isRead(context.request().method())) {
            writers.incrementAndGet();
            RequestEnd.then(context, this::endWrite);
        }
        context.next();
    }

    private void endWrite() {
        lastWrite = System.nanoTime();
        writers.decrementAndGet();
    }
}
