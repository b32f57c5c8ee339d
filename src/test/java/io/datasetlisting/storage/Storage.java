package io.datasetlisting.storage;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** A {@link StorageConfig} to sign with; the key pair is the one of the AWS documentation's examples. */
record Storage(URI url, String bucket, Optional<String> accessKeyId, Optional<String> secretAccessKey,
        Optional<String> sessionToken, Duration linkLifetime, String placeholderKey) implements StorageConfig {

    static final String ACCESS_KEY_ID = "AKIAIOSFODNN7EXAMPLE";
    static final String SECRET_ACCESS_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    static final String PLACEHOLDER_KEY = "placeholder/none.png";

    static Storage unsigned() {
        return new Storage(URI.create("https://storage.example"), "datasets", Optional.empty(), Optional.empty(),
                Optional.empty(), Duration.ofHours(1), PLACEHOLDER_KEY);
    }

    static Storage signed() {
        return unsigned().credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY);
    }

    Storage at(String url) {
        return new Storage(URI.create(url), bucket, accessKeyId, secretAccessKey, sessionToken, linkLifetime,
                placeholderKey);
    }

    Storage bucket(String bucket) {
        return new Storage(url, bucket, accessKeyId, secretAccessKey, sessionToken, linkLifetime, placeholderKey);
    }

    Storage credentials(String accessKeyId, String secretAccessKey) {
        return new Storage(url, bucket, Optional.of(accessKeyId), Optional.of(secretAccessKey), sessionToken,
                linkLifetime, placeholderKey);
    }

    Storage sessionToken(String sessionToken) {
        return new Storage(url, bucket, accessKeyId, secretAccessKey, Optional.of(sessionToken), linkLifetime,
                placeholderKey);
    }

    Storage lifetime(Duration linkLifetime) {
        return new Storage(url, bucket, accessKeyId, secretAccessKey, sessionToken, linkLifetime, placeholderKey);
    }
}
