package io.datasetlisting.http.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.http.input.QueryString;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

/** Tests the links to the next and to the previous page. */
class PageLinksTest {

    @Test
    void aPageInTheMiddleHasBothNeighbours() {
        assertLinks("?p=4&page_size=15", "?p=2&page_size=15", Pages.links("p=3", 7_570));
    }

    @Test
    void aRequestWithTheNameOfRestFrameworkHasLinksWithBothNames() {
        assertLinks("?p=4&p1=x&page=4&page_size=15", "?p=2&p1=x&page=2&page_size=15",
                Pages.links("page=3&p1=x", 7_570));
        assertLinks("?p=4&page=4&page_size=15", "?p=2&page=2&page_size=15", Pages.links("p=3&page=7&page=8", 7_570));
    }

    @Test
    void theFirstPageHasNoPrevious() {
        assertLinks("?p=2&page_size=15", null, Pages.links(null, 16));
    }

    @Test
    void theSecondPageLinksToPageOneByNumber() {
        assertLinks(null, "?p=1&page_size=15", Pages.links("p=2", 16));
    }

    @ParameterizedTest
    @CsvSource({"p=2, 16", "p=2, 30", "p=last, 30", "p=3, 31", "p=last, 31"})
    void theLastPageHasNoNext(String query, long count) {
        assertNull(Pages.links(query, count).next());
    }

    @Test
    void theLastPageByNameLinksToThePreviousPageByNumber() {
        assertLinks(null, "?p=504&page_size=15", Pages.links("p=last", 7_570));
    }

    @ParameterizedTest
    @CsvSource({"0, ''", "0, p=1", "0, p=last", "1, ''", "15, p=last"})
    void aSinglePageHasNoNeighbours(long count, String query) {
        assertLinks(null, null, Pages.links(query, count));
    }

    @Test
    void theRequestsParametersAreRepeatedInSortedOrder() {
        assertLinks("?format=api&ordering=dataset_name&p=3&page_size=15&unknown=a+b&unknown=c%2Cd&unset=",
                "?format=api&ordering=dataset_name&p=1&page_size=15&unknown=a+b&unknown=c%2Cd&unset=",
                Pages.links("unset&unknown=a%20b&ordering=dataset_name&unknown=c,d&format=api&p=2", 100));
    }

    @Test
    void theEffectivePageSizeReplacesTheRequestedOne() {
        assertLinks("?p=2&page_size=100", null, Pages.links("page_size=5000", 1_000));
        assertLinks("?p=2&page_size=15", null, Pages.links("page_size=abc&page_size=", 1_000));
    }

    @Test
    void theLargestNumbersDoNotOverflow() {
        assertEquals(Long.MAX_VALUE / 100, PageLinks.lastPage(Long.MAX_VALUE - 100, 100));
    }

    @ParameterizedTest
    @CsvSource({"0, 15, 1", "1, 15, 1", "15, 15, 1", "16, 15, 2", "7280, 15, 486", "7570, 15, 505", "100, 1, 100"})
    void thePagesAreTheCountDividedByThePageSizeRoundedUp(long count, int pageSize, long pages) {
        assertEquals(pages, PageLinks.lastPage(count, pageSize));
    }

    @Property(tries = 300)
    void nextVisitsEveryPageOnceAndPreviousIsTheReverse(@ForAll @IntRange(max = 600) int count,
            @ForAll @IntRange(min = 1, max = 40) int pageSize) {
        List<Long> expected = LongStream.rangeClosed(1, Math.max(1, (int) Math.ceil((double) count / pageSize))).boxed()
                .toList();

        List<Long> forwards = walk("page_size=" + pageSize, count, PageLinks::next);
        List<Long> backwards = walk("p=last&page_size=" + pageSize, count, PageLinks::previous);

        assertEquals(expected, forwards);
        Collections.reverse(backwards);
        assertEquals(expected, backwards);
    }

    @Property
    void everyLinkHasTheOtherParametersOfTheRequest(@ForAll @AlphaChars @StringLength(max = 8) String name,
            @ForAll @Chars({'a', ' ', '+', '%', '&', '=', '/', 'ü', '河'}) @StringLength(max = 12) String value) {
        String parameter = QueryString.parse(null).with("x_" + name, value).toString();

        PageLinks links = Pages.links(parameter + "&p=2", 45);

        for (String link : List.of(links.next(), links.previous())) {
            QueryString query = QueryString.parse(Pages.query(link));
            assertEquals(value, query.get("x_" + name));
            assertEquals("15", query.get("page_size"));
            assertNotNull(query.get("p"));
        }
    }

    /** The page numbers of a walk along the links, as the request of each page has them. */
    private static List<Long> walk(String query, long count, Function<PageLinks, String> step) {
        List<Long> pages = new ArrayList<>();
        for (String at = query; at != null;) {
            ListRequest request = Pages.request(at);
            pages.add(request.page() == ListRequest.LAST_PAGE
                    ? PageLinks.lastPage(count, request.pageSize())
                    : request.page());
            String link = step.apply(PageLinks.of(request, Pages.URL, count));
            at = link == null ? null : Pages.query(link);
        }
        return pages;
    }

    private static void assertLinks(String next, String previous, PageLinks links) {
        assertEquals(url(next), links.next());
        assertEquals(url(previous), links.previous());
    }

    private static String url(String query) {
        return query == null ? null : Pages.URL + query;
    }
}
