package io.datasetlisting.postgres.replica;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest positions of the primary's log, from which the lag of a server that replays this log follows. All times are readings
 * of the clock of this instance, as {@link System#nanoTime} gives them, so the clocks of the servers need not agree.
 */
final class WalPositions {

    private static final long UNKNOWN_AGE = Duration.ofHours(1).toNanos();
    /** An even number. */
    private static final int MAX_POSITIONS = 128;

    /**
     * @param lsn
     *            a position of the log
     * @param since
     *            all that lies between the position before this one and this one was written after this time
     */
    private record Position(long lsn, long since) {
    }

    /** Oldest first. */
    private List<Position> positions = List.of();
    /** The time before the end of the log was last read. */
    private long readAt;
    /** The time at which the last position still was the end of the log, as far as is known. */
    private long endAt;

    /**
     * Adds the end of the log.
     *
     * @param nanos
     *            the time before it was read
     */
    synchronized void add(long lsn, long nanos) {
        int size = positions.size();
        Position last = size == 0 ? null : positions.get(size - 1);
        if (last == null || lsn < last.lsn) {
            // After a failover without all changes, the log continues before its old end. It is not known since when.
            positions = List.of(new Position(lsn, nanos - UNKNOWN_AGE));
        } else if (lsn > last.lsn) {
            List<Position> next = new ArrayList<>(size < MAX_POSITIONS ? positions : inPairs(positions));
            next.add(new Position(lsn, readAt));
            positions = List.copyOf(next);
        }
        readAt = nanos;
        endAt = nanos;
    }

    /** One position in place of each two. A lag that is computed with fewer positions is never too small. */
    private static List<Position> inPairs(List<Position> positions) {
        List<Position> pairs = new ArrayList<>();
        for (int i = 1; i < positions.size(); i += 2) {
            pairs.add(new Position(positions.get(i).lsn, positions.get(i - 1).since));
        }
        return pairs;
    }

    /** Notes that nothing was written until a time, because the primary does not answer. */
    synchronized void addSilence(long nanos) {
        endAt = nanos;
    }

    /**
     * The time at which a server that has replayed the log up to a position had all changes. The age of this time is the lag of
     * the server. While the primary does not answer, the lag stays what it was at the last answer: the log of a dead primary does
     * not grow, and what no standby has received of it arrives only if this primary comes back.
     */
    synchronized long completeAt(long replayed) {
        long complete = endAt;
        for (int i = positions.size() - 1; i >= 0 && positions.get(i).lsn > replayed; i--) {
            complete = positions.get(i).since + endAt - readAt;
        }
        return positions.isEmpty() ? System.nanoTime() - UNKNOWN_AGE : complete;
    }
}
