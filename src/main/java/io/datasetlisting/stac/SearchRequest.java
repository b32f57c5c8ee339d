package io.datasetlisting.stac;

import io.datasetlisting.listing.Search;

/**
 * A request for items.
 *
 * @param search
 *            from the start of all items
 * @param fields
 *            null for whole items
 * @param token
 *            of another page; null for the first one
 */
record SearchRequest(Search search, ItemFields fields, String token) {
}
