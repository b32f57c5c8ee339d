package io.datasetlisting.catalogue.listing;

import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.catalogue.rank.ChangesConfig;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.postgres.database.TurnQueue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.operators.multi.AbstractMultiOperator;
import io.smallrye.mutiny.operators.multi.MultiOperatorProcessor;
import io.smallrye.mutiny.subscription.MultiSubscriber;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Closes streams that take too long, of which exports and bare arrays hold a snapshot: because the client reads too slowly, or
 * because the stream exceeds the longest duration. Vacuum cannot remove rows while an old snapshot is open.
 */
// Created at start, so that the counters exist before the first closed stream.
@Startup
@Singleton
public class StreamLimits {

    private static final Logger LOG = Logger.getLogger(StreamLimits.class);

    /** A waiting stream holds a share of the requests that may run. */
    private static final int MAX_WAITING = 32;
    private static final long WAIT_FOR_CHECK_MILLIS = 100;

    private final TurnQueue turns;
    private final long minRate;
    private final long maxDelay;
    private final long maxMillis;
    private final Counter closedForRate;
    private final Counter closedForTime;
    private final Counter closedForMemory;
    private final UnreadChunks unread;

    StreamLimits(StreamConfig config, ChangesConfig changes, StreamConnections connections, HttpConfig http,
            MeterRegistry meters) {
        turns = new TurnQueue(connections.maxArrays(), MAX_WAITING, http.http().requestTimeout(),
                "Too many arrays or parts of the sitemap at once, try again later.");
        minRate = config.minRate().asLongValue();
        maxDelay = config.maxDelay().toNanos();
        maxMillis = config.maxExportTime().toMillis();
        closedForRate = counter("rate", meters);
        closedForTime = counter("time", meters);
        closedForMemory = counter("memory", meters);
        unread = new UnreadChunks(HeapShare.EVENTS.bytes(changes.maxUnread()));
        meters.gauge("dataset.streams.unread.bytes", unread, UnreadChunks::bytes);
    }

    private static Counter counter(String reason, MeterRegistry meters) {
        return Counter.builder("dataset.streams.closed").description("Exports and arrays that the service has closed")
                .tag("reason", reason).register(meters);
    }

    /**
     * Applies the limits to the chunks of a response. A chunk counts as read when the platform requests the next one, because the
     * platform first writes the chunk to the socket. While the platform waits for a chunk of the database, no time counts for the
     * rate.
     *
     * <p> A closed stream ends with 503 if its response has not begun. Otherwise the response breaks off, so that no client takes
     * a part for the whole. A stream also ends when the token of its request is not valid any more.
     */
    public Multi<byte[]> limit(Multi<byte[]> chunks, RoutingContext context) {
        return limit(chunks, false, context);
    }

    /**
     * Applies the limits to chunks that many responses share. The first chunk begins the response; the others are written
     * without a copy of them. The memory of chunks that clients have not read has a bound: above it the responses with the
     * oldest chunk break off.
     */
    public Multi<byte[]> limitShared(Multi<byte[]> chunks, RoutingContext context) {
        return limit(chunks, true, context).onItem().transformToUniAndConcatenate(
                chunk -> context.response().headWritten()
                        ? SharedChunk.write(chunk, context.response()).replaceWith((byte[]) null)
                        : Uni.createFrom().item(chunk));
    }

    private Multi<byte[]> limit(Multi<byte[]> chunks, boolean isShared, RoutingContext context) {
        Multi<byte[]> permitted = Caller.of(context).isAnonymous()
                ? chunks
                : chunks.onItem().call(new TokenCheck(context)::next);
        return permitted.plug(all -> new AbstractMultiOperator<byte[], byte[]>(all) {

            @Override
            public void subscribe(MultiSubscriber<? super byte[]> response) {
                upstream.subscribe().withSubscriber(new Limited(response, isShared, context));
            }
        });
    }

    /**
     * Applies the limits to a stream that waits for its turn, because a limited number of these streams runs at a time. It fails
     * with 503 if too many wait.
     */
    public Multi<byte[]> limitInTurn(Multi<byte[]> chunks, RoutingContext context) {
        return limit(Multi.createFrom().resourceFromUni(this::turn, turn -> chunks)
                .withFinalizer(TurnQueue::end), context);
    }

    private Uni<TurnQueue> turn() {
        return Uni.createFrom().deferred(() -> {
            AtomicBoolean delivered = new AtomicBoolean();
            return Uni.createFrom().<TurnQueue>emitter(caller -> caller.onTermination(turns.submit(() -> {
                caller.complete(turns);
                if (!delivered.get()) {
                    // The request has ended at the moment at which its turn arrived.
                    turns.end();
                }
            }, caller::fail))).invoke(() -> delivered.set(true));
        });
    }

