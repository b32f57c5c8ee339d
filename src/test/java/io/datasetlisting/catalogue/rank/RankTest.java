package io.datasetlisting.catalogue.rank;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;

/** Tests pages by rank at the ends of blocks and sections, before and after pending changes are folded. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(NoFoldsSmallCaches.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RankTest {

    /** In short runs blocks, sections, parts and backlogs have so much smaller sizes: few datasets fill several of them. */
    private static final int LESS = RandomTests.times(16, 1);
    /** Rows of a new block. */
    private static final int BLOCK = 128 / LESS;
    private static final int PAGES = 5;
    private static final int ORDERINGS = RandomTests.times(1, 2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BEGIN = """
            begin isolation level repeatable read; lock table dataset in access share mode""";

    /** The words whose uses are not those of the public names, without what is pending. */
    private static final String WRONG_WORDS = """
            with named as (
                select name, sum(count) as count from (
                    select dataset_name as name, 1 as count from dataset
                    where not is_deleted and not is_private and coordinates is not null
                    union all
                    select dataset_name, -change from listing_change
                    where no >= (select max(pending_from) from rank)) each
                group by name
            )
            select word, expected.uses, known.uses as known
            from (select word, uses from count_words(array(select name from named order by name),
                                                     array(select count from named order by name))) expected
            full join (select word, uses from search_word where uses > 0) known using (word)
            where expected.uses is distinct from known.uses""";

    @Inject
    Catalogue catalogue;
    @Inject
    Pool pool;

    private RankComparison comparison;
    private SmallBlocks blocks;

    @BeforeAll
    void useSmallSizes() {
        blocks = new SmallBlocks(catalogue, LESS);
    }

    @BeforeEach
    void newComparison() {
        comparison = new RankComparison(pool, RandomTests.seed());
    }

    @AfterAll
    void useTheSizesOfTheService() {
        blocks.close();
        catalogue.replaceWith();
        assertRanksAreCorrect();
    }

    /** A number of datasets, or the id of one of them, for blocks of 128 datasets. */
    private static int at(int number) {
        return number / LESS;
    }

    static IntStream sizes() {
        return IntStream.of(0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 4 * BLOCK, 64 * BLOCK, 64 * BLOCK + 1);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void pagesAreCorrectWhereverTheLastBlockEnds(int rows) {
        fill(rows);
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("insert into account (id, username) values (7, 'Ada van Dyk') on conflict do nothing");
        write("insert into dataset (id, owner_id, owner_name, workspace, category, coordinates) "
                + "select 1000000 + i, 7, 'Ada van Dyk', 70, '{Other}', '{1, 2}' from generate_series(1, 3) i");
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("delete from dataset");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void pagesAreCorrectWhenAllDatasetsHaveTheSameValues() {
        fill(at(2_000));
        write("update dataset set dataset_name = 'one', captured_date = '2020-01-01Z', cumulative_adjustment = 0");
        assertRanksAreCorrectBeforeAndAfterAFold();
        rebuild();
        write("update dataset set is_shareable = true, id = id + 1000000 where id % 3 = 0");
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("update dataset set dataset_name = 'another' where id % 2 = 0");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void pagesAreCorrectWhenBlocksAndSectionsBecomeEmptyAndFillAgain() {
        fill(at(17_000));
        rebuild();
        write("update dataset set is_deleted = true where " + between(1_000, 1_900));
        assertRanksAreCorrectBeforeAndAfterAFold();
        // The second section.
        write("update dataset set is_private = true where " + between(8_193, 16_384));
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("update dataset set is_private = false where id % 7 = 0");
        assertRanksAreCorrectBeforeAndAfterAFold();
        for (String range : List.of(between(8_000, 9_500), between(9_501, 11_000), between(1, 1_500),
                between(15_600, 17_000))) {
            write("delete from dataset where " + range);
            assertRanksAreCorrectBeforeAndAfterAFold();
        }
        write("update dataset set id = -id where id % 5 = 0 and id < " + at(9_000));
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    private static String between(int first, int last) {
        return "id between %d and %d".formatted((first - 1) / LESS + 1, at(last));
    }

    @Test
    void pagesAreCorrectWhenDatasetsMoveBeforeTheFirstAndAfterTheLast() {
        fill(at(1_000));
        rebuild();
        write("update dataset set id = id - 9000000, uav_uid = '00000000-0000-0000-0000-000000000000', "
                + "dataset_name = '', captured_date = '0001-01-01Z', cumulative_adjustment = -1e308, workspace = -5 "
                + "where id = 30");
        write("update dataset set id = 9000000000000000000, uav_uid = 'ffffffff-ffff-ffff-ffff-ffffffffffff', "
                + "dataset_name = '\uffff\uffff', captured_date = '9999-12-31Z', cumulative_adjustment = 1e308, "
                + "workspace = 9000000000000000000 where id = 31");
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("update dataset set id = -9223372036854775808 where id = 1");
        assertRanksAreCorrectBeforeAndAfterAFold();
        rebuild();
        write("update dataset set dataset_name = 'x' where id < 0");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void pagesAreCorrectAfterATruncate() {
        fill(at(3_000));
        write("update dataset set dataset_name = 'x' where id < 50");
        write("truncate dataset");
        assertRanksAreCorrect();
        fill(at(700));
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void aTruncateThatIsRolledBackChangesNothing() {
        fill(at(700));
        write("begin; truncate dataset; rollback");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void pagesAreCorrectAfterAnAccountIsRenamed() {
        fill(at(900));
        rebuild();
        write("insert into account (id, username) values (8, 'Bob')");
        write("update dataset set owner_id = 8, owner_name = 'Bob' where id % 3 = 0");
        write("update account set username = 'zoë' where id = 7");
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("update account set username = 'Aaron' where id = 7");
        write("update account set username = 'Ada van Dyk' where id = 8");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void pagesAreCorrectAfterAnUpsert() {
        fill(at(640));
        rebuild();
        write("insert into dataset (id, owner_id, owner_name, workspace, dataset_name, category, coordinates) "
                + "select i, 7, 'Ada van Dyk', 71, 'new', '{Other}', case when i % 5 > 0 then array[1, 2] end "
                + "from generate_series(%d, %d) i on conflict (id) do update set dataset_name = 'new', "
                        .formatted(at(500), at(1_200))
                + "workspace = 71, coordinates = excluded.coordinates");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    /** In the ordering by workspace the private datasets are neighbours. */
    @ParameterizedTest
    @CsvSource({"1, 30", "490, 520", "970, 1000", "1, 1000", "150, 950"})
    void pagesAreCorrectWithPrivateDatasetsAnywhere(int first, int last) {
        fill(at(1_000));
        rebuild();
        write("update dataset set is_private = true where " + between(first, last));
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("update dataset set workspace = id % 10 where is_private");
        assertRanksAreCorrectBeforeAndAfterAFold();
        write("update dataset set is_private = not is_private");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void aPageFarBehindTheLastIsA404() {
        fill(300);
        for (String ordering : List.of("id", "-id", "dataset_name", "-captured_date")) {
            for (String p : List.of("4", "5", "999999999999999")) {
                assertEquals(404, Listing.list("?page_size=100&ordering=" + ordering + "&p=" + p).statusCode());
            }
            assertEquals(100, Listing.page("?page_size=100&ordering=" + ordering + "&p=3").ids().size());
        }
        assertEquals(List.of(3L, 2L, 1L), Listing.page("?page_size=99&ordering=-id&p=last").ids());
    }

    @Test
    void manyPendingChangesRebuildTheSections() {
        fill(at(9_600));
        fold();
        long before = sections();
        write("update dataset set dataset_name = 'name ' || id % 100, workspace = id % 7 where id % 10 > 2");
        assertRanksAreCorrect();
        assertEquals(at(13_440), fold());
        assertTrue(sections() > before + 2, "the sections are not rebuilt");
        assertRanksAreCorrect();
    }

    /** As an import that gives all datasets other names does. */
    @Test
    void manyPendingChangesRebuildNoOrderInWhichNothingMoves() {
        fill(at(9_600));
        fold();
        long names = sections();
        String others = "select array_agg(no order by no)::text from (select no from rank_section_workspace"
                + " union all select no from rank_section_id union all select no from rank_section_captured_date) section";
        String before = catalogue.sql(others).get(0).getString(0);
        write("update dataset set dataset_name = 'name ' || id % 100");
        assertRanksAreCorrect();
        fold();
        assertTrue(sections() > names + 2, "the sections of the names are not rebuilt");
        assertEquals(before, catalogue.sql(others).get(0).getString(0));
        assertRanksAreCorrect();
    }

    /** By workspace all new rows belong to one place, by name to two. */
    @Test
    void aBlockThatGrowsIsSplitWithoutARebuild() {
        fill(at(5_000));
        fold();
        long before = sections();
        for (int i = 1; i <= 6; i++) {
            write("insert into dataset (id, owner_id, owner_name, workspace, dataset_name, category, coordinates)"
                    + " select %d + i, 7, 'Ada van Dyk', 69, 'name ' || i %% 2 || 'b', '{Other}', '{1, 2}'"
                            .formatted(1000 * i)
                    + " from generate_series(10001, %d) i".formatted(10_000 + at(200)));
            assertRanksAreCorrectBeforeAndAfterAFold();
        }
        // Each fold gives the changed section a new number. A rebuild uses more numbers.
        assertEquals(before + 6, sections());
        for (String order : List.of("workspace", "dataset_name", "id")) {
            assertTrue(
                    catalogue.sql("select max(widest) from rank_section_" + order).get(0).getInteger(0) <= 2 * BLOCK);
        }
    }

    /** The number of the newest section. */
    private long sections() {
        return catalogue.sql("select max(no) from rank_section_dataset_name").get(0).getLong(0);
    }

    /** Pending changes from before the call have no value of the new column, later pending changes have one. */
    @Test
    void oneCallMakesANewColumnSortable() {
        fill(600);
        SqlConnection migration = await(pool.getConnection());
        try {
            await(migration.query("""
                    begin;
                    alter table dataset add column region text collate "und-x-icu" not null default 'b';
                    select create_rank('region', '');
                    update dataset set region = 'a' where id % 3 = 0;
                    insert into dataset (owner_id, owner_name, workspace, category, coordinates, region)
                        values (7, 'Ada van Dyk', 70, '{Other}', '{1, 2}', 'c');
                    delete from dataset where id = 300""").execute());
            assertEquals(List.of("a, -1, 1", "a, 1, 200", "b, -1, 200", "c, 1, 1"), lines(migration,
                    "select concat_ws(', ', region, change, count(*)) from listing_change group by region, change order by 1"));
            assertEquals(List.of("\"und-x-icu\", \"und-x-icu\", \"und-x-icu\""), lines(migration, """
                    select concat_ws(', ', pg_collation_for(region), pg_collation_for(key), pg_collation_for(keys))
                    from listing_change, rank_section_region limit 1"""));
            assertEquals(List.of(), lines(migration, "select * from wrong_ranks()"));
            assertEquals(List.of("1"), lines(migration, "select count(distinct folded) from rank"));
            assertEquals(List.of("402"), lines(migration, "select merge_listing_changes()"));
            assertEquals(List.of(), lines(migration, "select * from wrong_ranks()"));
            assertEquals(List.of("region, 600"),
                    lines(migration, "select concat_ws(', ', field, total) from rank where field = 'region'"));
            String plan = String.join("\n", lines(migration,
                    """
                    explain select id, version, updated_at from dataset
                    where not is_deleted and not is_private and coordinates is not null order by region, id limit 15"""));
            assertTrue(plan.contains("using dataset_listed_region_idx"), plan);
        } finally {
            await(migration.query("rollback").execute());
            await(migration.close());
        }
        assertRanksAreCorrect();
    }

    private static List<String> lines(SqlConnection connection, String sql) {
        return await(connection.query(sql).execute()).stream().map(row -> String.valueOf(row.getValue(0))).toList();
    }

    @Test
    void aRankIsNotCreatedFromAnOldSnapshot() {
        SqlConnection migration = await(pool.getConnection());
        try {
            await(migration.query("begin isolation level repeatable read").execute());
            assertThrows(PgException.class,
                    () -> await(migration.query("select create_rank('owner_id', '0')").execute()));
        } finally {
            await(migration.query("rollback").execute());
            await(migration.close());
        }
    }

    /** PostgreSQL treats read uncommitted as read committed. */
    @ParameterizedTest
    @ValueSource(strings = {"read committed", "read uncommitted"})
    void aFoldRequiresASnapshotOfTheTransaction(String isolation) {
        fill(300);
        SqlConnection folder = await(pool.getConnection());
        try {
            await(folder.query("begin isolation level " + isolation + "; lock table dataset in access share mode")
                    .execute());
            PgException e = assertThrows(PgException.class,
                    () -> await(folder.query("select fold_listing_changes()").execute()));
            assertEquals("ranks are folded in repeatable read", e.getErrorMessage());
        } finally {
            await(folder.query("rollback").execute());
            await(folder.close());
        }
        assertEquals(300, fold());
    }

    @Test
    void onlyOneOfTwoConcurrentFoldsRuns() {
        fill(500);
        Uni<Long> first = folding("pg_sleep(0.2)");
        Uni<Long> second = folding("pg_sleep(0.2)");
        List<Long> folded = Uni.join().all(first, second).andCollectFailures().await().atMost(PATIENCE);
        assertEquals(List.of(0L, 500L), folded.stream().sorted().toList());
        assertRanksAreCorrect();
    }

    /** Such as an autovacuum, which may last for minutes. */
    @Test
    void aVacuumOfTheRanksDisturbsNoFold() {
        fill(500);
        catalogue.during("lock table rank, part_fold in share update exclusive mode",
                () -> assertEquals(500, await(folding("1"))));
    }

    /** Whoever creates or rebuilds ranks locks the table. */
    @Test
    void aFoldDoesNotWaitForALockOfTheRanks() {
        fill(500);
        catalogue.during("lock table rank in share row exclusive mode", () -> assertEquals(0, await(folding("1"))));
        assertEquals(500, await(folding("1")));
    }

    /** The snapshot of such a fold has pending changes that another fold has already merged and deleted. */
    @Test
    void aFoldWithAnOutdatedSnapshotIsRefused() {
        fill(500);
        SqlConnection late = await(pool.getConnection());
        try {
            await(late.query("begin isolation level repeatable read; select count(*) from listing_change").execute());
            assertEquals(500, fold());
            PgException e = assertThrows(PgException.class,
                    () -> await(late.query("select fold_listing_changes()").execute()));
            assertEquals("40001", e.getSqlState());
        } finally {
            await(late.query("rollback").execute());
            await(late.close());
        }
        assertRanksAreCorrect();
    }

    @Test
    void writesDuringAFoldAreKept() {
        fill(500);
        SqlConnection folder = await(pool.getConnection());
        try {
            await(folder.query(BEGIN).execute());
            await(folder.query("select fold_listing_changes()").execute());
            write("update dataset set dataset_name = 'z' where id <= 100");
            write("delete from dataset where id > 490");
            assertRanksAreCorrect();
            await(folder.query("commit").execute());
        } finally {
            await(folder.close());
        }
        assertRanksAreCorrect();
        assertEquals(210, fold());
        assertRanksAreCorrect();
    }

    /** A standby that takes over may lack the last fold. Its own folds must get other versions. */
    @Test
    void theVersionOfALostFoldIsNotUsedAgain() {
        fill(300);
        fold();
        long folded = version() >> 28;
        write("update dataset set dataset_name = 'lost' where id = 100");
        fold();
        long lost = version();
        write("update rank set folded = %1$d; update part_fold set folded = %1$d".formatted(folded));
        // A test that folds more than ten times a second is ahead of the clock.
        catalogue.awaitThat("(extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00:00Z') * 10 > 1 + "
                + (lost >> 28) + ")");
        write("update dataset set dataset_name = 'told' where id = 100");
        fold();
        assertTrue(version() > lost);
    }

    /** A cached page of any order is compared with the version of the order by id. */
    @Test
    void allRanksOfAFoldHaveTheSameNumber() {
        fill(300);
        for (String slow : List.of("pg_sleep(0)", "pg_sleep(0.15)")) {
            write("update dataset set dataset_name = 'changed' where id = 100");
            await(folding("(" + slow + " is null)"));
            assertEquals(1, catalogue.sql("select count(distinct folded) from rank").get(0).getLong(0));
        }
    }

    @Test
    void aFoldMergesAnUpdateOfASingleColumn() {
        fill(300);
        fold();
        int id = 100;
        for (String change : List.of("category = '{Desert}'", "available_rasters = '{ortho}'", "bbox = '{1,2,3,4}'",
                "coordinates = '{3,4}'", "captured_date = now()", "cant_orthomosaic = true", "is_dem_processing = true",
                "is_private = true", "is_deleted = true", "workspace = 5",
                "band_stats = '{\"dsm\":{\"min\":1},\"dtm\":{},\"ortho\":{}}'")) {
            write("update dataset set %s, version = version + 1 where id = %d".formatted(change, id++));
            assertRanksAreCorrectBeforeAndAfterAFold();
        }
    }

    /** As an import of the same catalogue does. */
    @Test
    void anEqualUpdateLeavesWordsAndTheValuesOfPartsAsTheyAre() {
        fill(300);
        fold();
        String state = "select sum(uses) from search_word";
        String before = catalogue.sql(state).get(0).toJson().encode();
        write("update dataset set version = version + 1, dataset_name = dataset_name || left('x', (id = 7)::int)");
        assertEquals(301, fold());
        String after = catalogue.sql(state).get(0).toJson().encode();
        assertNotEquals(before, after);
        write("update dataset set version = version + 1");
        assertEquals(300, fold());
        assertEquals(after, catalogue.sql(state).get(0).toJson().encode());
        // The service has kept which datasets of a part match.
        assertEquals(0, catalogue.sql("select from listing_part where folded < (select max(folded) from rank)").size());
        assertEquals(300,
                catalogue.sql("select from dataset_change where folded = (select max(folded) from rank)").size());
        assertRanksAreCorrect();
    }

    @Test
    void aFoldOfOneChangeDoesNotReadAllDatasets() {
        fill(4000);
        fold();
        write("update dataset set dataset_name = 'changed' where id = 100");
        List<String> plans = plans("lock table dataset in access share mode;"
                + " lock table rank, part_fold in share row exclusive mode; select fold_listing_changes()");
        assertTrue(plans.stream().anyMatch(plan -> plan.contains("Insert on dataset_change")), plans::toString);
        assertEquals(List.of(), plans.stream().filter(plan -> plan.contains("Seq Scan on dataset")).toList());
        fold();
    }

    /** The plans of these statements and of all statements in their functions. */
    private List<String> plans(String statements) {
        List<String> plans = new CopyOnWriteArrayList<>();
        catalogue.during("set transaction isolation level repeatable read; load 'auto_explain'", other -> {
            PgConnection.cast(other.getDelegate()).noticeHandler(notice -> plans.add(notice.getMessage()));
            return other.query("""
                    set local auto_explain.log_min_duration = 0;
                    set local auto_explain.log_nested_statements = on;
                    set local auto_explain.log_level = notice;
                    """ + statements).execute();
        });
        return plans;
    }

    /** Vacuum removes no row that the snapshot of a dump, a prepared transaction or an export may read. */
    @Test
    void anOldSnapshotSlowsNoPage() {
        fill(at(5_000));
        fold();
        String page = pageSql("id").replace("$1", "array[15]").replace("$2", "array[" + at(300) + "]");
        String version = "select " + RankedPageSql.LISTING;
        long before = buffers(page);
        long beforeVersion = buffers(version);
        catalogue.during("set transaction isolation level repeatable read; select count(*) from dataset", () -> {
            for (int folds = 1; folds <= 10; folds++) {
                write("update dataset set cumulative_adjustment = %d where id > %d".formatted(100 + folds, at(3_000)));
                assertEquals(2 * (at(5_000) - at(3_000)), fold());
            }
            long after = buffers(page);
            assertTrue(after <= 1.5 * before, "%d buffers, before %d".formatted(after, before));
            long afterVersion = buffers(version);
            assertTrue(afterVersion <= 1.5 * beforeVersion,
                    "%d buffers, before %d".formatted(afterVersion, beforeVersion));
        });
    }

    /** The pages of memory that the second execution of a statement reads. */
    private long buffers(String sql) {
        catalogue.sql(sql);
        JsonObject plan = new JsonArray(catalogue.sql("explain (analyze, buffers, format json) " + sql).get(0)
                .getValue(0).toString()).getJsonObject(0).getJsonObject("Plan");
        return plan.getLong("Shared Hit Blocks") + plan.getLong("Shared Read Blocks");
    }

    /** Pages no longer read the changes of a fold. A change with a lower number may be committed after the fold. */
    @Test
    void aChangeThatIsCommittedAfterALaterOneIsNotLost() {
        fill(300);
        catalogue.during("insert into dataset (id, owner_id, owner_name, workspace, category, coordinates) "
                + "values (5000, 7, 'Ada van Dyk', 70, '{Other}', '{1, 2}')", () -> {
                    write("delete from dataset where id <= 10");
                    assertEquals(310, fold());
                    assertRanksAreCorrect();
                });
        fill(300);
        SqlConnection writer = await(pool.getConnection());
        try {
            await(writer.query("begin; insert into dataset (id, owner_id, owner_name, workspace, category, coordinates)"
                    + " values (5000, 7, 'Ada van Dyk', 70, '{Other}', '{1, 2}')").execute());
            write("delete from dataset where id <= 10");
            fold();
            await(writer.query("commit").execute());
        } finally {
            await(writer.close());
        }
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void aRebuildWaitsForARunningFold() {
        fill(500);
        SqlConnection folder = await(pool.getConnection());
        CompletableFuture<Void> rebuilt;
        try {
            await(folder.query(BEGIN).execute());
            await(folder.query("select fold_listing_changes()").execute());
            rebuilt = pool.query("call rebuild_ranks()").execute().replaceWithVoid().subscribeAsCompletionStage();
            catalogue.awaitThat("exists (select from pg_stat_activity where query = 'call rebuild_ranks()' "
                    + "and wait_event_type = 'Lock')");
            write("delete from dataset where id <= 10");
            await(folder.query("commit").execute());
        } finally {
            await(folder.close());
        }
        rebuilt.join();
        assertEquals(0, catalogue.sql("select from listing_change").size());
        assertRanksAreCorrect();
    }

    /** pg_restore empties the search path. */
    @Test
    void writesWithAnEmptySearchPathAreRecorded() {
        assertWritesAreRecorded("search_path = ''");
    }

    /** Logical replication applies its changes with this setting, in which other triggers do not run. */
    @Test
    void writesOfReplicationAreRecorded() {
        assertWritesAreRecorded("session_replication_role = replica");
    }

    private void assertWritesAreRecorded(String setting) {
        fill(300);
        fold();
        String before = updatedAt(100);
        SqlConnection writer = await(pool.getConnection());
        try {
            await(writer.query("set " + setting).execute());
            await(writer.query("""
                    insert into public.dataset (id, owner_id, owner_name, workspace, dataset_name, category, coordinates)
                        values (5000, 7, 'Ada van Dyk', 70, 'ß Ω', '{Other}', '{1, 2}'),
                               (5001, 7, 'Ada van Dyk', 70, 'draft', '{Other}', null)""").execute());
            await(writer.query("update public.dataset set dataset_name = 'written' where id = 100").execute());
            await(writer.query("delete from public.dataset where id <= 10").execute());
            assertRanksAreCorrectBeforeAndAfterAFold();
            assertNotEquals(before, updatedAt(100));
            await(writer.query("truncate public.dataset").execute());
        } finally {
            await(writer.query("reset all").execute());
            await(writer.close());
        }
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    private String updatedAt(long id) {
        return catalogue.sql("select updated_at::text from dataset where id = " + id).get(0).getString(0);
    }

    /** Such as a migration that fills a new column. The feed of changes names each dataset. */
    @Test
    void eachDatasetThatKeepsItsPlacesNeedsOneChange() {
        fill(at(2_000));
        fold();
        long before = version();
        int listed = catalogue.sql("select from dataset where not is_deleted and coordinates is not null").size();
        write("update dataset set latest_adjustment_id = 'new', dataset_name = dataset_name");
        assertEquals(listed, catalogue.sql("select from listing_change").size());
        assertTrue(version() > before);
        write("update dataset set thumbnail_key = 'none' where id < 0");
        assertEquals(listed, catalogue.sql("select from listing_change").size());
    }

    /** docs/operations.md gives these statements for a migration that changes a sort key of many datasets. */
    @Test
    void aMigrationCanFoldItsOwnChanges() {
        fill(at(2_000));
        write("""
                begin;
                update dataset set dataset_name = 'name ' || id;
                lock table dataset in share row exclusive mode;
                lock table rank in share row exclusive mode;
                select merge_listing_changes();
                commit""");
        assertEquals(0, catalogue.sql("select from listing_change").size());
        assertRanksAreCorrect();
    }

    /** Each damage is one that {@code call rebuild_ranks()} repairs and that the service reports at its start. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "alter table dataset disable trigger user; update dataset set dataset_name = 'z' where id < 50 "
                    + "| the triggers of dataset do not record all changes",
            "alter table dataset disable trigger user; delete from dataset where id < 50; alter table dataset enable trigger all"
                    + " | the triggers of dataset do not record all changes",
            "alter table dataset disable trigger dataset_departures_are_recorded"
                    + " | the triggers of dataset do not record all changes",
            "delete from listing_change | the ranks contain 0 public datasets, and the table contains 300",
            "insert into rank (field, lowest, folded) select field, lowest, 5 from rank | a rank has several rows",
            "delete from rank where field = 'id'; insert into rank (field, lowest) values ('id', '-9223372036854775808')"
                    + " | the ranks differ from one another",
            "update listing_part set ids = ids || 5000::bigint | the columns contain 1 datasets, and the table contains 0"})
    void aRebuildRepairsTheReportedDamage(String damage, String problem) {
        fill(300);
        assertNull(problem("rank"));
        write(damage);
        assertEquals(problem, problem("rank"));
        rebuild();
        assertNull(problem("rank"));
        write("delete from dataset where id between 100 and 120");
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    /** Each column of a dataset that a filter compares, in any order of ids up to the largest one of JSON. */
    @Test
    void theColumnsEqualTheDatasetsAfterEachWrite() {
        fill(at(2_500));
        assertColumnsAreCorrectBeforeAndAfterAFold();
        for (String update : List.of("category = '{Desert,Forest}'", "available_rasters = '{dsm,ortho}'",
                "band_stats = band_stats || '{\"dsm\":{\"b1\":{}}}'", "workspace = 5", "bbox = '{1,2,3,4}'",
                "captured_date = captured_date + interval '1.000001 s'", "coordinates = '{5,6}'", "is_private = true",
                "is_shareable = not is_shareable", "cant_orthomosaic = true", "is_dem_processing = true",
                "coordinates = null", "is_deleted = true", "is_private = false", "coordinates = '{7,8}'",
                "is_deleted = false", "dataset_name = 'new'", "category = '{Other}', is_private = not is_private")) {
            write("update dataset set %s where id %% %d = 7 or id between %d and %d".formatted(update, at(900),
                    at(1_500),
                    at(1_500) + 10));
            assertColumnsAreCorrectBeforeAndAfterAFold();
        }
        write("insert into account (id, username) values (8, 'Bob')");
        write("update dataset set owner_id = 8, owner_name = 'Bob' where id in (3, " + at(1_800) + ")");
        assertColumnsAreCorrectBeforeAndAfterAFold();
        write("update dataset set id = 9007199254740991 - id * 7919 % 2503 where id % 3 = 0");
        assertColumnsAreCorrectBeforeAndAfterAFold();
        write("insert into dataset (owner_id, owner_name, workspace, category, coordinates, is_private, id) select 7,"
                + " 'Ada van Dyk', 70, '{Other}', '{1, 2}', i % 5 = 0, 5000 + i * 7919 % 3001 from generate_series(1, "
                + at(3_000) + ") i");
        assertColumnsAreCorrectBeforeAndAfterAFold();
        write("delete from dataset where id < " + at(1_000) + " or id % 4 = 0");
        assertColumnsAreCorrectBeforeAndAfterAFold();
        write("truncate dataset");
        assertColumnsAreCorrectBeforeAndAfterAFold();
    }

    /** Above 5,000 changes the parts are taken apart in one statement. A fold of the ranks runs beside folds of the parts. */
    @Test
    void aBacklogIsFoldedAsFewChangesAre() {
        fill(at(6_400));
        assertEquals(0, lacking(this::foldParts));
        assertColumnsAreCorrect();
        assertEquals(at(6_400), catalogue.sql("select from listing_change").size());
        assertRanksAreCorrect();
        write("update dataset set dataset_name = 'before', is_private = id % 20 = 0 where id % 10 = 0");
        SqlConnection ranks = await(pool.getConnection());
        try {
            await(ranks.query(BEGIN).execute());
            assertEquals(at(7_680),
                    lines(ranks, "select fold_rank_changes()").stream().mapToLong(Long::parseLong).sum());
            assertRanksAreCorrect();
            write("update dataset set dataset_name = 'beside', category = '{Desert}' where id % 15 = 0");
            write("delete from dataset where id % 100 = 0");
            assertEquals(0, lacking(this::foldParts));
            assertRanksAreCorrect();
            long version = version();
            await(ranks.query("commit").execute());
            assertTrue(version() > version);
        } finally {
            await(ranks.close());
        }
        assertRanksAreCorrect();
        assertColumnsAreCorrect();
        assertTrue(catalogue.sql("select from listing_change").size() < at(4_000));
        write("update dataset set is_private = false where " + between(1_000, 1_300));
        assertRanksAreCorrect();
        foldParts();
        assertColumnsAreCorrectBeforeAndAfterAFold();
        assertRanksAreCorrectBeforeAndAfterAFold();
    }

    /** Also beside pending changes of other transactions, and with new and removed datasets. */
    @Test
    void aStatementForManyDatasetsMergesThemIntoTheParts() {
        fill(5_200);
        fold();
        write("update dataset set workspace = 5 where id % 1000 = 0");
        List<String> statements = List.of(
                "update dataset set is_private = id % 4 = 0, category = '{Desert}', dataset_name = 'new' || id",
                "update dataset set id = id + 10000 where id > 7", "delete from dataset where id > 100", """
                        insert into dataset (id, owner_id, owner_name, workspace, dataset_name, category, coordinates)
                        overriding system value
                        select no, owner_id, owner_name, 3, 'more', '{Desert}', coordinates
                        from generate_series(200, 5300) no, (select * from dataset order by id limit 1) dataset""");
        for (String statement : statements) {
            write("begin; " + statement + "; rollback");
            assertColumnsAreCorrectBeforeAndAfterAFold();
            write("update dataset set workspace = 6 where id % 1000 = 1");
            write(statement);
            assertTrue(catalogue.sql("select from " + RankedPageSql.UNINDEXED).size() < 30, statement);
            foldParts();
            assertEquals(0, catalogue
                    .sql("select from listing_change where no >= (select max(pending_from) from part_fold)").size());
            assertEquals(catalogue.sql("select from dataset where category = '{Desert}' and not is_private").size(),
                    json(Listing.PATH + "?category=Desert").getInteger("count"), statement);
            assertRanksAreCorrect();
            assertColumnsAreCorrectBeforeAndAfterAFold();
        }
        // A search of texts need not ask again for datasets whose texts stay.
        String searched = "select texts::text from part_change order by folded desc limit 1";
        write("update dataset set is_private = not is_private");
        assertEquals(List.of("{}"), lines(searched));
        write("update dataset set dataset_name = 'other'");
        assertFalse(lines(searched).contains("{}"));
        assertColumnsAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void aStatementForManyDatasetsWaitsForARunningFold() {
        fill(5_200);
        fold();
        SqlConnection folder = await(pool.getConnection());
        CompletableFuture<Void> written;
        try {
            await(folder.query("begin; select lock_for_fold('part_fold')").execute());
            written = pool.query("update dataset set workspace = workspace + 1").execute().replaceWithVoid()
                    .subscribeAsCompletionStage();
            catalogue.awaitThat("exists (select from pg_stat_activity where query like 'update dataset set workspace%' "
                    + "and wait_event = 'PgSleep')");
            await(folder.query("commit").execute());
        } finally {
            await(folder.close());
        }
        written.join();
        assertEquals(0, catalogue.sql("select from " + RankedPageSql.UNINDEXED).size());
        assertColumnsAreCorrectBeforeAndAfterAFold();
    }

    /** While a fold of the ranks runs, which may take minutes, no fold of the parts marks their changes as read. */
    @Test
    void changesThatThePartsHaveAreNeitherReadNorFoldedAgain() {
        fill(5_200);
        fold();
        write("update dataset set workspace = workspace + 1");
        assertEquals(10_400, catalogue.sql("select from listing_change where in_parts").size());
        long read = buffers("select count(*) from " + RankedPageSql.UNINDEXED);
        assertTrue(read < 10, () -> read + " buffers");
        catalogue.during("set transaction isolation level repeatable read; select fold_part_changes(0)",
                () -> assertEquals(List.of(), lines("select pid from pg_locks where locktype = 'advisory'")));
        fold();
    }

    /** The snapshot may be older than the last fold, another fold may run, and the writer may have no right to the parts. */
    @Test
    void aStatementForManyDatasetsThatCannotMergeThemLeavesThemToAFold() {
        fill(5_200);
        fold();
        String move = "update dataset set workspace = workspace + 1";
        List<Runnable> writes = List.of(() -> write("begin isolation level repeatable read; " + move + "; commit"),
                () -> catalogue.during("select pg_advisory_xact_lock('part_fold'::regclass::oid::int, 0)",
                        () -> write(move)),
                () -> write("begin; set local role writer_of_datasets; " + move + "; commit"));
        write("""
                create role writer_of_datasets;
                grant select, insert, update on all tables in schema public to writer_of_datasets;
                revoke all on listing_part, part_fold from writer_of_datasets""");
        try {
            for (Runnable write : writes) {
                write.run();
                assertEquals(10_400, catalogue.sql("select from " + RankedPageSql.UNINDEXED).size());
                fold();
                assertRanksAreCorrect();
                assertColumnsAreCorrect();
            }
        } finally {
            write("drop owned by writer_of_datasets; drop role writer_of_datasets");
        }
    }

    /** Two of the requests read the datasets of all changes. The others wait, and share the next snapshot. */
    @Test
    void requestsDuringABacklogAreExact() {
        fill(5_000);
        for (int shareable = 2_500; shareable >= 2_496; shareable -= 2) {
            List<CompletableFuture<Integer>> counts = IntStream.rangeClosed(1, 8)
                    .mapToObj(page -> CompletableFuture.supplyAsync(() -> shareable("&page_size=" + (page + 10))))
                    .toList();
            for (CompletableFuture<Integer> count : counts) {
                assertEquals(shareable, count.join());
            }
            write("delete from dataset where id in (select id from dataset where is_shareable order by id limit 2)");
        }
        assertEquals(2_494, shareable(""));
        write("alter table dataset disable trigger user; update dataset set is_shareable = false;"
                + " alter table dataset enable trigger user");
        // The datasets of the changes are kept with the listing version.
        assertEquals(2_494, shareable("&page_size=9"));
        write("call rebuild_ranks()");
        assertEquals(0, shareable(""));
    }

    private static int shareable(String query) {
        return json(Listing.PATH + "?is_shareable=true" + query).getInteger("count");
    }

    /** What a search has found is kept, and only datasets that have changed since then are asked for again. */
    @Test
    void textSearchesAreExactWhateverHasChangedSinceTheyWereAsked() {
        int size = at(3_200);
        fill(size);
        Random random = new Random(RandomTests.seed());
        List<Runnable> folds = List.of(this::fold, this::foldParts, this::fold, this::foldParts,
                () -> write("call rebuild_ranks()"));
        List<String> updates = List.of("dataset_name = '7 and more'", "dataset_name = 'none'",
                "is_private = not is_private",
                "is_deleted = not is_deleted", "coordinates = case when coordinates is null then array[1, 2] end",
                "description = 'has 7 words'", "description = null", "version = version + 1", "id = 20000000 - id",
                "id = id + 10000000",
                "is_shareable = not is_shareable");
        for (int turn = 0; turn < RandomTests.times(12, 2_000); turn++) {
            int first = random.nextInt(size);
            int last = first + (random.nextInt(9) == 0 ? at(700) : random.nextInt(4));
            switch (random.nextInt(8)) {
                case 0 -> write("delete from dataset where id between %d and %d".formatted(first, last));
                case 1 -> write("""
                        insert into dataset (owner_id, owner_name, workspace, dataset_name, category, coordinates)
                        values (7, 'Ada van Dyk', 1, 'new 7', '{Rocky}', '{1, 2}'),
                               (7, 'Ada van Dyk', 1, 'new', '{Rocky}', '{1, 2}')""");
                case 2, 3, 4 -> folds.get(random.nextInt(folds.size())).run();
                default -> write("update dataset set %s where id between %d and %d"
                        .formatted(updates.get(random.nextInt(updates.size())), first, last));
            }
            if (random.nextInt(3) > 0) {
                assertTextSearchesAreExact();
            }
        }
        rebuild();
        assertTextSearchesAreExact();
    }

    /** Only the datasets of the changes are asked for again: an update that no trigger has seen is found after a rebuild. */
    @Test
    void aTextSearchAsksForChangedDatasetsAlone() {
        int matches = at(3_200) / 10;
        fill(10 * matches);
        fold();
        assertTextSearchesAreExact();
        write("alter table dataset disable trigger user; update dataset set dataset_name = '7', description = '7' where id = 5;"
                + " alter table dataset enable trigger user");
        write("update dataset set dataset_name = '7' where id = 6");
        assertEquals(matches + 1, found());
        fold();
        assertEquals(matches + 1, found());
        write("insert into dataset (owner_id, owner_name, workspace, dataset_name, category, coordinates)"
                + " values (7, 'Ada van Dyk', 1, 'new 7', '{Rocky}', '{1, 2}')");
        foldParts();
        assertEquals(matches + 2, found());
        assertEquals(matches + 2, matched());
        rebuild();
        assertEquals(matches + 3, found());
        assertTextSearchesAreExact();
    }

    private static int found() {
        return json(Listing.PATH + "?search=7").getInteger("count");
    }

    private static int matched() {
        return json("/stac/search?q=7&limit=1").getInteger("numberMatched");
    }

    private static JsonObject json(String address) {
        return new JsonObject(Listing.client().get(address).asString());
    }

    private void assertTextSearchesAreExact() {
        String listed = "select id from dataset where not is_deleted and not is_private and coordinates is not null and ";
        List<Long> expected = catalogue.sql(listed + "words_query('7') @@ array_to_tsvector(search_words(dataset_name))"
                + " order by id").stream().map(row -> row.getLong(0)).toList();
        assertEquals(expected.size(), found());
        for (int page = 1; page <= 1 + (expected.size() - 1) / 100; page++) {
            assertEquals(expected.subList(page * 100 - 100, Math.min(page * 100, expected.size())),
                    Listing.page("?search=7&ordering=id&page_size=100&p=" + page).ids());
        }
        assertEquals(catalogue.sql(listed + "(dataset_name || ' ' || coalesce(description, '')) ~ '\\m7\\M'").size(),
                matched());
    }

    /** While a transaction is open that has written changes, those of other transactions may be in the parts. */
    @Test
    void partsAreFoldedBesideOpenTransactions() {
        fill(500);
        catalogue.during("delete from dataset where id <= 100", () -> {
            foldParts();
            write("update dataset set dataset_name = 'z' where id > 400");
            assertNoneIsWrong();
            assertEquals(0, lacking(this::foldParts));
            assertColumnsAreCorrect();
        });
        assertColumnsAreCorrectBeforeAndAfterAFold();
    }

    private void foldParts() {
        await(pool.withConnection(connection -> connection.query("select decided_listing_changes()").execute()
                .map(rows -> rows.iterator().next().getLong(0))
                .call(() -> connection.query(BEGIN).execute())
                .chain(decided -> connection.query("select fold_part_changes(%d)".formatted(decided)).execute())
                .call(() -> connection.query("commit").execute())));
    }

    /** How many changes the parts lack afterwards. */
    private int lacking(Runnable fold) {
        fold.run();
        return catalogue.sql("select from " + RankedPageSql.UNINDEXED).size();
    }

    /** A private dataset that is not named would be counted with the values of before. */
    @Test
    void aWriteOfAPrivateDatasetNamesIt() {
        fill(20);
        write("update dataset set is_private = true where id <= 10");
        fold();
        write("update dataset set category = '{Desert}' where id <= 5");
        assertEquals(5, catalogue.sql("select distinct id from listing_change where change = 0").size());
        fold();
        write("delete from dataset where id <= 3");
        assertEquals(3, catalogue.sql("select distinct id from listing_change where change = 0").size());
        assertColumnsAreCorrectBeforeAndAfterAFold();
    }

    @Test
    void theLabelsOfBandsWithoutABitShareOne() {
        fill(70);
        fold();
        write("update dataset set band_stats = band_stats || jsonb_build_object('multispec_ortho',"
                + " jsonb_build_object('band_descr', jsonb_build_object('label ' || id, 1)))");
        assertColumnsAreCorrectBeforeAndAfterAFold();
        assertEquals(62, catalogue.sql("select from band_mark").size());
        assertEquals(8,
                catalogue.sql("select from listing_part cross join unnest(bands) band where band = 1::bigint << 62")
                        .size());
        rebuild();
    }

    @Test
    void wrongColumnsAreNamed() {
        fill(at(300));
        fold();
        for (Map.Entry<String, String> damage : Map.of("marks[7] = 0", "mark 0 ", "captured[7] = 0", "captured 0 ",
                "norths[7] = 90", " 90", "gsds[7] = 9", "gsd 9", "bands[7] = 1", "band 1 ", "ids[7] = 6", "ids",
                "ids = ids[2:]", "ids",
                "first_id = 5",
                "first_id").entrySet()) {
            write("update listing_part set " + damage.getKey());
            List<String> keys = catalogue.sql("select key from wrong_ranks() where field = 'listing_part'").stream()
                    .map(row -> row.getString(0)).toList();
            assertTrue(keys.stream().anyMatch(found -> found.contains(damage.getValue())), damage + keys.toString());
            rebuild();
        }
    }

    private void assertColumnsAreCorrectBeforeAndAfterAFold() {
        assertNoneIsWrong();
        assertNull(problem("rank"));
        fold();
        assertColumnsAreCorrect();
    }

    private void assertColumnsAreCorrect() {
        assertNoneIsWrong();
        assertEquals(lines("""
                select concat_ws(' ', id, category && '{Desert}', 'dsm' = any (available_rasters), is_shareable,
                                 is_private, owner_id, workspace, captured_date, coalesce(bbox[2], coordinates[2]),
                                 coalesce(bbox[3], coordinates[1]))
                from dataset where not is_deleted and coordinates is not null order by id"""), lines("""
                select concat_ws(' ', id, mark & 4 > 0, mark & 16384 > 0, mark & 2097152 > 0, mark & 33554432 > 0, owner,
                                 workspace, timestamptz 'epoch' + time * interval '1 microsecond', west, north)
                from listing_part cross join unnest(ids, marks, owners, workspaces, captured, wests, norths)
                    with ordinality element (id, mark, owner, workspace, time, west, north, place)
                order by first_id, place"""));
        assertEquals(0, catalogue.sql("select from listing_part where cardinality(ids) > " + at(1_024)).size());
    }

    private void assertNoneIsWrong() {
        assertEquals(List.of(),
                catalogue.sql("select * from wrong_ranks()").stream().map(row -> row.toJson()).toList());
        assertEquals(List.of(), catalogue.sql(WRONG_WORDS).stream().map(row -> row.toJson()).toList());
    }

    private List<String> lines(String sql) {
        return catalogue.sql(sql).stream().map(row -> row.getString(0)).toList();
    }

    @Test
    void anotherOrderOfTextsIsReported() {
        assertNull(problem("text"));
        try {
            write("update pg_collation set collversion = '1.2' where collname = 'und-x-icu'");
            assertTrue(
                    problem("text")
                            .startsWith("the indexes of names were built with version 1.2 of the collation und-x-icu,"),
                    problem("text"));
            write("select accept_text_versions()");
            assertNull(problem("text"));
            write("update text_versions set versions = 'collation 1.2, PostgreSQL 12'");
            assertTrue(
                    problem("text")
                            .startsWith("the ranks were built with collation 1.2, PostgreSQL 12, and the server has "),
                    problem("text"));
        } finally {
            write("select accept_text_versions()");
        }
        assertNull(problem("text"));
    }

    private String problem(String kind) {
        return catalogue.sql("select " + kind + "_problem()").get(0).getString(0);
    }

    private long version() {
        return catalogue.sql("select " + RankedPageSql.LISTING).get(0).getLong(0);
    }

    private Uni<Long> folding(String also) {
        return folding(BEGIN, also);
    }

    private Uni<Long> folding(String begin, String also) {
        return pool.withConnection(connection -> connection.query("select decided_listing_changes()").execute()
                .map(rows -> rows.iterator().next().getLong(0))
                .call(() -> connection.query(begin).execute())
                .chain(decided -> connection.query("select fold_listing_changes(%d), %s".formatted(decided, also))
                        .execute())
                .call(() -> connection.query("commit").execute())
                .map(rows -> rows.iterator().next().getLong(0)));
    }

    /** Each page counts what raises the version, also after a statement for half of the datasets. */
    @Test
    void eachStatementRaisesTheVersionByOne() {
        fill(1_000);
        fold();
        for (String statement : List.of("update dataset set cumulative_adjustment = cumulative_adjustment + 1",
                "update dataset set category = '{Rocky}' where id < 900",
                "update dataset set is_private = true where id < 9",
                "update dataset set is_deleted = true where id < 20",
                "update dataset set is_private = false where id < 5",
                "delete from dataset where id > 800")) {
            long before = version();
            write(statement);
            assertEquals(before + 1, version(), statement);
        }
    }

    /** The planner must use the indexes even when its statistics show many pending changes. */
    @Test
    void pendingChangesAndDatasetsAreReadThroughIndexes() {
        fill(5_000);
        write("update dataset set cumulative_adjustment = cumulative_adjustment + 1");
        catalogue.sql("analyze listing_change, dataset");
        assertGoesThroughIndexes("select " + RankedPageSql.LISTING);
        for (String order : Views.ranked()) {
            assertGoesThroughIndexes(
                    pageSql(order).replace("$1", "array[15, 100]").replace("$2", "array[30, null]"));
        }
    }

    private static String pageSql(String order) {
        return RankedPageSql.revisions(ListingRepository.ranked(Expression.ALL,
                Ordering.parse(order, Views.FIELDS.sortable()), Caller.ANONYMOUS, Views.FIELDS).orElseThrow());
    }

    /** With its default settings the driver prepares a statement of more than 2,048 characters for each execution. */
    @Test
    void theLongestStatementOfAPageIsPreparedOnce() {
        Ordering ordering = Ordering.parse("-latest_adjustment_status", Views.FIELDS.sortable());
        Sql.Statement sql = RankedPageSql.datasets(
                ListingRepository.ranked(Expression.ALL, ordering, RankComparison.OWNER, Views.FIELDS).orElseThrow(),
                Views.FIELDS.all().selectList(), 15, 0L).statement();
        long prepared = await(pool.withConnection(connection -> connection.preparedQuery(sql.text())
                .execute(Tuple.from(sql.values()))
                .chain(() -> connection
                        .preparedQuery("select count(*) from pg_prepared_statements where statement = $1")
                        .execute(Tuple.of(sql.text())))
                .map(rows -> rows.iterator().next().getLong(0))));
        assertEquals(1, prepared);
    }

    private void assertGoesThroughIndexes(String sql) {
        String plan = catalogue.sql("explain (costs off) " + sql).stream().map(row -> row.getString(0))
                .collect(Collectors.joining("\n"));
        assertTrue(plan.matches("(?s).*Index (Only )?Scan using listing_change_(pkey|counted_idx).*"), plan);
        assertFalse(plan.matches("(?s).*(Seq|Heap) Scan on (dataset|listing_change).*"), plan);
    }

    private void fill(int rows) {
        catalogue.writeAnew(Stream.iterate(1L, id -> id + 1).limit(rows).map(id -> dataset(id, d -> {
            d.datasetName = "name " + id % 10;
            d.cumulativeAdjustment = id % 3;
            d.isShareable = id % 2 == 0;
        })).toList());
    }

    private void write(String statement) {
        await(pool.query(statement).execute());
    }

    private void rebuild() {
        write("call rebuild_ranks()");
        assertRanksAreCorrect();
    }

    /** Waits for another holder of the lock, such as an autovacuum of the ranks, before the snapshot. */
    private long fold() {
        return await(folding(BEGIN + "; lock table rank in share row exclusive mode", "1"));
    }

    private void assertRanksAreCorrectBeforeAndAfterAFold() {
        assertRanksAreCorrect();
        fold();
        assertEquals(0, catalogue.sql("select from listing_change").size());
        assertRanksAreCorrect();
    }

    private void assertRanksAreCorrect() {
        assertEquals(List.of(),
                catalogue.sql("select * from wrong_ranks()").stream().map(row -> row.toJson()).toList());
        assertEquals(List.of(), catalogue.sql(WRONG_WORDS).stream().map(row -> row.toJson()).toList());
        comparison.some(ORDERINGS, PAGES);
    }

    private static <T> T await(Uni<T> work) {
        return work.await().atMost(PATIENCE);
    }
}
