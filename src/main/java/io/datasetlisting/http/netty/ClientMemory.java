package io.datasetlisting.http.netty;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.internal.PlatformDependent;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;

/**
 * The budget of the memory that clients occupy: bytes of responses that a client has not taken yet, bytes of bodies that are not
 * parsed yet, and room for large responses that are being made. The budget is for the whole process, because an attacker opens as
 * many connections as it needs.
 */
// Created at start, so that the gauges exist before the first request.
@Startup
@Singleton
public class ClientMemory {

    private static final int SHARE_OF_DIRECT_MEMORY = 2;

    /** The part of the budget that large responses leave to small ones. */
    private static final int RESERVED = 4;

    /** Bytes of a response that needs no room: small responses must not wait behind large ones, and few of them run at a time. */
    private static final int SMALL = 128 << 10;

    private final long max;
    private final int maxWaiting;
    private final AtomicLong responses = new AtomicLong();
    private final AtomicLong bodies = new AtomicLong();
    private final AtomicLong reserved = new AtomicLong();
    /** The requests that wait for room, in their order. Guarded by itself. */
    private final Queue<Reservation> queue = new ArrayDeque<>();
    private volatile boolean hasQueue;

    ClientMemory(HttpConfig config, MeterRegistry meters) {
        max = budget(config.http().clientMemory());
        maxWaiting = config.http().maxConcurrentRequests();
        meters.gauge("dataset.responses.waiting.bytes", responses);
        meters.gauge("dataset.responses.reserved.bytes", reserved);
        meters.gauge("dataset.bodies.bytes", bodies);
    }

    private static long budget(Optional<MemorySize> configured) {
        long bytes = HeapShare.CLIENTS.bytes(configured);
        return configured.isPresent()
                ? bytes
                : Math.min(bytes, PlatformDependent.maxDirectMemory() / SHARE_OF_DIRECT_MEMORY);
    }

    /**
     * A request that waits for room.
     *
     * @param eventLoop
     *            on which the request goes on
     */
    private record Reservation(RoutingContext context, Context eventLoop, long bytes, UniEmitter<? super Void> caller,
            long since) {

        void run() {
            eventLoop.runOnContext(start -> caller.complete(null));
        }
    }

    /** Counts bytes of a body in memory. The result is false, and the bytes do not count, if the budget has no room for them. */
    public boolean addBody(long bytes) {
        if (bodies.addAndGet(bytes) + responses.get() > max) {
            bodies.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Gives back bytes of a body that {@link #addBody} has counted. */
    public void removeBody(long bytes) {
        bodies.addAndGet(-bytes);
        admitNext();
    }

    /**
     * Waits for room for a large response. The room is given back when the response has ended: from then on the bytes that the
     * client has not taken count. A request that waits does not count as running, so that the requests that run are for others,
     * and it leaves the queue when it ends. Fails with an {@link ApiException}, 503, if too many requests wait.
     *
     * @param bytes
     *            expected size of all that the response holds in memory
     */
    public Uni<Void> room(RoutingContext context, long bytes) {
        return bytes <= SMALL ? Uni.createFrom().voidItem() : Uni.createFrom().emitter(caller -> {
            Reservation reservation = new Reservation(context, context.vertx().getOrCreateContext(),
                    Math.min(bytes, max / RESERVED), caller, System.nanoTime());
            synchronized (queue) {
                if (!queue.isEmpty() || !hasRoom(reservation.bytes)) {
                    enqueue(reservation);
                    return;
                }
                reserved.addAndGet(reservation.bytes);
            }
            giveBackAtEnd(reservation);
            caller.complete(null);
        });
    }

    private void enqueue(Reservation reservation) {
        if (queue.size() >= maxWaiting) {
            reservation.caller.fail(new ApiException(503, "Too many large responses at once, try again later."));
            return;
        }
        queue.add(reservation);
        hasQueue = true;
        RequestLimits.releaseSlot(reservation.context);
        RequestEnd.then(reservation.context, () -> withdraw(reservation));
    }

    /** A part of the budget is for one response at a time, so that clients that do not read do not keep out all others. */
    private boolean hasRoom(long bytes) {
        long used = reserved.get() + responses.get() + bodies.get() + bytes;
        return used <= (reserved.get() == 0 ? max : max - max / RESERVED);
    }

    private void giveBackAtEnd(Reservation reservation) {
        RequestEnd.then(reservation.context, () -> {
            reserved.addAndGet(-reservation.bytes);
            admitNext();
        });
    }

    private void withdraw(Reservation reservation) {
        synchronized (queue) {
            queue.remove(reservation);
            hasQueue = !queue.isEmpty();
        }
        admitNext();
    }

    private void admitNext() {
        while (hasQueue) {
            Reservation next;
            synchronized (queue) {
                next = queue.peek();
                if (next == null || !hasRoom(next.bytes)) {
                    return;
                }
                queue.remove();
                hasQueue = !queue.isEmpty();
                reserved.addAndGet(next.bytes);
            }
            giveBackAtEnd(next);
            next.run();
        }
    }

    /** Counts bytes of a response that the socket has not taken yet; negative when it takes them. */
    public void addResponse(long bytes) {
        responses.addAndGet(bytes);
        if (bytes < 0) {
            admitNext();
        }
    }

    /** Whether a large response waits for room for longer than this. */
    public boolean hasNoRoomFor(Duration time) {
        if (!hasQueue) {
            return false;
        }
        synchronized (queue) {
            Reservation first = queue.peek();
            return first != null && System.nanoTime() - first.since > time.toNanos();
        }
    }

    /** Whether clients occupy more than the budget. */
    public boolean isExceeded() {
        return responses.get() + bodies.get() > max;
    }
}
