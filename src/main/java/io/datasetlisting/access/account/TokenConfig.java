package io.datasetlisting.access.account;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of tokens. */
@ConfigMapping(prefix = "dataset")
public interface TokenConfig {

    /** Key of the first admin token, stored in the database at start. Another value replaces it. */
    Optional<String> adminToken();

    /** Name of the account that the first admin token acts for. */
    @WithDefault("operator")
    String adminUsername();

    /** How many tokens of one account may be valid at a time. */
    @WithDefault("100")
    int maxTokensPerAccount();

    /** Bounds of tokens that a subject of the provider of identities makes. */
    Tokens tokens();

    /** Bounds of tokens that a subject of the provider of identities makes. */
    interface Tokens {

        /** The longest time from the creation of such a token to its end. */
        @WithDefault("P90D")
        Duration maxLifetime();

        /** Such a token is valid so long after the provider issued the newest token of the subject; zero: without this bound. */
        @WithDefault("P30D")
        Duration seenWithin();
    }
}
