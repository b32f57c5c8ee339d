package io.datasetlisting.dataset.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.net.httpserver.HttpServer;

import io.datasetlisting.support.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsCredentials;

/** Tests the lookup of credentials by the default chain of the AWS SDK, over HTTP as on Kubernetes. */
class StorageCredentialsTest {

    private static final String[] PROPERTIES = {"aws.containerCredentialsFullUri", "aws.disableEc2Metadata",
            "aws.webIdentityTokenFile", "aws.roleArn", "aws.region", "aws.endpointUrlSts"};

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;
    private volatile int status = 200;
    private volatile Duration session = Duration.ofHours(1);

    @BeforeEach
    void start() throws IOException {
        System.setProperty("aws.disableEc2Metadata", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        server.stop(0);
        for (String property : PROPERTIES) {
            System.clearProperty(property);
        }
    }

    /** Serves the credentials of an EKS pod or an ECS task. */
    private void serveContainerCredentials() {
        System.setProperty("aws.containerCredentialsFullUri", url() + "/credentials");
        serve("/credentials", """
                {"AccessKeyId":"ID%1$d","SecretAccessKey":"secret","Token":"token%1$d","Expiration":"%2$s"}""");
    }

    /** Serves the responses of the Security Token Service. */
    private void serveWebIdentities() throws IOException {
        System.setProperty("aws.webIdentityTokenFile",
                Files.writeString(folder.resolve("token"), "a signed statement").toString());
        System.setProperty("aws.roleArn", "arn:aws:iam::123456789012:role/datasets");
        System.setProperty("aws.region", "eu-central-1");
        System.setProperty("aws.endpointUrlSts", url());
        serve("/", """
                <AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
                <AccessKeyId>ID%1$d</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
                <SessionToken>token%1$d</SessionToken><Expiration>%2$s</Expiration>
                </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>""");
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void serve(String path, String answer) {
        server.createContext(path, exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] body = answer.formatted(asked.incrementAndGet(), end()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private Instant end() {
        return Instant.ofEpochSecond(Clock.systemUTC().instant().plus(session).getEpochSecond());
    }

    private StorageCredentials credentials(Storage storage) {
        return credentials(storage, vertx);
    }

    private StorageCredentials credentials(Storage storage, Vertx timer) {
        StorageCredentials credentials = new StorageCredentials(
                storage.with("credentials-lookup-interval", "PT0.1S").config(), Clock.systemUTC(), timer, metrics);
        credentials.onStart(null);
        return credentials;
    }

    private static HealthCheckResponse health(StorageCredentials credentials) {
        return new StorageHealth(credentials).call();
    }

    private double found() {
        return lookups("found");
    }

    private double missed() {
        return lookups("missed");
    }

    private double lookups(String result) {
        return metrics.get("dataset.storage.credentials.lookups").tag("result", result).counter().count();
    }

    private double secondsLeft() {
        return metrics.get("dataset.storage.credentials.seconds.left").gauge().value();
    }

    @Test
    void configuredCredentialsNeedNoLookup() {
        // Without Vert.x a lookup is impossible.
        StorageCredentials credentials = credentials(Storage.signed(), null);
        assertEquals(Storage.ACCESS_KEY_ID, credentials.current().accessKeyId());
        assertEquals(Double.POSITIVE_INFINITY, secondsLeft());
        assertEquals(HealthCheckResponse.Status.UP, health(credentials).getStatus());
    }

    @Test
    void temporaryCredentialsSignWithTheirSessionTokenAndReportTheirEnd() throws IOException {
        serveWebIdentities();
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(() -> credentials.current() != null);
        for (int version : new int[]{2, 4}) {
            String link = new ThumbnailLinks(Storage.unsigned().signatureVersion(version).config(), credentials,
                    Clock.systemUTC()).signer().link("a.jpg");
            assertTrue(link.toLowerCase().contains("&x-amz-security-token=token1"), link);
        }
        assertTrue(secondsLeft() > 3_500 && secondsLeft() <= 3_600, () -> secondsLeft() + " s");
        assertEquals("ID1", health(credentials).getData().orElseThrow().get("credentials"));
        assertTrue(health(credentials).getData().orElseThrow().containsKey("end"));
    }

    @Test
    void aLinkEndsWithTheSession() throws IOException {
        session = Duration.ofMinutes(50);
        serveWebIdentities();
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(() -> credentials.current() != null);
        long sessionEnd = credentials.current().expirationTime().orElseThrow().getEpochSecond();
        Clock clock = Clock.fixed(Clock.systemUTC().instant(), ZoneOffset.UTC);
        String ofVersion2 = new ThumbnailLinks(Storage.unsigned().lifetime(Duration.ofHours(2)).config(), credentials,
                clock).signer().link("a.jpg");
        assertTrue(ofVersion2.contains("&Expires=" + sessionEnd + '&'), ofVersion2);
        String ofVersion4 = new ThumbnailLinks(
                Storage.unsigned().lifetime(Duration.ofHours(2)).signatureVersion(4).config(), credentials, clock)
                .signer().link("a.jpg");
        long start = (clock.instant().getEpochSecond() + 7_200) / 3_600 * 3_600 - 7_200;
        assertTrue(ofVersion4.contains("&X-Amz-Expires=" + (sessionEnd - start) + '&'), ofVersion4);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void anExpiredSessionDoesNotPreventLinks(int version) throws IOException {
        session = Duration.ofMinutes(50);
        serveWebIdentities();
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(() -> credentials.current() != null);
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(5));
        String link = new ThumbnailLinks(Storage.unsigned().signatureVersion(version).config(), credentials, later)
                .signer().link("a.jpg");
        assertTrue(link.contains("Signature="), link);
        assertTrue(version == 2 || link.contains("&X-Amz-Expires=3600&"), link);
    }

    /** The links of the first page are signed. */
    @Test
    void theStartTakesTheCredentialsOfTheProcessAtOnce() {
        System.setProperty("aws.accessKeyId", "ID of the process");
        System.setProperty("aws.secretAccessKey", "secret");
        try {
            StorageCredentials credentials = credentials(Storage.unsigned());
            assertEquals("ID of the process", credentials.current().accessKeyId());
            assertEquals(HealthCheckResponse.Status.UP, health(credentials).getStatus());
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    @Test
    void aLookupOfTheSameCredentialsKeepsTheObjectOfTheLinks() {
        System.setProperty("aws.containerCredentialsFullUri", url() + "/credentials");
        serve("/credentials", """
                {"AccessKeyId":"ID","SecretAccessKey":"secret","Token":"token","Expiration":"%2$s"}""");
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(() -> credentials.current() != null);
        AwsCredentials first = credentials.current();
        Patience.await("the lookup of credentials").until(() -> found() >= 3);
        assertSame(first, credentials.current());
    }

    /** For links with a lifetime of one hour. The wait is a minute shorter, because the lookup takes time. */
    @ParameterizedTest
    @CsvSource({"PT12H,PT11H29M", "PT1H,PT29M", "PT40M,PT19M"})
    void credentialsAreRenewedAtHalfOfTheLinksOrTheSessionsLifetime(Duration lasts, Duration wait)
            throws IOException {
        session = lasts;
        serveWebIdentities();
        BlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
        credentials(Storage.unsigned(), impatient(waits));
        Duration first = next(waits);
        assertTrue(first.compareTo(wait) <= 0 && first.compareTo(wait.minusSeconds(40)) > 0, first::toString);
        status = 403;
        Patience.await("the lookup of credentials").until(() -> missed() > 0);
        waits.clear();
        assertEquals(Duration.ofMillis(100), next(waits));
    }

    private static Duration next(BlockingQueue<Duration> waits) {
        try {
            Duration next = waits.poll(30, TimeUnit.SECONDS);
            assertNotNull(next, "no other lookup within 30 s");
            return next;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A Vert.x that records the delay of each timer, and runs the timer almost at once. */
    private Vertx impatient(BlockingQueue<Duration> waits) {
        return (Vertx) Proxy.newProxyInstance(Vertx.class.getClassLoader(), new Class<?>[]{Vertx.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("setTimer")) {
                        return method.invoke(vertx, arguments);
                    }
                    waits.add(Duration.ofMillis((Long) arguments[0]));
                    return method.invoke(vertx, 10L, arguments[1]);
                });
    }

    @Test
    void containerCredentialsHaveNoKnownEndAndAreLookedUpRepeatedly() {
        serveContainerCredentials();
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials")
                .until(() -> credentials.current() != null && credentials.current().accessKeyId().equals("ID3"));
        assertEquals(Double.POSITIVE_INFINITY, secondsLeft());
    }

    @Test
    void credentialsAreRenewedBeforeTheyExpire() throws IOException {
        session = Duration.ofSeconds(62);
        serveWebIdentities();
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(() -> credentials.current() != null);
        ThumbnailLinks links = new ThumbnailLinks(Storage.unsigned().config(), credentials, Clock.systemUTC());
        String before = links.signer().id();
        Patience.await("the lookup of credentials").until(() -> credentials.current().accessKeyId().equals("ID3"));
        assertFalse(before.equals(links.signer().id()));
    }

    @Test
    void afterAFailedRenewalTheOldCredentialsStayAndTheProblemIsReported() {
        serveContainerCredentials();
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(() -> credentials.current() != null);
        status = 403;
        Patience.await("the lookup of credentials").until(credentials::hasLookupFailed);
        assertTrue(credentials.current().accessKeyId().startsWith("ID"));
        assertTrue(found() >= 1);
        assertTrue(missed() >= 1);
        assertEquals(HealthCheckResponse.Status.UP, health(credentials).getStatus());
        assertTrue(health(credentials).getData().orElseThrow().containsKey("problem"));
        status = 200;
        Patience.await("the lookup of credentials").until(() -> !credentials.hasLookupFailed());
        assertFalse(health(credentials).getData().orElseThrow().containsKey("problem"));
    }

    @Test
    void withoutCredentialsLinksAreUnsignedAndTheProblemIsReported() {
        StorageCredentials credentials = credentials(Storage.unsigned());
        Patience.await("the lookup of credentials").until(credentials::hasLookupFailed);
        assertNull(credentials.current());
        String link = new ThumbnailLinks(Storage.unsigned().config(), credentials, Clock.systemUTC()).signer()
                .link("a.jpg");
        assertNull(URI.create(link).getQuery());
        assertEquals(0, secondsLeft());
        assertEquals(HealthCheckResponse.Status.UP, health(credentials).getStatus());
        assertEquals("none", health(credentials).getData().orElseThrow().get("credentials"));
    }

    @Test
    void theServiceIsNotReadyUntilTheChainAnswers() {
        StorageCredentials credentials = new StorageCredentials(Storage.unsigned().config(), Clock.systemUTC(), vertx,
                metrics);
        assertEquals(HealthCheckResponse.Status.DOWN, health(credentials).getStatus());
    }
}
