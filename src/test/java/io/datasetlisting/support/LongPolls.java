package io.datasetlisting.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Many connections with one request each, which stay open after the response. */
public final class LongPolls implements AutoCloseable {

    private static final int STATUS_BEGIN = "HTTP/1.1 ".length();
    private static final int STATUS_END = STATUS_BEGIN + 3;

    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final Map<Integer, Integer> statuses = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

    /**
     * @param from
     *            the address of this machine from which the requests come
     * @param key
     *            of a token; null for anonymous callers
     */
    public LongPolls(URI service, String path, int count, String from, String key) throws IOException {
        String token = key == null ? "" : "Authorization: Token " + key + "\r\n";
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + token + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channels.add(channel);
            channel.bind(new InetSocketAddress(from, 0));
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.getPort()));
            channel.write(ByteBuffer.wrap(request));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    /** Reads the responses that have arrived. */
    public void read() throws IOException {
        selector.selectNow(key -> {
            try {
                int length = ((SocketChannel) key.channel()).read(buffer.clear());
                int status = length < STATUS_END
                        ? -1
                        : Integer.parseInt(new String(buffer.array(), STATUS_BEGIN, STATUS_END - STATUS_BEGIN,
                                StandardCharsets.US_ASCII));
                statuses.merge(status, 1, Integer::sum);
            } catch (IOException e) {
                statuses.merge(-1, 1, Integer::sum);
            }
            key.cancel();
        });
    }

    /** How many responses had this status. */
    public int answered(int status) {
        return statuses.getOrDefault(status, 0);
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        selector.close();
    }
}
