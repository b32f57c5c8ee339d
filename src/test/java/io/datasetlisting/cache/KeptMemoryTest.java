package io.datasetlisting.cache;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** However many addresses are asked for, and however long they are, the caches stay within their memory. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class KeptMemoryTest {

    private static final int LIMIT = 1 << 20;
    private static final int DATASETS = 300;
    /** Of these a cache of a megabyte keeps a part. */
    private static final int ADDRESSES = 1_500;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String LONG_KEY = "ü/".repeat(1_500);

    @Inject
    Catalogue catalogue;
    @Inject
    PageCache pages;
    @Inject
    DatasetJsonCache texts;

    @TestHTTPResource("/api/dataset/")
    URI listing;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(LongStream.range(0, DATASETS).mapToObj(id -> dataset(id, d -> {
            d.thumbnailKey = LONG_KEY + id;
        })).toList());
        // Each page would step over the pending changes.
        catalogue.sql("begin isolation level repeatable read; lock table dataset in access share mode;"
                + " select fold_listing_changes(); commit");
        pages.entries().clear();
        texts.entries().clear();
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

    private static void assertStaysWithin(LongSupplier bytes) {
        long kept = bytes.getAsLong();
        assertTrue(kept <= LIMIT, () -> kept + " bytes are kept");
    }

    /** Twice, so that what is compressed is kept as well. */
    private void ask(String query, String encoding) {
        for (int i = 0; i < 2; i++) {
            get(query, encoding);
        }
    }

    /** REST Assured takes several times as long. */
    private void get(String query, String encoding) {
        HttpResponse<Void> answer = CLIENT.sendAsync(HttpRequest.newBuilder(listing.resolve(query))
                .header("Accept-Encoding", encoding).build(), BodyHandlers.discarding()).join();
        assertEquals(200, answer.statusCode());
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 3_000})
    void pagesOfManyAddressesStayWithinTheirMemory(int length) {
        for (int i = 0; i < ADDRESSES; i++) {
            ask("?fields=id&page_size=1&unknown=" + i + "x".repeat(length), "identity");
            if (i % 100 == 0) {
                assertStaysWithin(this::bytesOfPages);
            }
        }
        assertStaysWithin(this::bytesOfPages);
        assertFalse(pages.entries().isEmpty());
    }

    @Test
    void pagesThatAreCompressedLaterAreWeighedAgain() {
        String[] queries = IntStream.range(0, 600).mapToObj(i -> "?fields=id,uav_uid&page_size=100&unknown=" + i)
                .toArray(String[]::new);
        for (String query : queries) {
            get(query, "identity");
        }
        for (String query : queries) {
            ask(query, "gzip");
        }
        assertStaysWithin(this::bytesOfPages);
        assertTrue(pages.entries().values().stream().anyMatch(answer -> answer.compressed().length() > 0));
        assertEquals(
                pages.entries().entrySet().stream().mapToLong(page -> PageCache.weight(page.getKey(), page.getValue()))
                        .sum(),
                pages.weight());
    }

    @Test
    void noPageIsKeptWhoseAddressIsLongerThanThoseOfPagesAre() {
        for (int i = 0; i < 20; i++) {
            ask("?fields=id&page_size=1&unknown=" + i + "x".repeat(6_000), "gzip");
        }
        assertTrue(pages.entries().isEmpty());
    }

    /** Percent-encoded, the key is much longer in the link. */
    @Test
    void datasetsWithLongThumbnailsStayWithinTheirMemory() {
        assertEquals(DATASETS, Listing.page("?page_size=100").idsToTheEnd().size());
        assertStaysWithin(() -> texts.entries().values().stream().mapToLong(DatasetJsonCache.Entry::size).sum());
        assertFalse(texts.entries().isEmpty());
    }
}
