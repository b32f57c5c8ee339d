package io.datasetlisting.account;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much one client may ask for. */
@ConfigMapping(prefix = "dataset.rate-limit")
public interface RateLimitConfig {

    /** Requests a minute, of one token or, without one, of one address; 0 for any number. */
    @WithDefault("0")
    int perMinute();
}
