package io.datasetlisting.database;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.pgclient.PgConnectOptions;

/**
 * Closes connections to servers that do not answer. The driver closes a connection by a message to the server, and then waits, without
 * a limit, until the server closes it. A frozen server never does, and a balancer may keep the connection open. Netty finds this
 * class by its service file, like {@link io.datasetlisting.http.FramingExtension}, and it is active only in the package.
 *
 * @see <a href="../../../../../../docs/adr/0022-connections-that-do-not-answer.md">ADR 22</a>
 */
@RegisterForReflection(methods = false, fields = false, ignoreNested = true)
public class ConnectionGuard extends ChannelInitializerExtension {

    /** Time that a server has to close a connection after the driver's message. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private static final Set<Handler> OPEN = ConcurrentHashMap.newKeySet();
    private static volatile Servers servers = new Servers(Set.of(), Duration.ZERO);

    /** Host and port of each server of the database, and the time that a server has for the first byte of its answer. */
    private record Servers(Set<String> addresses, Duration connectTimeout) {

        boolean include(InetSocketAddress server) {
            return addresses.contains(server.getHostString() + ":" + server.getPort())
                    || server.getAddress() != null
                            && addresses.contains(server.getAddress().getHostAddress() + ":" + server.getPort());
        }
    }

    /** Guards the connections that are opened to these servers from now on. */
    static void watch(Collection<PgConnectOptions> options, Duration connectTimeout) {
        Set<String> addresses = ConcurrentHashMap.newKeySet();
        addresses.addAll(servers.addresses);
        options.forEach(server -> addresses.add(server.getHost() + ":" + server.getPort()));
        servers = new Servers(addresses, connectTimeout);
    }

    /**
     * Closes the connections to the servers that were opened before a time and that have received nothing since. Statements in flight
     * fail like those of a connection that the server has closed.
     *
     * @param nanos
     *            the time, as {@link System#nanoTime} gives it
     */
    static void closeSilentSince(Collection<PgConnectOptions> options, long nanos) {
        Servers these = new Servers(Set.copyOf(options.stream().map(o -> o.getHost() + ":" + o.getPort()).toList()),
                Duration.ZERO);
        OPEN.stream().filter(each -> each.lastRead - nanos < 0 && these.include(each.server)).forEach(Handler::close);
    }

    @Override
    public void postInitializeClientChannel(Channel channel) {
        if (!servers.addresses.isEmpty()) {
            // Before the driver's handlers, which would turn the end of the channel into a message again.
            channel.pipeline().addFirst(new Handler());
        }
    }

    /** The name of the extension in Netty's log. */
    @Override
    public String toString() {
        return "guard of database connections";
    }

    private static final class Handler extends ChannelDuplexHandler {

        private InetSocketAddress server;
        private ChannelHandlerContext context;
        private boolean answered;
        /** Or the time at which the connection was opened. */
        private volatile long lastRead;

        @Override
        public void connect(ChannelHandlerContext context, SocketAddress remote, SocketAddress local,
                ChannelPromise promise) throws Exception {
            if (remote instanceof InetSocketAddress inet && servers.include(inet)) {
                this.context = context;
                server = inet;
                lastRead = System.nanoTime();
            } else {
                context.pipeline().remove(this);
            }
            super.connect(context, remote, local, promise);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            OPEN.add(this);
            closeIn(servers.connectTimeout, true);
            super.channelActive(context);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            OPEN.remove(this);
            super.channelInactive(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            answered = true;
            lastRead = System.nanoTime();
            super.channelRead(context, message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof ChannelOutputShutdownEvent) {
                closeIn(CLOSE_TIMEOUT, false);
            }
            super.userEventTriggered(context, event);
        }

        /** The driver would write the stack trace of each lost connection to the standard error stream. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            close();
        }

        private void closeIn(Duration delay, boolean unlessAnswered) {
            context.executor().schedule(() -> {
                if (!(unlessAnswered && answered)) {
                    close();
                }
            }, delay.toMillis(), TimeUnit.MILLISECONDS);
        }

        void close() {
            context.close();
        }
    }
}
