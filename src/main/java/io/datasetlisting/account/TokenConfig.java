package io.datasetlisting.account;

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
}
