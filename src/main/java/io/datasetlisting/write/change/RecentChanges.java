package io.datasetlisting.write.change;

import java.time.Instant;
import java.util.List;

import io.datasetlisting.dataset.StoredDataset;

/**
 * The newest changes, newest first. Each dataset is listed once, at its last change.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param asOf
 *            the time of the newest fold
 */
public record RecentChanges(List<Entry> entries, long listing, Instant asOf) {

    /**
     * A dataset at its last change.
     *
     * @param time
     *            when the change became visible
     * @param dataset
     *            null if the dataset is gone
     */
    public record Entry(long id, String uavUid, Instant time, StoredDataset dataset) {
    }
}
