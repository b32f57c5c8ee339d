package io.datasetlisting.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** What the planner makes of the filters on a table of 100,000 rows. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterIndexTest {

    private static final int ROWS = 100_000;

    @Inject
    Catalogue catalogue;

    private boolean filled;

    private void fill() {
        if (!filled) {
            // Other tests have made up sets that no catalogue has.
            catalogue.sql("truncate category_set");
            catalogue.replaceWith(Catalogue.generated(ROWS));
            vacuum();
            filled = true;
        }
    }

    /** Until all is seen to be there for everybody: whoever still reads an older state keeps that from being so. */
    private void vacuum() {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        do {
            catalogue.sql("vacuum analyze dataset, category_set");
        } while (!catalogue.sql("select relallvisible >= relpages - 1 from pg_class where relname = 'dataset'").get(0)
                .getBoolean(0) && System.nanoTime() < end);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            workspace=3                     | dataset_listed_workspace_idx
            user=terra                      | dataset_listed_owner_name_idx
            user=3                          | dataset_listed_owner_id_idx
            category=Rocky                  | dataset_listed_category_idx
            available_rasters=dtm           | dataset_listed_lists_idx
            is_shareable=true               | dataset_listed_is_shareable_idx
            captured_after=2025-10-01       | dataset_listed_captured_date_idx
            captured_before=2016-03-01      | dataset_listed_captured_date_idx
            search=coast                    | dataset_listed_lists_idx
            in_bbox=5,45,7,47               | dataset_listed_footprint_idx
            in_bbox=179,-50,-179,50         | dataset_listed_footprint_idx
            band=lwir                       | dataset_listed_lists_idx
            has_stats=multispec_ortho       | dataset_listed_lists_idx
            updated_since=2100-01-01        | dataset_listed_updated_at_idx
            """)
    void anIndexServesEachFilter(String query, String index) {
        fill();
        List<Object> values = new ArrayList<>();
        DatasetFilter filter = DatasetFilter.parse(QueryString.parse(query));
        String condition = DatasetConditions.visible(filter, Caller.ANONYMOUS, values).get(0);
        String plan = explain("select count(*) from " + DatasetConditions.all(condition, filter), values);
        assertFalse(plan.contains("Seq Scan on dataset"), plan);
        assertTrue(plan.contains(index), plan);
        String page = explain("select id from dataset where " + condition + " order by id limit 15", values);
        assertFalse(page.contains("Seq Scan"), page);
    }

    /** With the values in their places, as PostgreSQL plans the first executions of a prepared statement. */
    private String explain(String sql, List<Object> values) {
        String whole = sql;
        for (int i = values.size(); i > 0; i--) {
            whole = whole.replace("$" + i, literal(values.get(i - 1)));
        }
        return catalogue.sql("explain (costs off) " + whole).stream().map(row -> row.getString(0))
                .collect(Collectors.joining("\n"));
    }

    private static String literal(Object value) {
        return value instanceof Object[] items
                ? "'{" + Arrays.stream(items).map(Object::toString).collect(Collectors.joining(",")) + "}'"
                : "'" + value + "'";
    }

    @Test
    void theUnfilteredListingAsksNoMore() {
        List<Object> values = new ArrayList<>();
        assertEquals(List.of("not is_deleted and not is_private and coordinates is not null"),
                DatasetConditions.visible(DatasetFilter.parse(QueryString.parse("")), Caller.ANONYMOUS, values));
        assertEquals(List.of(), values);
    }
}
