package io.datasetlisting.write.change;

import java.time.Instant;
import java.util.List;

import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.http.paging.ChangeCursor;

/**
 * The newest changes, newest first. Each dataset is listed once, at its last change.
 *
 * @param listing
 *            the listing version of the snapshot
 */
public record RecentChanges(List<Entry> entries, long listing) {

    /** When the newest change became visible. Without a change this is the beginning of the count of folds. */
    public Instant time() {
        return entries.isEmpty() ? ChangeCursor.time(0) : entries.get(0).time();
    }

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
