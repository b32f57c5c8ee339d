package io.datasetlisting.http;

import java.util.ArrayList;
import java.util.List;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Tells once that a request is over: its answer is written, or its connection is closed. Whatever a request takes is given
 * back through this class.
 *
 * <p>
 * The platform's own end handlers are not enough: one that is added after the connection has closed, or after a malformed
 * chunk of the body, is never called; and none is called when an answer breaks off, because the platform then marks it as
 * closed before it closes the connection. Therefore this class asks before all other handlers, and watches the connection.
 */
public final class RequestEnd {

    private static final String KEY = RequestEnd.class.getName();

    private final List<Runnable> actions = new ArrayList<>(4);
    private boolean over;

    private RequestEnd() {
    }

    /** The first handler of all requests. */
    public static void watch(RoutingContext context) {
        RequestEnd end = new RequestEnd();
        context.put(KEY, end).addEndHandler(ended -> end.tell());
        ChannelFuture closed = ((ConnectionBase) context.request().connection()).channel().closeFuture();
        ChannelFutureListener listener = closing -> end.tell();
        closed.addListener(listener);
        end.add(() -> closed.removeListener(listener));
        context.next();
    }

    /** Does something once when the request is over; at once when it is over already. */
    public static void then(RoutingContext context, Runnable action) {
        RequestEnd end = context.get(KEY);
        if (!end.add(action)) {
            action.run();
        }
    }

    /** Whether nobody waits for an answer any more. */
    static boolean isOver(RoutingContext context) {
        RequestEnd end = context.get(KEY);
        synchronized (end) {
            return end.over;
        }
    }

    private synchronized boolean add(Runnable action) {
        return !over && actions.add(action);
    }

    private void tell() {
        List<Runnable> due;
        synchronized (this) {
            due = over ? List.of() : List.copyOf(actions);
            over = true;
        }
        due.forEach(Runnable::run);
    }
}
