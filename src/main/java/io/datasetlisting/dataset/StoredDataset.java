package io.datasetlisting.dataset;

/**
 * A dataset as it is stored, without a thumbnail link.
 *
 * @param dataset
 *            has the object's key in place of the link
 */
public record StoredDataset(Revision revision, DatasetView dataset) {
}
