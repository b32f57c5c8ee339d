package io.datasetlisting.paging;

import java.util.Set;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.input.QueryString;

/**
 * What a client asks of the listing.
 *
 * @param query
 *            the whole query, which the links repeat
 * @param page
 *            the page's number from 1, or {@link #LAST_PAGE}
 * @param pageSize
 *            datasets on a page, 1 to the configured maximum
 * @param ordering
 *            the order that pages follow
 */
public record ListRequest(QueryString query, long page, int pageSize, Ordering ordering) {

    /** Stands for the last page, whichever number that has. */
    public static final long LAST_PAGE = -1;

    /** Longer numbers than this have no page and overflow nothing. */
    private static final int MAX_DIGITS = 15;

    /**
     * @throws ApiException
     *             404 when {@code p} can't be a page's number
     */
    public static ListRequest parse(QueryString query, PagingConfig config, Set<String> sortable) {
        return new ListRequest(query, page(query.get("p")), pageSize(query.get("page_size"), config),
                Ordering.parse(query.get("ordering"), sortable));
    }

    /** As above, for an answer that has no pages: {@code p} and {@code page_size} mean nothing. */
    public static ListRequest parseOrder(QueryString query, PagingConfig config, Set<String> sortable) {
        return parse(query.with("p", "").with("page_size", ""), config, sortable);
    }

    /** As above, for a listing that has one order alone. */
    public static ListRequest parse(QueryString query, PagingConfig config) {
        return parse(query, config, Set.of());
    }

    /**
     * The number of the page from 0, for a reader that counts first.
     *
     * @throws ApiException
     *             404 when it is not among the pages
     */
    public int pageIndex(long count) {
        long last = PageLinks.lastPage(count, pageSize);
        if (page > last) {
            throw invalidPage();
        }
        return Math.toIntExact((page == LAST_PAGE ? last : page) - 1);
    }

    /** The 404 of a page that is not there. */
    public static ApiException invalidPage() {
        return new ApiException(404, "Invalid page.");
    }

    private static long page(String text) {
        if (text == null || text.isEmpty()) {
            return 1;
        }
        if (text.equals("last")) {
            return LAST_PAGE;
        }
        String digits = digits(text);
        if (digits == null || digits.isEmpty() || digits.length() > MAX_DIGITS) {
            throw invalidPage();
        }
        return Long.parseLong(digits);
    }

    private static int pageSize(String text, PagingConfig config) {
        String digits = text == null ? null : digits(text);
        if (digits == null || digits.isEmpty()) {
            return config.defaultPageSize();
        }
        return digits.length() > MAX_DIGITS
                ? config.maxPageSize()
                : (int) Math.min(Long.parseLong(digits), config.maxPageSize());
    }

    /** The digits of a whole number without leading zeros, empty for zero, or null when the text is no such number. */
    private static String digits(String text) {
        String number = text.strip();
        int start = number.startsWith("+") ? 1 : 0;
        if (start == number.length()) {
            return null;
        }
        int firstNonZero = -1;
        for (int i = start; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c < '0' || c > '9') {
                return null;
            }
            if (firstNonZero < 0 && c != '0') {
                firstNonZero = i;
            }
        }
        return firstNonZero < 0 ? "" : number.substring(firstNonZero);
    }
}
