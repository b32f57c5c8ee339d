package io.datasetlisting.rank;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the feed of changes. */
@ConfigMapping(prefix = "dataset.changes")
public interface ChangesConfig {

    /**
     * How long the feed keeps tombstones. A client that has not asked for longer must copy everything again. Default: for ever.
     */
    Optional<Duration> keep();

    /** How many clients of one instance may wait for changes at the same time, by long polls or streams. */
    @WithDefault("2000")
    int maxListeners();
}
