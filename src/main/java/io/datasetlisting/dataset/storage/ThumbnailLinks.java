package io.datasetlisting.dataset.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import jakarta.inject.Singleton;

import io.datasetlisting.base.Hmac;
import io.datasetlisting.base.PercentEncoding;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Makes signed links to thumbnails, with the credentials of {@link StorageCredentials}. It never blocks, so it runs on the event
 * loop.
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
     * The key of the object of a link: the path without the bucket of this service. The signature is ignored.
     *
     * @return null if the link does not contain a valid key
     */
    public String key(String link) {
        return address.key(link);
    }

    /** Scheme, host and port of all links. */
    public String origin() {
        return address.linkPrefix().replaceFirst("^([^:]+://[^/]+).*", "$1");
    }

    /**
     * The address of an object without a signature, which therefore does not end.
     *
     * @param key
     *            the object's key in the bucket, or null for the placeholder
     */
    public String address(String key) {
        return address.linkPrefix() + PercentEncoding.path(key == null ? config.placeholderKey() : key);
    }

    /** Whether this is the key of the object that replaces a missing thumbnail. */
    public boolean isPlaceholder(String key) {
        return key.equals(config.placeholderKey());
    }

    /** The link of a picture; null for the link of the object that replaces a missing thumbnail. */
    public String picture(String link) {
        return isPlaceholder(key(link)) ? null : link;
    }

    /**
     * The media type of a thumbnail, as the extension of its key tells it.
     *
     * @param key
     *            the object's key in the bucket, or null for the placeholder
     *
     * @return null for another extension
     */
    public String mediaType(String key) {
        ImageType type = ImageType.byExtension(key == null ? config.placeholderKey() : key);
        return type == null ? null : type.mediaType;
    }

    /**
     * A signer for the links of one page. All its links have the same end: the latest multiple of half a lifetime that is at most
     * one lifetime away. In this link window the link of an object stays the same, and at least half of its lifetime remains.
     * Less remains only if temporary credentials end earlier.
     */
    public Signer signer() {
        Window current = window();
        return new Signer(current, current.signature == null ? null : current.signature.copy());
    }

    /** The id of the links that {@link #signer} makes now, see {@link Signer#id}. */
    public String id() {
        return window().id;
    }

    private Window window() {
        long now = clock.instant().getEpochSecond();
        long end = (now + lifetimeSeconds) / windowSeconds * windowSeconds;
        AwsCredentialsIdentity signedBy = credentials.current();
        Window current = window;
        if (current == null || current.end != end || current.signedBy != signedBy) {
            current = new Window(end, signedBy, now);
            window = current;
        }
        return current;
    }

    /** A signer for links that are opened by HEAD: the storage refuses a link that was signed for another method. */
    public Signer signerForHead() {
        Window current = window();
        return new Signer(current, current.signature == null ? null : current.signature("HEAD"));
    }

    /** A link window with its credentials: everything that its links have in common. */
    private final class Window {

        private final long end;
        private final long expires;
        private final AwsCredentialsIdentity signedBy;
        private final LinkSignature signature;
        private final String id;

        Window(long end, AwsCredentialsIdentity signedBy, long now) {
            this.end = end;
            this.signedBy = signedBy;
            expires = signedBy == null
                    ? end
                    // A link does not outlive the session that signs it. The end of a session that has already ended is ignored.
                    : signedBy.expirationTime().map(Instant::getEpochSecond).filter(ends -> ends > now)
                            .map(ends -> Math.min(ends, end)).orElse(end);
            signature = signedBy == null ? null : signature("GET");
            String token = signedBy instanceof AwsSessionCredentialsIdentity session ? session.sessionToken() : null;
            id = Long.toString(expires, Character.MAX_RADIX) + '-' + Integer.toUnsignedString(
                    Objects.hash(address, config.placeholderKey(), config.region(), config.signatureVersion(),
                            signedBy == null ? null : signedBy.accessKeyId(),
                            signedBy == null ? null : signedBy.secretAccessKey(), token),
                    Character.MAX_RADIX);
        }

        private LinkSignature signature(String method) {
            if (config.signatureVersion() == 2) {
                return new SignatureV2(address.bucket(), signedBy, expires, method);
            }
            long start = end - lifetimeSeconds;
            return new SignatureV4(address, config.region(), signedBy, Instant.ofEpochSecond(start),
                    Duration.ofSeconds(expires - start), method);
        }
    }

    /** Signs links of one link window. Not thread-safe. */
    public final class Signer {

        private final Window window;
        private final LinkSignature signature;
        private final StringBuilder link = new StringBuilder(512);

        private Signer(Window window, LinkSignature signature) {
            this.window = window;
            this.signature = signature;
        }

        /** The id of the links: it differs if the end, the credentials or the storage differ. */
        public String id() {
            return window.id;
        }

        /** How long the links remain valid. */
        public Duration remaining() {
            return Duration.between(clock.instant(), Instant.ofEpochSecond(window.expires));
        }

        /**
         * The link to an object.
         *
         * @param key
         *            the object's key in the bucket, or null for the placeholder
         *
         * @return an absolute URL, without a signature if there are no credentials
         */
        public String link(String key) {
            String encoded = PercentEncoding.path(key == null ? config.placeholderKey() : key);
            if (signature == null) {
                return address.linkPrefix() + encoded;
            }
            link.setLength(0);
            link.append(address.linkPrefix()).append(encoded);
            signature.sign(link, Hmac.bytes(encoded));
            return link.toString();
        }
    }
}
