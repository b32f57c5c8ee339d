package io.datasetlisting.catalogue.cache;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests that the caches stay within their memory limit for any number and any length of URLs. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(NoFoldsSmallCaches.class)
class CacheMemoryTest {

    private static final int LIMIT = 1 << 20;
    private static final int DATASETS = 300;
    /** In HTTP/2 the cache keeps no compressed body. */
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String LONG_KEY = "ü/".repeat(1_500);

    @Inject
    Catalogue catalogue;
    @Inject
    PageCache pages;
    @Inject
    DatasetJsonCache datasetJson;

    @TestHTTPResource("/api/dataset/")
    URI listing;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(LongStream.range(0, DATASETS).mapToObj(id -> dataset(id, d -> {
            d.thumbnailKey = LONG_KEY + id;
        })).toList());
        // Folds the pending changes, because every page would read them.
        catalogue.fold();
        pages.entries().clear();
        datasetJson.entries().clear();
    }

    private static long bytes(String... strings) {
        return Stream.of(strings).mapToLong(text -> text == null ? 0 : text.length()).sum();
    }

    private long bytesOfPages() {
        return pages.entries().entrySet().stream().mapToLong(entry -> {
            PageCache.Key key = entry.getKey();
            PageCache.Answer answer = entry.getValue();
            return bytes(key.url(), key.query(), key.mediaType(), answer.link(), answer.links(), answer.type())
                    + answer.body().length() + answer.compressed().length();
        }).sum();
    }

    private static void assertWithinLimit(LongSupplier bytes) {
        long cached = bytes.getAsLong();
        assertTrue(cached <= LIMIT, () -> cached + " bytes are cached");
    }

    /** Sends the request twice, so that a compressed body is cached as well. */
    private void getTwice(String query, String encoding) {
        for (int i = 0; i < 2; i++) {
            get(query, encoding);
        }
    }

    /** Uses the JDK's client, because REST Assured takes several times as long. */
    private void get(String query, String encoding) {
        HttpResponse<Void> answer = CLIENT.sendAsync(HttpRequest.newBuilder(listing.resolve(query))
                .header("Accept-Encoding", encoding).build(), BodyHandlers.discarding()).join();
        assertEquals(200, answer.statusCode());
    }

    /** More URLs than a cache of one mebibyte can hold. */
    @ParameterizedTest
    @CsvSource({"700, 600", "3000, 300"})
    void pagesOfManyUrlsStayWithinTheMemoryLimit(int length, int urls) {
        for (int i = 0; i < urls; i++) {
            getTwice("?fields=id&page_size=1&unknown=" + i + "x".repeat(length), "identity");
            if (i % 100 == 0) {
                assertWithinLimit(this::bytesOfPages);
            }
        }
        assertWithinLimit(this::bytesOfPages);
        assertFalse(pages.entries().isEmpty());
        assertTrue(pages.entries().size() < urls, "all pages fit into the cache");
    }

    @Test
    void theWeightOfAPageIncludesABodyThatIsCompressedLater() {
        String[] queries = IntStream.range(0, 250).mapToObj(i -> "?fields=id,uav_uid&page_size=100&unknown=" + i)
                .toArray(String[]::new);
        for (String query : queries) {
            get(query, "identity");
        }
        for (String query : queries) {
            getTwice(query, "gzip");
        }
        assertWithinLimit(this::bytesOfPages);
        assertTrue(pages.entries().values().stream().anyMatch(answer -> answer.compressed().length() > 0));
        assertEquals(
                pages.entries().entrySet().stream().mapToLong(page -> PageCache.weight(page.getKey(), page.getValue()))
                        .sum(),
                pages.weight());
    }

    @Test
    void pagesWithVeryLongUrlsAreNotCached() {
        for (int i = 0; i < 20; i++) {
            getTwice("?fields=id&page_size=1&unknown=" + i + "x".repeat(6_000), "gzip");
        }
        assertTrue(pages.entries().isEmpty());
    }

    /** Percent-encoding makes the key much longer in the link. */
    @Test
    void datasetsWithLongThumbnailKeysStayWithinTheMemoryLimit() {
        assertEquals(DATASETS, Listing.page("?page_size=100").idsToTheEnd().size());
        assertWithinLimit(() -> datasetJson.entries().values().stream().mapToLong(DatasetJsonCache.Entry::size).sum());
        assertFalse(datasetJson.entries().isEmpty());
    }
}
