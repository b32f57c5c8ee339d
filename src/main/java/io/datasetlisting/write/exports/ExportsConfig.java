package io.datasetlisting.write.exports;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Stored exports of the public datasets. */
@ConfigMapping(prefix = "dataset.exports")
public interface ExportsConfig {

    /** Where the files are stored. */
    @WithDefault("none")
    Store store();

    /** An existing folder, for the store {@link Store#FOLDER}. */
    Optional<String> folder();

    /** Start of the keys in the bucket, for the store {@link Store#BUCKET}. */
    @WithDefault("exports")
    String prefix();

    /** Shortest time between two exports of a catalogue that changes, unless the newest one is withdrawn. */
    @WithDefault("PT6H")
    Duration interval();

    /** Time for which caches may keep a file, also after it has been withdrawn. */
    @WithDefault("PT1H")
    Duration maxAge();

    /** Where the files are stored. */
    enum Store {
        /** There are no exports. */
        NONE,
        /** For a service with one instance. */
        FOLDER,
        /** The bucket of the thumbnails. */
        BUCKET;

        /** Whether there are exports at all. */
        public boolean isOn() {
            return this != NONE;
        }
    }
}
