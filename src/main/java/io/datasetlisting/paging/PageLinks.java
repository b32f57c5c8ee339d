package io.datasetlisting.paging;

import java.util.LinkedHashMap;
import java.util.Map;

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

    /** In place of a page's number, while the rest of the query is written. */
    private static final String NUMBER = "N";
    private static final String NUMBERED = "p=" + NUMBER;

    /**
     * @param url
     *            absolute URL of the collection, without a query
     * @param count
     *            how many items match on all pages together
     */
    public static PageLinks of(ListRequest request, String url, long count) {
        long last = lastPage(count, request.pageSize());
        long page = request.page() == ListRequest.LAST_PAGE ? last : request.page();
        String query = request.query().with("page_size", Integer.toString(request.pageSize())).with("p", NUMBER)
                .toString();
        // In an encoded query "&" and "=" are where they belong, and of p there is one.
        int number = query.startsWith(NUMBERED) ? 0 : query.indexOf('&' + NUMBERED) + 1;
        String before = url + '?' + query.substring(0, number + 2);
        String behind = query.substring(number + NUMBERED.length());
        return new PageLinks(page < last ? before + (page + 1) + behind : null,
                page > 1 ? before + (page - 1) + behind : null, before + 1 + behind, before + last + behind,
                before + page + behind);
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
        StringBuilder header = new StringBuilder(512);
        relations().forEach((relation, link) -> {
            if (!relation.equals("self")) {
                header.append(header.isEmpty() ? "<" : ", <").append(link).append(">; rel=\"").append(relation)
                        .append('"');
            }
        });
        return header.toString();
    }

    /** The number of the last page; an empty listing has one page, and that is empty. */
    static long lastPage(long count, int pageSize) {
        return Math.max(1, (count + pageSize - 1) / pageSize);
    }

}
