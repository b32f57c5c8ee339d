package io.datasetlisting.database;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

import io.datasetlisting.http.ApiException;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * Limits how many writes run at a time, so that writes that wait for a lock do not take all connections of a pool. Further writes
 * wait in the order of their arrival, without a connection.
 */
final class WriteQueue {

    private final int maxRunning;
    private final long maxWaitNanos;
    private final Set<Entry> waiting = new LinkedHashSet<>();
    private int running;

    /**
     * @param maxWait
     *            a write that has waited longer fails when its turn arrives, because no client waits for it any more
     */
    WriteQueue(int maxRunning, Duration maxWait) {
        this.maxRunning = maxRunning;
        maxWaitNanos = maxWait.toNanos();
    }

    /** A write. Not a record, because the set must distinguish all entries. */
    private static final class Entry {

        private final Runnable start;
        private final Consumer<Throwable> refuse;
        private final Context context = Vertx.currentContext();
        private final long since = System.nanoTime();

        Entry(Runnable start, Consumer<Throwable> refuse) {
            this.start = start;
            this.refuse = refuse;
        }

        void run(Runnable action) {
            if (context == null) {
                action.run();
            } else {
                context.runOnContext(nothing -> action.run());
            }
        }
    }

    /**
     * Starts a write now or when its turn arrives, in the current Vert.x context.
     *
     * @param start
     *            starts the write; {@link #end} must be called once at its end
     * @param refuse
     *            is called instead of {@code start} if the write has waited too long
     *
     * @return withdraws the write, unless it has been started
     */
    Runnable submit(Runnable start, Consumer<Throwable> refuse) {
        Entry entry = new Entry(start, refuse);
        synchronized (this) {
            if (running == maxRunning) {
                waiting.add(entry);
                return () -> withdraw(entry);
            }
            running++;
        }
        start.run();
        return () -> {
        };
    }

    private synchronized void withdraw(Entry entry) {
        waiting.remove(entry);
    }

    /** Passes the turn of a write that has ended to the next write. */
    void end() {
        for (Entry next = next(); next != null; next = next()) {
            Entry entry = next;
            if (System.nanoTime() - entry.since <= maxWaitNanos) {
                entry.run(entry.start);
                return;
            }
            entry.run(() -> entry.refuse
                    .accept(new ApiException(503, "Too many writes wait for the database, try again later.")));
        }
    }

    /** The first write in the queue, which takes over the turn; null if none waits. */
    private synchronized Entry next() {
        if (waiting.isEmpty()) {
            running--;
            return null;
        }
        Entry first = waiting.iterator().next();
        waiting.remove(first);
        return first;
    }
}
