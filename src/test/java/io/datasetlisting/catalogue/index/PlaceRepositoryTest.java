package io.datasetlisting.catalogue.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** Tests which pages in an order of texts PostgreSQL is asked for. */
@QuarkusTest
class PlaceRepositoryTest {

    private static final Caller ADMIN = new Caller(0L, "admin", 0L, Right.ADMIN, 1L);
    private static final String LISTED = "from dataset where not is_deleted and coordinates is not null";
    private static final int PAGE_SIZE = 100;

    @Inject
    Catalogue catalogue;
    @Inject
    ColumnRepository columns;
    @Inject
    TableRepository table;
    @Inject
    PlaceRepository places;

    private final AtomicInteger executed = new AtomicInteger();

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(1_200));
        fold();
    }

    private void fold() {
        catalogue.awaitThat("not exists (select from listing_change)");
    }

    /** The ids of a page by name, without an order. */
    private List<Long> page(long offset, boolean descending) {
        return columns.read(new SnapshotQuery<>(
                SnapshotRequest.of(ADMIN, Expression.ALL, Set.of(Column.IDS), List.of(offset, descending)),
                snapshot -> table.find(snapshot, Expression.ALL, null), (statements, found) -> {
                    StatementRunner counting = (sql, values) -> {
                        executed.incrementAndGet();
                        return statements.execute(sql, values);
                    };
                    return places.page(counting, found, "dataset_name", descending, offset, PAGE_SIZE);
                })).map(ids -> Arrays.stream(ids).sorted().boxed().toList()).await().indefinitely();
    }

    /** Compares all pages in both directions with the table, and returns how many statements the pages have needed. */
    private int compareAll() {
        executed.set(0);
        for (boolean descending : new boolean[]{false, true}) {
            String direction = descending ? " desc" : "";
            List<Long> all = catalogue
                    .sql("select id " + LISTED + " order by dataset_name" + direction + ", id" + direction)
                    .stream().map(row -> row.getLong(0)).toList();
            for (int from = 0; from < all.size(); from += PAGE_SIZE) {
                assertEquals(all.subList(from, Math.min(from + PAGE_SIZE, all.size())).stream().sorted().toList(),
                        page(from, descending), "from " + from + direction);
            }
        }
        return executed.get();
    }

    /** Once in a while all datasets are read again. */
    private void assertNoStatement() {
        assertEquals(0, Math.min(compareAll(), compareAll()));
    }

    @Test
    void aPageWhoseStretchesDidNotChangeNeedsNoStatement() {
        compareAll();
        assertNoStatement();
    }

    @Test
    void aStretchIsSortedOnceAfterItHasChanged() {
        compareAll();
        List<Long> some = catalogue.sql("select id " + LISTED + " order by dataset_name, id offset 298 limit 5")
                .stream()
                .map(row -> row.getLong(0)).toList();
        // The dataset moves to the next page, in its stretch.
        catalogue.sql("update dataset set dataset_name = (select dataset_name from dataset where id = " + some.get(4)
                + ") || ' again' where id = " + some.get(0));
        fold();
        int first = compareAll();
        assertTrue(first > 0 && first < 8, first + " statements");
        assertNoStatement();
        catalogue.sql("update dataset set is_deleted = true where id = " + some.get(2));
        fold();
        compareAll();
        catalogue.sql("update dataset set is_deleted = false, dataset_name = 'zzz' where id = " + some.get(2));
        fold();
        compareAll();
        assertNoStatement();
    }
}
