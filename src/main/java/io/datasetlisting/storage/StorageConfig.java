package io.datasetlisting.storage;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where thumbnails lie, who signs the links to them, and how they get there. */
@ConfigMapping(prefix = "dataset.storage")
public interface StorageConfig {

    /** The address that clients reach the file storage under, without the bucket. */
    @WithDefault("http://localhost:9000")
    URI url();

    /** The address that this service reaches it under, when that is another one. */
    Optional<URI> endpoint();

    /** Which of the two addresses the storage sees in the requests of clients. */
    @WithDefault("url")
    SignedFor signedFor();

    /** Where the bucket stands in an address. */
    @WithDefault("path")
    Addressing addressing();

    /** The bucket that holds the thumbnails. */
    @WithDefault("datasets")
    String bucket();

    @WithDefault("us-east-1")
    String region();

    /** Of the links: 2 or 4. */
    @WithDefault("2")
    int signatureVersion();

    /** Who signs; without it the SDK's default chain looks for somebody. */
    Optional<String> accessKeyId();

    Optional<String> secretAccessKey();

    /** Goes along with temporary credentials. */
    Optional<String> sessionToken();

    /** How soon credentials that were not to be had, or that do not say when they end, are looked for again. */
    @WithDefault("PT1M")
    Duration credentialsLookupInterval();

    /** How long a link is good for, at most; at least half of it is left when a link is handed out. */
    @WithDefault("PT1H")
    Duration linkLifetime();

    /** Key of the object that stands in for a missing thumbnail. */
    @WithDefault("placeholder/thumbnail.png")
    String placeholderKey();

    /** What the keys of uploaded thumbnails begin with. */
    @WithDefault("thumbnails")
    String prefix();

    @WithDefault("5M")
    MemorySize maxThumbnailSize();

    /** How long a client may take to begin an upload, and then client and storage to end it. */
    @WithDefault("PT30S")
    Duration uploadTimeout();

    /** Where the bucket stands in an address. */
    enum Addressing {
        /** {@code https://storage.example/bucket/key}. */
        PATH,
        /** {@code https://bucket.storage.example/key}. */
        VIRTUAL_HOSTED
    }

    /** Which address the storage sees, and the signature of a link with it. */
    enum SignedFor {
        /** The one in the link: whatever lies between passes the {@code Host} header on. */
        URL,
        /** The endpoint's: a proxy or CDN puts it in place of {@link StorageConfig#url()}. */
        ENDPOINT
    }
}
