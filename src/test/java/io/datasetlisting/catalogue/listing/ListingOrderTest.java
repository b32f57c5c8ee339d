package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Listing.list;
import static io.datasetlisting.support.Listing.page;
import static io.datasetlisting.support.Listing.reversed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.index.Matches;
import io.datasetlisting.catalogue.query.FilterModel;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Tests the orderings of the listing. */
@QuarkusTest
class ListingOrderTest {

    /** Names in the stated order: the CLDR root collation, with the empty string first. */
    private static final List<String> NAMES = List.of("", " ", "_field", "10 fields", "2 fields", "alpha", "Alpha",
            "álpha", "alpha 2", "Beta", "beta 2", "zebra", "Ωmega", "Ёлка", "ель", "חוף", "دلتا", "ป่า", "한강", "あ",
            "東京");

    @Inject
    Catalogue catalogue;

    @Inject
    PagingConfig paging;

    @BeforeEach
    void fillCatalogue() {
        catalogue.replaceWith(generated(330));
    }

    static Stream<String> ranked() {
        return Views.ranked().stream();
    }

    @ParameterizedTest
    @MethodSource("ranked")
    void nextAndPreviousVisitEveryDatasetOnceInOrder(String field) {
        List<Long> expected = expected(field);
        int pageSize = 1 + new Random(field.hashCode()).nextInt(100);
        String query = "?ordering=" + field + "&page_size=" + pageSize;
        assertEquals(expected, page(query).idsToTheEnd());
        assertEquals(reversed(expected), page(query + "&p=last").idsBackToTheStart());
    }

    @ParameterizedTest
    @MethodSource("ranked")
    void descendingOrderIsTheReverseOfAscendingOrder(String field) {
        assertEquals(reversed(expected(field)), page("?page_size=50&ordering=-" + field).idsToTheEnd());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"workspace,-captured_date | workspace, captured_date desc, id",
            "-workspace,dataset_name | workspace desc, dataset_name, id desc",
            " -is_shareable , user,nonsense,is_shareable | is_shareable desc, owner_name, id desc",
            "nonsense | id", "thumbnail_image,band_stats | id", ",,- | id", "--id | id", "-id | id desc",
            "id;drop table dataset | id", "dataset_name desc | id", "owner_name | id"})
    void severalFieldsSortInTheirOrderAndUnknownFieldsAreIgnored(String ordering, String sql) {
        assertEquals(ids(sql), page("?page_size=100&ordering=" + ordering.replace(" ", "%20")).idsToTheEnd());
    }

    @Test
    void namesFollowTheStatedCollationAndTheEmptyNameIsFirst() {
        List<Integer> shuffled = new ArrayList<>(IntStream.range(0, NAMES.size()).boxed().toList());
        Collections.shuffle(shuffled, new Random(1));
        catalogue.replaceWith(
                shuffled.stream().map(i -> dataset(100 + i * 7 % 50, d -> d.datasetName = NAMES.get(i))).toList());
        assertEquals(NAMES, list("?page_size=100&ordering=dataset_name").jsonPath().getList("results.dataset_name"));
    }

    @Test
    void eachOrderingReadsItsPageFromAnIndexWithoutASort() {
        catalogue.replaceWith(generated(5_000));
        catalogue.vacuumUntilAllIsVisible();
        for (String column : List.of("id", "uav_uid", "owner_name", "workspace", "dataset_name", "captured_date",
                "is_private", "is_shareable", "cant_orthomosaic", "is_dem_processing", "cumulative_adjustment",
                "latest_adjustment_status")) {
            for (String direction : List.of("", " desc")) {
                String order = column + direction + (column.equals("id") ? "" : ", id" + direction);
                String plan = String.join("\n", catalogue.sql("explain select id, version, updated_at from dataset "
                        + "where not is_deleted and not is_private and coordinates is not null order by " + order
                        + " limit 15 offset 600")
                        .stream().map(row -> row.getString(0)).toList());
                assertTrue(plan.contains("Index Only Scan") && !plan.contains("Sort"), order + ":\n" + plan);
            }
        }
    }

    @Test
    void datasetsWithoutARasterThatWasReadAreLastInBothDirections() {
        List<Dataset> datasets = generated(330);
        datasets.stream().filter(d -> d.id % 3 > 0)
                .forEach(d -> d.rasterHeaders = FilterModel.header("dsm", d.id % 7 + 0.1));
        catalogue.replaceWith(datasets);
        String value = "(raster_headers -> 'dsm' -> 'gsd')::float8 ";
        for (String direction : List.of("", " desc")) {
            List<Long> expected = ids(value + direction + " nulls last, id" + direction);
            String query = "?page_size=37&ordering=" + (direction.isEmpty() ? "gsd" : "-gsd");
            assertEquals(expected, page(query).idsToTheEnd());
            assertEquals(reversed(expected), page(query + "&p=last").idsBackToTheStart());
            assertEquals(ids(value + direction + " nulls last, workspace desc, id" + direction),
                    page(query + ",-workspace").idsToTheEnd());
            assertEquals(expected, array(query));
        }
    }

    /** What a stream reads. */
    private static List<Long> array(String query) {
        return RestAssured.get("/api/search_datasets" + query).jsonPath().getList("id", Long.class);
    }

    /** Otherwise a page among some datasets by {@code uav_uid} visits all datasets. */
    @Test
    void aPageAmongKnownDatasetsReadsNoOthers() {
        catalogue.replaceWith(generated(5_000));
        Views.FIELDS.sortable().forEach(field -> {
            ListingQuery query = ListingQuery.parse(QueryString.parse("ordering=" + field), paging, Views.FIELDS,
                    Caller.ANONYMOUS);
            String plan = catalogue.explain(new CountedPageSql(query.request(), Caller.ANONYMOUS, "", Views.FIELDS)
                    .sorted(new Matches(query.filter(), Sql.of("1"), 3, new Long[]{1L, 2L, 3L}, false)));
            assertEquals(2, plan.split("using dataset_pkey on dataset").length - 1, plan);
            assertFalse(plan.contains("_idx") || plan.contains("_key"), plan);
        });
    }

    private List<Long> expected(String field) {
        return ids((field.equals("user") ? "owner_name" : field) + ", id");
    }

    private List<Long> ids(String orderBy) {
        return catalogue.sql("select id from dataset where not is_deleted and not is_private "
                + "and coordinates is not null order by " + orderBy).stream().map(row -> row.getLong(0)).toList();
    }
}
