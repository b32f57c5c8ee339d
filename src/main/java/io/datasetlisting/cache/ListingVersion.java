package io.datasetlisting.cache;

import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import io.datasetlisting.rank.ListingVersionRepository;
import io.smallrye.mutiny.Uni;

/** Which version of the listing there is, without asking the database more often than is needed. */
@Singleton
class ListingVersion {

    private final ListingVersionRepository repository;
    private final long maxAge;
    private final AtomicInteger writers = new AtomicInteger();
    private volatile long lastWrite = System.nanoTime();
    private volatile Reading last;

    ListingVersion(ListingVersionRepository repository, CacheConfig config) {
        this.repository = repository;
        maxAge = config.maxAge().toNanos();
    }

    /** The version as it was when it was asked for, or later. */
    private static final class Reading {

        private final long started = System.nanoTime();
        private final Uni<Long> version;

        Reading(Uni<Long> version) {
            this.version = version.memoize().indefinitely();
        }
    }

    /** As it is now, or was not long ago. Many who ask at once ask once. */
    Uni<Long> current() {
        Reading reading = last;
        long now = System.nanoTime();
        // Who writes here may have committed, and told so, any moment.
        if (reading == null || writers.get() > 0 || reading.started - lastWrite <= 0
                || now - reading.started >= maxAge) {
            reading = new Reading(repository.read());
            last = reading;
        }
        return reading.version;
    }

    void beginWrite() {
        writers.incrementAndGet();
    }

    void endWrite() {
        lastWrite = System.nanoTime();
        writers.decrementAndGet();
    }
}
