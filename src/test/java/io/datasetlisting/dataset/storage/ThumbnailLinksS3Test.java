package io.datasetlisting.dataset.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.S3Server;

/** Tests links against an S3 server, which checks their signatures. */
class ThumbnailLinksS3Test {

    private static final String BUCKET = "datasets";
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final List<String> KEYS = List.of("thumbnail.jpg", "drone/17-6f1c/thumbnail.jpg", "a b.jpg",
            "a+b.jpg", "100%.jpg", "a%20b.jpg", "Lüneburg/ü.jpg", "河川/🛰.jpg", "a&b=c?d#e;f.jpg", "(a)!*'~.jpg",
            ("k".repeat(99) + '/').repeat(8) + "k".repeat(96) + ".jpg");

    private static S3Server pathStyle;
    private static S3Server virtualHosted;

    @BeforeAll
    static void startS3() {
        pathStyle = S3Server.start(Storage.ACCESS_KEY_ID, Storage.SECRET_ACCESS_KEY);
        virtualHosted = S3Server.startVirtualHosted(Storage.ACCESS_KEY_ID, Storage.SECRET_ACCESS_KEY);
        pathStyle.createBucket(BUCKET);
        virtualHosted.createBucket(BUCKET);
    }

    @AfterAll
    static void stopS3() {
        pathStyle.close();
        virtualHosted.close();
    }

    /** A kind of link, and the server that it leads to. */
    private record Way(int version, boolean virtual) {

        S3Server server() {
            return virtual ? virtualHosted : pathStyle;
        }

        String link(Instant instant, String key) {
            return Storage.signed().at(server().url()).bucket(BUCKET).lifetime(LIFETIME).signatureVersion(version)
                    .with("addressing", virtual ? "virtual-hosted" : "path")
                    .links(Clock.fixed(instant, ZoneOffset.UTC)).signer().link(key);
        }

        String link(String key) {
            return link(Instant.now(), key);
        }

        void put(String key, String content) {
            server().put(BUCKET, key, content.getBytes(StandardCharsets.UTF_8), "image/jpeg");
        }

        /** Opens a link without looking up the host name of the bucket. */
        RawConnection.Answer open(String link) throws IOException {
            String address = link.substring("http://".length());
            int slash = address.indexOf('/');
            try (RawConnection connection = new RawConnection(URI.create(server().url()))) {
                return connection.write("GET " + address.substring(slash) + " HTTP/1.1\r\nHost: "
                        + address.substring(0, slash) + "\r\n\r\n").read();
            }
        }

        void assertStatus(int status, String link) throws IOException {
            RawConnection.Answer answer = open(link);
            assertEquals(status, answer.status(), () -> link + '\n' + answer);
        }
    }

    static List<Way> ways() {
        return List.of(new Way(2, false), new Way(2, true), new Way(4, false), new Way(4, true));
    }

    static List<Arguments> waysAndKeys() {
        List<Arguments> all = new ArrayList<>();
        ways().forEach(way -> KEYS.forEach(key -> all.add(Arguments.of(way, key))));
        return all;
    }

    @ParameterizedTest
    @MethodSource("waysAndKeys")
    void aLinkOpensItsObject(Way way, String key) throws IOException {
        way.put(key, "the image at " + key);
        RawConnection.Answer answer = way.open(way.link(key));
        assertEquals(200, answer.status(), answer::toString);
        assertEquals("the image at " + key, answer.body());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aMissingThumbnailOpensThePlaceholder(Way way) throws IOException {
        way.put(Storage.PLACEHOLDER_KEY, "a grey square");
        assertEquals("a grey square", way.open(way.link(null)).body());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aLinkIsValidForAtLeastHalfOfItsLifetime(Way way) throws IOException {
        way.put("thumbnail.jpg", "an image");
        way.assertStatus(200,
                way.link(Instant.now().minus(LIFETIME.dividedBy(2)).plusSeconds(60), "thumbnail.jpg"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anExpiredLinkIsRefused(Way way) throws IOException {
        way.put("thumbnail.jpg", "an image");
        way.assertStatus(403, way.link(Instant.now().minus(LIFETIME), "thumbnail.jpg"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aChangedSignatureIsRefused(Way way) throws IOException {
        way.put("thumbnail.jpg", "an image");
        String link = way.link("thumbnail.jpg");
        int signature = link.indexOf("Signature=") + "Signature=".length();
        char other = link.charAt(signature) == 'a' ? 'b' : 'a';
        way.assertStatus(403, link.substring(0, signature) + other + link.substring(signature + 1));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anotherKeyIsRefused(Way way) throws IOException {
        way.put("thumbnail.jpg", "an image");
        way.put("secret.jpg", "another image");
        way.assertStatus(403, changed(way.link("thumbnail.jpg"), "/thumbnail.jpg", "/secret.jpg"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aLinkWithAChangedExpiryIsRefused(Way way) throws IOException {
        way.put("thumbnail.jpg", "an image");
        String link = way.link("thumbnail.jpg");
        way.assertStatus(403, changed(link, "Expires=", "Expires=1"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anUnsignedLinkIsRefused(Way way) throws IOException {
        way.put("thumbnail.jpg", "an image");
        way.assertStatus(403, way.link("thumbnail.jpg").replaceAll("\\?.*", ""));
    }

    private static String changed(String link, String from, String to) {
        String changed = link.replace(from, to);
        assertNotEquals(link, changed);
        return changed;
    }
}
