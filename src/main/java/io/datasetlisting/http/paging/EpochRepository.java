package io.datasetlisting.http.paging;

import java.time.Duration;
import java.util.UUID;

import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the epoch of the feed of changes. */
@Singleton
class EpochRepository {

    /** A position with the epoch before is still valid, or is refused: it never hides a change. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    private static final String NEWEST = "select id from listing_epoch order by no desc limit 1";

    private static final String KNOWN = "select exists (select from listing_epoch where id = $1) as known";

    private final Reads reads;
    private final Uni<UUID> newest;
    /** The {@link System#nanoTime} of the last read. */
    private volatile long read = System.nanoTime() - KEPT.toNanos();

    EpochRepository(Reads reads) {
        this.reads = reads;
        newest = CallerContext.forEachCaller(Uni.createFrom()
                .deferred(() -> reads.read(from -> from.pages().execute(NEWEST, Tuple.tuple())))
                .map(rows -> rows.iterator().next().getUUID("id"))
                .invoke(() -> read = System.nanoTime())
                .memoize().until(() -> System.nanoTime() - read > KEPT.toNanos()));
    }

    /** The id of the newest epoch, which may be up to 10 seconds old. */
    Uni<UUID> newest() {
        return newest;
    }

    /** Whether the database has, or has had, an epoch. */
    Uni<Boolean> isKnown(UUID epoch) {
        return reads.readPrimary(from -> from.pages().execute(KNOWN, Tuple.of(epoch)))
                .map(rows -> rows.iterator().next().getBoolean("known"));
    }
}
