package io.datasetlisting.dataset.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Tests signatures of version 4 against the presigner of the AWS SDK. */
class SignatureV4Test {

    /**
     * A lifetime so short that its window begins in the second in which the presigner signs. A test cannot choose that
     * second.
     */
    private static final Duration LIFETIME = Duration.ofSeconds(2);
    private static final DateTimeFormatter AMZ_DATE = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX");

    @Property(tries = 300)
    void aLinkEqualsTheLinkOfTheSdk(@ForAll("keys") String key, @ForAll("urls") String url, @ForAll boolean pathStyle,
            @ForAll("regions") String region, @ForAll("tokens") String token) {
        Storage storage = Storage.signed().at(url).bucket("datasets").with("region", region).signatureVersion(4)
                .lifetime(LIFETIME).with("addressing", pathStyle ? "path" : "virtual-hosted");
        if (!token.isEmpty()) {
            storage = storage.sessionToken(token);
        }
        String expected = presigned(key, url, pathStyle, region, token);
        Instant signed = AMZ_DATE.parse(expected.replaceAll(".*X-Amz-Date=(\\w+).*", "$1"), Instant::from);

        String link = storage.links(Clock.fixed(signed, ZoneOffset.UTC)).signer().link(key);

        assertEquals(parts(expected), parts(link));
    }

    private static String presigned(String key, String url, boolean pathStyle, String region, String token) {
        AwsCredentials credentials = token.isEmpty()
                ? AwsBasicCredentials.create(Storage.ACCESS_KEY_ID, Storage.SECRET_ACCESS_KEY)
                : AwsSessionCredentials.create(Storage.ACCESS_KEY_ID, Storage.SECRET_ACCESS_KEY, token);
        try (S3Presigner presigner = S3Presigner.builder().region(Region.of(region)).endpointOverride(URI.create(url))
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(pathStyle).build()).build()) {
            return presigner.presignGetObject(request -> request.signatureDuration(LIFETIME)
                    .getObjectRequest(object -> object.bucket("datasets").key(key))).url().toString();
        }
    }

    /** The address and the parameters of a link, without the order of the parameters and without a default port. */
    private static List<Object> parts(String link) {
        String[] parts = link.replaceFirst("^(https://[^/]+):443/|^(http://[^/]+):80/", "$1$2/").split("\\?", 2);
        return List.of(parts[0], new TreeSet<>(Arrays.asList(parts[1].split("&"))));
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings().withCharRange(' ', '~').withChars("/+%üß河🛰".toCharArray()).ofMinLength(1)
                .ofMaxLength(300).filter(key -> key.codePoints().allMatch(c -> c < 0xD800 || c > 0xDFFF));
    }

    @Provide
    Arbitrary<String> urls() {
        return Arbitraries.of("https://s3.eu-central-1.amazonaws.com", "https://storage.example:8443",
                "http://localhost:9000", "https://storage.example:443", "http://storage.example:80",
                "https://cdn.example/files");
    }

    @Provide
    Arbitrary<String> regions() {
        return Arbitraries.of("us-east-1", "eu-central-1", "auto");
    }

    @Provide
    Arbitrary<String> tokens() {
        return Arbitraries.of("", "to/ken+1==", "x".repeat(900));
    }

    @ParameterizedTest
    @ValueSource(strings = {"url", "endpoint"})
    void behindAProxyTheLinkIsPublicAndTheSignatureIsForTheStorage(String signedFor) {
        Storage storage = Storage.signed().at("https://images.example/files").signatureVersion(4)
                .with("endpoint", "http://minio:9000").with("signed-for", signedFor);
        Storage seen = signedFor.equals("url") ? storage : Storage.signed().at("http://minio:9000").signatureVersion(4);
        Clock clock = Clock.fixed(Instant.EPOCH.plusSeconds(1), ZoneOffset.UTC);

        String link = storage.links(clock).signer().link("a b.jpg");

        assertEquals("https://images.example/files/datasets/a%20b.jpg", link.substring(0, link.indexOf('?')));
        assertEquals(query(seen.links(clock).signer().link("a b.jpg")), query(link));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void behindAProxyThatAddsTheBucketTheLinkOmitsIt(int version) {
        Storage storage = Storage.signed().at("https://images.example").signatureVersion(version)
                .with("endpoint", "https://s3.eu-central-1.amazonaws.com").with("signed-for", "endpoint")
                .with("addressing", "virtual-hosted");
        Storage seen = Storage.signed().at("https://s3.eu-central-1.amazonaws.com").signatureVersion(version)
                .with("addressing", "virtual-hosted");
        Clock clock = Clock.fixed(Instant.EPOCH.plusSeconds(1), ZoneOffset.UTC);

        String link = storage.links(clock).signer().link("a b.jpg");

        assertEquals("https://images.example/a%20b.jpg", link.substring(0, link.indexOf('?')));
        assertEquals(query(seen.links(clock).signer().link("a b.jpg")), query(link));
    }

    private static String query(String link) {
        return link.substring(link.indexOf('?'));
    }
}
