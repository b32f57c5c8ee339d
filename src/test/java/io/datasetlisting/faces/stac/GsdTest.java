package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.ItemPage.numbers;
import static io.datasetlisting.support.ItemPage.path;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.catalogue.query.FilterModel;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Compares filters and orders by {@code gsd} with plain SQL, before and after a fold, and beside pending changes. */
@QuarkusTest
class GsdTest {

    private static final String SEARCH = "/stac/search?limit=";
    private static final int DATASETS = 300;
    /** Of a raster that was read, or null. */
    private static final String GSD = """
            least((raster_headers #>> '{ortho,gsd}')::float8, (raster_headers #>> '{dsm,gsd}')::float8,
                  (raster_headers #>> '{multispec_ortho,gsd}')::float8)""";
    private static final List<Object> DISTANCES = List.of(0.05, 0.1, 0.2, 0.25, 3, "4.9e-324", "1e300");

    /** CQL2 and the same condition in SQL. */
    private static final String CONDITIONS = """
            gsd <= 0.1                                | {} <= 0.1
            not gsd <= 0.1                            | {} > 0.1
            not not gsd < 0.1                         | {} < 0.1
            gsd = 0.25                                | {} = 0.25
            gsd <> 0.25                               | {} <> 0.25
            not gsd <> 0.25                           | {} = 0.25
            gsd in (0.05, 3, 7)                       | {} in (0.05, 3, 7)
            not gsd in (0.05, 3, 7)                   | {} not in (0.05, 3, 7)
            gsd between 0.1 and 0.25                  | {} between 0.1 and 0.25
            gsd not between 0.1 and 0.25              | {} not between 0.1 and 0.25
            gsd between 0.25 and 0.1                  | {} between 0.25 and 0.1
            not gsd between 0.25 and 0.1              | {} not between 0.25 and 0.1
            gsd is null                               | {} is null
            not gsd is null                           | {} is not null
            gsd is not null and gsd >= 0              | {} is not null
            gsd = 0 or gsd < 0 or gsd <= -1           | false
            not gsd = 0                               | {} <> 0
            gsd > -1                                  | {} > -1
            not (gsd > -1)                            | false
            gsd < 1e-300                              | {} < 1e-300
            gsd > 1e299                               | {} > 1e299
            not (gsd < 0.1 and dataset:workspace = 1) | not ({} < 0.1 and workspace = 1)
            not (gsd < 0.1 or dataset:workspace = 1)  | not ({} < 0.1 or workspace = 1)
            not (gsd < 0.1 and not gsd = 3)           | not ({} < 0.1 and not {} = 3)
            not (title is null or gsd is null)        | {} is not null
            gsd < 0.3 and title like '%'              | {} < 0.3
            not (gsd < 0)                             | {} is not null
            not (gsd < -1) and title like '%'         | {} is not null
            not (gsd <= -1)                           | {} is not null
            not not gsd is null                       | {} is null
            not not (gsd is null or gsd = 3)          | {} is null or {} = 3
            not not not gsd is null                   | {} is not null
            """;

    /** Orders of a search, and in SQL. */
    private static final String ORDERS = """
            gsd                   | {} nulls last, id
            -gsd                  | {} desc nulls last, id desc
            gsd,-id               | {} nulls last, id desc
            -gsd,datetime         | {} desc nulls last, captured_date, id desc
            dataset:workspace,gsd | workspace, {} nulls last, id
            """;

    /** Filters of the listing, and in SQL. */
    private static final String FILTERS = """
            gsd_max=0.1                | {} <= 0.1
            gsd_min=0.2                | {} >= 0.2
            gsd_min=0.1&gsd_max=0.25   | {} between 0.1 and 0.25
            gsd_max=-1                 | false
            gsd_min=0&workspace=1      | {} > 0 and workspace = 1
            gsd_max=1&search=nothing   | false
            """;

    @Inject
    Catalogue catalogue;

    private Caller owner;

    @BeforeEach
    void fill() {
        Random random = new Random(56);
        catalogue.replaceWith(IntStream.rangeClosed(1, DATASETS).mapToObj(i -> dataset(i, d -> {
            d.isPrivate = i % 5 == 0;
            d.workspace = i % 3;
            JsonObject headers = new JsonObject();
            for (String raster : List.of("ortho", "dsm", "multispec_ortho")) {
                if (random.nextInt(3) == 0) {
                    headers.mergeIn(new JsonObject(FilterModel.header(raster, random.nextInt(9) == 0
                            ? "null"
                            : DISTANCES.get(random.nextInt(DISTANCES.size())))));
                }
            }
            headers.forEach(each -> {
                if (((JsonObject) each.getValue()).getValue("gsd") == null) {
                    ((JsonObject) each.getValue()).remove("gsd");
                }
            });
            d.rasterHeaders = headers.isEmpty() ? null : headers.encode();
        })).toList());
        owner = Caller.owner().token("reader");
    }

    @Test
    void conditionsFindWhatPostgresqlFinds() {
        inEachState(CONDITIONS, this::checkConditions);
    }

    /** Each level costs the same: it does not double what is below it. */
    @Test
    void deepNegationsCostNoMoreThanTheirLevels() {
        checkConditions("not (".repeat(50) + "gsd > 0.1" + ")".repeat(50), "{} > 0.1");
        checkConditions("not (".repeat(49) + "gsd is null or gsd < 0.2" + ")".repeat(49), "{} >= 0.2");
    }

