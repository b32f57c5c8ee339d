package io.datasetlisting.catalogue.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Tests which pages in an order of texts PostgreSQL is asked for. */
@QuarkusTest
class PlaceRepositoryTest {

    private static final Caller ADMIN = new Caller(0L, "admin", 0L, Right.ADMIN, 1L);
    private static final String LISTED = "from dataset where not is_deleted and coordinates is not null";
    private static final int PAGE_SIZE = 100;
    /** Columns whose order no other test reads. */
    private static final String UNREAD = "latest_adjustment_id";
    private static final String FAILING = "created_at";
    private static final String OTHER = "owner_id";
    private static final String WAIT = "select pg_advisory_xact_lock_shared(46)";
    /** A read that waits. */
    private static final String WAITING = " from " + Catalogue.OTHERS + " and wait_event_type = 'Lock' and query = '"
            + WAIT + "'";

    @Inject
    Catalogue catalogue;
    @Inject
    ColumnRepository columns;
    @Inject
    TableRepository table;
    @Inject
    PlaceRepository places;

    private final AtomicInteger executed = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();

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
        return page("dataset_name", offset, descending).await().indefinitely();
    }

    /** Null if the order is not in memory, and is not read now. */
    private Uni<List<Long>> page(String column, long offset, boolean descending) {
        return columns.read(new SnapshotQuery<>(
                SnapshotRequest.of(ADMIN, Expression.ALL, Set.of(Column.IDS), List.of(column, offset, descending)),
                snapshot -> table.find(snapshot, Expression.ALL, null),
                (statements, found) -> places.page(new Counting(statements), found, column, descending, offset,
                        PAGE_SIZE)))
                .map(ids -> ids == null ? null : Arrays.stream(ids).sorted().boxed().toList());
    }

    /** Counts the statements. The read of an order waits while the test has a lock. */
    private final class Counting implements StatementRunner {

        private final StatementRunner statements;

        Counting(StatementRunner statements) {
            this.statements = statements;
        }

        @Override
        public Uni<RowSet<Row>> execute(String sql, Tuple values) {
            executed.incrementAndGet();
            if (!sql.startsWith("declare")) {
                return statements.execute(sql, values);
            }
            reads.incrementAndGet();
            return statements.execute(WAIT, Tuple.tuple()).chain(() -> statements.execute(sql, values));
        }

        @Override
        public <T> Uni<T> runToEnd(Supplier<Uni<T>> work) {
            return statements.runToEnd(work);
        }
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

    /** Does something while PostgreSQL executes a statement of a request that reads an order. */
    private void whileRead(String column, Consumer<Cancellable> work) {
        catalogue.during("select pg_advisory_xact_lock(46)", () -> {
            Cancellable request = page(column, 0, false).subscribe().with(ids -> {
            }, failure -> {
            });
            catalogue.awaitThat("exists (select" + WAITING + ")");
            work.accept(request);
        });
    }

    @Test
    void anOrderIsReadToItsEndWhenItsRequestHasEnded() {
        whileRead(UNREAD, Cancellable::cancel);
        Patience.await("the order is in memory").until(() -> page(UNREAD, 0, true).await().indefinitely() != null);
        executed.set(0);
        assertEquals(catalogue.sql("select id " + LISTED + " order by " + UNREAD + ", id offset 700 limit " + PAGE_SIZE)
                .stream().map(row -> row.getLong(0)).sorted().toList(),
                page(UNREAD, 700, false).await().indefinitely());
        assertEquals(0, executed.get());
        assertEquals(1, reads.get());
        catalogue.awaitNoTransaction();
    }

    @Test
    void afterAFailureAnotherOrderIsReadAtOnceAndTheSameOneLater() {
        whileRead(FAILING, request -> catalogue.sql("select pg_terminate_backend(pid)" + WAITING));
        Patience.await("the read has ended").until(() -> page(OTHER, 0, true).await().indefinitely() != null);
        executed.set(0);
        assertNull(page(FAILING, 0, true).await().indefinitely());
        assertEquals(0, executed.get());
        catalogue.awaitNoTransaction();
    }
}
