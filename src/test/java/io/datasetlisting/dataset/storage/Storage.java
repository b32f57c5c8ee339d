package io.datasetlisting.dataset.storage;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Builds the configuration of a storage. The key pair is from the examples of the AWS documentation. */
public final class Storage {

    static final String ACCESS_KEY_ID = "AKIAIOSFODNN7EXAMPLE";
    static final String SECRET_ACCESS_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    static final String PLACEHOLDER_KEY = "placeholder/none.png";

    private final Map<String, String> keys;

    private Storage(Map<String, String> keys) {
        this.keys = keys;
    }

    public static Storage unsigned() {
        return new Storage(Map.of()).at("https://storage.example").with("placeholder-key", PLACEHOLDER_KEY);
    }

    static Storage signed() {
        return unsigned().credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY);
    }

    Storage with(String key, String value) {
        Map<String, String> more = new TreeMap<>(keys);
        more.put("dataset.storage." + key, value);
        return new Storage(more);
    }

    Storage at(String url) {
        return with("url", url);
    }

    Storage bucket(String bucket) {
        return with("bucket", bucket);
    }

    Storage credentials(String accessKeyId, String secretAccessKey) {
        return with("access-key-id", accessKeyId).with("secret-access-key", secretAccessKey);
    }

    Storage sessionToken(String sessionToken) {
        return with("session-token", sessionToken);
    }

    Storage lifetime(Duration linkLifetime) {
        return with("link-lifetime", linkLifetime.toString());
    }

    Storage signatureVersion(int version) {
        return with("signature-version", Integer.toString(version));
    }

    public StorageConfig config() {
        return new SmallRyeConfigBuilder().withMapping(StorageConfig.class).withDefaultValues(keys)
                .withConverter(MemorySize.class, 100, new MemorySizeConverter()).build()
                .getConfigMapping(StorageConfig.class);
    }

    /** Links with the configured credentials, without a lookup. */
    public ThumbnailLinks links(Clock clock) {
        StorageConfig config = config();
        return new ThumbnailLinks(config, new StorageCredentials(config, clock, null, new SimpleMeterRegistry()),
                clock);
    }
}
