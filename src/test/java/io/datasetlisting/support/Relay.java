package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A port that leads to another port, as a Kubernetes Service does: a change of its target ends no connection. */
public final class Relay implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile int target;

    public Relay(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Leads connections that are opened from now on to another port. */
    public void leadTo(int port) {
        target = port;
    }

    /** Ends all connections. */
    public void cut() {
        sockets.forEach(Relay::close);
        sockets.clear();
    }

    /** Work of one side of a connection. Its end is the end of the work. */
    public interface Work {
        void run() throws IOException;
    }

    /** Runs work on a thread of its own, which a test need not end. */
    public static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException ended) {
                // One of the two sides has closed the connection, which is the usual end.
            }
        }, "side of a connection");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            sockets.add(client);
            start(() -> connect(client));
        }
    }

    private void connect(Socket client) {
        try {
            Socket other = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(other);
            other.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            start(() -> copy(other, client));
            copy(client, other);
        } catch (IOException e) {
            close(client);
        }
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
