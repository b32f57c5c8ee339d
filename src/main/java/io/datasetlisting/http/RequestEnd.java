package io.datasetlisting.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.Http2Error;
import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Runs actions once at the end of a request: when its response is written, or when its connection is closed. Everything that a
 * request holds is released through this class.
 *
 * <p> The platform's own end handlers are not sufficient. The platform never calls a handler that is added after the connection
 * has closed, or after a malformed chunk of the body. It calls no handler if a response breaks off, because it then marks the
 * response as closed before it closes the connection. Therefore this class is registered before all other handlers, and also
 * observes the connection.
 */
public final class RequestEnd {

    private static final String KEY = RequestEnd.class.getName();
    private static final Cancellable NOTHING = () -> {
    };

    private final List<Runnable> actions = new ArrayList<>(4);
    private boolean ended;

    private RequestEnd() {
    }

    /** Handler that observes the end of a request. It must be the first handler. */
    public static void watch(RoutingContext context) {
        RequestEnd end = new RequestEnd();
        context.put(KEY, end).addEndHandler(result -> end.runActions());
        ChannelFuture closed = ((ConnectionBase) context.request().connection()).channel().closeFuture();
        ChannelFutureListener listener = closing -> end.runActions();
        closed.addListener(listener);
        end.add(() -> closed.removeListener(listener));
        Vertx.currentContext().putLocal(KEY, end);
        context.next();
    }

    /** Runs an action once at the end of the request, or immediately if the request has ended. */
    public static void then(RoutingContext context, Runnable action) {
        RequestEnd end = context.get(KEY);
        if (!end.add(action)) {
            action.run();
        }
    }

    /**
     * Ends a request before the end of its response, so that the client detects the missing part. A client of HTTP/1 gets a reset
     * of the connection: without it, a response of HTTP/1.0, which ends with its connection, would look complete. A client of
     * HTTP/2 gets a reset of the stream with an error: to some clients, a response looks complete whose stream is reset without
     * an error, or as cancelled. The service does not wait until the client has read what is written.
     */
    public static void breakOff(RoutingContext context) {
        if (context.request().version() == HttpVersion.HTTP_2) {
            context.response().reset(Http2Error.INTERNAL_ERROR.code());
            return;
        }
        ChannelHandlerContext connection = ((ConnectionBase) context.request().connection()).channelHandlerContext();
        connection.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        connection.close();
    }

    /**
     * Discards the rest of a request's body, so that the next request on the connection does not wait for it. Vert.x fails on a
     * request of HTTP/2 that has been read to its end.
     */
    public static void discardBody(HttpServerRequest request) {
        if (!request.isEnded()) {
            request.resume();
        }
    }

    /** Whether the request has ended, so that no client waits for its response. */
    public static boolean hasEnded(RoutingContext context) {
        RequestEnd end = context.get(KEY);
        synchronized (end) {
            return end.ended;
        }
    }

    /**
     * Cancels work of the current request when the request ends; the work then fails with a {@link CancellationException}.
     * Outside of a request, the work itself. The platform cancels work only when the client disconnects, and not after the time
     * limit of a request.
     */
    public static <T> Uni<T> cancelAtEnd(Uni<T> work) {
        return Uni.createFrom().deferred(() -> {
            // A read that follows a failed one may begin on the context of a connection. Then the time limit of its statement
            // ends it.
            RequestEnd end = VertxContext.isOnDuplicatedContext() ? Vertx.currentContext().getLocal(KEY) : null;
            return end == null ? work : end.limit(work);
        });
    }

    private <T> Uni<T> limit(Uni<T> work) {
        return Uni.createFrom().emitter(caller -> {
            AtomicReference<Cancellable> running = new AtomicReference<>();
            Runnable cancel = () -> {
                Cancellable present = running.getAndSet(NOTHING);
                if (present != null) {
                    present.cancel();
                }
                caller.fail(new CancellationException("The request has ended."));
            };
            if (!add(cancel)) {
                cancel.run();
                return;
            }
            Cancellable subscription = work.subscribe().with(caller::complete, caller::fail);
            if (!running.compareAndSet(null, subscription)) {
                subscription.cancel();
            }
            caller.onTermination(() -> {
                remove(cancel);
                running.set(NOTHING);
                // Of work that has ended, this does nothing.
                subscription.cancel();
            });
        });
    }

    private synchronized void remove(Runnable action) {
        actions.remove(action);
    }

    private synchronized boolean add(Runnable action) {
        return !ended && actions.add(action);
    }

    private void runActions() {
        List<Runnable> due;
        synchronized (this) {
            due = ended ? List.of() : List.copyOf(actions);
            ended = true;
        }
        due.forEach(Runnable::run);
    }
}
