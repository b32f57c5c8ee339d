package io.datasetlisting.dataset.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * Tests signatures of version 2, and the keys of links. The expected signatures do not come from this project. One
 * command computes each of them, here for the example of the AWS documentation:
 *
 * <pre>
 * printf 'GET\n\n\n1175139620\n/johnsmith/photos/puppy.jpg' |
 *     openssl dgst -sha1 -hmac wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY -binary | base64
 * </pre>
 */
class ThumbnailLinksTest {

    private static final long EXAMPLE_EXPIRES = 1_175_139_620;
    private static final Duration EXAMPLE_LIFETIME = Duration.ofSeconds(40);

    @Test
    void theExampleOfTheAwsDocumentationIsSignedAsPublished() {
        assertEquals(
                "https://storage.example/johnsmith/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE"
                        + "&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620",
                exampleLink(Storage.signed().bucket("johnsmith"), "photos/puppy.jpg"));
    }

    @Test
    void aSessionTokenIsSignedAndInTheLink() {
        // The signed text has this line before the resource: x-amz-security-token:to/ken+1==
        assertEquals(
                "https://storage.example/johnsmith/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE"
                        + "&Signature=KqWzV2Jm0gi2ZHTVTEhz68w%2FEck%3D&Expires=1175139620"
                        + "&x-amz-security-token=to%2Fken%2B1%3D%3D",
                exampleLink(Storage.signed().bucket("johnsmith").sessionToken("to/ken+1=="), "photos/puppy.jpg"));
    }

