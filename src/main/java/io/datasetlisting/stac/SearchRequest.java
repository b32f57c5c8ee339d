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
 * @param identity
 *            text of all that the pages of this search have in common: everything except the limit
 */
record SearchRequest(Search search, ItemFields fields, String token, String identity) {

    static SearchRequest of(Search search, ItemFields fields, String token) {
        return new SearchRequest(search, fields, token, search.ordering() + "\n" + search.filter() + '\n' + fields);
    }
}
