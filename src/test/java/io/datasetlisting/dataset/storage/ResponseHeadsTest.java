package io.datasetlisting.dataset.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Relay;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Tests the SDK with a storage whose responses have heads that it does not expect. */
class ResponseHeadsTest {

    private static final String HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n";
    /** Longer than the tests may take. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final AtomicLong sent = new AtomicLong();
    private final AtomicInteger connections = new AtomicInteger();
    private final NioEventLoopGroup threads = new NioEventLoopGroup(1);
    private ServerSocket server;
    private S3AsyncClient s3;
    /** Before each response. */
    private volatile String before = "";
    /** The parts of a head without an end; null for a usual response. */
    private volatile String endless;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Relay.start(() -> {
            while (true) {
                Socket client = server.accept();
                connections.incrementAndGet();
                Relay.start(() -> serve(client));
            }
        });
        s3 = S3AsyncClient.builder().endpointOverride(URI.create("http://127.0.0.1:" + server.getLocalPort()))
                .region(Region.US_EAST_1).serviceConfiguration(config -> config.pathStyleAccessEnabled(true))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")))
                .httpClientBuilder(NettyNioAsyncHttpClient.builder().maxConcurrency(1)
                        .eventLoopGroup(SdkEventLoopGroup.create(threads, () -> {
                            NioSocketChannel channel = new NioSocketChannel();
                            new ResponseHeads().postInitializeClientChannel(channel);
                            return channel;
                        })))
                .overrideConfiguration(override -> override.apiCallTimeout(LIMIT)
                        .retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        s3.close();
        threads.shutdownGracefully();
    }

    /** The body of each response is the path of its request. */
    private void serve(Socket client) throws IOException {
        try (client) {
            BufferedReader requests = new BufferedReader(
                    new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            for (String request = requests.readLine(); request != null; request = requests.readLine()) {
                int length = 0;
                boolean awaitsContinue = false;
                for (String line = requests.readLine(); !line.isEmpty(); line = requests.readLine()) {
                    length = line.startsWith("Content-Length: ") ? Integer.parseInt(line.substring(16)) : length;
                    awaitsContinue |= line.equals("Expect: 100-continue");
                }
                write(out, before + (awaitsContinue ? "HTTP/1.1 100 Continue\r\n\r\n" : ""));
                requests.skip(length);
                for (String part = endless; part != null;) {
                    write(out, part);
                }
                String path = request.split(" ")[1];
                write(out, before + "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: " + path.length() + "\r\n\r\n"
                        + path);
            }
        }
    }

    private void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        sent.addAndGet(text.length());
    }

    private String get(String key) {
        return s3.getObject(request -> request.bucket("bucket").key(key), AsyncResponseTransformer.toBytes()).join()
                .asUtf8String();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", HINTS, HINTS + HINTS, "HTTP/1.1 102 Processing\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n"})
    void eachRequestGetsItsOwnFinalResponse(String informational) {
        before = informational;
        for (int i = 0; i < 5; i++) {
            assertEquals("/bucket/" + i, get(Integer.toString(i)));
            s3.putObject(request -> request.bucket("bucket").key("put"),
                    AsyncRequestBody.fromString("x".repeat(100_000))).join();
        }
        assertEquals(1, connections.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {HINTS, "X: a\r\n", "a"})
    void aHeadWithoutAnEndEndsTheRequest(String part) {
        before = part.equals(HINTS) ? "" : "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n";
        endless = part.repeat(100);
        assertThrows(CompletionException.class, () -> get("1"));
        assertTrue(sent.get() < 10_000_000, () -> sent.get() + " bytes");
        endless = null;
        before = "";
        assertEquals("/bucket/2", get("2"));
        assertEquals(2, connections.get());
    }
}
