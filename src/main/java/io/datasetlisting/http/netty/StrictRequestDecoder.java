package io.datasetlisting.http.netty;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.jboss.logging.Logger;

import io.datasetlisting.http.Endpoints;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Refuses requests whose end or host a proxy could read differently than this service, so that no second request can be smuggled
 * inside the first one (RFC 9112, sections 3.2, 5.2 and 6). It refuses folded header lines, several {@code Host} lines, and every
 * {@code Transfer-Encoding} except one {@code chunked} in an HTTP/1.1 request without {@code Content-Length}. Netty repairs or
 * ignores these. A refused request becomes Netty's invalid message. Vert.x answers this message after the requests before it, and
 * {@link RefusalResponse} adds the body. {@link MalformedBody} answers a request that is refused at a chunk of its body
 * ({@link ChunkSizes}). The decoder discards all further bytes of the connection.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

    private static final Logger LOG = Logger.getLogger(StrictRequestDecoder.class);

    private static final byte[] STAC = Endpoints.STAC.getBytes(StandardCharsets.US_ASCII);

    private boolean inHead;
    /** The address of the request whose head arrives. */
    private String target;
    private boolean refused;
    private int hostLines;
    private int lengthLines;
    private int codingLines;
    private final UpgradeHeaders upgrades;
    /** The sizes of the chunks of the body that arrives, and the headers before it; null for another body. */
    private ChunkSizes chunks;
    private HttpHeaders headers;

    StrictRequestDecoder(HttpServerOptions options, UpgradeHeaders upgrades) {
        super(options);
        this.upgrades = upgrades;
    }

    @Override
    protected HttpMessage createMessage(String[] requestLine) {
        HttpMessage message = super.createMessage(requestLine);
        inHead = true;
        target = requestLine[1];
        hostLines = 0;
        lengthLines = 0;
        codingLines = 0;
        return message;
    }

    /** Counts the header lines while Netty parses them, because the headers of the finished message are already repaired. */
    @Override
    protected AsciiString splitHeaderName(byte[] bytes, int start, int length) {
        AsciiString name = super.splitHeaderName(bytes, start, length);
        if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)) {
            hostLines++;
        } else if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
            lengthLines++;
        } else if (HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name)) {
            codingLines++;
        }
        return name;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) throws Exception {
        if (refused) {
            bytes.skipBytes(bytes.readableBytes());
            return;
        }
        if (chunks != null) {
            decodeChunk(context, bytes, out);
            return;
        }
        boolean headContinues = inHead;
        int start = bytes.readerIndex();
        int firstNewMessage = out.size();
        super.decode(context, bytes, out);
        boolean hasLine = inHead;
        Throwable cause = null;
        if (inHead && isFolded(bytes, headContinues ? start : firstHeaderLine(bytes, start))) {
            cause = new DecoderException("folded header line");
        }
        if (out.size() > firstNewMessage && out.get(firstNewMessage) instanceof HttpRequest request) {
            inHead = false;
            if (request.decoderResult().isFailure()) {
                cause = request.decoderResult().cause();
            } else if (!isWellFramed(request)) {
                cause = new DecoderException("ambiguous framing or host");
            } else {
                upgrades.check(request);
                chunks = codingLines > 0 ? new ChunkSizes() : null;
                headers = codingLines > 0 ? request.headers() : null;
            }
        }
        if (cause != null) {
            RefusalResponse response = new RefusalResponse(
                    hasLine ? Endpoints.isStac(target.split("\\?", 2)[0]) : isLineOfStac(bytes, start));
            discard(context, bytes, out, firstNewMessage, cause);
            HttpMessage invalid = createInvalidMessage();
            invalid.setDecoderResult(DecoderResult.failure(cause));
            out.add(invalid);
            context.pipeline().addAfter(DecoderInstaller.ENCODER, null, response);
        }
    }

    /** Whether a request line that is too long, so that Netty has not split it, names an address of the STAC API. */
    private static boolean isLineOfStac(ByteBuf bytes, int start) {
        int path = bytes.indexOf(start, bytes.writerIndex(), HttpConstants.SP) + 1;
        int end = path + STAC.length;
        if (path == 0 || end >= bytes.writerIndex()) {
            return false;
        }
        byte[] first = new byte[STAC.length];
        bytes.getBytes(path, first);
        return Arrays.equals(first, STAC) && "/? ".indexOf(bytes.getByte(end)) >= 0;
    }

    /** A refused chunk produces no message: the body stays incomplete, so that no handler takes it for a whole one. */
    private void decodeChunk(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) throws Exception {
        int start = bytes.readerIndex();
        int firstNewMessage = out.size();
        super.decode(context, bytes, out);
        Object last = out.size() > firstNewMessage ? out.get(out.size() - 1) : null;
        if (!chunks.accept(bytes, start, bytes.readerIndex())
                || last instanceof HttpContent content && content.decoderResult().isFailure()) {
            discard(context, bytes, out, firstNewMessage, new DecoderException("malformed chunk"));
            MalformedBody.refuse(context, headers);
        } else if (last instanceof LastHttpContent) {
            chunks = null;
            headers = null;
        }
    }

    private void discard(ChannelHandlerContext context, ByteBuf bytes, List<Object> out, int firstNewMessage,
            Throwable cause) {
        if (LOG.isDebugEnabled()) {
            // The message may contain text of the request, with line breaks.
            LOG.debugf("Refused a request from %s: %s", context.channel().remoteAddress(),
                    String.valueOf(cause.getMessage()).replaceAll("\\p{Cntrl}", "?"));
        }
        refused = true;
        bytes.skipBytes(bytes.readableBytes());
        while (out.size() > firstNewMessage) {
            ReferenceCountUtil.release(out.remove(out.size() - 1));
        }
    }

    /** After a refusal the head is incomplete. Netty would make another invalid message of its end. */
    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) throws Exception {
        if (refused) {
            bytes.skipBytes(bytes.readableBytes());
        } else {
            super.decodeLast(context, bytes, out);
        }
    }

    private boolean isWellFramed(HttpRequest request) {
        if (codingLines > 0) {
            return codingLines == 1 && lengthLines == 0 && hostLines <= 1
                    && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                    && HttpHeaderValues.CHUNKED
                            .contentEqualsIgnoreCase(request.headers().get(HttpHeaderNames.TRANSFER_ENCODING));
        }
        return hostLines <= 1;
    }

    /** Index of the first header line. Netty skips white space before the request line. */
    private static int firstHeaderLine(ByteBuf bytes, int start) {
        int end = bytes.readerIndex();
        int requestLine = bytes.forEachByte(start, end - start, b -> b >= 0 && b <= ' ' || b == 127);
        return bytes.indexOf(requestLine, end, HttpConstants.LF) + 1;
    }

    /**
     * Whether a consumed header line begins with white space. Netty consumes whole lines, so each one begins at the given index
     * or after a line feed.
     */
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
