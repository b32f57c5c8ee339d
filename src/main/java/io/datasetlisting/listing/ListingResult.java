package io.datasetlisting.listing;

import java.nio.ByteBuffer;
import java.util.List;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.storage.ThumbnailLinks;

/**
 * A page of a listing.
 *
 * @param listing
 *            the listing version of the snapshot; it increases with each change of any dataset
 * @param count
 *            datasets on all pages together
 * @param revisions
 *            the datasets of the page; empty beyond the last page
 * @param links
 *            identifies the link window, see {@link ThumbnailLinks.Signer#id()}; empty when no field is a link
 * @param datasets
 *            the datasets of the page, where they were read
 */
public record ListingResult(long listing, long count, List<Revision> revisions, String links,
        List<DatasetView> datasets) {

    private static final int REVISION_BYTES = 3 * Long.BYTES;

    /** A hash of the count and the revisions: it changes when any of them changes. */
    long state() {
        ByteBuffer state = ByteBuffer.allocate(REVISION_BYTES * revisions.size() + Long.BYTES);
        for (Revision revision : revisions) {
            state.putLong(revision.id()).putLong(revision.version()).putLong(revision.updated());
        }
        return EntityTag.hash(state.putLong(count).array());
    }
}
