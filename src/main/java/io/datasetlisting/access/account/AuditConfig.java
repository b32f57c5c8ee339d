package io.datasetlisting.access.account;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the audit. */
@ConfigMapping(prefix = "dataset.audit")
public interface AuditConfig {

    /** How long the audit keeps entries. */
    @WithDefault("P90D")
    Duration keep();
}
