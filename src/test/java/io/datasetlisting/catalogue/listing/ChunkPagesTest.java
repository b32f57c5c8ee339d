package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.datasetlisting.support.NoMemoryForColumns;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;

/** The same without memory for columns: one statement counts and reads each page. */
@QuarkusTest
@TestProfile(NoMemoryForColumns.class)
class ChunkPagesTest extends FilteredPagesTest {

    private static final int MANY = Selection.FEW + 1_000;

    /** So many matches are not sorted. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dataset_name          | dataset_name, id                  | title
            -id                   | id desc                           | -id
            captured_date         | captured_date, id                 | datetime
            workspace,-user       | workspace, owner_name desc, id    | dataset:workspace,-dataset:user
            """)
    void aPageOfManyMatchesEqualsThatOfPlainSql(String ordering, String order, String sortby) {
        catalogue.replaceWith(LongStream.rangeClosed(1, MANY).mapToObj(id -> Catalogue.dataset(id, d -> {
            d.category = new String[]{id > 100 ? "Rocky" : "Forest"};
            d.datasetName = "moved " + id % 7;
            d.workspace = id % 5;
            d.capturedDate = Instant.ofEpochSecond(id % 11 * 86_400);
        })).toList());
        String matching = "dataset where category && '{Rocky}'";
        long count = catalogue.sql("select count(*) from " + matching).get(0).getLong(0);
        assertEquals(MANY - 100, count);
        for (long page : List.of(1L, 700L, (count - 1) / 15 + 1)) {
            List<Long> expected = catalogue.sql("select id from " + matching + " order by " + order
                    + " limit 15 offset " + (page - 1) * 15).stream().map(row -> row.getLong(0)).toList();
            for (String name : page == 1 || page == 700 ? List.of("" + page) : List.of("" + page, "last")) {
                PageOfDatasets read = Listing.page("?category=Rocky&ordering=" + ordering + "&p=" + name);
                assertEquals(count, read.count());
                assertEquals(expected, read.ids());
            }
        }
        List<Long> all = catalogue.sql("select id from " + matching + " order by " + order).stream()
                .map(row -> row.getLong(0)).toList();
        JsonPath first = search("/stac/search?limit=20&filter=%22dataset:category%22%3D'Rocky'&sortby=" + sortby,
                count);
        assertEquals(all.subList(0, 20), ids(first));
        assertEquals(all.subList(20, 40), ids(search(link(first, "next"), count)));
        assertEquals(all.subList(all.size() - 20, all.size()), ids(search(link(first, "last"), count)));
    }

    private static JsonPath search(String address, long count) {
        JsonPath page = Caller.anonymous().get(address).jsonPath();
        assertEquals(count, page.getLong("numberMatched"));
        return page;
    }

    private static String link(JsonPath page, String relation) {
        return page.getString("links.find { it.rel == '" + relation + "' }.href").replaceFirst("https?://[^/]+", "");
    }

    private static List<Long> ids(JsonPath page) {
        return page.getList("features.id", String.class).stream().map(Long::valueOf).toList();
    }
}
