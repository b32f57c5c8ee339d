import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Clients that wait for changes as server-sent events, beside a client that creates datasets and a client that reads pages. The
 * name of each dataset is the time of its request, so that a listener knows how long its event took. See bench/listeners.
 */
final class Listeners {

    private static final byte[] NAME = "\"dataset_name\":\"at ".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGITS = 13;
    private static final int WRITERS = 8;
    private static final int WARM_UP_SECONDS = 30;
    private static final int BUFFER = 1 << 18;
    /** How far a byte that is the last one of a window is from the end of the name. */
    private static final int[] SKIP = new int[256];

    static {
        Arrays.fill(SKIP, NAME.length);
        for (int i = 0; i < NAME.length - 1; i++) {
            SKIP[NAME[i]] = NAME.length - 1 - i;
        }
    }

    private final String base;
    private final String token;
    private final String query;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Listener> all = new ArrayList<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    /** Events of creates before this time in milliseconds do not count. */
    private volatile long begin = Long.MAX_VALUE;

    private Listeners(String base, String token, String query) {
        this.base = base;
        this.token = token;
        this.query = query;
    }

    /** Finds the names in the bytes of one listener, of which a read may end anywhere. */
    private static final class Listener {
        /** The last bytes of the read before, which may be the beginning of a name. */
        private final byte[] rest = new byte[NAME.length + DIGITS];
        private int restLength;
        private int events;
        private long[] delays = new long[64];

        /** Reads once. The result is negative at the end of the stream. */
        int read(SocketChannel channel, ByteBuffer buffer, long begin) throws IOException {
            buffer.clear().put(rest, 0, restLength);
            int length = channel.read(buffer);
            find(buffer.array(), buffer.position(), System.currentTimeMillis(), begin);
            return length;
        }

        private void find(byte[] bytes, int length, long now, long begin) {
            int i = 0;
            while (i + NAME.length <= length) {
                byte last = bytes[i + NAME.length - 1];
                if (last == NAME[NAME.length - 1] && Arrays.equals(NAME, 0, NAME.length, bytes, i, i + NAME.length)) {
                    if (i + NAME.length + DIGITS > length) {
                        break;
                    }
                    add(Long.parseLong(new String(bytes, i + NAME.length, DIGITS, StandardCharsets.US_ASCII)), now, begin);
                    i += NAME.length + DIGITS;
                } else {
                    i += SKIP[last & 0xFF];
                }
            }
            restLength = Math.max(0, length - i);
            System.arraycopy(bytes, length - restLength, rest, 0, restLength);
        }

        private void add(long time, long now, long begin) {
            if (time >= begin) {
                if (events == delays.length) {
                    delays = Arrays.copyOf(delays, 2 * events);
                }
                delays[events++] = now - time;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int listeners = Integer.parseInt(args[3]);
        int rate = Integer.parseInt(args[4]);
        int seconds = Integer.parseInt(args[5]);
        Listeners run = new Listeners(args[0], args[1], args[2]);
        long[] alone = run.pages(seconds);
        ScheduledExecutorService writers = Executors.newScheduledThreadPool(WRITERS);
        for (int i = 0; i < WRITERS; i++) {
            writers.scheduleAtFixedRate(run::create, i * 1_000_000L / rate, WRITERS * 1_000_000L / rate, TimeUnit.MICROSECONDS);
        }
        run.pages(WARM_UP_SECONDS);
        long[] writing = run.pages(seconds);
        Selector selector = Selector.open();
        String position = run.position();
        for (int i = 0; i < listeners; i++) {
            run.connect(selector, position);
        }
        Thread reader = new Thread(() -> run.read(selector));
        reader.setDaemon(true);
        reader.start();
        run.pages(WARM_UP_SECONDS);
        run.begin = System.currentTimeMillis();
        long[] beside = run.pages(seconds);
        writers.shutdown();
        writers.awaitTermination(1, TimeUnit.MINUTES);
        TimeUnit.SECONDS.sleep(5);
        run.report(alone, writing, beside, seconds);
        System.exit(run.failed.get() == 0 ? 0 : 1);
    }

    /** The newest position in the feed of changes. */
    private String position() throws IOException, InterruptedException {
        String page = client.send(request("/api/dataset/changes/?since=9999-01-01T00:00:00Z").build(), BodyHandlers.ofString())
                .body();
        Matcher next = Pattern.compile("\"next\":\"([^\"]*)\"").matcher(page);
        if (!next.find()) {
            throw new IllegalStateException("the feed has no position: " + page);
        }
        return next.group(1);
    }

    private void connect(Selector selector, String position) throws IOException {
        URI address = URI.create(base);
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(address.getHost(), address.getPort()));
        channel.write(ByteBuffer.wrap(("GET /api/dataset/changes/?since=" + position + query + " HTTP/1.0\r\nHost: "
                + address.getAuthority()
                + "\r\nAccept: text/event-stream\r\n\r\n").getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        Listener listener = new Listener();
        all.add(listener);
        channel.register(selector, SelectionKey.OP_READ, listener);
    }

    private void read(Selector selector) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try {
            while (true) {
                selector.select(key -> {
                    try {
                        if (((Listener) key.attachment()).read((SocketChannel) key.channel(), buffer, begin) < 0) {
                            key.cancel();
                            failed.incrementAndGet();
                        }
                    } catch (IOException e) {
                        key.cancel();
                        failed.incrementAndGet();
                    }
                });
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private void create() {
        long now = System.currentTimeMillis();
        try {
            String body = "{\"dataset_name\":\"at %013d\",\"category\":[\"Rocky\"],\"coordinates\":[1,2]}"
                    .formatted(now);
            int status = client.send(request("/api/dataset/").header("Content-Type", "application/json")
                    .header("Authorization", "Token " + token).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                    BodyHandlers.discarding()).statusCode();
            if (now >= begin) {
                (status == 201 ? created : failed).incrementAndGet();
            }
        } catch (IOException | InterruptedException e) {
            failed.incrementAndGet();
        }
    }

    /** The times of pages that one client reads, in nanoseconds. */
    private long[] pages(int seconds) throws Exception {
        LongStream.Builder times = LongStream.builder();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int i = 1; System.nanoTime() < end; i++) {
            long start = System.nanoTime();
            client.send(request("/api/dataset/?p=" + (1 + i % 500)).build(), BodyHandlers.discarding());
            times.add(System.nanoTime() - start);
        }
        return times.build().sorted().toArray();
    }

    private void report(long[] alone, long[] writing, long[] beside, int seconds) {
        long[] delays = all.stream().flatMapToLong(listener -> Arrays.stream(listener.delays, 0, listener.events)).sorted()
                .toArray();
        System.out.printf("listeners %d, created %d (%.0f a second), failed %d%n", all.size(), created.get(),
                created.get() / (double) seconds, failed.get());
        System.out.printf("events received %d, expected %d%n", delays.length, (long) all.size() * created.get());
        if (delays.length > 0) {
            System.out.printf("milliseconds from a create to an event: p50 %d, p99 %d, most %d%n", at(delays, 50), at(delays, 99),
                    delays[delays.length - 1]);
        }
        System.out.printf("milliseconds of a page, p50 and p99: %s alone, %s beside the creates, %s beside the listeners too%n",
                percentiles(alone), percentiles(writing), percentiles(beside));
    }

    private static String percentiles(long[] sorted) {
        return "%.2f %.1f".formatted(at(sorted, 50) / 1e6, at(sorted, 99) / 1e6);
    }

    private static long at(long[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
}
