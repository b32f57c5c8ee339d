package io.datasetlisting.storage;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where thumbnails lie and who signs the links to them. */
@ConfigMapping(prefix = "dataset.storage")
public interface StorageConfig {

    /** The address that clients reach the file storage under, without the bucket. */
    @WithDefault("http://localhost:9000")
    URI url();

    /** The bucket that holds the thumbnails. */
    @WithDefault("datasets")
    String bucket();

    /** Who signs; without it links go out unsigned. */
    Optional<String> accessKeyId();

    Optional<String> secretAccessKey();

    /** Goes along with temporary credentials. */
    Optional<String> sessionToken();

    /** How long a link is good for, at most; at least half of it is left when a link is handed out. */
    @WithDefault("PT1H")
    Duration linkLifetime();

    /** Key of the object that stands in for a missing thumbnail. */
    @WithDefault("placeholder/thumbnail.png")
    String placeholderKey();
}
