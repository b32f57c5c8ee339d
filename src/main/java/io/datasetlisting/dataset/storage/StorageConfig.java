package io.datasetlisting.dataset.storage;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the file storage, of links to its objects, and of uploads. */
@ConfigMapping(prefix = "dataset.storage")
public interface StorageConfig {

    /** Address of the file storage for clients, without the bucket. */
    @WithDefault("http://localhost:9000")
    URI url();

    /** Address of the file storage for this service. Without the key the address for clients applies. */
    Optional<URI> endpoint();

    /** The address that the storage sees in the request of a client. */
    @WithDefault("url")
    SignedFor signedFor();

    /** Position of the bucket in an address. */
    @WithDefault("path")
    Addressing addressing();

    /** Bucket of the thumbnails, of rasters and of stored exports. */
    @WithDefault("datasets")
    String bucket();

    /** Region of the bucket. */
    @WithDefault("us-east-1")
    String region();

    /** Signature version of links: 2 or 4. */
    @WithDefault("2")
    int signatureVersion();

    /** Access key that signs links and uploads. Without it the service uses the default chain of the AWS SDK. */
    Optional<String> accessKeyId();

    /** Secret of the access key. */
    Optional<String> secretAccessKey();

    /** Session token of temporary credentials. */
    Optional<String> sessionToken();

    /**
     * Shortest time until the next lookup, and the time if the last one found no credentials, or credentials without an end.
     */
    @WithDefault("PT1M")
    Duration credentialsLookupInterval();

    /**
     * Longest lifetime of a link. At least half of it remains when the service sends a link, unless temporary credentials end
     * earlier.
     */
    @WithDefault("PT1H")
    Duration linkLifetime();

    /** Key of the object that replaces a missing thumbnail. */
    @WithDefault("placeholder/thumbnail.png")
    String placeholderKey();

    /** Start of the keys of uploaded thumbnails. */
    @WithDefault("thumbnails")
    String prefix();

    /** Largest size of an uploaded thumbnail. */
    @WithDefault("5M")
    MemorySize maxThumbnailSize();

    /**
     * Time limit for the first bytes of an upload, and again for the rest of it; also of most other requests to the storage.
     */
    @WithDefault("PT30S")
    Duration uploadTimeout();

    /** Position of the bucket in an address. */
    enum Addressing {
        /** {@code https://storage.example/bucket/key}. */
        PATH,
        /** {@code https://bucket.storage.example/key}. */
        VIRTUAL_HOSTED
    }

    /** The address that the storage sees in the request of a client, and that a link is signed for. */
    enum SignedFor {
        /** The address in the link. A proxy passes the {@code Host} header on. */
        URL,
        /** The endpoint. A proxy or CDN replaces {@link StorageConfig#url()} by it. */
        ENDPOINT
    }
}
