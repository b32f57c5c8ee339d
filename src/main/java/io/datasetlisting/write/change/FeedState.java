package io.datasetlisting.write.change;

import java.util.UUID;

/**
 * The state of the feed in a snapshot.
 *
 * @param mark
 *            the number of the newest fold
 * @param epoch
 *            the newest epoch
 * @param catalogue
 *            the identity of the catalogue, which a mirror compares
 */
record FeedState(long mark, UUID epoch, UUID catalogue) {
}
