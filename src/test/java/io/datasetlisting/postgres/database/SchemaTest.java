package io.datasetlisting.postgres.database;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Inject;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.pgclient.PgException;

/** Tests the constraints, the footprint and the sequences of the schema, and the upgrade of a database of 1.0.0. */
@QuarkusTest
class SchemaTest {

    /** All that PostgreSQL knows of the tables, views, sequences, indexes, constraints, triggers and functions. */
    private static final String DEFINITIONS = """
            select concat_ws(' ', c.relkind, c.relname, c.reloptions, c.relreplident,
                             case when c.relkind = 'v' then pg_get_viewdef(c.oid) end, obj_description(c.oid, 'pg_class'))
            from pg_class c where relnamespace = 'public'::regnamespace
            union all select concat_ws(' ', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
                attcollation::regcollation, attidentity, attgenerated, attstorage, pg_get_expr(adbin, adrelid),
                col_description(attrelid, attnum))
            from pg_class c join pg_attribute on attrelid = c.oid left join pg_attrdef on adrelid = c.oid and adnum = attnum
            where relnamespace = 'public'::regnamespace and attnum > 0 and relkind <> 'i'
            union all select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
            from pg_index join pg_class c on c.oid = indexrelid where relnamespace = 'public'::regnamespace
            union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
            where connamespace = 'public'::regnamespace
            union all select concat_ws(' ', seqrelid::regclass, seqtypid::regtype, seqmax, seqincrement) from pg_sequence
            union all select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
            union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
            order by 1""";

    /** What is kept of the datasets beside the ranks, which {@code wrong_ranks()} compares. */
    private static final String KEPT = """
            select 'element ' || element
            from listing_part cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths,
                gsds) element (id, mark, band, owner, workspace, time, west, south, east, north, gsd)
            union all select concat_ws(' ', 'word', word, uses) from search_word where uses > 0
            union all select concat_ws(' ', 'change', id, audience, hash, uav_uid) from dataset_change where hash is not null
            union all select concat_ws(' ', 'band', label) from band_mark
            order by 1""";

    /** Public, private and deleted datasets, and drafts, with words, bands, areas and points. */
    private static final String DATASETS = """
            insert into account (id, username) values (1, 'Ada'), (2, 'Zoë');
            insert into api_token (account_id, name, access_right, key_hash) values (1, 'old', 'writer', sha256('key'));
            insert into dataset (owner_id, owner_name, workspace, dataset_name, category, is_private, is_deleted,
                                 available_rasters, band_stats, bbox, coordinates)
            select 1 + i % 2, (array['Ada', 'Zoë'])[1 + i % 2], i % 3, (array['Red', 'Küste', 'Ice'])[1 + i % 3] || ' plot ' || i,
                   array['Forest'], i % 7 = 0, i % 41 = 0, case when i % 4 = 0 then array['ortho'] else '{}' end,
                   jsonb_build_object('dsm', '{}'::jsonb, 'dtm', '{}'::jsonb, 'ortho', '{}'::jsonb, 'multispec_ortho',
                       jsonb_build_object('band_descr', jsonb_build_object('b' || i % 3, '{}'::jsonb))),
                   case when i % 2 = 0 then array[1, 2, 3, 4] else '{}' end, case when i % 37 > 0 then array[2, i % 90] end
            from generate_series(1, 3000) i""";

    private static final List<String> WRITES = List.of(
            "update dataset set dataset_name = 'Dune ' || id where id % 101 = 0",
            "update dataset set is_private = not is_private where id % 103 = 0",
            "update dataset set band_stats = band_stats, is_deleted = id % 2 = 0 where id % 107 = 0",
            "delete from dataset where id % 109 = 0",
            "insert into dataset (owner_id, owner_name, workspace, category, coordinates) values (1, 'Ada', 1, '{A}', '{1,2}')");

    @Inject
    Catalogue catalogue;

    @Inject
    SchemaHistory history;

    @BeforeEach
    void oneDataset() {
        catalogue.replaceWith(dataset(1));
    }