    @Test
    void aKeyIsSignedAsItIsEncodedInTheLink() {
        // The resource in the signed text: /datasets/a%20b%2Bc%25d%C3%BC.jpg
        assertEquals(
                "https://storage.example/datasets/a%20b%2Bc%25d%C3%BC.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE"
                        + "&Signature=xk4NcIS%2BV5us557yiwnExaaz268%3D&Expires=1175139620",
                exampleLink(Storage.signed(), "a b+c%dü.jpg"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            a/b-c_d.e~f.jpg,  a/b-c_d.e~f.jpg
            a b.jpg,          a%20b.jpg
            a+b.jpg,          a%2Bb.jpg
            a%20b.jpg,        a%2520b.jpg
            a&b=c?d#e.jpg,    a%26b%3Dc%3Fd%23e.jpg
            ü.jpg,            %C3%BC.jpg
            河川.jpg,         %E6%B2%B3%E5%B7%9D.jpg
            🛰.jpg,           %F0%9F%9B%B0.jpg
            """)
    void aKeyIsPercentEncodedExceptForSlashes(String key, String path) {
        String link = exampleLink(Storage.unsigned(), key);

        assertEquals("https://storage.example/datasets/" + path, link);
        assertEquals("/datasets/" + key, URI.create(link).getPath());
    }

    @Test
    void theParametersHaveTheOrderOfTheContract() {
        assertEquals(List.of("AWSAccessKeyId", "Signature", "Expires"),
                parameterNames(exampleLink(Storage.signed(), "thumbnail.jpg")));
    }

    @Test
    void anAccessKeyIdIsFormEncoded() {
        assertTrue(exampleLink(Storage.signed().credentials("a+b/c", "secret"), "thumbnail.jpg")
                .contains("?AWSAccessKeyId=a%2Bb%2Fc&Signature="));
    }

    @Test
    void aMissingThumbnailHasTheLinkOfThePlaceholder() {
        assertEquals(exampleLink(Storage.signed(), Storage.PLACEHOLDER_KEY), exampleLink(Storage.signed(), null));
        assertEquals("https://storage.example/datasets/placeholder/none.png", exampleLink(Storage.unsigned(), null));
    }

    @Test
    void withoutCredentialsALinkIsUnsigned() {
        assertEquals("https://storage.example/datasets/a/thumbnail.jpg",
                exampleLink(Storage.unsigned(), "a/thumbnail.jpg"));
    }

    @Test
    void anAccessKeyIdWithoutItsSecretIsRefused() {
        Storage half = Storage.unsigned().with("access-key-id", "id");

        assertThrows(NoSuchElementException.class, () -> exampleLink(half, "thumbnail.jpg"));
    }

    @ParameterizedTest
    @CsvSource({"https://storage.example", "https://storage.example/", "http://localhost:9000",
            "https://cdn.example/files"})
    void aStorageUrlMayEndWithASlash(String url) {
        String withoutSlash = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;

        assertEquals(withoutSlash + "/datasets/thumbnail.jpg",
                exampleLink(Storage.unsigned().at(url), "thumbnail.jpg"));
    }

    @Test
    void everyLinkOfAPageEndsAtTheSameSecond() {
        AtomicInteger readings = new AtomicInteger();
        InstantSource hourly = () -> Instant.EPOCH.plus(Duration.ofHours(readings.incrementAndGet()));
        ThumbnailLinks.Signer page = Storage.signed().links(hourly.withZone(ZoneOffset.UTC)).signer();

        assertEquals(expires(page.link("a.jpg")), expires(page.link("b.jpg")));
    }

    @Test
    void theLinksOfOneSignerAreIndependent() {
        ThumbnailLinks.Signer signer = links(Storage.signed(), Instant.EPOCH).signer();
        String first = signer.link("a.jpg");

        assertNotEquals(first, signer.link("b.jpg"));
        assertEquals(first, signer.link("a.jpg"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void concurrentSignersAreIndependent(int version) {
        ThumbnailLinks links = links(Storage.signed().signatureVersion(version), Instant.EPOCH);
        List<String> expected = IntStream.range(0, 2_000).mapToObj(i -> links.signer().link(i + ".jpg")).toList();

        assertEquals(expected,
                IntStream.range(0, 2_000).parallel().mapToObj(i -> links.signer().link(i + ".jpg")).toList());
    }

    @Property
    void aLinkIsValidForAtLeastHalfOfTheLifetime(@ForAll @LongRange(max = 4_102_444_800L) long now,
            @ForAll @IntRange(min = 2, max = 604_800) int lifetime) {
        Storage storage = Storage.signed().lifetime(Duration.ofSeconds(lifetime));

        long left = expires(links(storage, Instant.ofEpochSecond(now)).signer().link("a.jpg")) - now;

        assertTrue(2 * left >= lifetime && left <= lifetime, () -> left + " seconds are left");
    }

    @Property
    void aLinkStaysTheSameForAWindowAndChangesWithTheNext(@ForAll @LongRange(max = 2_000_000L) long window,
            @ForAll @IntRange(max = 1_799) int second) {
        Instant start = Instant.ofEpochSecond(window * 1_800);
        String link = linkAt(start);

        assertEquals(link, linkAt(start.plusSeconds(second)));
        assertEquals(link, linkAt(start.plusSeconds(1_799).plusMillis(999)));
        assertNotEquals(link, linkAt(start.plusSeconds(1_800)));
    }

    @Property
    void theKeyOfALinkIsTheSignedKey(@ForAll("keys") String key, @ForAll("storages") Storage storage) {
        ThumbnailLinks links = links(storage, Instant.EPOCH);

        assertEquals(key, links.key(links.signer().link(key)));
    }

    @Property
    void theKeyOfALinkDoesNotDependOnItsSignature(@ForAll("keys") String key) {
        String link = links(Storage.signed().sessionToken("to/ken?#1==").at("https://other.example"), Instant.EPOCH)
                .signer().link(key);

        assertEquals(key, links(Storage.unsigned(), Instant.MAX).key(link));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # link,                                                         key
            https://storage.example/datasets/a%20b.jpg?Expires=1#x,         a b.jpg
            HTTP://127.0.0.1:9000/datasets/a/b.jpg,                         a/b.jpg
            /datasets/a.jpg,                                                a.jpg
            a/b.jpg,                                                        a/b.jpg
            a.jpg?x=/datasets/b.jpg,                                        a.jpg
            https://elsewhere.example/bucket/a.jpg,                         bucket/a.jpg
            https://storage.example/datasets/datasets/a.jpg,                datasets/a.jpg
            https://storage.example/datasetsX/a.jpg,                        datasetsX/a.jpg
            """)
    void theKeyIsThePathWithoutTheOwnBucket(String link, String key) {
        assertEquals(key, links(Storage.unsigned(), Instant.EPOCH).key(link));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # link,                                                         key
            https://datasets.storage.example/a%20b.jpg?Expires=1#x,         a b.jpg
            https://datasets.storage.example/datasets/a.jpg,                datasets/a.jpg
            https://storage.example/datasets/a.jpg,                         a.jpg
            https://datasets.elsewhere.example/a/b.jpg,                     a/b.jpg
            /a.jpg,                                                         a.jpg
            """)
    void theKeyIsThePathWhereTheHostNamesTheBucket(String link, String key) {
        assertEquals(key,
                links(Storage.unsigned().with("addressing", "virtual-hosted"), Instant.EPOCH).key(link));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # link,                                                         key
            https://cdn.example/files/datasets/a%20b.jpg?Expires=1#x,       a b.jpg
            https://elsewhere.example/files/datasets/a.jpg,                 a.jpg
            http://minio:9000/datasets/a.jpg,                               a.jpg
            https://cdn.example/files/a.jpg,                                files/a.jpg
            """)
    void theKeyIsThePathWithoutThePathOfTheStorageUrlAndTheOwnBucket(String link, String key) {
        assertEquals(key, links(Storage.unsigned().at("https://cdn.example/files"), Instant.EPOCH).key(link));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "?a", "#a", "https://storage.example", "https://storage.example/",
            "https://storage.example/datasets/", "https://storage.example/datasets/?Signature=x",
            "https://storage.example/datasets//a.jpg", "https://elsewhere.example//a.jpg", "/../a.jpg", "a/./b", "a//b",
            "a/",
            "a%5Cb", "a%0Ab", "https://storage.example/datasets/%zz", "https://storage.example/datasets/%FF", "a%00b",
            "a\0b", "//"})
    void aLinkToNoObjectHasNoKey(String link) {
        assertNull(links(Storage.unsigned(), Instant.EPOCH).key(link));
    }

    @Test
    void thePlaceholderIsRecognizedByItsLink() {
        ThumbnailLinks links = links(Storage.signed(), Instant.EPOCH);

        assertTrue(links.isPlaceholder(links.key(links.signer().link(null))));
        assertFalse(links.isPlaceholder(links.key(links.signer().link("a.jpg"))));
    }

    /** All normal keys of which UTF-8 can encode the characters. */
    @Provide
    Arbitrary<String> keys() {
        Arbitrary<Integer> codePoints = Arbitraries.oneOf(Arbitraries.of(' ', '%', '+', '/', '?', '#', ':', '.', 'a')
                .map(c -> (int) c), Arbitraries.integers().between(1, 0xD7FF),
                Arbitraries.integers().between(0xE000, 0x10FFFF));
        return codePoints.list().ofMinSize(1).ofMaxSize(20).map(
                points -> points.stream().map(Character::toString).collect(Collectors.joining()))
                .filter(ObjectKey::isNormal);
    }

    @Provide
    Arbitrary<Storage> storages() {
        return Arbitraries.of(Storage.signed(), Storage.unsigned(), Storage.signed().sessionToken("to/ken+1=="),
                Storage.signed().at("http://127.0.0.1:9000/"), Storage.signed().at("https://storage.example/a/b%20c"),
                Storage.signed().bucket("https:"));
    }

    private static String linkAt(Instant instant) {
        return links(Storage.signed().lifetime(Duration.ofHours(1)), instant).signer().link("a.jpg");
    }

    private static String exampleLink(Storage storage, String key) {
        return links(storage.lifetime(EXAMPLE_LIFETIME), Instant.ofEpochSecond(EXAMPLE_EXPIRES - 40)).signer()
                .link(key);
    }

    private static ThumbnailLinks links(Storage storage, Instant instant) {
        return storage.links(Clock.fixed(instant, ZoneOffset.UTC));
    }

    private static List<String> parameterNames(String link) {
        return Arrays.stream(URI.create(link).getRawQuery().split("&")).map(term -> term.split("=")[0]).toList();
    }

    private static long expires(String link) {
        return Long.parseLong(link.replaceAll(".*&Expires=(\\d+).*", "$1"));
    }
}
