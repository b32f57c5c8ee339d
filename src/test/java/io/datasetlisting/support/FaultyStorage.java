package io.datasetlisting.support;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A proxy in front of an S3 server that simulates faults. */
public final class FaultyStorage implements Closeable {

    /** What happens to new connections. */
    public enum Fault {
        NONE,
        /** The proxy reads nothing and sends nothing until the fault ends. */
        FROZEN,
        /** The proxy reads everything and sends nothing. */
        SILENT,
        /** The proxy reads everything and answers 403. */
        FORBIDDEN,
        /** The proxy reads everything and answers 500. */
        FAILING,
        /** The proxy reads everything, and its response breaks off in the middle. */
        HALF_AN_ANSWER,
        /** The proxy reads the head and closes the connection. */
        HANGS_UP
    }

    private final URI server;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger opened = new AtomicInteger();
    private ServerSocket listener;
    private volatile Fault fault = Fault.NONE;

    public FaultyStorage(String server) {
        this.server = URI.create(server);
        port = listen(0);
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public void set(Fault next) {
        fault = next;
    }

    /** The number of connections that the service has open. */
    public int open() {
        return open.size();
    }

    /** The number of connections that the service has opened since the start. */
    public int opened() {
        return opened.get();
    }

    /** Stops listening, and closes all open connections. */
    public void goDown() {
        try {
            listener.close();
            cut();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes all open connections, so that the next request opens a new one. */
    public void cut() {
        try {
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Listens again if the proxy does not listen. */
    public void comeBack() {
        if (listener.isClosed()) {
            listen(port);
        }
    }

    private int listen(int wanted) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.setReceiveBufferSize(65_536);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
            listener = socket;
            Relay.start(() -> {
                while (true) {
                    Socket client = socket.accept();
                    opened.incrementAndGet();
                    open.add(client);
                    Relay.start(() -> serve(client, fault));
                }
            });
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Socket client, Fault now) throws IOException {
        try (client) {
            if (now == Fault.NONE) {
                forward(client);
                return;
            }
            if (now == Fault.FROZEN) {
                awaitEnd(client);
                return;
            }
            String head = readHead(client.getInputStream());
            if (now == Fault.HANGS_UP) {
                return;
            }
            OutputStream out = client.getOutputStream();
            if (head.contains("100-continue")) {
                out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            client.getInputStream().skipNBytes(Integer
                    .parseInt((head + "content-length: 0\r\n").replaceFirst("(?is).*?\r\ncontent-length: *(\\d+)\r\n.*",
                            "$1")));
            switch (now) {
                case FORBIDDEN -> out.write(answer("403 Forbidden", "AccessDenied"));
                case FAILING -> out.write(answer("500 Internal Server Error", "InternalError"));
                case HALF_AN_ANSWER -> out.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of".getBytes(StandardCharsets.US_ASCII));
                default -> client.getInputStream().read();
            }
        } finally {
            open.remove(client);
        }
    }

    private void forward(Socket client) throws IOException {
        try (Socket storage = new Socket(server.getHost(), server.getPort())) {
            Relay.start(() -> {
                try (client; storage) {
                    storage.getInputStream().transferTo(client.getOutputStream());
                }
            });
            client.getInputStream().transferTo(storage.getOutputStream());
        }
    }

    /** Reads until the client closes the connection, because only a read detects that. */
    private void awaitEnd(Socket client) throws IOException {
        while (fault == Fault.FROZEN) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static byte[] answer(String status, String code) {
        String body = "<Error><Code>" + code + "</Code><Message>no</Message></Error>";
        return ("HTTP/1.1 " + status + "\r\nContent-Type: application/xml\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        goDown();
    }
}