    /**
     * A restored dump calls functions with an empty search path. The body of an SQL function in the form of the standard
     * contains no names to look up. The procedure cannot set a path, because it ends transactions.
     */
    @Test
    void functionsDoNotDependOnTheSearchPathOfTheCaller() {
        assertEquals(List.of("rebuild_ranks"), catalogue.sql("""
                select proname from pg_proc
                where pronamespace = current_schema::regnamespace and prosqlbody is null
                    and not exists (select from unnest(proconfig) setting where setting like 'search_path=%')
                    and not (prolang = (select oid from pg_language where lanname = 'sql') and provolatile = 'i')
                """).stream().map(row -> row.getString(0)).toList());
    }

    /** As an upgrade finds it: most changes are folded, some are pending. */
    @Test
    void aDatabaseOfTheFirstReleaseBecomesLikeANewOne() throws SQLException {
        migrate("new", MigrationVersion.LATEST);
        migrate("upgraded", MigrationVersion.fromVersion("5"));
        try (Connection created = connection("new"); Connection upgraded = connection("upgraded")) {
            upgraded.createStatement().execute(DATASETS);
            fold(upgraded);
            write(upgraded);
            migrate("upgraded", MigrationVersion.LATEST);
            assertEquals(lines(created, DEFINITIONS), lines(upgraded, DEFINITIONS));

            assertRanksAreCorrect(upgraded);
            assertEquals(List.of("1", "old", "null"),
                    lines(upgraded, "select count(*)::text from catalogue union all select name from api_token"
                            + " union all select distinct created_at::text from dataset"));
            fold(upgraded);
            assertIsAsAfterARebuild(upgraded);
            write(upgraded);
            fold(upgraded);
            assertIsAsAfterARebuild(upgraded);
        } finally {
            catalogue.sql("drop database if exists new with (force)");
            catalogue.sql("drop database if exists upgraded with (force)");
        }
    }

    private void migrate(String database, MigrationVersion target) {
        if (catalogue.sql("select from pg_database where datname = '" + database + "'").isEmpty()) {
            catalogue.sql("create database " + database);
        }
        Flyway.configure().dataSource(url(database), "postgres", "postgres").target(target)
                .locations("filesystem:src/main/resources/db/migration").load().migrate();
    }