    /**
     * Whether the token of a stream is still valid. The stream holds a connection, and a check may need another one: if all
     * streams held one and waited, none would end. So only one chunk waits for a check, and not long.
     */
    private static final class TokenCheck {

        private final RoutingContext context;
        private boolean isRunning;
        private Throwable refusal;

        TokenCheck(RoutingContext context) {
            this.context = context;
        }

        /** Fails if the token is not valid any more. */
        Uni<Void> next() {
            if (refusal != null) {
                return Uni.createFrom().failure(refusal);
            }
            if (isRunning) {
                return Uni.createFrom().voidItem();
            }
            isRunning = true;
            return Uni.createFrom().emitter(chunk -> {
                long timer = context.vertx().setTimer(WAIT_FOR_CHECK_MILLIS, expired -> chunk.complete(null));
                Caller.checkAgain(context).onTermination().invoke(() -> {
                    isRunning = false;
                    context.vertx().cancelTimer(timer);
                }).subscribe().with(valid -> chunk.complete(null), failure -> {
                    refusal = failure;
                    chunk.fail(failure);
                });
            });
        }
    }

    /** One stream. The event loop of its request calls all methods. */
    private final class Limited extends MultiOperatorProcessor<byte[], byte[]> {

        private static final long NO_TIMER = -1;

        private final RoutingContext context;
        private final Vertx vertx;
        private final boolean isShared;
        private final Consumer<byte[]> closeForMemory;
        private byte[] shared;
        private long timeTimer = NO_TIMER;
        private long rateTimer = NO_TIMER;
        /** Nanoseconds that the client may still take for the chunks that it has not read. */
        private long credit = maxDelay;
        private long offered;

        Limited(MultiSubscriber<? super byte[]> response, boolean isShared, RoutingContext context) {
            super(response);
            this.context = context;
            this.isShared = isShared;
            vertx = context.vertx();
            Context loop = vertx.getOrCreateContext();
            closeForMemory = chunk -> loop.runOnContext(now -> {
                if (shared == chunk) {
                    close(closedForMemory, "the events that clients have not read exceed the memory for them");
                }
            });
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            timeTimer = vertx.setTimer(maxMillis,
                    expired -> close(closedForTime, "longer than " + maxMillis + " ms"));
            // The request may also end without the platform's cancellation, by its time limit.
            RequestEnd.then(context, this::cancel);
            super.onSubscribe(subscription);
        }

        @Override
        public void onItem(byte[] chunk) {
            // From now on the client decides how long the request takes.
            RequestLimits.releaseSlot(context);
            if (minRate > 0) {
                credit += TimeUnit.SECONDS.toNanos(chunk.length) / minRate;
                offered = System.nanoTime();
                vertx.cancelTimer(rateTimer);
                rateTimer = vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(credit)),
                        expired -> close(closedForRate, "the client reads less than " + minRate + " bytes a second"));
            }
            if (isShared && context.response().headWritten()) {
                shared = chunk;
                unread.add(chunk, closeForMemory);
            }
            super.onItem(chunk);
        }

        @Override
        public void request(long number) {
            if (vertx.cancelTimer(rateTimer)) {
                credit = Math.min(maxDelay, credit - (System.nanoTime() - offered));
            }
            releaseShared();
            super.request(number);
        }

        @Override
        public void onFailure(Throwable failure) {
            if (context.response().headWritten() && !isCancelled()) {
                // The platform would end the response so that it looks complete to clients of HTTP/1.0, and to some of HTTP/2.
                cancel();
                RequestEnd.breakOff(context);
            } else {
                stopTimers();
                super.onFailure(failure);
            }
        }

        @Override
        public void onCompletion() {
            stopTimers();
            super.onCompletion();
        }

        @Override
        public void cancel() {
            stopTimers();
            super.cancel();
        }

        private void stopTimers() {
            vertx.cancelTimer(timeTimer);
            vertx.cancelTimer(rateTimer);
            releaseShared();
        }

        private void releaseShared() {
            if (shared != null) {
                unread.remove(shared, closeForMemory);
                shared = null;
            }
        }

        private void close(Counter closed, String reason) {
            LOG.warnf("%s %s closed: %s", context.request().method(), context.request().path(), reason);
            closed.increment();
            cancel();
            if (context.response().headWritten()) {
                RequestEnd.breakOff(context);
            } else {
                downstream
                        .onFailure(new ApiException(503, "The response takes longer than the time limit of exports."));
            }
        }
    }
}
