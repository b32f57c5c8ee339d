package io.datasetlisting.http.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.PercentEncoding;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Tests how {@link ListRequest} reads the page, the page size and the ordering. */
class ListRequestTest {

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"p", "p=", "p=7&p=", "q=1"})
    void withoutAPageItIsTheFirstPage(String query) {
        assertEquals(1, Pages.request(query).page());
    }

    @ParameterizedTest
    @CsvSource({"p=1, 1", "p=505, 505", "p=2&p=3, 3", "p=abc&p=3, 3", "p=%2B2, 2", "p=007, 7", "p=+7+, 7",
            "p=000000000000000000000000000042, 42", "p=999999999999999, 999999999999999", "p=%32, 2"})
    void aPageIsRequestedByNumber(String query, long page) {
        assertEquals(page, Pages.request(query).page());
    }

    @ParameterizedTest
    @CsvSource({"page=2, 2", "page=, 1", "p=3&page=2, 3", "page=2&p=3, 3", "p=&page=2, 1", "page=abc&page=7, 7",
            "page=last, -1"})
    void withoutTheParameterOfThePageTheNameOfRestFrameworkCounts(String query, long page) {
        assertEquals(page, Pages.request(query).page());
    }

    @ParameterizedTest
    @ValueSource(strings = {"page=0", "page=-1", "page=abc", "page=1.0"})
    void anInvalidPageOfRestFrameworkIsNotFound(String query) {
        assertNotFound("Invalid page.", query);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p=last", "p=1&p=last", "p=l%61st"})
    void theLastPageIsRequestedByName(String query) {
        assertEquals(ListRequest.LAST_PAGE, Pages.request(query).page());
    }

    @ParameterizedTest
    @ValueSource(strings = {"p=0", "p=00", "p=%2B0", "p=-0", "p=-1", "p=abc", "p=1.0", "p=1e3", "p=0x1", "p=%2B",
            "p=%2B%2B1", "p=-%2B1", "p=1+2", "p=1,2", "p=LAST", "p=last+", "p=null", "p=+", "p=%00", "p=1%00", "p=%001",
            "p=2&p=0", "p=%D9%A1", "p=%E4", "p=9223372036854775807", "p=9223372036854775808",
            "p=18446744073709551617", "p=123456789012345678901234567890"})
    void anInvalidPageIsNotFound(String query) {
        assertNotFound("Invalid page.", query);
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"page_size", "page_size=", "page_size=0", "page_size=000", "page_size=-1",
            "page_size=-100", "page_size=abc", "page_size=1.0", "page_size=10%00", "page_size=%2B",
            "page_size=50&page_size=", "page_size=last"})
    void aMissingOrInvalidPageSizeIsTheDefault(String query) {
        assertEquals(15, Pages.request(query).pageSize());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "15, 15", "99, 99", "100, 100", "101, 100", "007, 7", "%2B2, 2", "+3+, 3",
            "2147483648, 100", "4294967297, 100", "18446744073709551617, 100", "123456789012345678901234567890, 100"})
    void aPageSizeIsLimitedToTheMaximum(String text, int pageSize) {
        assertEquals(pageSize, Pages.request("page_size=" + text).pageSize());
    }

    @Test
    void theLastOfRepeatedPageSizesCounts() {
        assertEquals(4, Pages.request("page_size=3&page_size=4").pageSize());
    }

    @Test
    void theSizesAreConfigurable() {
        PagingConfig config = new Pages.Sizes(20, 500);

        assertEquals(20, Pages.request(null, config).pageSize());
        assertEquals(500, Pages.request("page_size=501", config).pageSize());
    }

    @Test
    void theOrderingIsReadFromTheQuery() {
        assertEquals(List.of(new Ordering.Key("dataset_name", true), new Ordering.Key("id", true)),
                Pages.request("ordering=workspace&ordering=-dataset_name").ordering().keys());
    }

    @Test
    void theWholeQueryIsKept() {
        assertEquals("ordering=nothing&p=2&page_size=1000&unknown=",
                Pages.request("p=2&page_size=1000&ordering=nothing&unknown").query().toString());
    }

    @Property
    void everyNumberOfUpToFifteenDigitsIsAPage(@ForAll @LongRange(min = 1, max = 999_999_999_999_999L) long page) {
        assertEquals(page, Pages.request("p=" + page).page());
    }

    @Property
    void everyPageSizeIsBetweenOneAndTheMaximum(@ForAll int pageSize) {
        int expected = pageSize < 1 ? 15 : Math.min(pageSize, 100);

        assertEquals(expected, Pages.request("page_size=" + pageSize).pageSize());
    }

    @Property
    void anyTextIsAcceptedOrNotFound(@ForAll String text, @ForAll @IntRange(min = 1, max = 3) int times) {
        String encoded = PercentEncoding.form(text);
        try {
            Pages.request(("p=" + encoded + "&page_size=" + encoded + "&ordering=" + encoded + "&").repeat(times));
        } catch (ApiException e) {
            assertEquals(404, e.status());
        }
    }

    private static void assertNotFound(String detail, String query) {
        ApiException thrown = assertThrows(ApiException.class, () -> Pages.request(query));
        assertEquals(404, thrown.status());
        assertEquals(detail, thrown.getMessage());
    }
}
