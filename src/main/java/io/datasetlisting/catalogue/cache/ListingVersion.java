package io.datasetlisting.catalogue.cache;

import java.util.concurrent.atomic.AtomicBoolean;
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
    private final AtomicBoolean renewing = new AtomicBoolean();

    ListingVersion(ListingVersionRepository repository, CacheConfig config) {
        this.repository = repository;
        maxAge = config.maxAge().toNanos();
    }

    /** A read of the version; the result is not older than the start of the read. */
    private static final class Reading {

        private final long started = System.nanoTime();
        private final Uni<Long> version;
        /** Null until the read has succeeded. */
        private volatile Long result;

        Reading(Uni<Long> version) {
            this.version = CallerContext.forEachCaller(version.invoke(read -> result = read).memoize().indefinitely());
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
        if (!isUsable(reading, System.nanoTime())) {
            reading = new Reading(repository.read(Caller.ANONYMOUS));
            last = reading;
        }
        return reading.version;
    }

    /**
     * The same version if no request has to wait for it, otherwise null. It is read again when half of its age has passed, so
     * that the requests of a busy service do not wait together each time that it is too old.
     */
    Long known() {
        Reading reading = last;
        long now = System.nanoTime();
        if (!isUsable(reading, now)) {
            return null;
        }
        if (now - reading.started >= maxAge / 2 && renewing.compareAndSet(false, true)) {
            renew();
        }
        return reading.result;
    }

    private boolean isUsable(Reading reading, long now) {
        // A running write may have committed already.
        return reading != null && writers.get() == 0 && reading.started - lastWrite > 0
                && now - reading.started < maxAge;
    }

    private void renew() {
        Reading next = new Reading(repository.read(Caller.ANONYMOUS));
        next.version.onTermination().invoke(() -> renewing.set(false)).subscribe().with(read -> last = next,
                failure -> {
                    // The request that needs the version reads it again, and reports the failure.
                });
    }

    /** While a write runs, and after it, the version is read anew: the write may commit at any moment. */
    public void trackWrite(RoutingContext context) {
        if (!Endpoint.of(context).isRead(context.request().method())) {
            beginWrite();
            RequestEnd.then(context, this::endWrite);
        }
        context.next();
    }

    void beginWrite() {
        writers.incrementAndGet();
    }

    void endWrite() {
        lastWrite = System.nanoTime();
        writers.decrementAndGet();
    }
}
