package io.datasetlisting.write.change;

import io.datasetlisting.dataset.StoredDataset;

/**
 * A dataset at its last change.
 *
 * @param dataset
 *            null if it is gone: the caller does not see it any more, or it does not match the filters any more
 */
record Change(long id, String uavUid, StoredDataset dataset) {
}
