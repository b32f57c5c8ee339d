package io.datasetlisting.catalogue.search;

import java.util.List;

import io.datasetlisting.dataset.Revision;

/**
 * A page of a search.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            number of datasets that match
 * @param revisions
 *            the datasets of the page, in the requested order
 * @param previous
 *            the position of the page before this one; null if there is none
 * @param next
 *            the position of the page after this one; null if there is none
 */
public record SearchResult(long listing, long count, List<Revision> revisions, Search.Position previous,
        Search.Position next) {

    /** The position of the last page. */
    public Search.Position last() {
        return new Search.Position(true, count, listing, List.of());
    }
}
