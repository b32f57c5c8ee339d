package io.datasetlisting.dataset;

/**
 * Identifies the content of a dataset: the three values stay the same until the dataset is written again.
 *
 * @param version
 *            increases with each change
 * @param updated
 *            time of the last change, in microseconds since 1970
 */
public record Revision(long id, long version, long updated) {
}
