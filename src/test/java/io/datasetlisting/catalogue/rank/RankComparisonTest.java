package io.datasetlisting.catalogue.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.AssertionFailedError;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.mutiny.sqlclient.Pool;

/**
 * Tests that {@code wrong_ranks()} and comparisons of pages detect wrong ranks, and that {@code rebuild_ranks()}
 * repairs them.
 */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class RankComparisonTest {

    private static final int PAGES = 20;

    @Inject
    Catalogue catalogue;
    @Inject
    Pool pool;

    @BeforeEach
    void createBlocks() {
        catalogue.replaceWith(Catalogue.plain(2_000));
        rebuild();
    }

    @AfterEach
    void repair() {
        rebuild();
        assertEquals(0, catalogue.sql("select * from wrong_ranks()").size());
        comparePages();
    }

    private void rebuild() {
        catalogue.sql("call rebuild_ranks()");
    }

    private void comparePages() {
        new RankComparison(pool, RandomTests.seed()).all(PAGES);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // The starts are too large by one from the second block on.
            "update rank_section_workspace set starts = (select array_agg(start + (i > 1)::int order by i) "
                    + "from unnest(starts) with ordinality block (start, i))",
            "update rank set total = total - 1 where field = 'id'",
            // A trigger is missing.
            "alter table dataset disable trigger dataset_updates_are_recorded; "
                    + "update dataset set is_deleted = true where id < 900",
            "alter table dataset disable trigger dataset_deletes_are_recorded; delete from dataset where id < 900",
            "alter table dataset disable trigger dataset_inserts_are_recorded; insert into dataset "
                    + "(owner_id, owner_name, workspace, category, coordinates) values (7, 'Ada van Dyk', 1, '{Other}', '{1,"
                    + " 2}')",
            // A fold does not delete its pending changes.
            "update dataset set is_deleted = true where id < 900; "
                    + "do $$ begin perform fill_rank(field) from rank; end $$",
            // A fold deletes pending changes that it has not folded.
            "update dataset set is_deleted = true where id < 900; delete from listing_change"})
    @Tag(NightlySuite.TAG)
    void wrongRanksAreDetected(String mistake) {
        catalogue.sql(mistake);
        assertFalse(catalogue.sql("select * from wrong_ranks()").isEmpty());
        assertThrows(AssertionFailedError.class, this::comparePages);
    }
}
