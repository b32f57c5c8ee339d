package io.datasetlisting.http;

import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.internal.PlatformDependent;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.MemorySize;

/**
 * The budget of the memory that clients occupy by being slow: bytes of responses that a client has not taken yet, and bytes of bodies
 * that are not parsed yet. The budget is for the whole process, because an attacker opens as many connections as it needs.
 */
// Created at start, so that the gauges exist before the first request.
@Startup
@Singleton
public class ClientMemory {

    /** The rest of the heap is for caches and for requests that run. */
    private static final int SHARE_OF_HEAP = 4;
    private static final int SHARE_OF_DIRECT_MEMORY = 2;

    private final long max;
    private final AtomicLong responses = new AtomicLong();
    private final AtomicLong bodies = new AtomicLong();

    ClientMemory(HttpConfig config, MeterRegistry meters) {
        max = config.http().clientMemory().map(MemorySize::asLongValue).orElseGet(ClientMemory::defaultBudget);
        meters.gauge("dataset.responses.waiting.bytes", responses);
        meters.gauge("dataset.bodies.bytes", bodies);
    }

    private static long defaultBudget() {
        return Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
                PlatformDependent.maxDirectMemory() / SHARE_OF_DIRECT_MEMORY);
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
    }

    /** Counts bytes of a response that the socket has not taken yet; negative when it takes them. */
    void addResponse(long bytes) {
        responses.addAndGet(bytes);
    }

    /** Whether clients occupy more than the budget. */
    boolean isExceeded() {
        return responses.get() + bodies.get() > max;
    }
}
