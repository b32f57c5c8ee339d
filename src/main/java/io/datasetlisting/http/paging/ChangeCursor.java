package io.datasetlisting.http.paging;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * A position in the feed of changes. The changes before it are known to the client, except the changes of held datasets.
 *
 * @param epoch
 *            null for the newest epoch
 * @param start
 *            the number of the newest fold when the client began to read everything: it never knew datasets that were gone up to
 *            here. {@link #NOT_STARTED} before the first page
 * @param folded
 *            the number of the fold of the last change
 * @param id
 *            the id of the last change, among the changes of its fold; the largest number after all of them
 * @param held
 *            ids of datasets whose last change could not be shown, because another change was pending
 * @param seen
 *            a number up to which the client has all changes, and that says nothing of changes that it does not see: of the last
 *            fold with a change for its audience, or of a time on the clock when it began
 */
public record ChangeCursor(UUID epoch, long start, long folded, long id, List<Long> held, long seen) {

    /** The most held datasets of a position. */
    public static final int MAX_HELD = 100;

    /** The start of a position from which everything is read. */
    public static final long NOT_STARTED = -1;

    /** Before all changes. */
    public static final ChangeCursor START = new ChangeCursor(null, NOT_STARTED, -1, Long.MAX_VALUE, List.of(), 0);

    /** The public part of a token is the epoch. */
    static final int EPOCH_BYTES = 2 * Long.BYTES;
    /** A page contains all changes that were there so long before: a replica is behind, and clocks differ. */
    private static final Duration BEHIND = Duration.ofSeconds(10);
    /** A number is a time in tenths of a second after 2020: see the function sum_rank. */
    private static final long MILLIS = 100;
    private static final long BEGIN = Instant.parse("2020-01-01T00:00:00Z").toEpochMilli();

    /** The position after all changes of a fold, for a client that begins now with a page. */
    public static ChangeCursor after(UUID epoch, long folded, Instant now) {
        return new ChangeCursor(epoch, 0, folded, Long.MAX_VALUE, List.of(), number(now.minus(BEHIND)));
    }

    /** The position before the changes that were merged at or after a time. */
    public static ChangeCursor before(Instant time, Instant now) {
        long folded = number(time) - 1;
        return new ChangeCursor(null, 0, folded, Long.MAX_VALUE, List.of(),
                Math.min(folded, number(now.minus(BEHIND))));
    }

    private static long number(Instant time) {
        return Math.max(0, Math.floorDiv(time.toEpochMilli() - BEGIN, MILLIS));
    }

    /**
     * An equal position. Clients that have passed the number at which they began know which datasets are gone later, whenever
     * they began: their positions are equal, so that they share pages.
     */
    public ChangeCursor withoutPassedStart() {
        boolean isPassed = start != NOT_STARTED && (folded > start || folded == start && id == Long.MAX_VALUE);
        return isPassed ? new ChangeCursor(epoch, 0, folded, id, held, seen) : this;
    }

    /** The position with another number of what the client has seen, which does not decide what a page contains. */
    public ChangeCursor withSeen(long other) {
        return new ChangeCursor(epoch, start, folded, id, held, other);
    }

    /** The time of a fold. */
    public static Instant time(long folded) {
        return Instant.ofEpochMilli(BEGIN + Math.max(0, folded) * MILLIS);
    }

    /** The newest number that the client relies on. */
    public long newest() {
        return Math.max(start, folded);
    }

    byte[] epochBytes() {
        return ByteBuffer.allocate(EPOCH_BYTES)
                .putLong(epoch.getMostSignificantBits()).putLong(epoch.getLeastSignificantBits()).array();
    }

    /** All but the epoch. */
    byte[] positionBytes() {
        ByteBuffer bytes = ByteBuffer.allocate((4 + held.size()) * Long.BYTES)
                .putLong(start).putLong(folded).putLong(id).putLong(seen);
        held.forEach(bytes::putLong);
        return bytes.array();
    }

    static UUID epoch(ByteBuffer bytes) {
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    static ChangeCursor of(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        UUID epoch = epoch(bytes);
        long start = bytes.getLong();
        long folded = bytes.getLong();
        long id = bytes.getLong();
        long seen = bytes.getLong();
        return new ChangeCursor(epoch, start, folded, id, LongStream.generate(bytes::getLong)
                .limit(bytes.remaining() / Long.BYTES).boxed().collect(ArrayList::new, List::add, List::addAll), seen);
    }
}
