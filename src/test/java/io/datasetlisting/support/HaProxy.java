package io.datasetlisting.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A running HAProxy. */
public final class HaProxy implements AutoCloseable {

    private final Path config = Files.createTempFile("haproxy", ".cfg");
    private final Process process;
    private final int port;

    public HaProxy(String configuration) throws IOException {
        this(configuration, 0);
    }

    private HaProxy(String configuration, int port) throws IOException {
        this.port = port;
        Files.writeString(config, configuration);
        process = new ProcessBuilder("haproxy", "-db", "-f", config.toString()).inheritIO().start();
    }

    /** With the defaults of Debian's package, before one server. */
    public static HaProxy before(int target, String settings) throws IOException {
        int port = FreePort.find();
        HaProxy proxy = new HaProxy("""
                defaults
                    mode http
                    timeout connect 5000
                    timeout client 50000
                    timeout server 50000
                listen catalogue
                    bind 127.0.0.1:%d
                    %s
                    server one 127.0.0.1:%d
                """.formatted(port, settings, target), port);
        Patience.await("HAProxy listens").ignoreExceptions().until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
        return proxy;
    }

    /** The port of a proxy before one server. */
    public int port() {
        return port;
    }

    /** Before two databases: the second one is used once the first one does not answer. */
    public static HaProxy beforeDatabases(int first, int second, int port) throws IOException {
        return new HaProxy("""
                defaults
                    mode tcp
                    retries 0
                    timeout connect 5s
                    timeout client 60m
                    timeout server 60m
                    timeout check 500ms
                frontend primary
                    bind 127.0.0.1:%d
                    default_backend servers
                backend servers
                    option pgsql-check user postgres
                    default-server check inter 300ms fall 2 rise 1
                    server first 127.0.0.1:%d
                    server second 127.0.0.1:%d backup
                """.formatted(port, first, second));
    }

    /** Skips the calling test if the machine has no HAProxy. */
    public static void require() throws InterruptedException {
        Requirement.require(isInstalled(), "HAProxy (Debian's package haproxy)");
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("haproxy", "-v").redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                    .waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        Files.delete(config);
    }
}
