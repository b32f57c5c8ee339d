package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Limits how many tasks of one kind run at a time. Further tasks wait in the order of their arrival, without a connection. Writes
 * that wait for a lock, and streams whose clients do not read, therefore leave connections to others.
 */
public final class TurnQueue {

    private final int maxRunning;
    private final int maxWaiting;
    private final String refusal;
    private final long maxWaitNanos;
    private final Set<Entry> waiting = new LinkedHashSet<>();
    private int running;

    /**
     * @param maxWaiting
     *            further tasks fail at once
     * @param maxWait
     *            a task that has waited longer fails when its turn arrives, because no client waits for it any more
     * @param refusal
     *            the sentence that the client of a task that fails gets with 503
     */
    public TurnQueue(int maxRunning, int maxWaiting, Duration maxWait, String refusal) {
        this.maxRunning = maxRunning;
        this.maxWaiting = maxWaiting;
        this.refusal = refusal;
        maxWaitNanos = maxWait.toNanos();
    }

    /** A task. Not a record, because the set must distinguish all entries. */
    private static final class Entry {

        private final Runnable start;
        private final Consumer<Throwable> refuse;
        private final Executor caller = CallerContext.later();
        private final long since = System.nanoTime();

        Entry(Runnable start, Consumer<Throwable> refuse) {
            this.start = start;
            this.refuse = refuse;
        }
    }

    /**
     * Starts a task now or when its turn arrives, in the current Vert.x context.
     *
     * @param start
     *            starts the task; {@link #end} must be called once at its end
     * @param refuse
     *            is called instead of {@code start} if too many tasks wait, or if the task has waited too long
     *
     * @return withdraws the task, unless it has been started
     */
    public Runnable submit(Runnable start, Consumer<Throwable> refuse) {
        Entry entry = new Entry(start, refuse);
        Runnable action = refuse(entry);
        synchronized (this) {
            if (running < maxRunning) {
                running++;
                action = start;
            } else if (waiting.size() < maxWaiting) {
                waiting.add(entry);
                return () -> withdraw(entry);
            }
        }
        action.run();
        return () -> {
        };
    }

    /** Runs work when its turn arrives. A caller that cancels leaves the queue, or cancels the work. */
    public <T> Uni<T> run(Supplier<Uni<T>> work) {
        return Uni.createFrom().emitter(caller -> {
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicReference<Cancellable> running = new AtomicReference<>();
            Runnable cancel = () -> {
                Cancellable present = running.get();
                if (isOver.get() && present != null) {
                    present.cancel();
                }
            };
            Runnable withdraw = submit(() -> {
                AtomicBoolean hasEnded = new AtomicBoolean();
                Uni<T> turn = isOver.get() ? Uni.createFrom().nullItem() : work.get();
                running.set(turn.onTermination().invoke(() -> {
                    if (!hasEnded.getAndSet(true)) {
                        end();
                    }
                }).subscribe().with(caller::complete, caller::fail));
                cancel.run();
            }, caller::fail);
            caller.onTermination(() -> {
                isOver.set(true);
                withdraw.run();
                cancel.run();
            });
        });
    }

    /** How many tasks wait. */
    synchronized int waiting() {
        return waiting.size();
    }

    private Runnable refuse(Entry entry) {
        return () -> entry.refuse.accept(new ApiException(503, refusal));
    }

    private synchronized void withdraw(Entry entry) {
        waiting.remove(entry);
    }

    /** Passes the turn of a task that has ended to the next task. */
    public void end() {
        for (Entry next = next(); next != null; next = next()) {
            Entry entry = next;
            if (System.nanoTime() - entry.since <= maxWaitNanos) {
                entry.caller.execute(entry.start);
                return;
            }
            entry.caller.execute(refuse(entry));
        }
    }

    /** The first task in the queue, which takes over the turn; null if none waits. */
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
