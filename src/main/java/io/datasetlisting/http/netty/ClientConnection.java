package io.datasetlisting.http.netty;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;

/**
 * The connection of a client, below the codec of HTTP. Knows how many bytes of responses the client has not taken yet, passes
 * large responses on in pieces, and delays requests while earlier responses wait. All methods without another note run on the
 * event loop of the connection.
 *
 * <p> Netty copies the whole of a written buffer into direct memory, so a response of some megabytes would occupy as much direct
 * memory for as long as its client does not read.
 */
final class ClientConnection extends ChannelDuplexHandler {

    /** Largest part of a response that is in direct memory at a time, twice: while one piece is sent, the next one waits. */
    private static final int PIECE = 64 << 10;
    private static final int PIECES_AT_ONCE = 2;
    /** Bytes of all streams of a connection that may wait when another stream begins. A stream window of a browser is larger. */
    private static final int MAX_WAITING_OF_STREAMS = 256 << 10;
    /** The memory of a client counts for as long as this at most, so that a long download does not outweigh a larger response. */
    private static final long MAX_AGE = TimeUnit.MINUTES.toNanos(1);

    private final ClientConnections connections;
    /** Null for HTTP/1. */
    private final ClientStreams streams;
    private final Queue<Piece> queue = new ArrayDeque<>();
    private final Queue<Runnable> delayed = new ArrayDeque<>();
    private ChannelHandlerContext context;
    private long queued;
    private int sending;
    private boolean draining;
    /** Bytes for the socket: all that were written, these of them that it has not taken, and the others at the last check. */
    private long written;
    private long unsent;
    private long taken;
    /** The time at which the socket has last taken something, or at which the oldest byte began to wait. */
    private long lastTaken;
    /** The unsent bytes, and those that wait for the windows of their streams. */
    private volatile long waiting;
    private volatile long waitingSince;
    /** The request that has its response, and whose body still arrives; null for none. */
    private HttpServerRequest answered;
    private long answeredAt;

    /**
     * @param streams
     *            of HTTP/2; null for HTTP/1
     */
    ClientConnection(ClientConnections connections, ClientStreams streams) {
        this.connections = connections;
        this.streams = streams;
    }

    /** A part of a response whose bytes are not in direct memory yet. */
    private record Piece(Object message, ChannelPromise promise) {

        int length() {
            return message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
    }

    /** Runs a request at once, or after the client has taken the responses before it. */
    void run(Runnable request) {
        if (isBusy()) {
            delayed.add(request);
        } else {
            request.run();
        }
    }

    boolean isBusy() {
        return !queue.isEmpty() || !context.channel().isWritable()
                || streams != null && streams.waiting() > MAX_WAITING_OF_STREAMS;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        int length = message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        written += length;
        if (queue.isEmpty() && length <= PIECE) {
            context.write(message, promise);
        } else {
            queue.add(new Piece(message, promise));
            queued += length;
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        drain();
        context.flush();
        update();
    }

    /** Sends pieces until as many as allowed are on their way. A piece that has been sent makes room for the next one. */
    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        while (!queue.isEmpty() && sending < PIECES_AT_ONCE) {
            sending++;
            sendPiece();
        }
        draining = false;
    }

    private void sendPiece() {
        Piece head = queue.element();
        ChannelPromise promise;
        Object piece;
        if (head.length() > PIECE) {
            piece = ((ByteBuf) head.message).readRetainedSlice(PIECE);
            promise = context.newPromise();
            queued -= PIECE;
        } else {
            queue.remove();
            piece = head.message;
            promise = head.promise.unvoid();
            queued -= head.length();
        }
        promise.addListener(sent -> {
            sending--;
            if (!queue.isEmpty()) {
                drain();
                update();
            }
        });
        context.writeAndFlush(piece, promise);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        update();
        context.fireChannelWritabilityChanged();
    }

    /** Counts what waits now, and runs requests that have waited for it. */
    void update() {
        ChannelOutboundBuffer socket = context.channel().unsafe().outboundBuffer();
        long before = unsent;
        unsent = queued + (socket == null ? 0 : socket.totalPendingWriteBytes());
        if (before == 0) {
            lastTaken = System.nanoTime();
        }
        count(unsent + (streams == null ? 0 : streams.waiting()));
        if (!delayed.isEmpty() && !isBusy()) {
            // Later, because the request may answer at once, and so come back here.
            context.executor().execute(this::runDelayed);
        }
    }

    private void count(long now) {
        long before = waiting;
        if (now == before) {
            return;
        }
        waiting = now;
        connections.addWaiting(now - before);
        if (before == 0) {
            waitingSince = System.nanoTime();
            connections.watch(this);
        } else if (now == 0 && answered == null) {
            connections.forget(this);
        }
    }

    /** Discards the rest of the body of a request of HTTP/1 that has its response. Any thread may call this method. */
    void discardBody(HttpServerRequest request) {
        if (streams == null && !request.isEnded()) {
            // Later, when nothing else reads the body.
            execute(() -> {
                // Most requests have no body, and end behind their head.
                if (context.channel().isActive() && !request.isEnded()) {
                    request.resume();
                    answered = request;
                    answeredAt = System.nanoTime();
                    connections.watch(this);
                }
            });
        }
    }

    /** A client may read its response only after it has sent its body. It gets some time for this. */
    private void endBody(boolean isLate) {
        if (answered != null && (isLate || answered.isEnded())) {
            if (!answered.isEnded()) {
                context.close();
            }
            answered = null;
            if (waiting == 0) {
                connections.forget(this);
            }
        }
    }

    private void runDelayed() {
        while (!delayed.isEmpty() && !isBusy()) {
            delayed.remove().run();
        }
    }

    /** Ends what the client has not taken anything of for so many nanoseconds, and a body that goes on after its response. */
    void check(long patience) {
        update();
        long now = System.nanoTime();
        if (written - unsent > taken) {
            taken = written - unsent;
            lastTaken = now;
        }
        endBody(now - answeredAt > patience);
        if (unsent > 0 && now - lastTaken > patience) {
            breakOff();
        } else if (streams != null) {
            streams.cut(patience);
        }
    }

    /** Ends all responses that wait: the streams, or with HTTP/1 the connection. */
    void cut() {
        if (streams != null) {
            streams.cut(0);
        } else if (waiting > 0) {
            breakOff();
        }
    }

    /** Ends the connection with a reset. Without it, a response of HTTP/1.0, which ends with its connection, looks complete. */
    private void breakOff() {
        connections.countCut(1);
        context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        context.close();
    }

    /** The bytes that wait, times the seconds for which bytes have waited. Any thread may call this method. */
    double load() {
        return waiting * (double) Math.min(MAX_AGE, System.nanoTime() - waitingSince);
    }

    /** Runs an action on the event loop of the connection. Any thread may call this method. */
    void execute(Runnable action) {
        context.executor().execute(action);
    }

    /**
     * An error of one stream ends only this stream. Vert.x would close the connection, on which other streams run, if a stream is
     * reset whose response waits.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof Http2Exception exception && Http2Exception.isStreamError(exception))) {
            context.fireExceptionCaught(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        for (Piece piece = queue.poll(); piece != null; piece = queue.poll()) {
            ReferenceCountUtil.release(piece.message);
            piece.promise.tryFailure(new ClosedChannelException());
        }
        queued = 0;
        delayed.clear();
        connections.addWaiting(-waiting);
        waiting = 0;
        connections.forget(this);
        context.fireChannelInactive();
    }
}
