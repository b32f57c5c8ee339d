package io.datasetlisting.dataset;

import java.time.Instant;

import io.datasetlisting.base.Micros;

/**
 * A dataset as it is stored, without a thumbnail link.
 *
 * @param created
 *            null if it is not known
 * @param dataset
 *            has the object's key in place of the link
 */
public record StoredDataset(Revision revision, Instant created, DatasetView dataset) {

    /** Whether the dataset has not changed since it was created. */
    public boolean isNew() {
        return created != null && revision.updated() == Micros.of(created);
    }
}
