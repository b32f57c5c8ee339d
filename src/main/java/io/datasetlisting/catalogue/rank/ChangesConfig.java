package io.datasetlisting.catalogue.rank;

import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the feed of changes. */
@ConfigMapping(prefix = "dataset.changes")
public interface ChangesConfig {

    /**
     * How long the feed keeps tombstones. A client that has not asked for longer may have to copy everything again. Default:
     * for ever.
     */
    Optional<Duration> keep();

    /**
     * How many clients of one instance may wait for changes at the same time, by long polls or streams. A quarter is for callers
     * with a token.
     */
    @WithDefault("2000")
    int maxListeners();

    /**
     * How many of them one client may have: one account, or one address (IPv6: one /64 network) without a token. A proxy that
     * does not tell the addresses of its clients is one client.
     */
    @WithDefault("500")
    int maxListenersPerClient();

    /**
     * Memory for the events that clients of streams have not read. Clients share the events of a fold. Above it the service
     * closes the clients with the oldest events; they come back with the id of their last event.
     */
    Optional<MemorySize> maxUnread();
}
