package io.datasetlisting.write.sample;

import java.util.List;
import java.util.stream.StreamSupport;

import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * A thumbnail that a dataset has: the dataset's id, the first of its categories, and the object's key.
 */
record StoredThumbnail(long datasetId, String category, String key) {

    private static final String FIRST = """
            select id, coalesce(category[1], 'Other') as category, thumbnail_key from dataset
            where thumbnail_key is not null order by id limit $1""";

    /** The first ones by dataset id, with those of drafts and deleted datasets. */
    static Uni<List<StoredThumbnail>> first(Reads reads, int limit) {
        return reads.primary().searches().execute(FIRST, Tuple.of(limit))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new StoredThumbnail(row.getLong("id"), row.getString("category"),
                                row.getString("thumbnail_key")))
                        .toList());
    }
}
