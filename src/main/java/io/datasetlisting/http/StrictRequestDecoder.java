package io.datasetlisting.http;

import java.util.List;

import org.jboss.logging.Logger;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Refuses each request whose end or host a proxy could read differently than this service, so that no second request can
 * be smuggled inside of it: folded header lines, several {@code Host} lines, and every {@code Transfer-Encoding} but
 * one {@code chunked} in an HTTP/1.1 request without {@code Content-Length} (RFC 9112, sections 3.2, 5.2 and 6). Netty
 * repairs these, or reads over them. A refused request becomes Netty's invalid message, which Vert.x answers behind the
 * requests before it; {@link RefusalResponse} writes the body. Everything that follows on the connection is discarded.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

    private static final Logger LOG = Logger.getLogger(StrictRequestDecoder.class);

    private boolean inHead;
    private boolean refused;
    private int hosts;
    private int lengths;
    private int codings;

    StrictRequestDecoder(HttpServerOptions options) {
        super(options);
    }

    @Override
    protected HttpMessage createMessage(String[] requestLine) {
        HttpMessage message = super.createMessage(requestLine);
        inHead = true;
        hosts = 0;
        lengths = 0;
        codings = 0;
        return message;
    }

    /** Counts while Netty parses: the headers of the message no longer tell what the client has sent. */
    @Override
    protected AsciiString splitHeaderName(byte[] bytes, int start, int length) {
        AsciiString name = super.splitHeaderName(bytes, start, length);
        if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)) {
            hosts++;
        } else if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
            lengths++;
        } else if (HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name)) {
            codings++;
        }
        return name;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) throws Exception {
        if (refused) {
            bytes.skipBytes(bytes.readableBytes());
            return;
        }
        boolean continued = inHead;
        int start = bytes.readerIndex();
        int decoded = out.size();
        super.decode(context, bytes, out);
        Throwable cause = null;
        if (inHead && isFolded(bytes, continued ? start : firstHeaderLine(bytes, start))) {
            cause = new DecoderException("folded header line");
        }
        if (out.size() > decoded && out.get(decoded) instanceof HttpRequest request) {
            inHead = false;
            if (request.decoderResult().isFailure()) {
                cause = request.decoderResult().cause();
            } else if (!isWellFramed(request)) {
                cause = new DecoderException("ambiguous framing or host");
            }
        }
        if (cause != null) {
            if (LOG.isDebugEnabled()) {
                // The message may quote the request.
                LOG.debugf("Request of %s refused: %s", context.channel().remoteAddress(),
                        String.valueOf(cause.getMessage()).replaceAll("\\p{Cntrl}", "?"));
            }
            refused = true;
            bytes.skipBytes(bytes.readableBytes());
            while (out.size() > decoded) {
                out.remove(out.size() - 1);
            }
            HttpMessage invalid = createInvalidMessage();
            invalid.setDecoderResult(DecoderResult.failure(cause));
            out.add(invalid);
            context.pipeline().addAfter(DecoderInstaller.ENCODER, null, new RefusalResponse());
        }
    }

    /** A refused head is not finished, and its end is not another invalid message. */
    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) throws Exception {
        if (refused) {
            bytes.skipBytes(bytes.readableBytes());
        } else {
            super.decodeLast(context, bytes, out);
        }
    }

    private boolean isWellFramed(HttpRequest request) {
        if (codings > 0) {
            return codings == 1 && lengths == 0 && hosts <= 1 && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                    && HttpHeaderValues.CHUNKED
                            .contentEqualsIgnoreCase(request.headers().get(HttpHeaderNames.TRANSFER_ENCODING));
        }
        return hosts <= 1;
    }

    /** Where the headers begin: Netty skips white space before the request line. */
    private static int firstHeaderLine(ByteBuf bytes, int start) {
        int end = bytes.readerIndex();
        int requestLine = bytes.forEachByte(start, end - start, b -> b >= 0 && b <= ' ' || b == 127);
        return bytes.indexOf(requestLine, end, HttpConstants.LF) + 1;
    }

    /** Netty has consumed whole lines: each one begins at the given index or behind a line feed. */
    private static boolean isFolded(ByteBuf bytes, int firstLine) {
        int end = bytes.readerIndex();
        int line = firstLine;
        while (line < end) {
            byte first = bytes.getByte(line);
            if (first == HttpConstants.SP || first == HttpConstants.HT) {
                return true;
            }
            int lineFeed = bytes.indexOf(line, end, HttpConstants.LF);
            line = lineFeed < 0 ? end : lineFeed + 1;
        }
        return false;
    }
}
