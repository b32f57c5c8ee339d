package io.datasetlisting.access.account;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the rate limit. */
@ConfigMapping(prefix = "dataset.rate-limit")
public interface RateLimitConfig {

    /** Requests per minute for one account, or for one address without a token; 0 means no limit. */
    @WithDefault("0")
    int perMinute();
}
