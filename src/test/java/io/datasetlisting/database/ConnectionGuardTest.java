package io.datasetlisting.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Requirement;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.pgclient.PgConnectOptions;

/** Tests that {@link ConnectionGuard} ends connections to servers that accept them and answer nothing. */
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
