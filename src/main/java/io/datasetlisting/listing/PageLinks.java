package io.datasetlisting.listing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.datasetlisting.http.QueryString;

/**
 * The links from one page to its neighbours: the request's own query with {@code p} and {@code page_size} set.
 *
 * @param next
 *            absolute URL, null on the last page
 * @param previous
 *            absolute URL, null on the first page
 * @param first
 *            absolute URL
 * @param last
 *            absolute URL
 * @param self
 *            absolute URL
 */
public record PageLinks(String next, String previous, String first, String last, String self) {

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
                page > 1 ? link(url, query, page - 1) : null, link(url, query, 1), link(url, query, last),
                link(url, query, page));
    }

    /**
     * This page and the ways to others, by the names that links have on the web, in the order of the pages.
     *
     * @see <a href="https://www.iana.org/assignments/link-relations">Link relations</a>
     */
    public Map<String, String> relations() {
        Map<String, String> relations = new LinkedHashMap<>();
        relations.put("self", self);
        relations.put("first", first);
        if (previous != null) {
            relations.put("prev", previous);
        }
        if (next != null) {
            relations.put("next", next);
        }
        relations.put("last", last);
        return relations;
    }

    /** The ways to others, as the {@code Link} header of RFC 8288 has them. */
    public String header() {
        return relations().entrySet().stream().filter(link -> !link.getKey().equals("self"))
                .map(link -> '<' + link.getValue() + ">; rel=\"" + link.getKey() + '"')
                .collect(Collectors.joining(", "));
    }

    /** The number of the last page; an empty listing has one page, and that is empty. */
    static long lastPage(long count, int pageSize) {
        return Math.max(1, (count + pageSize - 1) / pageSize);
    }

    private static String link(String url, QueryString query, long page) {
        return url + '?' + query.with("p", Long.toString(page));
    }
}
