package io.datasetlisting.catalogue.listing;

import java.util.List;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.storage.ThumbnailLinks;

/**
 * A page of a listing.
 *
 * @param listing
 *            the listing version of the snapshot; it increases with each change of a listed dataset
 * @param count
 *            datasets on all pages together
 * @param revisions
 *            the datasets of the page; empty beyond the last page
 * @param links
 *            identifies the link window, see {@link ThumbnailLinks.Signer#id()}; empty when no field is a link
 * @param datasets
 *            the datasets of the page, where they were read
 */
public record ListingResult(long listing, long count, List<Revision> revisions, String links,
        List<DatasetView> datasets) {
}
