package io.datasetlisting.dataset;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

import io.datasetlisting.storage.ThumbnailLinks;

/**
 * Some datasets of a larger number.
 *
 * @param listing
 *            version of the listing that this is of: goes up with each change of any dataset
 * @param count
 *            how many there are on all pages
 * @param revisions
 *            those of the page that was asked for, none when it is beyond the end
 * @param links
 *            another text for other thumbnail links, see {@link ThumbnailLinks.Signer#id()}; empty without any
 * @param datasets
 *            those of the page, where they were read
 */
public record Slice(long listing, long count, List<Revision> revisions, String links, List<DatasetView> datasets) {

    /**
     * A dataset as it is until somebody writes it again.
     *
     * @param updated
     *            microseconds since 1970
     */
    record Revision(long id, long version, long updated) {

        private static final int BYTES = 3 * Long.BYTES;
    }

    /** Another number when the count or any field of one of the datasets is another. */
    long state() {
        ByteBuffer state = ByteBuffer.allocate(Revision.BYTES * revisions.size() + Long.BYTES);
        for (Revision revision : revisions) {
            state.putLong(revision.id).putLong(revision.version).putLong(revision.updated);
        }
        return hash(state.putLong(count));
    }

    private static long hash(ByteBuffer bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes.array())).getLong()
                    & Long.MAX_VALUE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
