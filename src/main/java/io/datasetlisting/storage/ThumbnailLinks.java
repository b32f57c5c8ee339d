package io.datasetlisting.storage;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Base64;
import java.util.Objects;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.http.PercentEncoding;

/**
 * Makes links to thumbnails in the query-string form of S3 signature version 2.
 *
 * <p>
 * Pure arithmetic (one HMAC-SHA1 a link): nothing here waits, so it runs on the event loop.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html">Signing and authenticating
 *      REST requests</a>
 */
@ApplicationScoped
public class ThumbnailLinks {

    private final String urlOfBucket;
    private final String pathOfBucket;
    private final String bucketResource;
    private final String placeholderKey;
    private final long lifetimeSeconds;
    private final long windowSeconds;
    private final Clock clock;
    private final Credentials credentials;
    private final String configurationId;

    private record Credentials(String encodedKeyId, String sessionToken, Mac mac) {
    }

    public ThumbnailLinks(StorageConfig config, Clock clock) {
        String url = config.url().toString();
        bucketResource = "/" + config.bucket() + "/";
        urlOfBucket = (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + bucketResource;
        pathOfBucket = URI.create(urlOfBucket).getRawPath();
        placeholderKey = config.placeholderKey();
        lifetimeSeconds = config.linkLifetime().toSeconds();
        windowSeconds = lifetimeSeconds / 2;
        this.clock = clock;
        credentials = config.accessKeyId().isEmpty()
                ? null
                : new Credentials(PercentEncoding.form(config.accessKeyId().get()), config.sessionToken().orElse(null),
                        hmacSha1(config.secretAccessKey().orElseThrow()));
        configurationId = Integer.toUnsignedString(Objects.hash(urlOfBucket, placeholderKey,
                config.accessKeyId(), config.secretAccessKey(), config.sessionToken()), Character.MAX_RADIX);
    }

    /**
     * The key of the object that a link leads to, whoever signed it: its path, without this service's own bucket.
     *
     * @return null when there is no object at its end
     */
    public String key(String link) {
        String path = link.split("[?#]", 2)[0].replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", "");
        String key = PercentEncoding.decodePath(path.startsWith(pathOfBucket)
                ? path.substring(pathOfBucket.length())
                : path.replaceFirst("^/+", ""));
        return key == null || key.isEmpty() || key.indexOf('\0') >= 0 ? null : key;
    }

    /** Whether a key is that of the object that stands in for a missing thumbnail. */
    public boolean isPlaceholder(String key) {
        return key.equals(placeholderKey);
    }

    /** A signer for the links of one page: all of them end at the same second. */
    public Signer signer() {
        return new Signer(expires());
    }

    /**
     * The end of a link that is made now, in Unix seconds: a lifetime away, then rounded down to a multiple of half a
     * lifetime. Links of one window are the same to the byte, and each has between half and all of its lifetime left.
     */
    private long expires() {
        return (clock.instant().getEpochSecond() + lifetimeSeconds) / windowSeconds * windowSeconds;
    }

    /** Signs links that end at one moment. Not for use by two threads at once. */
    public final class Signer {

        private final long expires;
        private final Mac mac;
        private final String toSignBeforeKey;
        private final String beforeSignature;
        private final String afterSignature;

        private Signer(long expires) {
            this.expires = expires;
            if (credentials == null) {
                mac = null;
                toSignBeforeKey = beforeSignature = afterSignature = null;
                return;
            }
            mac = copy(credentials.mac);
            String token = credentials.sessionToken;
            toSignBeforeKey = "GET\n\n\n" + expires + '\n'
                    + (token == null ? "" : "x-amz-security-token:" + token + '\n') + bucketResource;
            beforeSignature = "?AWSAccessKeyId=" + credentials.encodedKeyId + "&Signature=";
            afterSignature = "&Expires=" + expires
                    + (token == null ? "" : "&x-amz-security-token=" + PercentEncoding.form(token));
        }

        /** Another text for other links: when they end, and who signs them for which storage. */
        public String id() {
            return Long.toString(expires, Character.MAX_RADIX) + '-' + configurationId;
        }

        /**
         * @param key
         *            the object's key inside the bucket, or null for the placeholder
         *
         * @return an absolute URL, unsigned when no credentials are configured
         */
        public String link(String key) {
            String path = PercentEncoding.path(key == null ? placeholderKey : key);
            if (mac == null) {
                return urlOfBucket + path;
            }
            byte[] signature = mac.doFinal((toSignBeforeKey + path).getBytes(StandardCharsets.US_ASCII));
            return urlOfBucket + path + beforeSignature
                    + PercentEncoding.form(Base64.getEncoder().encodeToString(signature))
                    + afterSignature;
        }
    }

    private static Mac hmacSha1(String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA1", e);
        }
    }

    /** A copy of a keyed Mac costs far less than keying a new one. */
    private static Mac copy(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's HmacSHA1 can be copied", e);
        }
    }
}
