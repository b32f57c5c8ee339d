package io.datasetlisting.write.change;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.RateLimit;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.base.ClientPlaces;
import io.datasetlisting.catalogue.rank.ChangesConfig;
import io.datasetlisting.catalogue.rank.FoldSignal;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Reads changes for clients that ask once, and for clients that wait. Clients that wait at the same position share one
 * read: after a fold most of them do.
 */
// Created at start, so that the gauge exists before the first client.
@Startup
@Singleton
class ChangeFeed {

    /**
     * The changes of pages that are kept until the next fold. A page without a change counts as one. Other pages are kept until
     * they are read.
     */
    private static final int MAX_KEPT = 4 * ChangeParameters.MAX_LIMIT;

    /** The part of the places that callers without a token leave to others. */
    private static final int LEFT_BY_STRANGERS = 4;

    private final ChangeRepository repository;
    private final FoldSignal signal;
    private final int maxListeners;
    private final Duration maxRead;
    private final AtomicInteger listeners = new AtomicInteger();
    private final ClientPlaces listenersOfClients;
    /** Whether the service stops. A client that waits shall come back to another instance. */
    private volatile boolean stopping;
    private final Map<ChangeQuery.Key, Shared> shared = new ConcurrentHashMap<>();
    private long keptFolds;
    private int kept;

    ChangeFeed(ChangeRepository repository, FoldSignal signal, ChangesConfig config,
            HttpConfig http,
            MeterRegistry meters) {
        this.repository = repository;
        this.signal = signal;
        maxListeners = config.maxListeners();
        listenersOfClients = new ClientPlaces(config.maxListenersPerClient());
        maxRead = http.http().requestTimeout();
        meters.gauge("dataset.changes.listeners", listeners);
    }

    /** A page that was read after a number of folds. */
    private record Shared(long folds, CompletableFuture<ChangePage> page) {
    }

    /** A page, at once. */
    Uni<ChangePage> read(ChangeQuery query) {
        return RequestEnd.cancelAtEnd(repository.read(query));
    }

    /**
     * A page, as soon as it has changes, or an empty page at the end of the time for which the client waits.
     *
     * @throws ApiException
     *             503 if too many clients wait; 429 if this client waits too often
     */
    Uni<ChangePage> await(ChangeQuery query, RoutingContext context) {
        listen(context);
        return poll(query, beginWait(query)).call(page -> Caller.checkAgain(context)).invoke(page -> {
            if (stopping && context.request().version() != HttpVersion.HTTP_2) {
                context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
        });
    }

    /** Ends the waiting of all clients when the service begins to stop. */
    void onStop(@Observes ShutdownDelayInitiatedEvent event) {
        stopping = true;
        signal.fire();
    }

    /**
     * How long a client waits.
     *
     * @param deadline
     *            as {@link System#nanoTime()}
     * @param whileStopping
     *            whether it has begun after the service has begun to stop, so that the stop does not end it
     */
    private record Wait(long deadline, boolean whileStopping) {

        Duration left(boolean stopping) {
            return stopping && !whileStopping ? Duration.ZERO : Duration.ofNanos(deadline - System.nanoTime());
        }
    }

    /** A client that comes back to an instance that stops waits for a moment: without it the client would ask without a pause. */
    private Wait beginWait(ChangeQuery query) {
        boolean whileStopping = stopping;
        return new Wait(System.nanoTime() + Duration.ofSeconds(whileStopping ? 1 : query.seconds()).toNanos(),
                whileStopping);
    }

    private Uni<ChangePage> poll(ChangeQuery query, Wait wait) {
        long folds = signal.folds();
        return readShared(query, folds).chain(page -> {
            Duration left = wait.left(stopping);
            return !page.isIdle() || left.isNegative() || left.isZero()
                    ? Uni.createFrom().item(page)
                    : signal.await(folds, left).chain(() -> poll(query.from(page.next()), wait));
        });
    }

    /**
     * The pages after a position, until the lifetime is over or the service stops. Each is read when the client has read the
     * page before. The first pages are small, because no other client may read them. A client that has reached the newest
     * change shares the page of a fold with all others, and a page with all changes of a fold ends where the others end.
     *
     * @param writer
     *            writes a page, which is empty if there was no change for the time that the query waits
     */
    <T> Multi<T> follow(ChangeQuery query, RoutingContext context, Duration lifetime, Function<ChangePage, T> writer) {
        listen(context);
        long end = System.nanoTime() + lifetime.toNanos();
        AtomicReference<ChangeQuery> next = new AtomicReference<>(query.withLimit(ChangePage.CHANGES_PER_POSITION));
        return Multi.createBy().repeating()
                .uni(() -> poll(next.get(), beginWait(query))
                        .invoke(page -> next.updateAndGet(last -> (page.hasMore() ? last : query).from(page.next())))
                        .map(writer))
                .whilst(written -> !stopping && System.nanoTime() - end < 0);
    }

    /** The pages after a position up to the newest change. */
    <T> Multi<T> readAll(ChangeQuery query, Function<ChangePage, T> writer) {
        AtomicReference<ChangePage> last = new AtomicReference<>();
        return Multi.createBy().repeating()
                .uni(() -> read(last.get() == null ? query : query.from(last.get().next())).invoke(last::set)
                        .map(writer))
                .whilst(written -> last.get().hasMore());
    }

    /**
     * A listener takes as long as nothing changes: it holds no share of the requests that run, and has no time limit. A
     * quarter of the places is for callers with a token, so that strangers do not keep mirrors out.
     */
    private void listen(RoutingContext context) {
        int places = Caller.of(context).isAnonymous() ? maxListeners - maxListeners / LEFT_BY_STRANGERS : maxListeners;
        if (listeners.incrementAndGet() > places) {
            listeners.decrementAndGet();
            throw new ApiException(503, "Too many clients wait for changes, try again later.");
        }
        Object client = RateLimit.client(context);
        try {
            listenersOfClients.enter(client);
        } catch (ApiException tooMany) {
            listeners.decrementAndGet();
            throw tooMany;
        }
        RequestEnd.then(context, () -> {
            listenersOfClients.leave(client);
            listeners.decrementAndGet();
        });
        RequestLimits.releaseSlot(context);
        RequestLimits.lift(context);
    }

    private Uni<ChangePage> readShared(ChangeQuery query, long folds) {
        ChangeQuery.Key key = query.key();
        Shared own = new Shared(folds, new CompletableFuture<>());
        Shared read = shared.merge(key, own, (known, unread) -> known.folds < folds ? unread : known);
        if (read == own) {
            shared.values().removeIf(known -> known.folds < folds);
            readInto(own, key, query);
        }
        return Uni.createFrom().completionStage(() -> read.page.copy()).emitOn(CallerContext.later());
    }

    /**
     * The read is not cancelled with the request that has begun it. It has the time limit of a request, because the requests that
     * wait for it have none.
     */
    private void readInto(Shared target, ChangeQuery.Key key, ChangeQuery query) {
        repository.read(query).ifNoItem().after(maxRead).failWith(Errors::unavailable).subscribe().with(page -> {
            if (!keeps(page, target.folds)) {
                shared.remove(key, target);
            }
            target.page.complete(page);
        }, e -> {
            shared.remove(key, target);
            target.page.completeExceptionally(e);
        });
    }

    private synchronized boolean keeps(ChangePage page, long folds) {
        if (folds > keptFolds) {
            keptFolds = folds;
            kept = 0;
        }
        int number = Math.max(1, page.changes().size());
        boolean isKept = folds == keptFolds && kept + number <= MAX_KEPT;
        kept += isKept ? number : 0;
        return isKept;
    }
}
