package io.datasetlisting.http.input;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.RequestEnd;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;

/** Threads for one kind of work of requests that may take longer than the event loop may be blocked. */
public class WorkerThreads {

    private final WorkerExecutor threads;
    private final int maxWaiting;
    private final String refusal;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param maxWaiting
     *            work that may wait for a thread; it counts until a thread begins with it, also if its request has ended
     * @param refusal
     *            the sentence that the client of further work gets with 503
     */
    public WorkerThreads(Vertx vertx, String name, int size, int maxWaiting, String refusal) {
        threads = vertx.createSharedWorkerExecutor(name, size);
        this.maxWaiting = maxWaiting;
        this.refusal = refusal;
    }

    /**
     * Runs work, unless the request has ended meanwhile. The result arrives on the context of the request. Fails with an
     * {@link ApiException}, 503, if too much work waits.
     */
    public <T> Uni<T> run(RoutingContext context, Callable<T> work) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return Uni.createFrom().failure(new ApiException(503, refusal));
        }
        return UniHelper.toUni(threads.executeBlocking(() -> {
            waiting.decrementAndGet();
            if (RequestEnd.hasEnded(context)) {
                throw ended();
            }
            return work.call();
        }, false));
    }

    /** For a request that has ended: no client receives it. */
    static ApiException ended() {
        return new ApiException(503, "The request has ended.");
    }
}
