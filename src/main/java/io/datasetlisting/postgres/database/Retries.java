package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * The retries so far of one read or write. Decides whether the work runs again after a failure of the database, and when.
 *
 * @param hasLostConnection
 *            whether a connection was lost after the statement was sent
 * @param beganAt
 *            the time at which the caller asked, as {@link System#nanoTime} gives it
 */
record Retries(int count, boolean hasLostConnection, long beganAt) {

    /** Whatever the failures were. */
    private static final int MAX = 4;
    /** The mean pause before the first retry after a conflict. Each further pause is twice as long. */
    private static final int CONFLICT_PAUSE_MILLIS = 25;
    /** The mean pause before the first retry after a lost connection: by then the pool knows which of the others are lost. */
    private static final int LOSS_PAUSE_MILLIS = 100;

    /** No retries so far. */
    static Retries begin() {
        return new Retries(0, false, System.nanoTime());
    }

    /**
     * Whether a retry may follow a lost connection. A connection that was closed before the statement was sent does not count as
     * the one loss: a pool may hand out several of these before it has seen that they are closed.
     */
    boolean mayFollowLoss(Throwable e) {
        return DatabaseFailure.isConnectionLost(e) && count < MAX
                && (!hasLostConnection || DatabaseFailure.isUnsent(e));
    }

    /** Whether a retry may follow a deadlock or a serialization failure. */
    boolean mayFollowConflict(Throwable e) {
        return DatabaseFailure.isConflict(e) && count < MAX;
    }

    /** Whether a retry may follow if a server is found that takes writes. */
    boolean mayFollowReadOnly(Throwable e) {
        return DatabaseFailure.isReadOnly(e) && count < MAX;
    }

    /** What is left of a time limit for the work with its retries. */
    Duration remaining(Duration limit) {
        return limit.minusNanos(System.nanoTime() - beganAt);
    }

    /** The retries with the one on a server that takes writes. */
    Retries afterReadOnly() {
        return new Retries(count + 1, hasLostConnection, beganAt);
    }

    /** The retries with the one that follows a lost connection, after a pause. */
    Uni<Retries> afterLoss(Throwable e) {
        return pause(LOSS_PAUSE_MILLIS)
                .replaceWith(new Retries(count + 1, hasLostConnection || !DatabaseFailure.isUnsent(e), beganAt));
    }

    /** The retries with the one that follows a conflict, after a pause. */
    Uni<Retries> afterConflict() {
        return pause(CONFLICT_PAUSE_MILLIS << count)
                .replaceWith(new Retries(count + 1, hasLostConnection, beganAt));
    }

    /** A random pause in the current Vert.x context, so that the same transactions do not meet again. */
    private static Uni<Void> pause(int meanMillis) {
        int millis = ThreadLocalRandom.current().nextInt(meanMillis / 2, meanMillis * 3 / 2);
        return Uni.createFrom().emitter(caller -> {
            if (!runAfter(millis, () -> caller.complete(null))) {
                caller.complete(null);
            }
        });
    }

    /**
     * Runs an action later in the current Vert.x context. The result is false, and the action does not run, without a context.
     */
    static boolean runAfter(long millis, Runnable action) {
        Context context = Vertx.currentContext();
        if (context != null) {
            context.owner().setTimer(millis, fired -> context.runOnContext(nothing -> action.run()));
        }
        return context != null;
    }
}
