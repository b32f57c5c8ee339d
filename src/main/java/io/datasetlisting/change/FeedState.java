package io.datasetlisting.change;

import java.util.UUID;

/**
 * The state of the feed in a snapshot.
 *
 * @param mark
 *            the number of the newest fold
 * @param epoch
 *            the newest epoch
 */
record FeedState(long mark, UUID epoch) {
}
