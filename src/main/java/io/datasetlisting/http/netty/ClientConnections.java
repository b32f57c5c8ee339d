package io.datasetlisting.http.netty;

import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestEnd;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Limits what clients occupy that do not take their responses. Every request passes through here before all others, so every
 * response, body and stream is counted, whatever writes it.
 *
 * @see <a href="../../../../../../../docs/adr/0027-admission-by-bytes-and-progress.md">ADR 27</a>
 */
@Startup
@Singleton
public class ClientConnections {

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(ClientConnections.class));
    private static final AttributeKey<ClientConnection> KEY = AttributeKey.valueOf(ClientConnections.class.getName());

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** While large responses wait for room for longer than this, clients that take nothing have only this time. */
    private static final Duration PATIENCE_WITHOUT_ROOM = Duration.ofSeconds(3);
    /**
     * Bytes of a response in the system's buffer of a socket. The system's own limit is some megabytes, which nobody counts, and
     * of which a third must be read before the service sees that the client reads.
     */
    private static final int SEND_BUFFER = 256 << 10;

    private final ClientMemory memory;
    private final Duration patience;
    private final int maxStreams;
    private final Counter cut;
    private final Set<ClientConnection> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean relieving = new AtomicBoolean();

    ClientConnections(ClientMemory memory, HttpConfig config, Vertx vertx, MeterRegistry meters,
            @ConfigProperty(name = "quarkus.http.limits.max-concurrent-streams") int maxStreams) {
        this.memory = memory;
        this.maxStreams = maxStreams;
        patience = config.http().maxClientSilence();
        cut = Counter.builder("dataset.clients.cut")
                .description("Responses that end because their client takes nothing")
                .register(meters);
        vertx.setPeriodic(INTERVAL.toMillis(), tick -> check());
    }

    /**
     * Handler that delays a request until its client has taken the responses before it, and discards the rest of its body after
     * its response.
     */
    public void await(RoutingContext context) {
        ClientConnection connection = of(context);
        RequestEnd.then(context, () -> discardBody(context));
        if (!connection.isBusy()) {
            context.next();
            return;
        }
        // No part of the body may arrive before a handler for it is set.
        context.request().pause();
        RequestEnd.then(context, () -> RequestEnd.discardBody(context.request()));
        Executor here = CallerContext.later();
        connection.run(() -> here.execute(() -> {
            if (!RequestEnd.hasEnded(context)) {
                context.next();
            }
        }));
    }

    /** Discards the rest of the body of a request of HTTP/1 that has its response. If it lasts too long, the connection ends. */
    public void discardBody(RoutingContext context) {
        of(context).discardBody(context.request());
    }

    private ClientConnection of(RoutingContext context) {
        Channel channel = ((ConnectionBase) context.request().connection()).channel();
        ClientConnection connection = channel.attr(KEY).get();
        if (connection == null) {
            connection = install(channel);
            channel.attr(KEY).set(connection);
        }
        return connection;
    }

    private ClientConnection install(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        Http2ConnectionHandler http2 = pipeline.get(Http2ConnectionHandler.class);
        Class<? extends ChannelHandler> codec = http2 == null
                ? HttpResponseEncoder.class
                : Http2ConnectionHandler.class;
        ClientConnection connection = new ClientConnection(this,
                http2 == null ? null : ClientStreams.of(http2, maxStreams, this));
        pipeline.addBefore(pipeline.context(codec).name(), null, connection);
        channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
        return connection;
    }

    void addWaiting(long bytes) {
        memory.addResponse(bytes);
        if (bytes > 0 && memory.isExceeded() && relieving.compareAndSet(false, true)) {
            relieve();
        }
    }

    /** Ends the responses of the connection that has occupied the most memory for the longest time. */
    private void relieve() {
        waiting.stream().max(Comparator.comparingDouble(ClientConnection::load)).ifPresentOrElse(
                connection -> connection.execute(() -> {
                    connection.cut();
                    relieving.set(false);
                }), () -> relieving.set(false));
    }

    void watch(ClientConnection connection) {
        waiting.add(connection);
    }

    void forget(ClientConnection connection) {
        waiting.remove(connection);
    }

    void countCut(int responses) {
        cut.increment(responses);
        LOG.warn("cut", "A client takes nothing of its response, which is ended");
    }

    private void check() {
        Duration tolerated = memory.hasNoRoomFor(PATIENCE_WITHOUT_ROOM) ? PATIENCE_WITHOUT_ROOM : patience;
        waiting.forEach(connection -> connection.execute(() -> connection.check(tolerated.toNanos())));
        if (memory.isExceeded() && relieving.compareAndSet(false, true)) {
            relieve();
        }
    }
}
