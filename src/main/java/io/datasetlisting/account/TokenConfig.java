package io.datasetlisting.account;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The first way in. */
@ConfigMapping(prefix = "dataset")
public interface TokenConfig {

    /** The key of the first admin token, made known to the database at start. Another value replaces it. */
    Optional<String> adminToken();

    /** The account that the first admin token acts for. */
    @WithDefault("operator")
    String adminUsername();
}
