package io.datasetlisting.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.S3Server;

/** Links that an S3 server checks, in place of the service's own idea of a signature. */
class ThumbnailLinksS3Test {

    private static final String BUCKET = "datasets";
    private static final Duration LIFETIME = Duration.ofHours(1);

    private static S3Server s3;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void startS3() {
        s3 = S3Server.start(Storage.ACCESS_KEY_ID, Storage.SECRET_ACCESS_KEY);
        s3.createBucket(BUCKET);
    }

    @AfterAll
    static void stopS3() {
        s3.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"thumbnail.jpg", "drone/17-6f1c/thumbnail.jpg", "a b.jpg", "a+b.jpg", "100%.jpg",
            "a%20b.jpg", "Lüneburg/ü.jpg", "河川/🛰.jpg", "a&b=c?d#e;f.jpg", "(a)!*'~.jpg"})
    void aLinkOpensItsObject(String key) throws Exception {
        put(key, "the image at " + key);

        HttpResponse<byte[]> response = open(linkMadeAt(Instant.now(), key));

        assertEquals(200, response.statusCode(), () -> new String(response.body(), StandardCharsets.UTF_8));
        assertArrayEquals(bytes("the image at " + key), response.body());
    }

    @Test
    void aMissingThumbnailOpensThePlaceholder() throws Exception {
        put(Storage.PLACEHOLDER_KEY, "a grey square");

        HttpResponse<byte[]> response = open(linkMadeAt(Instant.now(), null));

        assertEquals(200, response.statusCode());
        assertArrayEquals(bytes("a grey square"), response.body());
    }

    @Test
    void aLinkIsGoodUntilItsSecondHalfIsOver() throws Exception {
        put("thumbnail.jpg", "an image");

        assertStatus(200, linkMadeAt(Instant.now().minus(LIFETIME.dividedBy(2)).plusSeconds(60), "thumbnail.jpg"));
    }

    @Test
    void anExpiredLinkIsRefused() throws Exception {
        put("thumbnail.jpg", "an image");

        assertStatus(403, linkMadeAt(Instant.now().minus(LIFETIME), "thumbnail.jpg"));
    }

    @Test
    void aChangedSignatureIsRefused() throws Exception {
        put("thumbnail.jpg", "an image");
        String link = linkMadeAt(Instant.now(), "thumbnail.jpg");
        int firstOfSignature = link.indexOf("Signature=") + "Signature=".length();

        char other = link.charAt(firstOfSignature) == 'A' ? 'B' : 'A';

        assertStatus(403, link.substring(0, firstOfSignature) + other + link.substring(firstOfSignature + 1));
    }

    @Test
    void anotherKeyIsRefused() throws Exception {
        put("thumbnail.jpg", "an image");
        put("secret.jpg", "another image");

        assertStatus(403, changed(linkMadeAt(Instant.now(), "thumbnail.jpg"), "/thumbnail.jpg", "/secret.jpg"));
    }

    @Test
    void aProlongedLinkIsRefused() throws Exception {
        put("thumbnail.jpg", "an image");

        assertStatus(403, changed(linkMadeAt(Instant.now(), "thumbnail.jpg"), "Expires=1", "Expires=2"));
    }

    @Test
    void anUnsignedLinkIsRefused() throws Exception {
        put("thumbnail.jpg", "an image");

        assertStatus(403, linkMadeAt(Instant.now(), "thumbnail.jpg").replaceAll("\\?.*", ""));
    }

    private static void put(String key, String content) {
        s3.put(BUCKET, key, bytes(content), "image/jpeg");
    }

    private static String linkMadeAt(Instant instant, String key) {
        Storage storage = Storage.signed().at(s3.url()).bucket(BUCKET).lifetime(LIFETIME);
        return new ThumbnailLinks(storage, Clock.fixed(instant, ZoneOffset.UTC)).signer().link(key);
    }

    private static String changed(String link, String from, String to) {
        String changed = link.replace(from, to);
        assertNotEquals(link, changed);
        return changed;
    }

    private void assertStatus(int status, String link) throws IOException, InterruptedException {
        assertEquals(status, open(link).statusCode(), link);
    }

    private HttpResponse<byte[]> open(String link) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(link)).timeout(Duration.ofSeconds(10)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
