package io.datasetlisting.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection that sends bytes as given, for requests that no HTTP client sends and for several requests on one
 * connection.
 */
public final class RawConnection implements Closeable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;

    /** A response with {@code Content-Length} or in chunks. */
    public record Answer(int status, String head, String body) {
    }

    public RawConnection(URI service) throws IOException {
        socket = new Socket(service.getHost(), service.getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        // Sends each write as its own segment, as far as the client controls that.
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends one byte for each character. */
    public RawConnection write(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Reads the next response. It must not be the response to a HEAD request. */
    public Answer read() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the service has closed the connection");
            }
            bytes.write(next);
        }
        String head = bytes.toString(StandardCharsets.ISO_8859_1);
        int length = Integer.parseInt(
                head.replaceFirst("(?is).*\r\ncontent-length: *(\\d+)\r\n.*", "$1").replaceFirst("(?s)HTTP.*", "0"));
        String body = new String(isChunked(head) ? chunks() : in.readNBytes(length), StandardCharsets.UTF_8);
        return new Answer(Integer.parseInt(head.substring(9, 12)), head, body);
    }

    private static boolean isChunked(String head) {
        return head.toLowerCase(Locale.ROOT).contains("\r\ntransfer-encoding: chunked\r\n");
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int length = chunkLength(); length > 0; length = chunkLength()) {
            body.write(in.readNBytes(length));
            in.skipNBytes(2);
        }
        in.skipNBytes(2);
        return body.toByteArray();
    }

    private int chunkLength() throws IOException {
        StringBuilder digits = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            digits.append((char) next);
        }
        return Integer.parseInt(digits.toString().strip(), 16);
    }

    /** Reads until the service closes the connection. */
    public String readToEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Whether the service still accepts bytes. */
    public boolean takesMore() {
        try {
            write("x");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
