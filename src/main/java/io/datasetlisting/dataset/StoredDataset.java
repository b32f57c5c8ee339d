package io.datasetlisting.dataset;

/**
 * A dataset as it is stored, without a thumbnail link.
 *
 * @param thumbnailKey
 *            the object's key inside the bucket, null for the placeholder
 * @param dataset
 *            its {@code thumbnailImage} is null
 */
public record StoredDataset(Revision revision, String thumbnailKey, DatasetView dataset) {
}
