package io.datasetlisting.http.netty;

import java.util.concurrent.TimeUnit;

import io.datasetlisting.http.Errors;
import io.datasetlisting.http.RequestEnd;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers a request whose body has a malformed chunk with 400, and closes its connection. Vert.x would close the connection
 * without an answer. {@link StrictRequestDecoder} detects the chunk. The request may still wait for the responses to the requests
 * before it.
 */
public final class MalformedBody {

    private static final AttributeKey<MalformedBody> KEY = AttributeKey.valueOf(MalformedBody.class, "bodies");
    /** Time after which a connection is closed on which the request with the malformed body has not begun. */
    private static final int MAX_WAIT_SECONDS = 60;

    /** The headers of the last request with a chunked body that a handler has seen. Each request has headers of its own. */
    private Object seen;
    /** The same request, until it ends. */
    private RoutingContext running;
    /** The headers of the request whose body is malformed. */
    private Object malformed;

    private MalformedBody() {
    }

    /**
     * Handler that finds the requests with chunked bodies. Its work is done on the event loop of the connection, as that of the
     * decoder.
     */
    public static void watch(RoutingContext context) {
        if (context.request().version() != HttpVersion.HTTP_2
                && context.request().headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && of(channel(context)).isRefused(context)) {
            return;
        }
        context.next();
    }

    private static Channel channel(RoutingContext context) {
        return ((ConnectionBase) context.request().connection()).channel();
    }

    private static MalformedBody of(Channel channel) {
        MalformedBody bodies = channel.attr(KEY).get();
        if (bodies == null) {
            bodies = new MalformedBody();
            channel.attr(KEY).set(bodies);
        }
        return bodies;
    }

    private boolean isRefused(RoutingContext context) {
        seen = context.request().headers();
        if (seen == malformed) {
            answer(context);
            return true;
        }
        running = context;
        RequestEnd.then(context, () -> {
            if (running == context) {
                running = null;
            }
        });
        return false;
    }

    /**
     * Refuses the request with these headers, whose body is malformed. For the decoder, on the event loop.
     */
    static void refuse(ChannelHandlerContext connection, Object headers) {
        connection.pipeline().addAfter(DecoderInstaller.ENCODER, null, RefusalResponse.forMalformedBody());
        MalformedBody bodies = of(connection.channel());
        bodies.malformed = headers;
        if (bodies.seen != headers) {
            connection.executor().schedule(() -> connection.close(), MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        } else if (bodies.running == null) {
            connection.channel().close();
        } else {
            bodies.answer(bodies.running);
        }
    }

    private void answer(RoutingContext context) {
        if (context.response().headWritten()) {
            RequestEnd.breakOff(context);
        } else {
            RequestEnd.then(context, () -> context.request().connection().close());
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            Errors.send(context, 400);
        }
    }
}