    private static String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + System.getProperty("quarkus.embedded.postgresql.port") + '/' + database;
    }

    private static Connection connection(String database) throws SQLException {
        return DriverManager.getConnection(url(database), "postgres", "postgres");
    }

    private static void write(Connection connection) throws SQLException {
        for (String write : WRITES) {
            connection.createStatement().execute(write);
        }
    }

    private static void fold(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        connection.createStatement().execute("lock table dataset in access share mode");
        lines(connection, "select fold_listing_changes(coalesce(max(no), 0)) from listing_change");
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        assertEquals(List.of("0"), lines(connection, "select count(*) from listing_change"));
    }

    private static void assertIsAsAfterARebuild(Connection connection) throws SQLException {
        assertRanksAreCorrect(connection);
        List<String> kept = lines(connection, KEPT);
        assertTrue(kept.size() > 5_000, kept::toString);
        connection.createStatement().execute("call rebuild_ranks()");
        assertEquals(lines(connection, KEPT), kept);
        assertRanksAreCorrect(connection);
    }

    private static void assertRanksAreCorrect(Connection connection) throws SQLException {
        assertEquals(List.of("null"), lines(connection, "select rank_problem()"));
        assertEquals(List.of(), lines(connection, "select wrong::text from wrong_ranks() wrong"));
    }

    private static List<String> lines(Connection connection, String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                lines.add(String.valueOf(rows.getString(1)));
            }
        }
        return lines;
    }

    @Test
    void withTheMigrationsOfThisBuildTheHistoryIsComplete() {
        assertTrue(history.isComplete(Duration.ofSeconds(5)));
    }

    /** Flyway must then run: it applies what is missing, or reports what is wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"update flyway_schema_history set checksum = checksum + 1 where version = '3'",
            "update flyway_schema_history set checksum = null where version = '3'",
            "update flyway_schema_history set success = false where version = '3'",
            "update flyway_schema_history set script = 'V3__other.sql' where version = '3'",
            "delete from flyway_schema_history where version = '5'", "delete from flyway_schema_history",
            "insert into flyway_schema_history select 99, '99', 'newer', type, 'V99__newer.sql', 1, installed_by, "
                    + "installed_on, 0, true"
                    + " from flyway_schema_history where version = '3'",
            "alter table flyway_schema_history rename to other_history"})
    void withOtherMigrationsTheHistoryIsNotComplete(String change) {
        catalogue.sql("create table history_before as table flyway_schema_history");
        try {
            catalogue.sql(change);
            assertFalse(history.isComplete(Duration.ofSeconds(5)));
        } finally {
            catalogue.sql("alter table if exists other_history rename to flyway_schema_history");
            catalogue.sql("truncate flyway_schema_history");
            catalogue.sql("insert into flyway_schema_history table history_before");
            catalogue.sql("drop table history_before");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bbox = '{1,2,3}'", "bbox = '{1,2,3,4,5}'", "bbox = '{3,2,1,4}'", "bbox = '{1,4,3,2}'",
            "bbox = '{-91,2,3,4}'", "bbox = '{1,2,91,4}'", "bbox = '{1,-181,3,4}'", "bbox = '{1,2,3,181}'",
            "bbox = '{NaN,2,3,4}'", "bbox = '{1,2,3,Infinity}'", "bbox = '{1,2,NULL,4}'", "bbox = '{{1,2},{3,4}}'",
            "bbox = '[0:3]={1,2,3,4}'", "bbox = null", "coordinates = '{1}'", "coordinates = '{91,0}'",
            "coordinates = '{0,180.1}'", "coordinates = '{NaN,0}'", "coordinates = '{0,NULL}'", "coordinates = '{}'",
            "coordinates = '{1,2,3}'", "category = '{}'", "category = '{NULL}'", "category = null",
            "available_rasters = '{ortho,NULL}'", "cumulative_adjustment = 'NaN'",
            "cumulative_adjustment = '-Infinity'", "captured_date = 'infinity'",
            "captured_date = '10000-01-01T00:00:00Z'", "captured_date = '0044-03-15 BC'",
            "dataset_name = repeat('ä', 256)", "dataset_name = null", "band_stats = '{}'", "band_stats = '[]'",
            "band_stats = 'null'", "band_stats = '{\"dsm\":{},\"dtm\":{}}'",
            "band_stats = '{\"dsm\":{},\"dtm\":{},\"ortho\":1}'",
            "band_stats = '{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"other\":{}}'", "owner_id = 999",
            "owner_name = 'somebody else'", "uav_uid = null"})
    void invalidValuesAreRefused(String assignment) {
        assertThrows(PgException.class, () -> catalogue.sql("update dataset set " + assignment));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bbox = '{1,2,1,2}'", "bbox = '{-90,-180,90,180}'", "bbox = '{}'",
            "coordinates = '{-90,180}'", "coordinates = null", "dataset_name = repeat('ä', 255)",
            "band_stats = '{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"b1\":{}}}'"})
    void validValuesAreAccepted(String assignment) {
        catalogue.sql("update dataset set " + assignment);
    }

    @Test
    void theUidAndTheUsernameAreUnique() {
        assertThrows(PgException.class,
                () -> catalogue.sql("insert into account (id, username) values (9999, 'Ada van Dyk')"));
        assertThrows(PgException.class,
                () -> catalogue.replaceWith(dataset(1), dataset(2, d -> d.uavUid = dataset(1, e -> {
                }).uavUid)));
    }

    @Test
    void anAccountThatIsRenamedKeepsItsDatasets() {
        catalogue.sql("update account set username = 'Ada Lovelace' where id = 7");
        assertEquals("Ada Lovelace", catalogue.sql("select owner_name from dataset").get(0).getString(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{10,20,11,21} | {10.5,20.5} | (20.5,10.5) | true",
            "{10,20,11,21} | {10.5,20.5} | (19,10.5) | false", "{} | {10.5,20.5} | (20.5,10.5) | true"})
    void theFootprintIsTheBoxOrThePointIfThereIsNoBox(String bbox, String coordinates, String point, boolean inside) {
        catalogue.sql("update dataset set bbox = '%s', coordinates = '%s'".formatted(bbox, coordinates));
        assertEquals(inside,
                catalogue.sql("select footprint @> point '%s' from dataset".formatted(point)).get(0).getBoolean(0));
    }

    @ParameterizedTest
    @CsvSource({"not is_private, dataset_listed_footprint_idx", "is_private, dataset_private_footprint_idx"})
    void aSearchOfFootprintsUsesAnIndex(String visibility, String index) {
        catalogue.replaceWith(Catalogue.generated(5_000));
        String plan = catalogue.sql("explain select id from dataset where not is_deleted and " + visibility
                + " and coordinates is not null and footprint && box '(10,50),(11,51)'")
                .stream().map(row -> row.getString(0)).toList().toString();
        assertTrue(plan.contains(index), plan);
    }

    /** An index that was built before has the words of the former function. */
    @Test
    void wordsOfAsciiAreDividedAsThoseOfOtherTexts() {
        assertEquals(List.of(), catalogue.sql("""
                select text from (
                    select concat('x', chr(a), 'Y', chr(b)) from generate_series(1, 128) a, generate_series(1, 128) b
                    union all select repeat(word, times) from unnest('{a, Z9, -, Red Rocks, é}'::text[]) word,
                        unnest('{0, 1, 9, 10, 11, 50, 51, 99, 100, 101, 102, 255}'::int[]) times) each (text)
                where search_words(text) is distinct from any_words(text)""")
                .stream().map(row -> row.getString(0)).toList());
    }

    /** A call of a function that is not part of the expression costs a write more than the entries of the index. */
    @Test
    void indexesComputeNamesOfAsciiWithoutAnExecutionOfTheirOwn() {
        String plan = catalogue.sql("explain verbose select search_words(dataset_name), rasters_with_stats(band_stats),"
                + " band_labels(band_stats) from dataset").stream().map(row -> row.getString(0)).toList().toString();
        assertFalse(plan.matches("(?s).*\\b(search_words|rasters_with_stats|band_labels)\\(.*"), plan);
    }

    /** A restore evaluates the functions of indexes with an empty search path. */
    @ParameterizedTest
    @ValueSource(strings = {"words_query('Red Rocks')", "search_words('Red Rocks')", "search_words('É')",
            "case_folded('Red Rocks')",
            "username_key('Ada')",
            "continue_sequence('public.account_id_seq', 0)"})
    void theFunctionsDoNotDependOnTheSearchPath(String call) {
        catalogue.sql("set local search_path = ''; select public." + call);
    }

    /** A create writes the two unique indexes, and those of listed datasets. */
    @Test
    void theDocumentsHaveTheNumberOfIndexes() throws IOException {
        Row row = catalogue.sql("""
                select count(*) as present, count(*) filter (where relname ~ '^dataset_listed_' or indisunique) as written
                from pg_index join pg_class on oid = indexrelid where indrelid = 'dataset'::regclass""").get(0);
        String sentence = "`dataset` has %d indexes, and a create writes %d of them"
                .formatted(row.getLong("present"), row.getLong("written"));
        assertTrue(Files.readString(Path.of("docs/adr/0019-what-the-indexes-cost.md")).contains(sentence), sentence);
        assertTrue(Files.readString(Path.of("docs/scaling.md"))
                .contains("an entry in each of " + row.getLong("written") + " indexes"), sentence);
    }

    @Test
    void idsAndWorkspacesEndAtTheLargestIntegerOfJson() {
        assertEquals("{9007199254740991}", catalogue.sql("""
                select array_agg(distinct max_value)::text from pg_sequences
                where sequencename in ('dataset_id_seq', 'account_id_seq', 'account_workspace_seq')
                """).get(0).getString(0));
    }

    @Test
    void aSequenceThatHasNotBeenUsedContinuesAfterTheFirstImportedNumber() {
        catalogue.sql("create sequence unused");
        try {
            catalogue.sql("select continue_sequence('unused', 0)");
            catalogue.sql("select continue_sequence('unused', 1)");
            assertEquals(2, catalogue.sql("select nextval('unused')").get(0).getLong(0));
        } finally {
            catalogue.sql("drop sequence unused");
        }
    }

    @Test
    void aSequenceContinuesAfterTheHighestImportedNumber() {
        long used = catalogue.sql("select nextval('dataset_id_seq')").get(0).getLong(0) + 1_000;
        catalogue.sql("select continue_sequence('dataset_id_seq', " + used + ")");
        catalogue.sql("select continue_sequence('dataset_id_seq', " + (used - 500) + ")");
        assertEquals(used + 1, catalogue.sql("select nextval('dataset_id_seq')").get(0).getLong(0));
    }
}
