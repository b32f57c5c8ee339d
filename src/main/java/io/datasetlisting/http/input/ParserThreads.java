package io.datasetlisting.http.input;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.RequestEnd;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;

/** Runs the parsers of long bodies and of filters, which may take longer than the event loop may be blocked. */
@Singleton
public class ParserThreads {

    /** More threads would hold more parsed bodies in memory, and take the processor from the event loops. */
    private static final int THREADS = 2;

    /** Texts that may wait for a thread. Their requests count as running, and leave most of the places to others. */
    private static final int MAX_WAITING = 96;

    private final WorkerExecutor threads;
    private final AtomicInteger waiting = new AtomicInteger();

    ParserThreads(Vertx vertx) {
        threads = vertx.createSharedWorkerExecutor("request-parsers", THREADS);
    }

    /**
     * Runs a parser, unless the request has ended meanwhile. The result arrives on the context of the request. Fails with an
     * {@link ApiException}, 503, if too many texts wait.
     */
    public <T> Uni<T> run(RoutingContext context, Callable<T> parser) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return Uni.createFrom().failure(new ApiException(503, "Too many searches at once, try again later."));
        }
        return UniHelper.toUni(threads.executeBlocking(() -> {
            waiting.decrementAndGet();
            if (RequestEnd.hasEnded(context)) {
                throw ended();
            }
            return parser.call();
        }, false));
    }

    /** For a request that has ended: no client receives it. */
    static ApiException ended() {
        return new ApiException(503, "The request has ended.");
    }
}
