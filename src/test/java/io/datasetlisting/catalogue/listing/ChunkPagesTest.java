package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.ItemPage.numbers;
import static io.datasetlisting.support.ItemPage.path;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.catalogue.index.TableRepository;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.datasetlisting.support.LowLimits;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonObject;

/** Tests streams, and pages of many matches, without memory for columns: one statement counts and reads each page. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(LowLimits.class)
class ChunkPagesTest extends StreamSnapshotTest {

    private static final int MANY = TableRepository.FEW + 1_000;

    /** So many matches are not sorted. */
    @Test
    void aPageOfManyMatchesEqualsThatOfPlainSql() {
        catalogue.replaceWith(LongStream.rangeClosed(1, MANY).mapToObj(id -> Catalogue.dataset(id, d -> {
            d.category = new String[]{id > 100 ? "Rocky" : "Forest"};
            d.datasetName = "moved " + id % 7;
            d.workspace = id % 5;
            d.capturedDate = Instant.ofEpochSecond(id % 11 * 86_400);
        })).toList());
        compare("dataset_name", "dataset_name, id", "title");
        compare("-id", "id desc", "-id");
        compare("captured_date", "captured_date, id", "datetime");
        compare("workspace,-user", "workspace, owner_name desc, id", "dataset:workspace,-dataset:user");
    }

    private void compare(String ordering, String order, String sortby) {
        List<Long> all = catalogue.sql("select id from dataset where category && '{Rocky}' order by " + order).stream()
                .map(row -> row.getLong(0)).toList();
        assertEquals(MANY - 100, all.size());
        int last = (all.size() - 1) / 15 + 1;
        for (String page : List.of("1", "700", "" + last, "last")) {
            int start = (page.equals("last") ? last : Integer.parseInt(page)) * 15 - 15;
            PageOfDatasets read = Listing.page("?category=Rocky&ordering=" + ordering + "&p=" + page);
            assertEquals(all.size(), read.count(), ordering);
            assertEquals(all.subList(start, Math.min(start + 15, all.size())), read.ids(), ordering);
        }
        JsonObject first = search("/stac/search?limit=20&filter=%22dataset:category%22%3D'Rocky'&sortby=" + sortby,
                all.subList(0, 20));
        search(path(first, "next"), all.subList(20, 40));
        search(path(first, "last"), all.subList(all.size() - 20, all.size()));
    }

    private static JsonObject search(String address, List<Long> expected) {
        JsonObject page = Caller.anonymous().json(address);
        assertEquals(MANY - 100, page.getLong("numberMatched"), address);
        assertEquals(expected, numbers(page), address);
        return page;
    }
}
