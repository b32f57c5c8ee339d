package io.datasetlisting.http.paging;

import java.util.Set;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.QueryString;

/**
 * The page, page size and order that a client requests from a list.
 *
 * @param query
 *            the whole query; links to other pages repeat it
 * @param page
 *            number of the page from 1, or {@link #LAST_PAGE}
 * @param pageSize
 *            items on a page, from 1 to the configured maximum
 * @param ordering
 *            order of the items over all pages
 */
public record ListRequest(QueryString query, long page, int pageSize, Ordering ordering) {

    /** The last page, whatever its number. */
    public static final long LAST_PAGE = -1;

    /** No page has a longer number. Numbers of this length do not overflow. */
    private static final int MAX_DIGITS = 15;

    /**
     * Parses the parameters {@code p}, {@code page_size} and {@code ordering}. Without {@code p} the parameter {@code page}
     * counts, which clients of Django REST Framework send by default.
     *
     * @param sortable
     *            the fields to sort by
     *
     * @throws ApiException
     *             404 if {@code p} or {@code page} cannot be the number of a page
     */
    public static ListRequest parse(QueryString query, PagingConfig config, Set<String> sortable) {
        String page = query.get("p");
        return new ListRequest(query, page(page == null ? query.get("page") : page),
                pageSize(query.get("page_size"), config),
                Ordering.parse(query.get("ordering"), sortable));
    }

    /** Parses the request for a response without pages, which ignores {@code p} and {@code page_size}. */
    public static ListRequest parseOrder(QueryString query, PagingConfig config, Set<String> sortable) {
        return parse(query.with("p", "").with("page_size", ""), config, sortable);
    }

    /** Parses the request for a list that only has the order by id. */
    public static ListRequest parse(QueryString query, PagingConfig config) {
        return parse(query, config, Set.of());
    }

    /** The number of items before the page; null for the last page. */
    public Long offset() {
        return page == LAST_PAGE ? null : (page - 1) * pageSize;
    }

    /** The number of items before the page, of a known number of items on all pages. */
    public long offset(long count) {
        return page == LAST_PAGE ? Math.max(count - 1, 0) / pageSize * pageSize : offset();
    }

    /**
     * The number of the page from 0.
     *
     * @param count
     *            number of items on all pages
     *
     * @throws ApiException
     *             404 if the list has fewer pages
     */
    public int pageIndex(long count) {
        long last = PageLinks.lastPage(count, pageSize);
        if (page > last) {
            throw invalidPage();
        }
        return Math.toIntExact((page == LAST_PAGE ? last : page) - 1);
    }

    /** 404 for a page that does not exist. */
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

    /** The digits of an integer without leading zeros, empty for zero; null if the text is not a nonnegative integer. */
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
