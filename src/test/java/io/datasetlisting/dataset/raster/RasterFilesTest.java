package io.datasetlisting.dataset.raster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;

/** Tests the reads from hosts: slow ones, endless ones, and ones that lead elsewhere. */
class RasterFilesTest {

    /** Of a read. A machine that does other work needs a second for a read that does not wait. */
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    /** A small image without a position. */
    private static final byte[] TIFF = new byte[100];

    private static SSLContext tls;
    private static Vertx vertx;
    private static HttpsServer server;
    private static ExecutorService threads;
    private static RasterFiles files;
    private static final AtomicLong SENT = new AtomicLong();

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        byte[] header = {'I', 'I', 42, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1, 1, 3, 0, 1, 0, 0, 0,
                7};
        System.arraycopy(header, 0, TIFF, 0, header.length);
        new Program(Path.of(System.getProperty("java.home"), "bin", "keytool"), folder).run("-genkeypair", "-keystore",
                "keys.p12", "-storepass", "password", "-keyalg", "EC", "-alias", "host", "-dname", "CN=localhost");
        tls = SSLContext.getInstance("TLS");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stored = Files.newInputStream(folder.resolve("keys.p12"))) {
            keys.load(stored, "password".toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "password".toCharArray());
        tls.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/range.tif", exchange -> {
            assertEquals("bytes=0-65535", exchange.getRequestHeaders().getFirst("Range"));
            exchange.getResponseHeaders().set("Content-Range", "bytes 0-99/5000000000");
            answer(exchange, 206, TIFF);
        });
        server.createContext("/whole.tif", exchange -> answer(exchange, 200, TIFF));
        server.createContext("/away.tif", exchange -> {
            exchange.getResponseHeaders().set("Location", "/whole.tif");
            answer(exchange, 302, new byte[0]);
        });
        server.createContext("/absent.tif", exchange -> answer(exchange, 404, new byte[0]));
        server.createContext("/broken.tif", exchange -> answer(exchange, 500, new byte[0]));
        server.createContext("/cut.tif", exchange -> {
            exchange.sendResponseHeaders(206, 50_000);
            exchange.getResponseBody().write(TIFF);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        // Until the client has gone.
        server.createContext("/endless.tif", exchange -> send(exchange, new byte[100_000], 0));
        server.createContext("/drip.tif", exchange -> send(exchange, new byte[1], 50));
        server.createContext("/silent.tif", exchange -> sleep(3_000));
        server.start();
        vertx = Vertx.vertx();
        files = new RasterFiles(null, null, null,
                vertx.createHttpClient(RasterFiles.options().setTrustAll(true).setVerifyHost(false)), DEADLINE);
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        threads.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void send(HttpExchange exchange, byte[] part, int pause) throws IOException {
        SENT.set(0);
        exchange.sendResponseHeaders(200, 0);
        for (int i = 0; i < 10_000; i++) {
            exchange.getResponseBody().write(part);
            exchange.getResponseBody().flush();
            SENT.addAndGet(part.length);
            sleep(pause);
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Uni<ObjectNode> read(String path) {
        return read(server.getAddress().getPort(), path);
    }

    private static Uni<ObjectNode> read(int port, String path) {
        return files.describe("ortho", "https://localhost:" + port + path);
    }

    private static String refusal(int status, String path) {
        return refusal(status, read(path));
    }

    private static String refusal(int status, Uni<ObjectNode> read) {
        ApiException refused = assertThrows(ApiException.class, () -> read.await().atMost(Duration.ofSeconds(30)));
        assertEquals(status, refused.status(), refused::toString);
        return refused.sentences().toString();
    }

    @Test
    void aHostWithAndWithoutRangesIsRead() {
        assertEquals("{\"proj:shape\":[7,9],\"file:size\":5000000000,\"is_cog\":true}",
                read("/range.tif").await().atMost(DEADLINE).toString());
        assertEquals("100", read("/whole.tif").await().atMost(DEADLINE).get("file:size").toString());
    }

    @Test
    void aRedirectIsNotFollowed() {
        assertTrue(refusal(502, "/away.tif").contains("status 302"));
    }

    @Test
    void whatIsNotThereIsTheCallersError() {
        assertTrue(refusal(400, "/absent.tif").contains("There is no file at this location."));
        assertTrue(refusal(502, "/broken.tif").contains("status 500"));
        assertTrue(refusal(502, "/cut.tif").contains("broke off"));
    }

    /** A gigabyte without a length costs 64 KiB and what lies in buffers. */
    @Test
    void ofAnEndlessFileTheStartIsTaken() {
        assertTrue(refusal(400, "/endless.tif").contains("no TIFF"));
        long sent = SENT.get();
        assertTrue(sent < 50_000_000, () -> sent + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n|X: a\r\n", "HTTP/1.1 200 OK\r\n|a",
            "|HTTP/1.1 103 \r\n\r\n", "|HTTP/1.1 100 \r\n\r\n"})
    void aHeadWithoutAnEndIsRefusedAtOnce(String head) throws IOException {
        AtomicLong sent = new AtomicLong();
        try (ServerSocket host = tls.getServerSocketFactory().createServerSocket(0, 50,
                InetAddress.getLoopbackAddress())) {
            threads.submit(() -> {
                try (Socket client = host.accept()) {
                    String[] parts = head.split("\\|");
                    client.getOutputStream().write(parts[0].getBytes(StandardCharsets.US_ASCII));
                    byte[] more = parts[1].repeat(1_000).getBytes(StandardCharsets.US_ASCII);
                    while (true) {
                        client.getOutputStream().write(more);
                        sent.addAndGet(more.length);
                    }
                }
            });
            assertTrue(refusal(502, read(host.getLocalPort(), "/a.tif")).contains("broke off"));
        }
        assertTrue(sent.get() < 10_000_000, () -> sent + " bytes");
    }

    @Test
    void aSlowHostIsGivenUpAndKeepsNoPlace() {
        for (String path : List.of("/drip.tif", "/silent.tif")) {
            assertTrue(refusal(502, path).contains("did not arrive within 3000 ms"));
        }
        List<ApiException> refused = Collections.synchronizedList(new ArrayList<>());
        IntStream.range(0, 5).forEach(i -> read("/silent.tif").subscribe().with(header -> {
        }, e -> refused.add((ApiException) e)));
        assertEquals(List.of(503), refused.stream().map(ApiException::status).toList());
        Patience.await("deadline").until(() -> refused.size() == 5);
        assertEquals(4, refused.stream().filter(e -> e.status() == 502).count());
        assertEquals("100", read("/whole.tif").await().atMost(DEADLINE).get("file:size").toString());
    }

    @Test
    void aReadThatIsCancelledKeepsNoPlace() {
        for (int i = 0; i < 20; i++) {
            read("/silent.tif").subscribe().with(header -> {
            }).cancel();
        }
        assertEquals("100", read("/whole.tif").await().atMost(DEADLINE).get("file:size").toString());
    }

    @Test
    void theEndOfAConnectionIsNoFailureWithoutACaller() {
        List<Throwable> dropped = Collections.synchronizedList(new ArrayList<>());
        Infrastructure.setDroppedExceptionHandler(dropped::add);
        try {
            refusal(400, "/endless.tif");
            refusal(400, "/absent.tif");
            refusal(502, "/drip.tif");
            read("/silent.tif").subscribe().with(header -> {
            }).cancel();
            refusal(502, "/silent.tif");
        } finally {
            Infrastructure.resetDroppedExceptionHandler();
        }
        assertEquals(List.of(), dropped);
    }
}
