package io.datasetlisting.http.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Http2Connection;
import io.datasetlisting.support.Metrics;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.ServiceProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * Tests that clients without a token cannot stop the service, with the heap of the image. While a client attacks, other clients
 * receive pages, datasets and the health of the service; after it, the service holds nothing for the attacker.
 */
class HostileClientsIT {

    private static final int DATASETS = 7_500;
    private static final String LARGE_PAGE = "/stac/search?limit=1000";
    private static final String SEARCH = "POST /stac/search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Duration ATTACK = Duration.ofSeconds(6);
    /** Late responses to each address that a busy machine may cause. */
    private static final int MAX_LATE = 1;
    /** Of the heap after an attack: the service itself and full caches. */
    private static final long MAX_LIVE_MEBIBYTES = 150;

    private static EmbeddedPostgres postgres;
    private static ServiceProcess service;

    private final List<Closeable> attackers = new ArrayList<>();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.start();
        service = ServiceProcess.start(postgres.getPort() + "/postgres", "-Ddataset.sample.enabled=true",
                "-Ddataset.sample.generated=" + DATASETS, "-Ddataset.admin-token=" + Caller.admin().key(),
                "-XX:+ExitOnOutOfMemoryError");
        service.url();
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        postgres.close();
    }

    @BeforeEach
    void warmUp() {
        for (String path : usual().keySet()) {
            IntStream.range(0, 20).forEach(i -> assertEquals(200, get(path, Duration.ofMinutes(1)), path));
        }
    }

    @AfterEach
    void nothingIsHeld() throws IOException, InterruptedException {
        for (Closeable attacker : attackers) {
            attacker.close();
        }
        Patience.await("nothing is held").untilAsserted(() -> assertEquals("", Metrics.held(text("/q/metrics"))));
        long heap = service.liveMebibytes();
        assertTrue(heap <= MAX_LIVE_MEBIBYTES, heap + " MiB of the heap are live");
    }

    /** What other clients ask for, with the token that they send. */
    private static Map<String, String> usual() {
        Map<String, String> usual = new TreeMap<>();
        usual.put("/api/dataset/", "");
        usual.put("/api/dataset/?p=3", Caller.admin().key());
        usual.put("/api/dataset/2020/", "");
        usual.put("/q/health/live", "");
        usual.put("/q/health/ready", "");
        return usual;
    }

    private int get(String path, Duration timeout) {
        return send(path, timeout).join().statusCode();
    }

    private String text(String path) {
        return send(path, Duration.ofMinutes(1)).join().body();
    }

    private CompletableFuture<HttpResponse<String>> send(String path, Duration timeout) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.url().resolve(path)).timeout(timeout);
        String key = usual().getOrDefault(path, "");
        if (!key.isEmpty()) {
            request.header("Authorization", "Token " + key);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks as other clients do until the end of the attack, and asserts that each of them is answered in time. */
    private void othersAreServed() {
        Map<String, List<String>> failures = new TreeMap<>();
        long end = System.nanoTime() + ATTACK.toNanos();
        while (System.nanoTime() < end) {
            for (String path : usual().keySet()) {
                String outcome = outcome(path);
                if (!outcome.equals("200")) {
                    failures.computeIfAbsent(path, first -> new ArrayList<>()).add(outcome);
                }
            }
            Patience.pause(Duration.ofMillis(50));
        }
        failures.values().removeIf(each -> each.size() <= MAX_LATE && each.contains("HttpTimeoutException"));
        assertEquals(Map.of(), failures);
    }

    private String outcome(String path) {
        try {
            return Integer.toString(get(path, LONGEST));
        } catch (RuntimeException e) {
            return e.getCause() == null ? e.toString() : e.getCause().getClass().getSimpleName();
        }
    }

    private <T extends Closeable> T attacker(T attacker) {
        attackers.add(attacker);
        return attacker;
    }

    private Socket socket() throws IOException {
        Socket socket = attacker(new Socket());
        socket.setReceiveBufferSize(16 << 10);
        URI url = service.url();
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
        return socket;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void twoConnectionsOfHttp2ThatReadNothingEndNoInstance() throws IOException {
        for (int i = 0; i < 2; i++) {
            Http2Connection connection = attacker(new Http2Connection(service.url(), 0));
            for (int stream = 0; stream < 100; stream++) {
                connection.get(LARGE_PAGE);
            }
        }
        othersAreServed();
    }

    @Test
    void pipelinedRequestsWithoutReadingEndNoInstance() throws IOException {
        for (int i = 0; i < 12; i++) {
            socket().getOutputStream()
                    .write(bytes(("GET " + LARGE_PAGE + " HTTP/1.1\r\nHost: a\r\n\r\n").repeat(100)));
        }
        othersAreServed();
    }

    @Test
    void manyConnectionsThatReadNothingEndNoInstance() throws IOException {
        for (int i = 0; i < 150; i++) {
            socket().getOutputStream().write(bytes("GET " + LARGE_PAGE + " HTTP/1.1\r\nHost: a\r\n\r\n"));
        }
        othersAreServed();
    }

    private void searchAtOnce(int count, String head, byte[] body) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = socket();
            CompletableFuture.runAsync(() -> {
                try {
                    socket.getOutputStream()
                            .write(bytes(SEARCH + head + "Content-Length: " + body.length + "\r\n\r\n"));
                    socket.getOutputStream().write(body);
                } catch (IOException e) {
                    // The service refuses the body.
                }
            });
        }
    }

    private static byte[] manyObjects() {
        return bytes("{\"ids\":[" + "{},".repeat(345_000) + "{}]}");
    }

    @Test
    void largeJsonEndsNoInstance() throws IOException {
        searchAtOnce(100, "", manyObjects());
        othersAreServed();
    }

    @Test
    void compressedJsonEndsNoInstance() throws IOException {
        searchAtOnce(100, "Content-Encoding: gzip\r\n", Bulk.gzip(manyObjects()));
        othersAreServed();
    }

    @Test
    void slowBodiesTakeNothingFromOthers() throws IOException {
        for (int i = 0; i < 300; i++) {
            socket().getOutputStream().write(bytes(SEARCH + "Content-Length: 1000\r\n\r\n{"));
        }
        othersAreServed();
    }

    @Test
    void unreadStreamsTakeNothingFromOthers() throws IOException {
        for (int i = 0; i < 4; i++) {
            Http2Connection connection = attacker(new Http2Connection(service.url(), 0));
            for (int stream = 0; stream < 100; stream++) {
                connection.get("/sitemap-1.xml");
            }
        }
        othersAreServed();
    }

    @Test
    void costlyFiltersDelayNobody() throws IOException {
        String pattern = "{\"op\":\"like\",\"args\":[{\"op\":\"casei\",\"args\":[{\"property\":\"dataset:category\"}]},"
                + "{\"op\":\"casei\",\"args\":[\"%%q%d%%z%%\"]}]}";
        String filter = IntStream.range(0, 50).mapToObj(pattern::formatted)
                .reduce((left, right) -> left + ',' + right).orElseThrow();
        byte[] body = bytes("{\"filter\":{\"op\":\"or\",\"args\":[" + filter + "]}}");
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Socket socket = socket();
            socket.getOutputStream().write(bytes(SEARCH + "Content-Length: " + body.length + "\r\n\r\n"));
            socket.getOutputStream().write(body);
            sockets.add(socket);
        }
        othersAreServed();
        for (Socket socket : sockets) {
            socket.close();
        }
        Patience.await("no search runs").untilAsserted(() -> assertEquals("", Metrics.held(text("/q/metrics"))));
    }

    /** A hundred thousand words of public names, and clients that each ask for a similar one. */
    @Test
    void twelveClientsWithMistakesDelayNobody() throws SQLException {
        execute("""
                insert into dataset (id, owner_id, owner_name, workspace, dataset_name, category, coordinates)
                select 1000000 + i, id, username, 1, (
                    select string_agg(translate(left(md5(i || ' ' || n), 6), '0123456789', 'ghijklmnop'), ' ')
                    from generate_series(1, 13) n), '{Forest}', '{1, 2}'
                from account cross join generate_series(1, 8000) i where id = 0""");
        try {
            Patience.await("the words").atMost(Duration.ofMinutes(1))
                    .until(() -> counts("select count(*) from search_word"
                            + " where uses > 0") > 100_000 && counts("select count(*) from listing_change") == 0);
            ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Void>> clients = IntStream.range(0, 12)
                    .mapToObj(each -> CompletableFuture.runAsync(() -> {
                        for (int i = 0; !over.get(); i++) {
                            statuses.add(get("/datasets/suggest/?q=lagg" + each + "on&x=" + i, Duration.ofMinutes(1)));
                        }
                    })).toList();
            othersAreServed();
            over.set(true);
            clients.forEach(CompletableFuture::join);
            assertTrue(statuses.contains(200) && Set.of(200, 503).containsAll(statuses), statuses::toString);
        } finally {
            execute("delete from dataset where id > 1000000");
            Patience.await("the words have gone").atMost(Duration.ofMinutes(1))
                    .until(() -> counts("select count(*) from listing_change") == 0);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long counts(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void manyLargePagesLeaveTheServiceReady() {
        ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> pages = IntStream.range(0, 250)
                .mapToObj(i -> send(LARGE_PAGE, Duration.ofMinutes(1))
                        .thenAccept(page -> statuses.add(page.statusCode()))
                        // On a busy machine this client reads too slowly, and the service closes some of its connections.
                        .exceptionally(closed -> null))
                .toList();
        othersAreServed();
        CompletableFuture.allOf(pages.toArray(CompletableFuture[]::new)).orTimeout(1, TimeUnit.MINUTES).join();
        assertTrue(!statuses.isEmpty() && statuses.stream().allMatch(status -> status == 200 || status == 503),
                statuses::toString);
    }
}
