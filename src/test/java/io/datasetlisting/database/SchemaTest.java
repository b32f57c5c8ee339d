package io.datasetlisting.database;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.pgclient.PgException;

/** Tests the constraints, the footprint and the sequences of the schema. */
@QuarkusTest
class SchemaTest {

    @Inject
    Catalogue catalogue;

    @Inject
    SchemaHistory history;

    @BeforeEach
    void oneDataset() {
        catalogue.replaceWith(dataset(1, d -> {
        }));
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
        assertThrows(PgException.class, () -> catalogue.replaceWith(dataset(1, d -> {
        }), dataset(2, d -> d.uavUid = dataset(1, e -> {
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

    /** A restore evaluates the functions of indexes with an empty search path. */
    @ParameterizedTest
    @ValueSource(strings = {"words_query('Red Rocks')", "search_words('Red Rocks')", "case_folded('Red Rocks')",
            "username_key('Ada')",
            "continue_sequence('public.account_id_seq', 0)"})
    void theFunctionsDoNotDependOnTheSearchPath(String call) {
        catalogue.sql("set local search_path = ''; select public." + call);
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
