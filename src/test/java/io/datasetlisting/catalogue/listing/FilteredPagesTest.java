package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.rank.RankComparison;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Tests that the pages of a filter agree with a stream of all matches, with the caller's rights and with one snapshot. */
@QuarkusTest
class FilteredPagesTest {

    private static final int DATASETS = 400;
    private static final Caller ADMIN = new Caller(0L, "admin", 0L, Right.ADMIN, 1L);

    private static final int TURNS = RandomTests.times(30, 100);
    private static final String ROTATE = "update dataset set category ="
            + " case when id %% 5 = %d then '{Rocky}' else '{Forest}' end::text[] %s";

    @Inject
    Catalogue catalogue;
    @Inject
    ListingRepository datasets;
    @Inject
    StreamRepository streams;
    @Inject
    PagingConfig config;
    @Inject
    Reads reads;
    @Inject
    StreamConnections limits;
    @Inject
    MeterRegistry meters;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(DATASETS));
        catalogue.awaitThat("not exists (select from listing_change)");
    }

    private ListingQuery query(String text) {
        return ListingQuery.parse(QueryString.parse(text), config, Views.FIELDS, Caller.ANONYMOUS);
    }

    /** The ids of each page. */
    private List<List<Long>> pages(String text, Caller caller, int size) {
        List<List<Long>> pages = new ArrayList<>();
        for (int page = 1; pages.isEmpty() || pages.get(pages.size() - 1).size() == size; page++) {
            ListingResult result = datasets.listRevisions(query(text + "&page_size=" + size + "&p=" + page), caller)
                    .await()
                    .indefinitely();
            pages.add(result.revisions().stream().map(Revision::id).toList());
        }
        return pages;
    }

    @ParameterizedTest
    @ValueSource(strings = {"category=Rocky", "category=Rocky,Forest&ordering=-dataset_name",
            "in_bbox=-20,-40,60,50", "in_bbox=100,-90,-100,90&ordering=-id", "is_shareable=true&ordering=workspace",
            "ordering=workspace,-captured_date"})
    void allPagesTogetherEqualTheStream(String text) {
        for (Caller caller : List.of(Caller.ANONYMOUS, RankComparison.OWNER, ADMIN)) {
            List<Long> exported = streams.stream(query(text), caller, Set.of()).map(DatasetView::id).collect().asList()
                    .await()
                    .indefinitely();
            List<List<Long>> pages = pages(text, caller, 7);
            assertTrue(pages.size() > 5);
            assertEquals(exported, pages.stream().flatMap(List::stream).toList());
            ListingResult last = datasets.list(query(text + "&page_size=7&p=last"), caller).await().indefinitely();
            assertEquals(exported.size(), last.count());
            assertEquals(exported.subList((exported.size() - 1) / 7 * 7, exported.size()),
                    last.datasets().stream().map(DatasetView::id).toList());
        }
    }

    @Test
    void aPrivateDatasetIsOnlyOnThePagesOfItsOwnerAndAdmins() {
        long hidden = catalogue.sql("select min(id) from dataset where category = '{Rocky}'").get(0).getLong(0);
        catalogue.sql("update dataset set is_private = true where id = " + hidden);
        long ownerId = catalogue.sql("select owner_id from dataset where id = " + hidden).get(0).getLong(0);
        Caller owner = new Caller(ownerId, "owner", 70L, Right.READER, 1L);
        for (Caller caller : List.of(owner, ADMIN, Caller.ANONYMOUS, RankComparison.OWNER)) {
            assertEquals(caller == owner || caller == ADMIN,
                    pages("category=Rocky", caller, 9).get(0).contains(hidden), caller::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"is_deleted = true", "is_private = true", "category = '{Forest}'", "coordinates = null",
            "dataset_name = 'zzz'"})
    void aChangeInTheDatabaseIsVisibleOnTheNextPage(String change) {
        String text = "?category=Rocky&ordering=dataset_name";
        List<Long> before = Listing.page(text + "&page_size=10").idsToTheEnd();
        catalogue.sql("update dataset set %s where id = %d".formatted(change, before.get(0)));
        PageOfDatasets after = Listing.page(text + "&page_size=11");
        assertEquals(before.subList(1, 12), after.ids());
        assertEquals(before.size() - (change.contains("zzz") ? 0 : 1), after.count());
    }

    /** A dataset leaves the polygon before the stream has its connection. */
    @Test
    void aStreamReadsTheSnapshotThatDecidesItsPolygon() {
        ListingQuery query = query("intersects=POLYGON((-170 -80,170 -79,169 80,-170 -80))");
        List<Long> before = ids(query).await().indefinitely();
        assertTrue(before.size() > 10, () -> before.size() + " datasets");
        List<SqlConnection> others = new ArrayList<>();
        CompletableFuture<List<Long>> stream;
        try {
            for (int i = 0; i < limits.maxTransfers() + limits.maxArrays(); i++) {
                others.add(reads.primary().stream().await().indefinitely());
            }
            stream = ids(query).subscribeAsCompletionStage();
            Patience.await("the stream waits for its connection").until(() -> meters.get("sql.pool.queue.size")
                    .tag("pool.name", "primary-streams").gauge().value() == 1);
            catalogue.sql("update dataset set bbox = '{-89,0,-88,1}' where id = " + before.get(0));
        } finally {
            others.forEach(SqlConnection::closeAndAwait);
        }
        assertEquals(before.subList(1, before.size()), stream.join());
    }

    private Uni<List<Long>> ids(ListingQuery query) {
        return streams.stream(query, Caller.ANONYMOUS, Set.of()).map(DatasetView::id).collect().asList();
    }

    /** Each write adds as many matches as it removes, so that the number of matches is the same in every snapshot. */
    @Test
    void eachPageIsReadInOneSnapshotDuringWrites() {
        catalogue.replaceWith(Catalogue.plain(200));
        catalogue.sql(ROTATE.formatted(0, ""));
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int turn = 1; turn <= TURNS; turn++) {
                catalogue.sql(ROTATE.formatted(turn % 5, "where id % 5 in (" + (turn - 1) % 5 + ", " + turn % 5 + ")"));
                catalogue.sql("select pg_sleep(0.03)");
            }
        });
        ListingQuery query = query("category=Rocky&fields=id,category&page_size=50");
        while (!writer.isDone()) {
            ListingResult result = datasets.list(query, Caller.ANONYMOUS).await().indefinitely();
            assertEquals(40, result.count());
            assertEquals(Collections.nCopies(40, List.of("Rocky")),
                    result.datasets().stream().map(view -> List.of((String[]) view.get("category"))).toList());
        }
        writer.join();
    }
}
