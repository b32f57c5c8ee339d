package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Listing.PATH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Tests that a client that follows the links reads each earlier dataset exactly once while datasets are added at the
 * end.
 */
@QuarkusTest
class GrowingListingTest {

    private static final int DATASETS = 2_400;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI root;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger added = new AtomicInteger();

    @ParameterizedTest
    @Tag(NightlySuite.TAG)
    @ValueSource(strings = {"id", "dataset_name", "captured_date"})
    void noDatasetIsMissedOrRepeatedWhileTheListingGrows(String ordering) {
        catalogue.replaceWith(Catalogue.plain(DATASETS));
        List<Long> before = catalogue.sql("select id from dataset order by " + ordering + ", id").stream()
                .map(row -> row.getLong(0)).toList();
        Api admin = new Api(root.toString().replaceAll("/$", ""), "test-admin-token");
        PageOfDatasets first = Listing.page("?page_size=60&ordering=" + ordering);
        CompletableFuture<Void> growth = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                addDatasetThatSortsLast(admin);
            }
        });
        List<Long> walked;
        try {
            walked = first.idsToTheEnd();
        } finally {
            over.set(true);
        }
        growth.join();
        assertTrue(added.get() > 0);
        assertEquals(before, walked.subList(0, DATASETS));
        Set<Long> distinct = new HashSet<>(walked);
        assertEquals(walked.size(), distinct.size());
        assertTrue(walked.size() > DATASETS, "the walk has read no added dataset");
    }

    private void addDatasetThatSortsLast(Api admin) {
        int n = added.incrementAndGet();
        Api.json(201, admin.call("POST", PATH, new JsonObject().put("dataset_name", "zzz %09d".formatted(n))
                .put("captured_date", "2199-01-01T00:00:00Z").put("coordinates", new JsonArray().add(1).add(2))));
    }
}
