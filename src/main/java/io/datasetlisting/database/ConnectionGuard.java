package io.datasetlisting.database;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.util.NetUtil;
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
    /** The guarded servers, each as host and port. */
    private static final Set<String> SERVERS = ConcurrentHashMap.newKeySet();
    /** Time that a server has for the first byte of its answer. */
    private static volatile Duration connectTimeout = Duration.ZERO;

    /** Guards the connections that are opened to these servers from now on. */
    static void watch(Collection<PgConnectOptions> servers, Duration timeout) {
        SERVERS.addAll(addresses(servers));
        connectTimeout = timeout;
    }

    /**
     * Closes the connections to the servers that were opened before a time and that have received nothing since. Statements in flight
     * fail like those of a connection that the server has closed.
     *
     * @param nanos
     *            the time, as {@link System#nanoTime} gives it
     */
    static void closeSilentSince(Collection<PgConnectOptions> servers, long nanos) {
        Set<String> addresses = addresses(servers);
        OPEN.stream().filter(each -> each.lastRead - nanos < 0 && addresses.contains(each.server))
                .forEach(Handler::close);
    }

    private static Set<String> addresses(Collection<PgConnectOptions> servers) {
        return servers.stream().map(server -> {
            InetAddress number = NetUtil.createInetAddressFromIpAddressString(server.getHost());
            return address(number == null ? server.getHost() : number.getHostAddress(), server.getPort());
        }).collect(Collectors.toSet());
    }

    /** The driver resolves the name of a host and keeps it in the address. An address without a name has its number there. */
    private static String address(InetSocketAddress server) {
        return address(server.getHostString(), server.getPort());
    }

    private static String address(String host, int port) {
        return host + ':' + port;
    }

    @Override
    public void postInitializeClientChannel(Channel channel) {
        if (!SERVERS.isEmpty()) {
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

        private String server;
        private ChannelHandlerContext context;
        private boolean answered;
        /** Or the time at which the connection was opened. */
        private volatile long lastRead;

        @Override
        public void connect(ChannelHandlerContext context, SocketAddress remote, SocketAddress local,
                ChannelPromise promise) throws Exception {
            if (remote instanceof InetSocketAddress inet && SERVERS.contains(address(inet))) {
                this.context = context;
                server = address(inet);
                lastRead = System.nanoTime();
            } else {
                context.pipeline().remove(this);
            }
            super.connect(context, remote, local, promise);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            OPEN.add(this);
            closeIn(connectTimeout, true);
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
