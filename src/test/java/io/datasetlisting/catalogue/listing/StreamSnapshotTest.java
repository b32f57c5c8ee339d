package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Tests that a stream of datasets is of one snapshot. */
@QuarkusTest
class StreamSnapshotTest {

    private static final int DATASETS = 400;

    @Inject
    Catalogue catalogue;
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

    /** Lists that wait for slow clients take no more memory when datasets have many bands. */
    @Test
    void longDatasetsAreReadFewAtATime() {
        catalogue.replaceWith(Catalogue.plain(300));
        assertEquals(List.of(50, 200, 50), sizes());
        catalogue.sql(
                "update dataset set band_stats = jsonb_set(band_stats, '{dsm}', jsonb_build_object('b1', repeat('x', 50000)))");
        List<Integer> sizes = sizes();
        assertEquals(50, sizes.get(0));
        assertEquals(Set.of(7, 9), Set.copyOf(sizes.subList(1, sizes.size())), sizes::toString);
        assertEquals(300, sizes.stream().mapToInt(size -> size).sum());
    }

    private List<Integer> sizes() {
        return streams.stream(query(""), Caller.ANONYMOUS, Set.of()).map(List::size).collect().asList().await()
                .indefinitely();
    }

    private Uni<List<Long>> ids(ListingQuery query) {
        return streams.stream(query, Caller.ANONYMOUS, Set.of()).onItem().<DatasetView>disjoint().map(DatasetView::id)
                .collect().asList();
    }
}
