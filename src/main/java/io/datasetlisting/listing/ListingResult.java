package io.datasetlisting.listing;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Revision;
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
public record ListingResult(long listing, long count, List<Revision> revisions, String links,
        List<DatasetView> datasets) {

    private static final int REVISION_BYTES = 3 * Long.BYTES;

    /** Another number when the count or any field of one of the datasets is another. */
    long state() {
        ByteBuffer state = ByteBuffer.allocate(REVISION_BYTES * revisions.size() + Long.BYTES);
        for (Revision revision : revisions) {
            state.putLong(revision.id()).putLong(revision.version()).putLong(revision.updated());
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
