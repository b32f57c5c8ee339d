package io.datasetlisting.http.input;

import jakarta.inject.Singleton;

import io.vertx.core.Vertx;

/** Runs the parsers of long bodies and of filters, which may take longer than the event loop may be blocked. */
@Singleton
public class ParserThreads extends WorkerThreads {

    /** More threads would hold more parsed bodies in memory, and take the processor from the event loops. */
    private static final int THREADS = 2;

    /** Texts that may wait for a thread. Their requests count as running, and leave most of the places to others. */
    private static final int MAX_WAITING = 96;

    ParserThreads(Vertx vertx) {
        super(vertx, "request-parsers", THREADS, MAX_WAITING, "Too many searches at once, try again later.");
    }
}
