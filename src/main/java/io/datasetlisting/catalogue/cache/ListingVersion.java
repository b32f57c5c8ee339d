package io.datasetlisting.catalogue.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

import jakarta.inject.Inject;
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

    private final Function<Caller, Uni<Long>> read;
    private final long maxAge;
    private final LongSupplier nanoTime;
    private final AtomicInteger writers = new AtomicInteger();
    private volatile long lastWrite;
    private volatile Reading last;
    private final AtomicBoolean renewing = new AtomicBoolean();

    @Inject
    ListingVersion(ListingVersionRepository repository, CacheConfig config) {
        this(repository::read, config.maxAge(), System::nanoTime);
    }

    /**
     * @param read
     *            reads the version for a caller
     * @param nanoTime
     *            see {@link System#nanoTime}
     */
    ListingVersion(Function<Caller, Uni<Long>> read, Duration maxAge, LongSupplier nanoTime) {
        this.read = read;
        this.maxAge = maxAge.toNanos();
        this.nanoTime = nanoTime;
        lastWrite = nanoTime.getAsLong();
    }

    /** A read of the version; the result is not older than the start of the read, on the server that it reads. */
    private static final class Reading {

        private final long started;
        private final Uni<Long> version;
        /** Null until the read has succeeded. */
        private volatile Long result;

        Reading(long started, Uni<Long> version) {
            this.started = started;
            this.version = CallerContext
                    .forEachCaller(version.invoke(value -> result = value).memoize().indefinitely());
        }
    }

    /**
     * The listing version for a cached page of a caller. That of a caller with a token is not older than its request, on the
     * server that the caller reads.
     */
    public Uni<Long> current(Caller caller) {
        return caller.isAnonymous() ? current() : read.apply(caller);
    }

    /**
     * The listing version: at most {@code dataset.cache.max-age} old, and read after each write through this instance that has
     * ended. Concurrent callers share one read.
     */
    public Uni<Long> current() {
        Reading reading = last;
        if (!isUsable(reading, nanoTime.getAsLong())) {
            reading = begin();
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
        long now = nanoTime.getAsLong();
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

    private Reading begin() {
        return new Reading(nanoTime.getAsLong(), read.apply(Caller.ANONYMOUS));
    }

    private void renew() {
        Reading next = begin();
        next.version.onTermination().invoke(() -> renewing.set(false)).subscribe().with(result -> last = next,
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
        lastWrite = nanoTime.getAsLong();
        writers.decrementAndGet();
    }
}
