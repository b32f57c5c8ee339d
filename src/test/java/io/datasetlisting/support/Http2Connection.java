package io.datasetlisting.support;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A connection of HTTP/2 in clear text that sends frames as given, for clients that no library imitates.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113">RFC 9113</a>
 */
public final class Http2Connection implements Closeable {

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;

    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket = new Socket();
    private final OutputStream out;
    private final DataInputStream in;
    private final String authority;
    private int nextStream = 1;

    /** A frame that the service has sent. */
    public record Frame(int type, int flags, int stream, byte[] payload) {
    }

    /**
     * @param window
     *            bytes of each response that the service may send without an update
     */
    public Http2Connection(URI service, int window) throws IOException {
        socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        authority = service.getAuthority();
        out = socket.getOutputStream();
        in = new DataInputStream(socket.getInputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array());
    }

    /** Sends a request without a body, and returns the number of its stream. */
    public int get(String path) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x82); // :method GET
        block.write(0x86); // :scheme http
        writeText(block, 4, path);
        writeText(block, 1, authority);
        int stream = nextStream;
        nextStream += 2;
        send(HEADERS, END_STREAM | END_HEADERS, stream, block.toByteArray());
        return stream;
    }

    /** A header whose name is in HPACK's static table, and whose value is not indexed. */
    private static void writeText(ByteArrayOutputStream block, int name, String value) {
        block.write(name);
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        int length = bytes.length;
        if (length < 127) {
            block.write(length);
        } else {
            block.write(127);
            for (length -= 127; length >= 128; length /= 128) {
                block.write(length % 128 + 128);
            }
            block.write(length);
        }
        block.writeBytes(bytes);
    }

    public void send(int type, int flags, int stream, byte[] payload) throws IOException {
        out.write(ByteBuffer.allocate(9 + payload.length).put((byte) (payload.length >> 16))
                .putShort((short) payload.length).put((byte) type).put((byte) flags).putInt(stream).put(payload)
                .array());
    }

    /** The next frame. Fails with an {@link IOException} when the service has closed the connection. */
    public Frame read() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        return new Frame(type, flags, stream, in.readNBytes(length));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
