package io.datasetlisting.http.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpServerOptions;

/**
 * Replaces the HTTP/1 decoder of one connection by {@link StrictRequestDecoder}, and removes itself. Vert.x adds its
 * decoder only when the first bytes are not the preface of HTTP/2. This handler therefore stands before all others and
 * passes the bytes on one by one until the decoder is there, so that the old decoder never sees a whole header line.
 */
final class DecoderInstaller extends ChannelInboundHandlerAdapter {

    /** The names that Vert.x gives to its handlers (HttpServerWorker). */
    static final String DECODER = "httpDecoder";
    static final String ENCODER = "httpEncoder";
    private static final String CONNECTION = "handler";

    private final HttpServerOptions options;
    private final UpgradeHeaders upgrades;

    DecoderInstaller(HttpServerOptions options, UpgradeHeaders upgrades) {
        this.options = options;
        this.upgrades = upgrades;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
            return;
        }
        // A handler may close the connection at any byte.
        while (bytes.isReadable() && context.channel().isActive()) {
            if (isInstalled(context)) {
                context.fireChannelRead(bytes);
                return;
            }
            context.fireChannelRead(bytes.readRetainedSlice(1));
        }
        bytes.release();
    }

    private boolean isInstalled(ChannelHandlerContext context) {
        ChannelPipeline pipeline = context.pipeline();
        if (pipeline.get(DECODER) != null) {
            // Netty passes the bytes that the old decoder has not consumed on to the new one.
            pipeline.replace(DECODER, DECODER, new StrictRequestDecoder(options, upgrades));
        } else if (pipeline.get(CONNECTION) == null) {
            return false;
        }
        // A connection handler without the decoder means HTTP/2, whose frames contain their length.
        pipeline.remove(this);
        return true;
    }
}
