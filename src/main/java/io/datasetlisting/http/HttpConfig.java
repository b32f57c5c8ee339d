package io.datasetlisting.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the public address and of the limits of requests. */
@ConfigMapping(prefix = "dataset")
public interface HttpConfig {

    /**
     * Start of every link, {@code https://api.example.org} for example. If it is set, no header of a request reaches a link.
     * Without it links begin with the scheme and host of the request.
     */
    Optional<URI> publicBaseUrl();

    Http http();

    /** Limits of requests. */
    interface Http {

        /** Largest length of a request address (path and query) in bytes, 16384 at most. A longer one gets 414. */
        @WithDefault("16384")
        int maxUriLength();

        /** Largest size of a request body, and of a line of an import, in bytes. A larger body gets 413. */
        @WithDefault("1M")
        MemorySize maxBodySize();

        /** Time limit for the start of a response. Then the request gets 503. Uploads have their own time limit. */
        @WithDefault("PT10S")
        Duration requestTimeout();

        /** Largest number of requests that run at the same time. Further ones get 503. Cached pages do not count. */
        @WithDefault("256")
        int maxConcurrentRequests();

        /**
         * Largest number of bytes that clients may occupy: of responses that a client has not taken yet, and of bodies in memory.
         * The default is a share of the heap, and at most half of the direct memory.
         */
        Optional<MemorySize> clientMemory();

        /**
         * Time after which a response ends of which its client has not taken anything: the connection, or the stream of HTTP/2.
         * After it a connection of HTTP/1 ends whose client still sends a body that is answered.
         */
        @WithDefault("PT30S")
        Duration maxClientSilence();

        /**
         * Hosts that a request may name, without ports. A request with another host gets 400. Without the key all are allowed.
         */
        Optional<List<String>> allowedHosts();

        /**
         * Whether a client may change an HTTP/1.1 connection without TLS to HTTP/2 ({@code Upgrade: h2c}). A proxy that passes
         * the header on would let its clients send requests that the proxy does not see.
         */
        @WithDefault("false")
        boolean h2cUpgrade();
    }
}
