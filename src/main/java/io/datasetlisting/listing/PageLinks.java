package io.datasetlisting.listing;

import io.datasetlisting.http.QueryString;

/**
 * The links from one page to its neighbours: the request's own query with {@code p} and {@code page_size} set.
 *
 * @param next
 *            absolute URL, null on the last page
 * @param previous
 *            absolute URL, null on the first page
 */
public record PageLinks(String next, String previous) {

    /**
     * @param url
     *            absolute URL of the collection, without a query
     * @param count
     *            how many items match on all pages together
     */
    public static PageLinks of(ListRequest request, String url, long count) {
        long last = lastPage(count, request.pageSize());
        long page = request.page() == ListRequest.LAST_PAGE ? last : request.page();
        QueryString query = request.query().with("page_size", Integer.toString(request.pageSize()));
        return new PageLinks(page < last ? link(url, query, page + 1) : null,
                page > 1 ? link(url, query, page - 1) : null);
    }

    /** The number of the last page; an empty listing has one page, and that is empty. */
    static long lastPage(long count, int pageSize) {
        return Math.max(1, (count + pageSize - 1) / pageSize);
    }

    private static String link(String url, QueryString query, long page) {
        return url + '?' + query.with("p", Long.toString(page));
    }
}
