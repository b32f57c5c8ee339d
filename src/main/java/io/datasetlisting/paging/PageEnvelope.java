package io.datasetlisting.paging;

import java.util.List;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The envelope of a page, in the key order of the contract.
 *
 * @param count
 *            how many items match on all pages together
 * @param next
 *            absolute URL of the following page, or null
 * @param previous
 *            absolute URL of the preceding page, or null
 * @param results
 *            the items of this page
 */
// Written by the resources themselves, where the native build does not see it.
@RegisterForReflection
public record PageEnvelope<T>(long count, String next, String previous, List<T> results) {

    /**
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
