package io.datasetlisting.http.paging;

import java.util.List;

/**
 * A page as JSON: count, links and items, in the key order of the contract.
 *
 * @param count
 *            number of items on all pages
 * @param next
 *            absolute URL of the following page, or null
 * @param previous
 *            absolute URL of the preceding page, or null
 * @param results
 *            the items of this page
 */
// The service itself writes this type with Jackson, which the native build does not detect.
public record PageEnvelope<T>(long count, String next, String previous, List<T> results) {

    /**
     * The envelope with the links of {@link PageLinks}.
     *
     * @param url
     *            absolute URL of the collection, without a query
     */
    public static <T> PageEnvelope<T> of(ListRequest request, String url, long count, List<T> results) {
        return of(PageLinks.of(request, url, count), count, results);
    }

    public static <T> PageEnvelope<T> of(PageLinks links, long count, List<T> results) {
        return new PageEnvelope<>(count, links.next(), links.previous(), results);
    }
}
