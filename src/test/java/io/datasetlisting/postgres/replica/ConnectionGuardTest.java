package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Requirement;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.pgclient.PgConnectOptions;

/**
 * Tests that {@link ConnectionGuard} ends connections to servers that accept them and answer nothing, and sessions on standbys at
 * the address of the primary.
 */
class ConnectionGuardTest {

    private static final EventLoopGroup THREADS = new NioEventLoopGroup(1);

    @AfterAll
    static void stop() {
        THREADS.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "::1"})
    void aConnectionWithoutAFirstByteIsClosed(String host) throws Exception {
        Requirement.requireLocally(isLocal(host), "the address " + host);
        try (ServerSocket silent = server(host)) {
            ConnectionGuard.watch(List.of(options(host, silent)), Duration.ofMillis(100));
            assertTrue(connect(host, silent).closeFuture().await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void aConnectionWhoseServerStopsInTheStartOfASessionIsClosed() throws Exception {
        try (ServerSocket server = server("127.0.0.1")) {
            ConnectionGuard.watch(List.of(options("127.0.0.1", server)), Duration.ofMillis(500));
            Session open = open(server, "", "off");
            assertTrue(open.awaitReady());
            Channel stuck = connect("127.0.0.1", server);
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write('R');
                assertTrue(stuck.closeFuture().await(10, TimeUnit.SECONDS));
            }
            assertOpen(open);
        }
    }

    @Test
    void connectionsThatHaveReceivedNothingSinceATimeAreClosed() throws Exception {
        try (ServerSocket old = server("127.0.0.1"); ServerSocket other = server("127.0.0.1")) {
            ConnectionGuard.watch(List.of(options("127.0.0.1", old), options("127.0.0.1", other)),
                    Duration.ofMinutes(1));
            Channel silent = connect("127.0.0.1", old);
            Channel ofAnotherServer = connect("127.0.0.1", other);
            long time = System.nanoTime();
            Channel later = connect("127.0.0.1", old);
            ConnectionGuard.closeSilentSince(List.of(options("127.0.0.1", old)), time);
            assertTrue(silent.closeFuture().await(10, TimeUnit.SECONDS));
            assertTrue(later.isOpen() && ofAnotherServer.isOpen());
            later.close();
            ofAnotherServer.close();
        }
    }

    @Test
    void connectionsThatWereOpenedBeforeATimeAreClosedAlthoughTheyHaveReceivedSomething() throws Exception {
        try (ServerSocket server = server("127.0.0.1")) {
            List<PgConnectOptions> servers = List.of(options("127.0.0.1", server));
            ConnectionGuard.watch(servers, Duration.ofMinutes(1));
            Channel old = connect("127.0.0.1", server);
            long time = System.nanoTime();
            Channel later;
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write(session("off"));
                later = connect("127.0.0.1", server);
                ConnectionGuard.closeOpenedBefore(servers, time);
                assertTrue(old.closeFuture().await(10, TimeUnit.SECONDS));
            }
            assertTrue(later.isOpen());
            later.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "S", "N"})
    void aSessionOnAStandbyIsClosedBeforeTheDriverSeesThatItIsOpen(String answerToTls) throws Exception {
        try (ServerSocket primary = server("127.0.0.1"); ServerSocket replica = server("127.0.0.1")) {
            List<PgConnectOptions> servers = List.of(options("127.0.0.1", primary));
            ConnectionGuard.watch(servers, Duration.ofMinutes(1));
            ConnectionGuard.watch(List.of(options("127.0.0.1", replica)), Duration.ofMinutes(1));
            ConnectionGuard.refuseStandbys(servers, Duration.ofMinutes(1));
            Session refused = open(primary, answerToTls, "on");
            assertTrue(refused.channel.closeFuture().await(10, TimeUnit.SECONDS));
            assertFalse(refused.isReady());
            assertOpen(open(primary, answerToTls, "off"));
            assertOpen(open(replica, answerToTls, "on"));
        }
    }

    @Test
    void aSessionOnAStandbyIsKeptUntilAPrimaryAnswers() throws Exception {
        try (ServerSocket server = server("127.0.0.1")) {
            List<PgConnectOptions> servers = List.of(options("127.0.0.1", server));
            ConnectionGuard.watch(servers, Duration.ofMinutes(1));
            Session standby = open(server, "", "on");
            Session primary = open(server, "", "off");
            assertTrue(standby.awaitReady() && primary.awaitReady());
            ConnectionGuard.refuseStandbys(servers, Duration.ZERO);
            assertTrue(standby.channel.closeFuture().await(10, TimeUnit.SECONDS));
            assertOpen(primary);
            // The time is over.
            assertOpen(open(server, "", "on"));
        }
    }

    /**
     * A session of PostgreSQL, and the bytes that the driver has received. The record has the socket of the server, because the
     * garbage collector closes a socket that nothing refers to.
     */
    private record Session(Channel channel, ByteBuf received, Socket server) {

        /** The last message of the start of a session. */
        boolean isReady() {
            synchronized (received) {
                return received.toString(StandardCharsets.ISO_8859_1).endsWith("Z\0\0\0\5I");
            }
        }

        boolean awaitReady() {
            Patience.await("the session is open").until(this::isReady);
            return true;
        }
    }

    private static void assertOpen(Session session) throws IOException {
        assertTrue(session.awaitReady());
        assertTrue(session.channel.isOpen());
        session.channel.close();
        session.server.close();
    }

    /** Opens a session on a server that sends its first bytes one by one. */
    private static Session open(ServerSocket server, String answerToTls, String standby) throws Exception {
        Channel channel = connect("127.0.0.1", server);
        ByteBuf received = Unpooled.buffer();
        ChannelInboundHandlerAdapter driver = new ChannelInboundHandlerAdapter() {

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                synchronized (received) {
                    received.writeBytes((ByteBuf) message);
                }
            }
        };
        // A handler that another thread adds misses what is read before the event loop has noticed it.
        channel.eventLoop().submit(() -> channel.pipeline().addLast(driver)).sync();
        Socket accepted = server.accept();
        accepted.setTcpNoDelay(true);
        OutputStream output = accepted.getOutputStream();
        try {
            output.write(answerToTls.getBytes(StandardCharsets.US_ASCII));
            for (byte next : session(standby)) {
                output.write(next);
                output.flush();
            }
        } catch (SocketException e) {
            // The guard has closed the connection.
        }
        return new Session(channel, received, accepted);
    }

    /** What PostgreSQL sends at the start of a session. */
    private static byte[] session(String standby) {
        ByteBuf bytes = Unpooled.buffer();
        message(bytes, 'R', "\0\0\0\0");
        message(bytes, 'S', "application_name\0in_hot_standby\0");
        message(bytes, 'S', "in_hot_standby\0" + standby + "\0");
        message(bytes, 'S', "server_version\0" + "15.18\0");
        message(bytes, 'K', "\0\0\0\1\0\0\0\2");
        message(bytes, 'Z', "I");
        return ByteBufUtil.getBytes(bytes);
    }

    private static void message(ByteBuf bytes, char type, String content) {
        bytes.writeByte(type).writeInt(Integer.BYTES + content.length())
                .writeCharSequence(content, StandardCharsets.ISO_8859_1);
    }

    @Test
    void connectionsToOtherServersAreNotGuarded() throws Exception {
        try (ServerSocket database = server("127.0.0.1"); ServerSocket storage = server("127.0.0.1")) {
            ConnectionGuard.watch(List.of(options("127.0.0.1", database)), Duration.ofMillis(1));
            Channel channel = connect("127.0.0.1", storage);
            assertEquals(List.of(), channel.pipeline().toMap().values().stream()
                    .filter(handler -> handler.getClass().getEnclosingClass() == ConnectionGuard.class).toList());
            assertFalse(channel.closeFuture().isDone());
            channel.close();
        }
    }

    private static boolean isLocal(String host) {
        try (ServerSocket server = server(host)) {
            return server.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket server(String host) throws IOException {
        return new ServerSocket(0, 5, InetAddress.getByName(host));
    }

    private static PgConnectOptions options(String host, ServerSocket server) {
        return new PgConnectOptions().setHost(host).setPort(server.getLocalPort());
    }

    private static Channel connect(String host, ServerSocket server) throws InterruptedException {
        return new Bootstrap().group(THREADS).channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {

                    @Override
                    protected void initChannel(SocketChannel channel) {
                        new ConnectionGuard().postInitializeClientChannel(channel);
                    }
                }).connect(host, server.getLocalPort()).sync().channel();
    }
}
