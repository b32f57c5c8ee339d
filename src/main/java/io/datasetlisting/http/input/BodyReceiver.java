package io.datasetlisting.http.input;

import java.time.Duration;

import jakarta.inject.Singleton;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.netty.ClientMemory;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Receives the bodies that are held in memory. A request with such a body counts as running only when its body is complete: a
 * client that sends slowly occupies none of the places of other requests. {@link RequestBody} then parses these bodies. Imports
 * and uploads of thumbnails are streamed, and have limits of their own.
 */
@Singleton
public class BodyReceiver {

    private static final String KEY = BodyReceiver.class.getName();

    private final ClientMemory memory;
    private final RequestLimits slots;
    private final Limits searches;
    private final Limits others;
    private final IncompleteBodies anonymous;
    private final IncompleteBodies withToken;

    /** @param timeout in milliseconds */
    private record Limits(long maxSize, long timeout) {
    }

    BodyReceiver(HttpConfig http, BodyConfig config, ClientMemory memory, RequestLimits slots) {
        this.memory = memory;
        this.slots = slots;
        Duration timeout = http.http().requestTimeout();
        others = new Limits(http.http().maxBodySize().asLongValue(), timeout.toMillis());
        searches = new Limits(Math.min(config.maxSearchBodySize().asLongValue(), others.maxSize),
                Math.min(config.searchBodyTimeout().toMillis(), others.timeout));
        anonymous = new IncompleteBodies(config.maxIncompleteBodies());
        withToken = new IncompleteBodies(config.maxIncompleteBodies());
    }

    /**
     * Handler that admits a request, but for a request whose body is held in memory, which is admitted later.
     *
     * @param isAnonymous
     *            whether the request has no token
     */
    public void admit(RoutingContext context, boolean isAnonymous) {
        if (isHeldInMemory(context)) {
            context.put(KEY, isAnonymous ? anonymous : withToken).next();
        } else {
            slots.admit(context);
        }
    }

    private static boolean isHeldInMemory(RoutingContext context) {
        HttpServerRequest request = context.request();
        HttpMethod method = request.method();
        return (method == HttpMethod.POST || method == HttpMethod.PUT || method == HttpMethod.PATCH)
                && !Endpoint.of(context).path().equals(Endpoints.DATASETS + Endpoints.THUMBNAIL)
                && !(RequestBody.isImport(request) && Endpoint.of(context).renders().contains(MediaTypes.NDJSON));
    }

    /**
     * The complete body; then the request counts as running. Fails with an {@link ApiException}: 408 for a body that does not
     * arrive in time, 413 for a body above the maximum size, 415 for an unknown encoding, 400 for malformed gzip, 503 if the
     * memory for bodies is exhausted, or too many requests run.
     */
    Uni<HeldBody> receive(RoutingContext context) {
        // The platform has paused the request before: it would fail on a request of HTTP/2 that has ended.
        return Uni.createFrom().<HeldBody>emitter(caller -> receive(context,
                isSearch(context) ? searches : others, context.get(KEY), caller))
                .invoke(() -> slots.takeSlot(context));
    }

    /** A search writes nothing. Its limits are lower, because everybody may search. */
    private static boolean isSearch(RoutingContext context) {
        return Endpoint.of(context).isStac() && Endpoint.of(context).isRead(context.request().method());
    }

    private void receive(RoutingContext context, Limits limits, IncompleteBodies incomplete,
            UniEmitter<? super HeldBody> caller) {
        HeldBody body = new HeldBody(context, memory, limits.maxSize, caller);
        Vertx vertx = context.vertx();
        Runnable late = () -> body.fail(
                new ApiException(408, "The body did not arrive within " + limits.timeout + " ms."));
        long timer = vertx.setTimer(limits.timeout, expired -> late.run());
        // The timer of the request may expire first, because it has started first.
        RequestLimits.onTimeout(context, late);
        RequestBody.welcome(context.request());
        body.receive(() -> {
            vertx.cancelTimer(timer);
            incomplete.remove(body);
        });
        if (!body.hasArrived()) {
            // The rest of what the socket has delivered is read before this runs: a body that comes with the head takes no place.
            vertx.runOnContext(read -> {
                if (!body.hasArrived()) {
                    incomplete.add(body);
                }
            });
        }
    }
}
