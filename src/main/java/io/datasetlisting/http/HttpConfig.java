package io.datasetlisting.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where the service is reached, and limits on requests. */
@ConfigMapping(prefix = "dataset")
public interface HttpConfig {

    /**
     * What every link begins with, {@code https://api.example.org} for example. Set it and neither {@code Host} nor a
     * forwarded header of a request reaches a link.
     */
    Optional<URI> publicBaseUrl();

    Http http();

    /** Limits on requests. */
    interface Http {

        /** The longest request address (path and query) in bytes, 16384 at most; longer ones get 414. */
        @WithDefault("16384")
        int maxUriLength();

        /** The largest request body, and the longest line of a bulk import, in bytes; larger ones get 413. */
        @WithDefault("1M")
        MemorySize maxBodySize();

        /** How long a request may wait until its answer begins; then it gets 503. Uploads have a limit of their own. */
        @WithDefault("PT10S")
        Duration requestTimeout();

        /** Requests at work at once; more get 503 at once. Pages that are kept do not count. */
        @WithDefault("256")
        int maxConcurrentRequests();

        /** The hosts that requests may name, without ports; others get 400. All when it is not set. */
        Optional<List<String>> allowedHosts();
    }
}
