package io.datasetlisting.catalogue.rank;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Says when a fold of any instance has ended, to what waits for changes. */
@Singleton
public class FoldSignal {

    private final Vertx vertx;
    private final AtomicLong folds = new AtomicLong();
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean manyPending;

    FoldSignal(Vertx vertx) {
        this.vertx = vertx;
    }

    /** How many folds this instance has seen. */
    public long folds() {
        return folds.get();
    }

    /** Whether so many changes are pending that a page from the ranks takes longer than one from the columns. */
    public boolean areManyPending() {
        return manyPending;
    }

    void setManyPending(boolean areMany) {
        manyPending = areMany;
    }

    /** Wakes everything that waits, as after a fold. */
    public void fire() {
        folds.incrementAndGet();
        waiting.forEach(Runnable::run);
    }

    /**
     * Waits for a fold, on the event loop of the caller.
     *
     * @param seen
     *            the number of folds before the caller has read the changes
     */
    public Uni<Void> await(long seen, Duration max) {
        return Uni.createFrom().emitter(caller -> {
            Context context = vertx.getOrCreateContext();
            AtomicBoolean ended = new AtomicBoolean();
            Runnable wake = () -> {
                if (ended.compareAndSet(false, true)) {
                    context.runOnContext(now -> caller.complete(null));
                }
            };
            long timer = vertx.setTimer(Math.max(1, max.toMillis()), expired -> wake.run());
            waiting.add(wake);
            caller.onTermination(() -> {
                waiting.remove(wake);
                vertx.cancelTimer(timer);
            });
            if (folds.get() != seen) {
                wake.run();
            }
        });
    }
}
