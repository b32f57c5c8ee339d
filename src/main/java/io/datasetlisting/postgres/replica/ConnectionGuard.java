package io.datasetlisting.postgres.replica;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.pgclient.PgConnectOptions;

/**
 * Closes connections to servers that do not answer, and to standbys at the address of the primary. The driver closes a connection
 * by a message to the server, and then waits, without a limit, until the server closes it. A frozen server never does, and a
 * balancer may keep the connection open. A former primary is a standby again within a second, and a balancer may lead to it for
 * longer: nothing else would end these sessions. Netty finds this class by its service file; it is active only in the package.
 *
 * @see <a href="../../../../../../../docs/adr/0022-connections-that-do-not-answer.md">ADR 22</a>
 */
@RegisterForReflection(methods = false, fields = false, ignoreNested = true)
public class ConnectionGuard extends ChannelInitializerExtension {

    /** Time that a server has to close a connection after the driver's message. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private static final Set<Handler> OPEN = ConcurrentHashMap.newKeySet();
    /** The guarded servers, each as host and port. */
    private static final Set<String> SERVERS = ConcurrentHashMap.newKeySet();
    /** Until when standbys at an address are refused, as {@link System#nanoTime} gives it. */
    private static final Map<String, Long> STANDBYS_REFUSED = new ConcurrentHashMap<>();
    /** Time that a server has for the start of a session, in units of the time for its first byte. */
    private static final int STARTS_PER_ANSWER = 2;
    /** Time that a server has for the first byte of its answer. */
    private static volatile Duration connectTimeout = Duration.ZERO;

    /** Guards the connections that are opened to these servers from now on. */
    static void watch(Collection<PgConnectOptions> servers, Duration timeout) {
        SERVERS.addAll(addresses(servers));
        connectTimeout = timeout;
    }

    /**
     * Closes the connections to the servers that were opened before a time and that have received nothing since. Statements in
     * flight fail like those of a connection that the server has closed.
     *
     * @param nanos
     *            the time, as {@link System#nanoTime} gives it
     */
    static void closeSilentSince(Collection<PgConnectOptions> servers, long nanos) {
        close(servers, each -> each.lastRead - nanos < 0);
    }

    /**
     * Closes the connections to the servers that were opened before a time, with the same effect.
     *
     * @param nanos
     *            the time, as {@link System#nanoTime} gives it
     */
    static void closeOpenedBefore(Collection<PgConnectOptions> servers, long nanos) {
        close(servers, each -> each.openedAt - nanos < 0);
    }

    /**
     * Closes the sessions on standbys at these addresses, and for a time also each new one before the driver can use it. The pool
     * then opens another connection for the next caller.
     */
    static void refuseStandbys(Collection<PgConnectOptions> servers, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        addresses(servers).forEach(address -> STANDBYS_REFUSED.put(address, until));
        close(servers, each -> each.standby);
    }

    private static void close(Collection<PgConnectOptions> servers, Predicate<Handler> condition) {
        Set<String> addresses = addresses(servers);
        OPEN.stream().filter(each -> addresses.contains(each.server) && condition.test(each)).forEach(Handler::close);
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
        /** Null after the start of the session. */
        private SessionStart start = new SessionStart();
        private volatile boolean standby;
        private volatile long openedAt;
        /** Or the time at which the connection was opened. */
        private volatile long lastRead;

        @Override
        public void connect(ChannelHandlerContext context, SocketAddress remote, SocketAddress local,
                ChannelPromise promise) throws Exception {
            if (remote instanceof InetSocketAddress inet && SERVERS.contains(address(inet))) {
                this.context = context;
                server = address(inet);
                openedAt = System.nanoTime();
                lastRead = openedAt;
            } else {
                context.pipeline().remove(this);
            }
            super.connect(context, remote, local, promise);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            OPEN.add(this);
            closeIn(connectTimeout, () -> !answered);
            // A server or a pooler that is stuck may answer a byte. The driver waits without a limit for the rest.
            closeIn(connectTimeout.multipliedBy(STARTS_PER_ANSWER), () -> start != null);
            super.channelActive(context);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            OPEN.remove(this);
            SslHandler tls = context.pipeline().get(SslHandler.class);
            if (start != null && tls != null && tls.handshakeFuture().cause() != null) {
                // The driver would only say that the handshake has failed, and not why the server is not trusted.
                context.fireExceptionCaught(tls.handshakeFuture().cause());
            }
            super.channelInactive(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            answered = true;
            lastRead = System.nanoTime();
            // With TLS, Vert.x adds the handler that decrypts before this one.
            if (start != null && message instanceof ByteBuf bytes) {
                readStart(bytes);
            }
            if (standby && isRefused()) {
                ReferenceCountUtil.release(message);
                close();
            } else {
                super.channelRead(context, message);
            }
        }

        private void readStart(ByteBuf bytes) {
            start.read(bytes);
            if (start.hasEnded()) {
                standby = start.isStandby();
                start = null;
            }
        }

        private boolean isRefused() {
            Long until = STANDBYS_REFUSED.get(server);
            return until != null && lastRead - until < 0;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof ChannelOutputShutdownEvent) {
                closeIn(CLOSE_TIMEOUT, () -> true);
            }
            super.userEventTriggered(context, event);
        }

        /** The driver would write the stack trace of each lost connection to the standard error stream. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            close();
        }

        private void closeIn(Duration delay, BooleanSupplier condition) {
            context.executor().schedule(() -> {
                if (condition.getAsBoolean()) {
                    close();
                }
            }, delay.toMillis(), TimeUnit.MILLISECONDS);
        }

        void close() {
            context.close();
        }
    }
}
