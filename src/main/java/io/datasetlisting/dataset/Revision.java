package io.datasetlisting.dataset;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

import io.datasetlisting.base.Micros;
import io.datasetlisting.base.Sha256;

/**
 * Identifies the content of a dataset: the three values stay the same until the dataset is written again.
 *
 * @param version
 *            increases with each change
 * @param updated
 *            time of the last change, in microseconds since 1970
 */
public record Revision(long id, long version, long updated) {

    private static final int BYTES = 3 * Long.BYTES;

    /** The text that names this revision of the dataset: another one has another text. */
    public String text() {
        return version + "-" + updated;
    }

    /**
     * The number in the tags of this revision. After a failover that lost the last changes, another change may have the same
     * version, but not the same time: a client that sends {@code If-Match} does not overwrite it.
     */
    public long tag() {
        return hash(List.of(this), 1);
    }

    static Revision of(Dataset dataset) {
        return new Revision(dataset.id, dataset.version,
                dataset.updated == null ? 0 : Micros.of(dataset.updated));
    }

    /** The revision that has this text. */
    public static Revision of(long id, String text) {
        int hyphen = text.indexOf('-');
        return new Revision(id, Long.parseLong(text.substring(0, hyphen)), Long.parseLong(text.substring(hyphen + 1)));
    }

    /** The time of the last change. */
    public Instant updatedAt() {
        return Micros.toInstant(updated);
    }

    /** A hash of the revisions of a page and of the count of all pages: it changes when any of them changes. */
    public static long hash(List<Revision> page, long count) {
        ByteBuffer state = ByteBuffer.allocate(BYTES * page.size() + Long.BYTES);
        for (Revision revision : page) {
            state.putLong(revision.id).putLong(revision.version).putLong(revision.updated);
        }
        return Sha256.number(state.putLong(count).array());
    }
}
