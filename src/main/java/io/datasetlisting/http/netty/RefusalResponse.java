package io.datasetlisting.http.netty;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.datasetlisting.http.Errors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;

/**
 * Adds the body of {@link Errors} to the empty response of Vert.x to a refused request, and closes the connection so that the
 * client can read the response. {@link StrictRequestDecoder} adds this handler only when it refuses a request.
 */
final class RefusalResponse extends ChannelOutboundHandlerAdapter {

    /** Time for which the connection stays open while the client may still send. */
    private static final int LINGER_SECONDS = 5;

    /** Whether the request is for the STAC API, whose errors have another shape. */
    private final boolean ofStac;
    private boolean responseWritten;
    private boolean lingering;

    RefusalResponse(boolean ofStac) {
        this.ofStac = ofStac;
    }

    /** A handler for a request that is answered as others are, by {@link MalformedBody}: it only closes the connection. */
    static RefusalResponse forMalformedBody() {
        RefusalResponse handler = new RefusalResponse(false);
        handler.responseWritten = true;
        return handler;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!responseWritten && message instanceof FullHttpResponse response && isOfInvalidMessage(response)) {
            responseWritten = true;
            context.write(withBody(response), promise);
            ReferenceCountUtil.release(message);
        } else {
            context.write(message, promise);
        }
    }

    /**
     * Netty's invalid message has the version HTTP/1.0, and Vert.x closes after its response: no earlier response has this form.
     */
    private static boolean isOfInvalidMessage(FullHttpResponse response) {
        return response.protocolVersion().equals(HttpVersion.HTTP_1_0) && response.status().code() >= 400
                && !response.content().isReadable();
    }

    private FullHttpResponse withBody(FullHttpResponse empty) {
        ByteBuf body = Unpooled.copiedBuffer(Errors.body(empty.status().code(), ofStac), StandardCharsets.UTF_8);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, empty.status(), body);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
                .set("X-Content-Type-Options", "nosniff")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }

    /**
     * Ends the response and continues to read for a while. If the service closed the socket while the client still sends, TCP
     * would reset the connection, and the client might lose the response.
     */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (lingering || !responseWritten || !(context.channel() instanceof DuplexChannel channel)
                || !channel.isActive()) {
            context.close(promise);
            return;
        }
        lingering = true;
        channel.closeFuture().addListener(closed -> promise.trySuccess());
        channel.shutdownOutput();
        channel.config().setAutoRead(true);
        Future<?> end = context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
        channel.closeFuture().addListener(closed -> end.cancel(false));
    }
}
