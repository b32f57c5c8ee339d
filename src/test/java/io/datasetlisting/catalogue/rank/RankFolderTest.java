package io.datasetlisting.catalogue.rank;

import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the metrics and the log of folds. */
@QuarkusTest
@TestProfile(LowLimits.class)
class RankFolderTest {

    @Inject
    Catalogue catalogue;

    @Test
    void failedFoldsAreLoggedAndCounted() {
        catalogue.replaceWith(Catalogue.plain(10));
        catalogue.awaitThat("not exists (select from listing_change)");
        double failed = metric("dataset_ranks_fold_failures_total");
        try (ErrorLog log = ErrorLog.open()) {
            catalogue.sql("alter function fold_listing_changes(bigint) rename to away");
            try {
                catalogue.sql("update dataset set dataset_name = 'new'");
                awaitAtLeast("dataset_ranks_fold_failures_total", failed + 11);
                assertEquals(20, metric("dataset_ranks_pending"));
                awaitAtLeast("dataset_ranks_fold_age_seconds", 1);
                assertEquals(20, metric("dataset_columns_pending"));
                awaitAtLeast("dataset_columns_age_seconds", 1);
            } finally {
                catalogue.sql("alter function away(bigint) rename to fold_listing_changes");
            }
            catalogue.awaitThat("not exists (select from listing_change)");
            // Between the first failure and the last one at most each tenth is logged.
            double failures = metric("dataset_ranks_fold_failures_total") - failed;
            int warnings = log.warnings(RankFolder.class).size();
            assertTrue(warnings >= 2 && warnings <= 1 + failures / 10, warnings + " for " + failures);
            assertTrue(log.warnings(RankFolder.class).get(0)
                    .matches(
                            "Pending changes are not folded \\(failure 1 in a row\\), pages become slower: "
                                    + ".*fold_listing_changes.*"),
                    log.warnings(RankFolder.class).toString());
        }
        double folds = metric("dataset_ranks_fold_seconds_count");
        catalogue.sql("update dataset set dataset_name = 'newer'");
        awaitAtLeast("dataset_ranks_fold_seconds_count", folds + 1);
        assertEquals(0, metric("dataset_ranks_pending"));
        Patience.await("the age of a running fold").until(() -> metric("dataset_ranks_fold_age_seconds") < 1
                && metric("dataset_columns_age_seconds") < 1 && metric("dataset_columns_pending") == 0);
    }

    /** As if another instance had folded between the snapshot and the lock of each first attempt. */
    @Test
    void aFoldThatMeetsAnotherOneRunsAgainWithoutAWarning() {
        catalogue.replaceWith(Catalogue.plain(10));
        catalogue.awaitThat("not exists (select from listing_change)");
        double failed = metric("dataset_ranks_fold_failures_total");
        catalogue.sql("alter function fold_listing_changes(bigint) rename to away");
        try (ErrorLog log = ErrorLog.open()) {
            catalogue.sql("create sequence attempt");
            catalogue.sql("""
                    create function fold_listing_changes(decided bigint) returns bigint language plpgsql as $$ begin
                        if nextval('attempt') % 2 = 1 then raise 'met' using errcode = 'serialization_failure'; end if;
                        return away(decided);
                    end $$""");
            catalogue.sql("update dataset set dataset_name = 'new'");
            catalogue.awaitThat("not exists (select from listing_change)");
            catalogue.awaitThat("(select last_value from attempt) > 1");
            assertEquals(failed, metric("dataset_ranks_fold_failures_total"));
            assertEquals(List.of(), log.warnings(RankFolder.class));
        } finally {
            catalogue.sql("drop function if exists fold_listing_changes(bigint)");
            catalogue.sql("drop sequence if exists attempt");
            catalogue.sql("alter function away(bigint) rename to fold_listing_changes");
        }
    }

    private static void awaitAtLeast(String name, double value) {
        Patience.await(name + " is at least " + value).until(() -> metric(name) >= value);
    }

}