    private void checkConditions(String filter, String condition) {
        String address = SEARCH + "1000&fields=id&filter=" + PercentEncoding.form(filter);
        for (Caller caller : List.of(Caller.anonymous(), owner, Caller.admin())) {
            List<Long> expected = sorted(caller, condition.replace("{}", GSD), "id");
            JsonObject page = caller.json(address);
            assertEquals(expected, numbers(page), () -> filter + " for " + caller.username());
            assertEquals(expected.size(), page.getInteger("numberMatched"));
        }
    }

    private List<Long> sorted(Caller caller, String condition, String order) {
        return catalogue.sql("select id from dataset where (" + condition + ")"
                + (caller.equals(Caller.anonymous()) ? " and not is_private" : "") + " order by " + order).stream()
                .map(row -> row.getLong(0)).toList();
    }

    /** Checks each line of two texts: after all datasets were written, after a fold, and with pending changes. */
    private void inEachState(String lines, BiConsumer<String, String> check) {
        for (int state = 0; state < 3; state++) {
            lines.lines().map(line -> line.split("\\|"))
                    .forEach(pair -> check.accept(pair[0].strip(), pair[1].strip()));
            change(state);
        }
    }

    private void change(int state) {
        if (state == 0) {
            catalogue.fold();
        } else {
            catalogue.sql("update dataset set raster_headers = case when raster_headers is null"
                    + " then '{\"ortho\": {\"gsd\": 0.1}}'::jsonb end where id % 50 = 0");
        }
    }

    @Test
    void pagesInBothDirectionsHaveTheOrderOfPostgresql() {
        inEachState(ORDERS, this::checkOrders);
    }

    private void checkOrders(String sortby, String order) {
        for (String filter : List.of("", "gsd > 0.1 or dataset:workspace = 1")) {
            String address = SEARCH + "67&fields=id&sortby=" + sortby
                    + (filter.isEmpty() ? "" : "&filter=" + PercentEncoding.form(filter));
            for (Caller caller : List.of(Caller.anonymous(), owner, Caller.admin())) {
                List<Long> expected = sorted(caller,
                        filter.isEmpty() ? "true" : filter.replace("gsd", GSD).replace("dataset:", ""),
                        order.replace("{}", GSD));
                JsonObject first = caller.json(address);
                assertEquals(expected.size(), first.getInteger("numberMatched"));
                assertEquals(expected, walk(caller, first, "next"), () -> address + " for " + caller.username());
                List<Long> backwards = walk(caller, caller.json(path(first, "last")), "prev");
                assertEquals(expected, backwards, () -> address + " backwards for " + caller.username());
            }
        }
    }

    /** The ids of a page, and of those behind or before it, in the order of the search. */
    private static List<Long> walk(Caller caller, JsonObject first, String relation) {
        List<List<Long>> pages = new ArrayList<>();
        for (JsonObject page = first; page != null;) {
            pages.add(numbers(page));
            String next = path(page, relation);
            page = next == null ? null : caller.json(next);
        }
        if (relation.equals("prev")) {
            Collections.reverse(pages);
        }
        return pages.stream().flatMap(List::stream).toList();
    }

    @Test
    void theFiltersOfTheListingFindWhatPostgresqlFinds() {
        inEachState(FILTERS, this::checkFilters);
    }

    private void checkFilters(String query, String condition) {
        for (Caller caller : List.of(Caller.anonymous(), owner, Caller.admin())) {
            List<Long> expected = sorted(caller, condition.replace("{}", GSD), GSD + " desc, id desc");
            String first = "/api/dataset/?page_size=100&ordering=-gsd&fields=id&" + query;
            List<Long> listed = new ArrayList<>();
            for (String next = first; next != null;) {
                JsonObject page = caller.json(next);
                assertEquals(expected.size(), page.getInteger("count"));
                page.getJsonArray("results").forEach(each -> listed.add(((JsonObject) each).getLong("id")));
                next = page.getString("next") == null
                        ? null
                        : page.getString("next").replaceFirst("^https?://[^/]*", "");
            }
            assertEquals(expected, listed, () -> query + " for " + caller.username());
            assertEquals(expected.size(), caller.json("/api/dataset/facets/?" + query).getInteger("count"));
            assertEquals(expected.size(), caller.json("/datasets/grid/?" + query).getInteger("count"));
        }
    }

    @Test
    void theDistanceIsAQueryableAndASortableNumber() {
        for (String document : List.of("/stac/queryables", "/stac/sortables",
                "/stac/collections/datasets/queryables")) {
            assertEquals("number",
                    Caller.anonymous().json(document).getJsonObject("properties").getJsonObject("gsd")
                            .getString("type"));
        }
        JsonArray features = Caller.anonymous().json(SEARCH + "1&sortby=gsd").getJsonArray("features");
        assertTrue(features.getJsonObject(0).getJsonObject("properties").getDouble("gsd") > 0);
        for (String wrong : List.of("gsd = 'fine'", "gsd like '1%'", "gsd = true")) {
            Caller.anonymous().get(SEARCH + "1&filter=" + PercentEncoding.form(wrong)).then().statusCode(400);
        }
    }
}
