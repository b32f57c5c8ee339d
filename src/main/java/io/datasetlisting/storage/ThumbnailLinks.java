package io.datasetlisting.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import jakarta.inject.Singleton;

import io.datasetlisting.http.PercentEncoding;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Makes links to thumbnails that end, signed by whoever {@link StorageCredentials} knows.
 *
 * <p>
 * Pure arithmetic: nothing here waits, so it runs on the event loop.
 */
@Singleton
public class ThumbnailLinks {

    private final StorageConfig config;
    private final StorageAddress address;
    private final StorageCredentials credentials;
    private final Clock clock;
    private final long lifetimeSeconds;
    private final long windowSeconds;
    private volatile Window window;

    public ThumbnailLinks(StorageConfig config, StorageCredentials credentials, Clock clock) {
        this.config = config;
        this.credentials = credentials;
        this.clock = clock;
        address = StorageAddress.of(config);
        lifetimeSeconds = config.linkLifetime().toSeconds();
        windowSeconds = lifetimeSeconds / 2;
    }

    /**
     * The key of the object that a link leads to, whoever signed it: its path, without this service's own bucket.
     *
     * @return null when there is no object at its end
     */
    public String key(String link) {
        return address.key(link);
    }

    /** Whether a key is that of the object that stands in for a missing thumbnail. */
    public boolean isPlaceholder(String key) {
        return key.equals(config.placeholderKey());
    }

    /**
     * A signer for the links of one page: all of them end at the same second, at most a lifetime away and a multiple of
     * half a lifetime. Links of one window are the same to the byte, and each has between half and all of its lifetime
     * left; less only where temporary credentials end before.
     */
    public Signer signer() {
        long now = clock.instant().getEpochSecond();
        long end = (now + lifetimeSeconds) / windowSeconds * windowSeconds;
        AwsCredentialsIdentity signedBy = credentials.current();
        Window current = window;
        if (current == null || current.end != end || current.signedBy != signedBy) {
            current = new Window(end, signedBy, now);
            window = current;
        }
        return new Signer(current);
    }

    /** What all links have in common until the next window begins or other credentials come. */
    private final class Window {

        private final long end;
        private final AwsCredentialsIdentity signedBy;
        private final LinkSignature signature;
        private final String id;

        Window(long end, AwsCredentialsIdentity signedBy, long now) {
            this.end = end;
            this.signedBy = signedBy;
            long expires = signedBy == null
                    ? end
                    // A link does not outlive the session it is signed with. One that has ended signs nothing at all.
                    : signedBy.expirationTime().map(Instant::getEpochSecond).filter(ends -> ends > now)
                            .map(ends -> Math.min(ends, end)).orElse(end);
            signature = signedBy == null ? null : signature(expires);
            String token = signedBy instanceof AwsSessionCredentialsIdentity session ? session.sessionToken() : null;
            id = Long.toString(expires, Character.MAX_RADIX) + '-' + Integer.toUnsignedString(
                    Objects.hash(address, config.placeholderKey(), config.region(), config.signatureVersion(),
                            signedBy == null ? null : signedBy.accessKeyId(),
                            signedBy == null ? null : signedBy.secretAccessKey(), token),
                    Character.MAX_RADIX);
        }

        private LinkSignature signature(long expires) {
            if (config.signatureVersion() == 2) {
                return new SignatureV2(address.bucket(), signedBy, expires);
            }
            long start = end - lifetimeSeconds;
            return new SignatureV4(address, config.region(), signedBy, Instant.ofEpochSecond(start),
                    Duration.ofSeconds(expires - start));
        }
    }

    /** Signs links that end at one moment. Not for use by two threads at once. */
    public final class Signer {

        private final Window window;
        private final LinkSignature signature;
        private final StringBuilder link = new StringBuilder(512);
        private byte[] path = new byte[128];

        private Signer(Window window) {
            this.window = window;
            signature = window.signature == null ? null : window.signature.copy();
        }

        /** Another text for other links: when they end, and who signs them for which storage. */
        public String id() {
            return window.id;
        }

        /**
         * @param key
         *            the object's key inside the bucket, or null for the placeholder
         *
         * @return an absolute URL, unsigned when there are no credentials
         */
        public String link(String key) {
            String encoded = PercentEncoding.path(key == null ? config.placeholderKey() : key);
            if (signature == null) {
                return address.linkPrefix() + encoded;
            }
            link.setLength(0);
            link.append(address.linkPrefix()).append(encoded);
            signature.sign(link, ascii(encoded), encoded.length());
            return link.toString();
        }

        private byte[] ascii(String text) {
            if (path.length < text.length()) {
                path = new byte[text.length()];
            }
            for (int i = 0; i < text.length(); i++) {
                path[i] = (byte) text.charAt(i);
            }
            return path;
        }
    }
}
