package io.datasetlisting.dataset.storage;

import java.io.IOException;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Omits informational responses of the storage, and ends a request whose response has a head without an end. The AWS SDK takes
 * the first response for the final one: the connection would return to the pool, and the final response would answer the next
 * request. If a head is too large for Netty, the SDK waits for the body until the limit of the request, while the storage goes
 * on sending. Netty finds this class as it finds {@link io.datasetlisting.http.netty.FramingExtension}.
 */
@RegisterForReflection(methods = false, fields = false, ignoreNested = true)
public class ResponseHeads extends ChannelInitializerExtension {

    private static final String SDK = "software.amazon.awssdk.";
    /** Of one request. */
    private static final int MAX_INFORMATIONAL = 10;

    @Override
    public void postInitializeClientChannel(Channel channel) {
        channel.pipeline().addFirst(new Installer());
    }

    /** The name of the extension in Netty's log. */
    @Override
    public String toString() {
        return "heads of the storage's responses";
    }

    /** Waits until the SDK has added its handlers. */
    private static final class Installer extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            ChannelPipeline pipeline = context.pipeline();
            ChannelHandlerContext codec = pipeline.context(HttpClientCodec.class);
            if (codec != null && pipeline.toMap().values().stream()
                    .anyMatch(handler -> handler.getClass().getName().startsWith(SDK))) {
                pipeline.addAfter(codec.name(), null, new Filter());
            }
            super.channelActive(context);
            pipeline.remove(this);
        }
    }

    private static final class Filter extends ChannelDuplexHandler {

        private boolean awaitsContinue;
        private boolean omits;
        private int omitted;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof HttpRequest request) {
                awaitsContinue = HttpUtil.is100ContinueExpected(request);
                omitted = 0;
            }
            super.write(context, message, promise);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
                ReferenceCountUtil.release(message);
                context.fireExceptionCaught(part.decoderResult().cause());
                return;
            }
            if (message instanceof HttpResponse response) {
                omits = isOmitted(response.status());
            }
            if (!omits) {
                super.channelRead(context, message);
                return;
            }
            ReferenceCountUtil.release(message);
            if (!(message instanceof LastHttpContent)) {
                return;
            }
            omitted++;
            if (omitted > MAX_INFORMATIONAL) {
                context.fireExceptionCaught(new IOException("The storage sent too many informational responses."));
            } else {
                context.read();
            }
        }

        private boolean isOmitted(HttpResponseStatus status) {
            if (awaitsContinue && status.equals(HttpResponseStatus.CONTINUE)) {
                awaitsContinue = false;
                return false;
            }
            return status.codeClass() == HttpStatusClass.INFORMATIONAL;
        }
    }
}
