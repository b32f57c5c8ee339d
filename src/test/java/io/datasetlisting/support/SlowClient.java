package io.datasetlisting.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A bulk transfer over a socket with small buffers. The test decides when to read and to write. */
public final class SlowClient implements Closeable {

    private static final int BUFFER = 32 << 10;
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final AtomicLong written = new AtomicLong();
    private final Queue<String> lines = new ArrayDeque<>();
    /** The beginning of the next line. */
    private String unread = "";

    public SlowClient(URI service) throws IOException {
        socket.setReceiveBufferSize(BUFFER);
        socket.setSendBufferSize(BUFFER);
        socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }

    public static SlowClient exporting(URI service, Caller caller) throws IOException {
        return exporting(service, caller, Bulk.NDJSON);
    }

    public static SlowClient exporting(URI service, Caller caller, String type) throws IOException {
        return new SlowClient(service).request("GET", caller, "Accept: " + type);
    }

    public static SlowClient importing(URI service, Caller caller, String... headers) throws IOException {
        return sending(service, caller, Bulk.NDJSON, headers);
    }

    /** A client that begins to send an import of this type. */
    public static SlowClient sending(URI service, Caller caller, String type, String... headers) throws IOException {
        return new SlowClient(service).request("POST", caller, "Content-Type: " + type,
                String.join("\r\n", headers));
    }

    /** A client of server-sent events. */
    public static SlowClient listening(URI service, Caller caller, String query, String lastEventId)
            throws IOException {
        return new SlowClient(service).request("GET", Copy.CHANGES + query, caller, "Accept: text/event-stream",
                "Last-Event-ID: " + lastEventId);
    }

    /** A client of server-sent events with a token of a provider. Each second has an event. */
    public static SlowClient listeningWithBearer(URI service, String bearer) throws IOException {
        return new SlowClient(service).request("GET", Copy.CHANGES + "?wait=1", Caller.anonymous(),
                "Accept: text/event-stream", "Authorization: Bearer " + bearer);
    }

    private SlowClient request(String method, Caller caller, String... headers) throws IOException {
        return request(method, Listing.PATH, caller, headers);
    }

    private SlowClient request(String method, String path, Caller caller, String... headers) throws IOException {
        String key = caller.key() == null ? "" : "Authorization: Token " + caller.key() + "\r\n";
        return write((method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\n" + key
                + String.join("\r\n", headers) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    public SlowClient write(byte[] bytes) throws IOException {
        for (int i = 0; i < bytes.length; i += BUFFER) {
            int length = Math.min(BUFFER, bytes.length - i);
            socket.getOutputStream().write(bytes, i, length);
            written.addAndGet(length);
        }
        return this;
    }

    /** Sends a chunk of a body with {@code Transfer-Encoding: chunked}. An empty chunk ends the body. */
    public SlowClient chunk(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        return write(bytes).write("\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** The number of bytes that the socket has accepted. */
    public long written() {
        return written.get();
    }

    /** Reads the status line and the headers of the next response. */
    public String head() throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = httpLine(); !line.isEmpty(); line = httpLine()) {
            head.append(line).append("\r\n");
        }
        return head.toString();
    }

    /** The value of {@code Content-Length} in the headers of a response. */
    public static int contentLength(String head) {
        return Integer.parseInt(head.replaceAll("(?is).*\\r\\ncontent-length: (\\d+).*", "$1"));
    }

    /** Reads so many bytes. Fails if the service closes the connection before. */
    public byte[] bytes(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the service has closed the connection");
        }
        return bytes;
    }

    private String httpLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the service has closed the connection");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).replace("\r", "");
    }

    /**
     * The next line of the chunked body, one character for each byte, or null after the last line. Fails if the body
     * breaks off.
     */
    public String line() throws IOException {
        while (lines.isEmpty()) {
            int length = Integer.parseInt(httpLine(), 16);
            unread += new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
            httpLine();
            if (length == 0) {
                return null;
            }
            int end = unread.lastIndexOf('\n') + 1;
            unread.substring(0, end).lines().forEach(lines::add);
            unread = unread.substring(end);
        }
        return lines.remove();
    }

    /** The chunked body as a stream, for tests that do not read it by {@link #line}. */
    public InputStream body() {
        return new InputStream() {

            private int left;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (left == 0) {
                    left = Integer.parseInt(httpLine(), 16);
                }
                int count = left == 0 ? -1 : in.read(bytes, offset, Math.min(length, left));
                left -= Math.max(count, 0);
                if (left == 0) {
                    httpLine();
                }
                return count;
            }
        };
    }

    /** Reads the next line that matches. Fails if no line matches in time. */
    public String lineWhere(Predicate<String> asked) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        String line = line();
        while (!asked.test(line)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the last line is " + line);
            }
            line = line();
        }
        return line;
    }

    /** Reads to the end, and returns the number of lines. */
    public long countLines() throws IOException {
        long lines = 0;
        while (line() != null) {
            lines++;
        }
        return lines;
    }

    /** Reads to the end, and returns the last line. */
    public String lastLine() throws IOException {
        String last = null;
        for (String line = line(); line != null; line = line()) {
            last = line;
        }
        return last;
    }

    /** Closes the connection by a reset, as the system does for a client that crashes. */
    public void abort() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
