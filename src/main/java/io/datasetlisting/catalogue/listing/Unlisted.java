package io.datasetlisting.catalogue.listing;

import java.time.Duration;
import java.util.Map;

import io.datasetlisting.postgres.database.Sql;

/** The datasets of an owner that no listing contains. Their conditions are those of their indexes, see V10. */
enum Unlisted {
    /** Datasets without a location. */
    DRAFTS("not is_deleted and coordinates is null"),
    /** Deleted datasets that can be restored. Nothing changes a deleted dataset, so its last change is the deletion. */
    DELETED("is_deleted and updated_at >= now() - make_interval(secs => {keep})");

    private final String condition;

    Unlisted(String condition) {
        this.condition = condition;
    }

    Sql condition(Duration keep) {
        return Sql.of(condition, Map.of("keep", Sql.value((double) keep.toSeconds())));
    }
}
