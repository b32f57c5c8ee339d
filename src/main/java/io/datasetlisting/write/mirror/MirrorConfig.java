package io.datasetlisting.write.mirror;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of a mirror, which follows the changes of another instance. */
@ConfigMapping(prefix = "dataset.follow")
public interface MirrorConfig {

    /** The address of the origin. Without it the service is no mirror. */
    Optional<URI> url();

    /**
     * A token of the origin. The mirror has what its owner sees in a listing: also all private datasets with a token of an
     * admin.
     */
    Optional<String> token();

    /** The identity of the catalogue of this database that the origin's may replace. It counts once. */
    Optional<UUID> replace();

    /** Pause between two comparisons with the digest of the origin. */
    @WithDefault("PT1H")
    Duration digestInterval();
}
