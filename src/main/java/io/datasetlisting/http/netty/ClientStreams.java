package io.datasetlisting.http.netty;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * The streams of a connection of HTTP/2. Knows how many bytes wait for the client to open the windows of the flow control. Netty
 * queues these bytes in its flow controller, without a limit and without a method that tells their number, so this class stands
 * before the controller.
 */
final class ClientStreams implements Http2RemoteFlowController {

    private final Http2ConnectionHandler handler;
    private final Http2RemoteFlowController controller;
    private final ClientConnections connections;
    /** The streams of which bytes wait, or have waited since the last check. */
    private final Map<Http2Stream, Queued> queued = new HashMap<>();
    private long waiting;

    private ClientStreams(Http2ConnectionHandler handler, ClientConnections connections) {
        this.handler = handler;
        this.connections = connections;
        controller = handler.connection().remote().flowController();
    }

    /**
     * Counts the bytes of a connection from now on.
     *
     * @param maxStreams
     *            Netty would apply this limit only after the client has acknowledged it
     */
    static ClientStreams of(Http2ConnectionHandler handler, int maxStreams, ClientConnections connections) {
        ClientStreams streams = new ClientStreams(handler, connections);
        handler.connection().remote().flowController(streams);
        handler.connection().remote().maxActiveStreams(maxStreams);
        return streams;
    }

    /** The bytes of one stream. */
    private static final class Queued {

        private long bytes;
        private long lastTaken = System.nanoTime();
    }

    /** Bytes of all streams. */
    long waiting() {
        return waiting;
    }

    /**
     * Resets the streams of which the client has not taken anything for so many nanoseconds. The error says that the response is
     * not complete, which some clients do not see in a stream that is cancelled.
     */
    void cut(long patience) {
        long now = System.nanoTime();
        queued.values().removeIf(stream -> stream.bytes == 0);
        List<Http2Stream> late = queued.entrySet().stream().filter(each -> now - each.getValue().lastTaken >= patience)
                .map(Map.Entry::getKey).toList();
        ChannelHandlerContext context = controller.channelHandlerContext();
        late.forEach(stream -> handler.resetStream(context, stream.id(), Http2Error.INTERNAL_ERROR.code(),
                context.newPromise()));
        if (!late.isEmpty()) {
            connections.countCut(late.size());
            context.flush();
        }
    }

    @Override
    public void addFlowControlled(Http2Stream stream, FlowControlled payload) {
        controller.addFlowControlled(stream,
                payload.size() == 0
                        ? payload
                        : new Counted(payload, queued.computeIfAbsent(stream, first -> new Queued())));
    }

    /** A part of a response that counts until it is written or dropped. */
    private final class Counted implements FlowControlled {

        private final FlowControlled payload;
        private final Queued stream;
        private int counted;

        Counted(FlowControlled payload, Queued stream) {
            this.payload = payload;
            this.stream = stream;
            count(payload.size());
        }

        private void count(int size) {
            stream.bytes += size - counted;
            waiting += size - counted;
            counted = size;
        }

        @Override
        public int size() {
            return payload.size();
        }

        @Override
        public void write(ChannelHandlerContext context, int allowedBytes) {
            payload.write(context, allowedBytes);
            if (payload.size() < counted) {
                stream.lastTaken = System.nanoTime();
                count(payload.size());
            }
        }

        @Override
        public boolean merge(ChannelHandlerContext context, FlowControlled next) {
            if (!(next instanceof Counted other)) {
                return payload.merge(context, next);
            }
            if (!payload.merge(context, other.payload)) {
                return false;
            }
            other.count(0);
            count(payload.size());
            return true;
        }

        @Override
        public void writeComplete() {
            count(0);
            payload.writeComplete();
        }

        @Override
        public void error(ChannelHandlerContext context, Throwable cause) {
            count(0);
            payload.error(context, cause);
        }
    }

    @Override
    public ChannelHandlerContext channelHandlerContext() {
        return controller.channelHandlerContext();
    }

    @Override
    public boolean hasFlowControlled(Http2Stream stream) {
        return controller.hasFlowControlled(stream);
    }

    @Override
    public void writePendingBytes() throws Http2Exception {
        controller.writePendingBytes();
    }

    @Override
    public void listener(Listener listener) {
        controller.listener(listener);
    }

    @Override
    public boolean isWritable(Http2Stream stream) {
        return controller.isWritable(stream);
    }

    @Override
    public void channelWritabilityChanged() throws Http2Exception {
        controller.channelWritabilityChanged();
    }

    @Override
    public void updateDependencyTree(int childStreamId, int parentStreamId, short weight, boolean exclusive) {
        controller.updateDependencyTree(childStreamId, parentStreamId, weight, exclusive);
    }

    @Override
    public void channelHandlerContext(ChannelHandlerContext context) throws Http2Exception {
        controller.channelHandlerContext(context);
    }

    @Override
    public void initialWindowSize(int newWindowSize) throws Http2Exception {
        controller.initialWindowSize(newWindowSize);
    }

    @Override
    public int initialWindowSize() {
        return controller.initialWindowSize();
    }

    @Override
    public int windowSize(Http2Stream stream) {
        return controller.windowSize(stream);
    }

    @Override
    public void incrementWindowSize(Http2Stream stream, int delta) throws Http2Exception {
        controller.incrementWindowSize(stream, delta);
    }
}
