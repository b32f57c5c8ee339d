package io.datasetlisting.http.paging;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.datasetlisting.http.input.QueryString;

/**
 * The links from one page to its neighbours: the request's own query with {@code p} and {@code page_size} set. A request
 * with the parameter {@code page} has links with the same number there.
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

    /** Placeholder for the number of the page while the query is written. */
    private static final String NUMBER = "N";
    /** Names and values in the query are encoded, so "&amp;" and "=" occur only as separators. */
    private static final Pattern PLACE = Pattern.compile("(?<=[?&]p(?:age)?=)" + NUMBER + "(?=&|$)");
    /** With the other headers it stays below 4,096 bytes, which is what nginx takes by default. */
    private static final int MAX_HEADER_LENGTH = 2048;

    /**
     * The links of a requested page.
     *
     * @param url
     *            absolute URL of the collection, without a query
     * @param count
     *            number of items on all pages
     */
    public static PageLinks of(ListRequest request, String url, long count) {
        long last = lastPage(count, request.pageSize());
        long page = request.page() == ListRequest.LAST_PAGE ? last : request.page();
        QueryString query = request.query().with("page_size", Integer.toString(request.pageSize())).with("p", NUMBER);
        if (query.get("page") != null) {
            query = query.with("page", NUMBER);
        }
        String[] around = PLACE.split(url + '?' + query, -1);
        return new PageLinks(page < last ? String.join(Long.toString(page + 1), around) : null,
                page > 1 ? String.join(Long.toString(page - 1), around) : null, String.join("1", around),
                String.join(Long.toString(last), around), String.join(Long.toString(page), around));
    }

    /**
     * The links of this page and of other pages by link relation, in the order of the pages.
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

    /** The header with a link to another address, which is left out of a header that would be too long. */
    public String headerWith(String link) {
        String header = header("self");
        return header != null && fits(header + ", " + link) ? header + ", " + link : header;
    }

    /** The header without the next page: Firefox would fetch it, which the Content-Security-Policy of a page refuses. */
    public String headerOfPage() {
        return header("self", "next");
    }

    /** Whether a value of the {@code Link} header is short enough for proxies. */
    public static boolean fits(String header) {
        return header.length() <= MAX_HEADER_LENGTH;
    }

    /**
     * The links to other pages as the value of the {@code Link} header (RFC 8288). It is null if it would be longer than
     * {@value #MAX_HEADER_LENGTH} bytes: proxies answer 502 to a response with headers that exceed their buffer. The body has
     * the links.
     */
    private String header(String... without) {
        StringBuilder header = new StringBuilder(512);
        relations().forEach((relation, link) -> {
            if (!List.of(without).contains(relation)) {
                header.append(header.isEmpty() ? "<" : ", <").append(link).append(">; rel=\"").append(relation)
                        .append('"');
            }
        });
        return fits(header.toString()) ? header.toString() : null;
    }

    /** The number of the last page. An empty list has one empty page. */
    public static long lastPage(long count, int pageSize) {
        return Math.max(1, (count + pageSize - 1) / pageSize);
    }
}
