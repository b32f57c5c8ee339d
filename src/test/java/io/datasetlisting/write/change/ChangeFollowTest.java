package io.datasetlisting.write.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RandomWriters;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Row;

/** Copies follow changes of random writers, and are compared with the export of the same caller. Tests fold themselves. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class ChangeFollowTest {

    private static final List<String> FILTERS = List.of("", "category=Forest",
            "in_bbox=-20,-20,10,10&captured_after=2020-01-01",
            "intersects=POLYGON((-120%2020,-60%2045,-70%2010,-120%2020))");

    private static final int IDS = 330;

    @Inject
    Catalogue catalogue;

    private Caller owner;
    private List<Caller> callers;

    @BeforeEach
    void fill() {
        List<Dataset> datasets = Catalogue.generated(300);
        catalogue.replaceWith(datasets);
        owner = Caller.privateOwner(datasets);
        callers = List.of(Caller.anonymous(), owner, Caller.admin());
    }

    /** What a caller's listing with a filter contains, with revisions. */
    private Map<Long, String> listed(Caller caller, String filter) {
        Map<Long, String> revisions = new TreeMap<>();
        for (Row row : catalogue
                .sql("select id, version || '-' || (extract(epoch from updated_at) * 1000000)::bigint as revision"
                        + " from dataset where not is_deleted and coordinates is not null")) {
            revisions.put(row.getLong("id"), row.getString("revision"));
        }
        Map<Long, String> visible = new TreeMap<>();
        String export = caller.get(Listing.PATH + "?format=ndjson" + (filter.isEmpty() ? "" : "&" + filter)).asString();
        export.lines().filter(line -> !line.isBlank()).map(JsonObject::new).map(dataset -> dataset.getLong("id"))
                .filter(revisions::containsKey).forEach(id -> visible.put(id, revisions.get(id)));
        return visible;
    }

    /** One random write, in a transaction of its own. */
    private void write(Random random, int ids) {
        catalogue.sql(RandomWriters.statement(random, ids, List.of(owner.id(), 0L)));
    }

    private void assertEqual(Copy copy, Caller caller, String filter, String seed) {
        copy.follow(1000);
        String name = caller.username() + " " + filter + " " + seed;
        assertEquals(listed(caller, filter), copy.revisions, name);
        JsonObject digest = copy.digest().json();
        assertEquals(digest.getJsonArray("blocks"), copy.blocks(), name);
    }

    /** A page of columns has no limit. */
    @Test
    void postgreSqlReceivesALimitedNumberOfDatasetsInAGeometry() {
        String world = "S_INTERSECTS(geometry,POLYGON((-180 -90,180 -89,180 90,-180 89,-180 -90)))";
        String part = "S_INTERSECTS(geometry,POLYGON((0 0,20 1,18 15,0 0)))";
        String order = "&sortby=dataset:user,-title";
        assertEquals(200, search("/stac/search", world, "").statusCode());
        assertTrue(search("/stac/search", world, "").<Integer>path("numberMatched") > 20);
        for (String address : List.of("/stac/changes", "/stac/search")) {
            String or = address.endsWith("search") ? " or title = 'x'" : "";
            assertEquals(200, search(address, part + or, "").statusCode());
            Response refused = search(address, world + or, "");
            assertEquals(400, refused.statusCode());
            assertTrue(refused.asString().contains("More than 20 datasets are in the geometry"), refused::asString);
        }
        assertEquals(200, search("/stac/search", part, order).statusCode());
        assertEquals(400, search("/stac/search", world, order).statusCode());
    }

    private static Response search(String address, String filter, String more) {
        return Listing.client().get(address + "?filter=" + Listing.encoded(filter) + more);
    }

    @Test
    void copiesThatFollowAreEqualToTheListing() {
        long number = RandomTests.seed();
        Random random = new Random(number);
        String seed = "seed " + number;
        List<Copy> copies = new ArrayList<>();
        for (Caller caller : callers) {
            FILTERS.forEach(filter -> copies.add(Copy.of(caller, filter)));
        }
        for (int round = 0; round < RandomTests.times(10, 25); round++) {
            for (int i = random.nextInt(12); i > 0; i--) {
                write(random, IDS);
                if (random.nextInt(5) == 0) {
                    catalogue.fold();
                }
                copies.get(random.nextInt(copies.size())).step(1 + random.nextInt(60), 0);
            }
            if (round % 5 == 4) {
                catalogue.fold();
                for (int i = 0; i < copies.size(); i++) {
                    assertEqual(copies.get(i), callers.get(i / FILTERS.size()), FILTERS.get(i % FILTERS.size()), seed);
                }
            }
        }
        assertEquals(0, copies.stream().mapToInt(copy -> copy.resets).sum());
        assertTrue(catalogue.sql("select * from wrong_ranks()").isEmpty());
    }

    /** If its polygon were decided in an earlier snapshot, a page would leave the dataset out, and end behind its change. */
    @Test
    void aDatasetThatEntersAPolygonWhileAPageIsReadIsNotLost() {
        long id = catalogue.sql("select min(id) as id from dataset").get(0).getLong("id");
        catalogue.sql("update dataset set is_deleted = false, is_private = false, coordinates = '{70,0}',"
                + " bbox = '{70,0,71,1}' where id = " + id);
        String polygon = "intersects=POLYGON((0%200,20%201,18%2015,0%200))";
        catalogue.fold();
        Copy copy = Copy.of(Caller.anonymous(), polygon);
        copy.follow(1000);
        List<CompletableFuture<Boolean>> page = new ArrayList<>();
        // The page reads this table after its polygon is decided.
        catalogue.during("lock table catalogue in access exclusive mode", () -> {
            page.add(CompletableFuture.supplyAsync(() -> copy.step(1000, 0)));
            catalogue.awaitThat("exists (select from " + Catalogue.OTHERS + " and wait_event_type = 'Lock')");
            catalogue.sql("update dataset set bbox = '{2,5,3,6}', version = version + 1 where id = " + id);
            catalogue.fold();
        });
        page.get(0).join();
        copy.follow(1000);
        assertTrue(copy.revisions.containsKey(id));
        assertEqual(copy, Caller.anonymous(), polygon, "");
    }

    /** A dataset whose newest write is not durable is not shown, and not lost. */
    @Test
    void aDatasetWithAPendingChangeIsHeldBack() {
        Copy copy = Copy.of(Caller.anonymous(), "");
        catalogue.fold();
        copy.follow(1000);
        catalogue.sql(
                "update dataset set dataset_name = 'first', version = version + 1 where id in (select id from dataset"
                        + " where not is_deleted and not is_private and coordinates is not null order by id limit 2)");
        catalogue.fold();
        List<Row> two = catalogue.sql("select id from dataset where dataset_name = 'first' order by id");
        long id = two.get(0).getLong("id");
        catalogue.sql("update dataset set dataset_name = 'second', version = version + 1 where id = " + id);
        copy.step(1000, 0);
        assertEquals("first", copy.datasets.get(two.get(1).getLong("id")).getString("dataset_name"));
        assertFalse(List.of("first", "second").contains(copy.datasets.get(id).getString("dataset_name")));
        assertEquals(409, copy.digest().status());
        // As if the server had lost the write: its pending change is gone, and its row is the one before.
        catalogue.sql("update dataset set dataset_name = 'first' where id = " + id);
        catalogue.sql("delete from listing_change");
        catalogue.sql("select fold_changes(null)");
        copy.step(1000, 0);
        assertEquals("first", copy.datasets.get(id).getString("dataset_name"));
    }

    /** The export has pending changes: what it shows may be gone at the fold. */
    @Test
    void anExportAndTheChangesAfterItAreTheCatalogue() {
        long number = RandomTests.seed();
        Random random = new Random(number);
        for (int turn = 0; turn < RandomTests.times(9, 27); turn++) {
            Caller caller = callers.get(turn % 3);
            String filter = FILTERS.get(turn / 3 % 3);
            String name = "turn " + turn + ", seed " + number;
            catalogue.fold();
            writeMany(random, 60);
            Copy copy = Copy.of(caller, filter);
            String link = caller.get(Listing.PATH + "?format=ndjson&" + filter).header("Link");
            assertTrue(link.matches("<http[^>]*/api/dataset/changes/\\?.*since=[-_A-Za-z0-9]+>; rel=\"changes\""),
                    link);
            listed(caller, filter).forEach(copy.revisions::put);
            copy.since = link.replaceAll(".*since=([-_A-Za-z0-9]+)>.*", "$1");
            writeMany(random, 60);
            catalogue.fold();
            assertEqual(copy, caller, filter, name);
            String ofPage = caller.get(Listing.PATH + "?page_size=2&" + filter).header("Link");
            copy.since = ofPage.replaceAll("(?s).*since=([-_A-Za-z0-9]+)>; rel=\"changes\".*", "$1");
            assertFalse(copy.step(10, 0));
        }
        assertTrue(catalogue.sql("select * from wrong_ranks()").isEmpty());
    }

    private void writeMany(Random random, int writes) {
        for (int i = 0; i < writes; i++) {
            write(random, 40);
        }
    }

    /** Datasets that an audience has not seen have no tombstone for it. */
    @Test
    void whatWasNeverSeenHasNoTombstone() {
        Caller writer = owner.token("writer");
        catalogue.fold();
        catalogue.sql("delete from dataset_change where hash is null");
        long draft = writer.create("{\"category\":[\"Forest\"]}");
        long secret = writer.create("{\"is_private\":true,\"coordinates\":[1,2]}");
        for (long id : List.of(draft, secret)) {
            writer.delete(Listing.PATH + id + '/').then().statusCode(204);
        }
        catalogue.fold();
        assertEquals(List.of(secret + " " + owner.id()), catalogue.sql("select id || ' ' || audience as seen"
                + " from dataset_change where hash is null").stream().map(row -> row.getString("seen")).toList());
    }
}
