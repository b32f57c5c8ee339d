package io.datasetlisting.catalogue.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Tests what PostgreSQL is asked for the words of a search when many datasets have changed. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class MatchTest {

    private static final Expression WORDS = new Expression.Words("dataset");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int DATASETS = 3_000;
    private static final int NEW = 600;

    @Inject
    Catalogue catalogue;
    @Inject
    StateRepository states;
    @Inject
    SnapshotRepository snapshots;
    @Inject
    Reads reads;
    @Inject
    Pool pool;

    /** A statement that looks for words, with its values. */
    private record Search(String sql, List<Object> values) {
    }

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(DATASETS + NEW));
        catalogue.sql("update dataset set is_deleted = true where id > " + 3 * DATASETS);
        catalogue.fold();
        assertEquals(1, count(DATASETS).size());
        assertEquals(0, count(DATASETS).size());
    }

    /** Other tests of this profile expect folded changes of their own. */
    @AfterEach
    void emptyTheCatalogue() {
        catalogue.replaceWith();
    }

    /** The index of words names all datasets with a word, and reading these takes long in a large catalogue. */
    @Test
    void afterManyNewDatasetsOnlyTheirRangeIsSearched() {
        catalogue.sql("update dataset set is_deleted = false where is_deleted");
        catalogue.fold();
        Search search = count(DATASETS + NEW).get(0);
        // The last part before them gains datasets, too.
        List<Object> range = search.values.subList(search.values.size() - 2, search.values.size());
        long last = catalogue.sql("select max(first_id) from listing_part where first_id <= " + 3 * DATASETS).get(0)
                .getLong(0);
        assertEquals(List.of(last, Long.MAX_VALUE), range, search.sql);
        assertEquals(List.of(), count(DATASETS + NEW));
    }

    @Test
    void manyPendingChangesAreSearchedOnce() {
        catalogue.sql("update dataset set dataset_name = 'Other' where id % 2 = 0");
        assertEquals(1, count(DATASETS / 2).size());
        assertEquals(List.of(), count(DATASETS / 2));
        catalogue.sql("update dataset set dataset_name = 'Other' where id = 3");
        assertEquals(1, count(DATASETS / 2 - 1).size());
        assertEquals(List.of(), count(DATASETS / 2 - 1));
        catalogue.fold();
        assertEquals(1, count(DATASETS / 2 - 1).size());
    }

    /** Half of the datasets become private in one statement, which is more than a search asks for one by one. */
    @Test
    void aChangeOfVisibilityAsksForNoWords() {
        catalogue.sql("update dataset set is_private = true where id % 2 = 0");
        assertEquals(List.of(), count(DATASETS / 2));
        catalogue.fold();
        assertEquals(List.of(), count(DATASETS / 2));
        catalogue.sql("update dataset set is_private = false where id % 2 = 0");
        catalogue.sql("update dataset set is_private = false, dataset_name = 'Other' where id = 6");
        assertEquals(1, count(DATASETS - 1).size());
        catalogue.fold();
        assertEquals(1, count(DATASETS - 1).size());
        assertEquals(List.of(), count(DATASETS - 1));
    }

    @Test
    void aDatasetThatReturnsMayHaveAnotherName() {
        catalogue.sql("update dataset set is_deleted = true where id in (3, 6)");
        catalogue.fold();
        catalogue.sql("update dataset set dataset_name = 'Other' where id = 3");
        catalogue.sql("update dataset set is_deleted = false where id in (3, 6)");
        assertEquals(1, count(DATASETS - 1).size());
        catalogue.fold();
        assertEquals(1, count(DATASETS - 1).size());
        assertEquals(List.of(), count(DATASETS - 1));
    }

    /** Counts the datasets in a new snapshot, and returns the statements that have looked for words. */
    private List<Search> count(long expected) {
        List<Search> searches = new ArrayList<>();
        SqlConnection connection = await(pool.getConnection());
        try {
            await(connection.query("begin isolation level repeatable read, read only").execute());
            StatementRunner statements = (sql, values) -> {
                if (sql.contains("search_words")) {
                    List<Object> all = new ArrayList<>();
                    for (int i = 0; i < values.size(); i++) {
                        all.add(values.getValue(i));
                    }
                    searches.add(new Search(sql, all));
                }
                return connection.preparedQuery(sql).execute(values);
            };
            SnapshotRequest request = SnapshotRequest.of(Caller.ANONYMOUS, WORDS, Set.of(Column.IDS), "count");
            Snapshot snapshot = await(states.readLong(reads.primary(), statements, Stream.of(request))
                    .chain(state -> snapshots.read(state, statements, request)));
            assertEquals(expected, snapshot.select(WORDS).count());
        } finally {
            await(connection.query("rollback").execute());
            await(connection.close());
        }
        return searches;
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }
}
