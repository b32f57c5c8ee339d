package io.datasetlisting.catalogue.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Tests the plans and the pages of filters on a table of 100,000 rows. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterIndexTest {

    private static final int ROWS = RandomTests.times(12_000, 100_000);

    @Inject
    Catalogue catalogue;

    @Inject
    DatasetFields fields;

    private boolean filled;

    private void fill() {
        if (!filled) {
            catalogue.replaceWith(Catalogue.generated(ROWS));
            catalogue.vacuumUntilAllIsVisible();
            filled = true;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            workspace=3                     | dataset_listed_workspace_idx
            user=terra                      | dataset_listed_owner_name_idx
            user=3                          | dataset_listed_owner_id_idx
            category=Deep ocean floor       | dataset_listed_lists_idx
            category=Rocky&category=Forest  | dataset_listed_lists_idx
            available_rasters=dtm           | dataset_listed_lists_idx
            is_shareable=true               | dataset_listed_is_shareable_idx
            captured_after=2025-10-01       | dataset_listed_captured_date_idx
            captured_before=2016-03-01      | dataset_listed_captured_date_idx
            search=coast                    | dataset_listed_lists_idx
            in_bbox=5,45,7,47               | dataset_listed_footprint_idx
            in_bbox=179,-50,-179,50         | dataset_listed_footprint_idx
            band=lwir                       | dataset_listed_lists_idx
            has_stats=multispec_ortho       | dataset_listed_lists_idx
            gsd_max=0.5                     | dataset_gsd_idx
            updated_since=2100-01-01        | dataset_listed_updated_at_idx
            """)
    void eachFilterUsesItsIndex(String query, String index) {
        fill();
        SelectionSql selection = FilterSql
                .visible(Filter.parse(QueryString.parse(query), fields, Caller.ANONYMOUS), Caller.ANONYMOUS)
                .get(0);
        String plan = catalogue.explain(selection.count().in("select ", ""));
        assertFalse(plan.contains("Seq Scan on dataset"), plan);
        assertTrue(plan.contains(index), plan);
        String page = catalogue.explain(selection.select("id").in("", " order by id limit 15"));
        assertFalse(page.contains("Seq Scan"), page);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            category=Rocky&category=Forest | category=Rocky,Forest,Rocky&category=Forest,Rocky
            category=Other                 | category=Other,Other,Other,Other,Other,Other,Other,Other
            workspace=3                    | workspace=3,3,03&workspace=3
            user=terra                     | user=terra,terra,terra
            band=lwir                      | band=lwir,lwir&band=lwir
            search=coast                   | search=coast+Coast-COAST+coast
            search=north+coast             | search=coast+north+coast+north+north
            """)
    void repeatedValuesAreSearchedOnce(String once, String repeated) {
        fill();
        assertEquals(plan(once), plan(repeated));
    }

    /** Otherwise PostgreSQL splits all names into words. */
    @Test
    void anArrayOfAWordIsFoundInItsIndex() {
        fill();
        long before = scansOfLists();
        assertFalse(RestAssured.get("/api/search_datasets?search=c").jsonPath().getList("id").isEmpty());
        Patience.await("a scan of the index of words").until(() -> scansOfLists() > before);
    }

    private long scansOfLists() {
        return catalogue
                .sql("select idx_scan from pg_stat_user_indexes where indexrelname = 'dataset_listed_lists_idx'")
                .get(0).getLong(0);
    }

    /** A count from the index alone reads no dataset. */
    @Test
    @Tag(NightlySuite.TAG)
    void aBoxIsCountedInItsIndexAlone() {
        fill();
        assertTrue(plan("in_bbox=-10,35,14,58").contains("Index Only Scan using dataset_listed_footprint_idx"),
                () -> plan("in_bbox=-10,35,14,58"));
    }

    private String plan(String query) {
        return catalogue.explain(
                FilterSql.visible(Filter.parse(QueryString.parse(query), fields, Caller.ANONYMOUS), Caller.ANONYMOUS)
                        .get(0).count()
                        .in("select ", ""));
    }

    /** The plan for few matches differs from the plan for many. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            is_shareable=false             | not is_shareable                | -id                | 300
            is_shareable=false             | not is_shareable                | -captured_date     | last
            category=Rocky                 | category && '{Rocky}'           | id                 | 120
            category=Rocky&category=Forest | category && '{Rocky,Forest}'    | -id                | 200
            category=Rocky&category=Forest | category && '{Rocky,Forest}'    | workspace          | 7
            workspace=3                    | workspace = 3                   | -id                | last
            workspace=3&workspace=4        | workspace in (3, 4)             | dataset_name       | last
            """)
    void aPageEqualsThePageOfPlainSql(String query, String condition, String ordering, String page) {
        fill();
        String listed = "dataset where not is_deleted and not is_private and coordinates is not null and " + condition;
        long count = catalogue.sql("select count(*) from " + listed).get(0).getLong(0);
        long skipped = (page.equals("last") ? (count - 1) / 15 : Long.parseLong(page) - 1) * 15;
        String order = ordering.replaceFirst("-(.*)", "$1 desc") + (ordering.startsWith("-") ? ", id desc" : ", id");
        PageOfDatasets listing = Listing.page("?" + query + "&ordering=" + ordering + "&p=" + page);
        assertEquals(count, listing.count());
        assertEquals(catalogue.sql("select id from " + listed + " order by " + order + " limit 15 offset " + skipped)
                .stream()
                .map(row -> row.getLong(0)).toList(), listing.ids());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POLYGON((5 45, 7 45, 7 47, 5 47, 5 45)) | 0
            POLYGON((5 45, 7 45, 7 47, 5 45))       | 3
            POLYGON((5 45, 7 45, 7 47, 5 45))       | 5000
            """)
    void aGeometryIsFoundInTheIndexesOfFootprintsAndFlatDatasets(String wkt, int ids) throws ParseException {
        fill();
        Expression geometry = new Expression.Intersects(new WKTReader().read(wkt));
        List<SelectionSql> selections = FilterSql.visible(ids == 0
                ? geometry
                : new Expression.And(List.of(geometry,
                        new Expression.Ids(LongStream.range(0, ids).boxed().toList()))),
                Caller.ANONYMOUS);
        String footprints = catalogue.explain(selections.get(0).select("count(*)"));
        assertTrue(footprints.contains("Index Only Scan using dataset_listed_footprint_idx")
                || ids == 3 && footprints.contains("Index Cond: (id = ANY"), footprints);
        String flat = catalogue.explain(selections.get(1).select("count(*)"));
        assertTrue(flat.contains("dataset_flat_coordinates_idx") && flat.contains("Index Cond: (id = ANY"), flat);
        assertFalse((footprints + flat).contains("Seq Scan"), () -> footprints + flat);
        assertEquals(2, selections.size());
    }

    /** The collation of a comparison is that of the index. */
    @ParameterizedTest
    @CsvSource({"title, dataset_name, dataset_listed_dataset_name_idx",
            "dataset:user, owner_name, dataset_listed_owner_name_idx"})
    void aComparisonOfTheOrderOfTextsUsesTheIndexOfTheOrder(String name, String column, String index) {
        fill();
        Expression.Operand property = new Expression.Operand(new Queryable(name, Queryable.Type.TEXT, column), false);
        String plan = catalogue.explain(FilterSql.visible(new Expression.Comparison(property,
                Expression.Operator.LESS, new Expression.Literal.Text("a", false)), Caller.ANONYMOUS).get(0)
                .select("count(*)"));
        assertTrue(plan.contains(index) && plan.contains("Index Cond"), plan);
    }

    /** The title of a dataset with a blank name has its id, so that no dataset without a name is read for another title. */
    @ParameterizedTest
    @CsvSource({"flight, dataset_listed_dataset_name_idx", "Dataset 7, dataset_(pkey|listed_id_idx)"})
    void aTitleIsFoundInTheIndexesOfNamesAndIds(String title, String index) {
        fill();
        Queryable property = fields.get("dataset_name").queryable();
        String plan = catalogue.explain(FilterSql.visible(new Expression.Comparison(
                new Expression.Operand(property, false), Expression.Operator.EQUAL,
                new Expression.Literal.Text(title, false)), Caller.ANONYMOUS).get(0).select("id"));
        assertTrue(Pattern.compile(index).matcher(plan).find() && plan.contains("dataset_listed_dataset_name_idx")
                && !plan.contains("Seq Scan"), plan);
    }

    /** For a few expected datasets the planner searches a free text again for each one. */
    @ParameterizedTest
    @CsvSource({"rasters_with_stats(band_stats) && '{dsm}'", "band_labels(band_stats) && '{nir}'"})
    void thePlannerKnowsHowManyDatasetsHaveStatistics(String condition) {
        fill();
        String listed = "select id from dataset where not is_deleted and coordinates is not null and " + condition;
        long count = catalogue.sql(listed).size();
        Matcher expected = Pattern.compile("rows=(\\d+)")
                .matcher(catalogue.sql("explain (summary off) select from (" + listed + " offset 0) found").get(0)
                        .getString(0));
        assertTrue(expected.find());
        long rows = Long.parseLong(expected.group(1));
        assertTrue(count > 500 && rows > count / 2 && rows < count * 2, () -> rows + " rows instead of " + count);
    }

    /** The conditions of a text stand in one subquery, so that no other condition changes how it is found. */
    @Test
    void aFreeTextIsFoundInTheIndexesOfFiltersAndOfTexts() {
        fill();
        Expression text = new Expression.FreeText(List.of("coast", "north bay", "rocky"));
        SelectionSql selection = FilterSql.visible(text, Caller.ANONYMOUS).get(0);
        for (String plan : List.of(catalogue.explain(selection.count().in("select ", "")),
                catalogue.explain(selection.select("id").in("", " order by id limit 15")))) {
            assertTrue(plan.contains("dataset_listed_lists_idx") && plan.contains("dataset_texts_idx"), plan);
            assertFalse(plan.contains("Seq Scan on dataset dataset_"), plan);
        }
    }

    @Test
    void theUnfilteredListingHasOnlyTheConditionOfVisibility() {
        List<SelectionSql> visible = FilterSql.visible(Filter.parse(QueryString.parse(""), fields, Caller.ANONYMOUS),
                Caller.ANONYMOUS);
        assertEquals(1, visible.size());
        assertEquals(
                new Sql.Statement("not is_deleted and not is_private and coordinates is not null", List.of(), false),
                visible.get(0).condition().statement());
    }
}
