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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection that sends bytes as given, for requests that no HTTP client sends and for several requests on one
 * connection.
 */
public final class RawConnection implements Closeable {

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

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
        StringBuilder bytes = new StringBuilder();
        while (bytes.length() < 4 || bytes.indexOf("\r\n\r\n", bytes.length() - 4) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the service has closed the connection");
            }
            bytes.append((char) next);
        }
        String head = bytes.toString();
        Matcher length = LENGTH.matcher(head);
        String body = new String(isChunked(head)
                ? chunks()
                : in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0), StandardCharsets.UTF_8);
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
