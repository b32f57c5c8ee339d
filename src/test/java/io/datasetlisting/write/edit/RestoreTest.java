package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests that a deleted dataset can be restored, and by whom. */
@QuarkusTest
class RestoreTest {

    private static final String DATASET = Listing.PATH + "1/";
    private static final String RESTORE = DATASET + "restore/";
    private static final String NO_SUCH = "{\"detail\":\"No Dataset matches the given query.\"}";

    @Inject
    Catalogue catalogue;

    private Caller owner;

    @BeforeEach
    void createDatasetAndOwner() {
        catalogue.replaceWith(dataset(1, d -> {
            d.bbox = new double[]{1, 2, 3, 4};
            d.coordinates = new double[]{2, 3};
        }), dataset(2));
        owner = Caller.owner().token("writer");
        catalogue.sql("delete from audit");
    }

    private static Response restore(Caller caller) {
        return caller.request().post(RESTORE);
    }

    private static Response restore(Caller caller, String tag) {
        return caller.request().header("If-Match", tag).post(RESTORE);
    }

    private String delete() {
        Response deleted = owner.delete(DATASET);
        assertEquals(204, deleted.statusCode());
        return deleted.header("ETag");
    }

    private static String version(String tag) {
        return tag.replaceAll("\"(\\d+)-.*", "$1");
    }

    private List<String> audited() {
        return catalogue.sql("select action, ids[1], account_id from audit order by id").stream()
                .map(row -> row.getString(0) + ' ' + row.getLong(1) + ' ' + row.getLong(2)).toList();
    }

    @Test
    void aRestoredDatasetIsTheSameAndHasANewTag() {
        Response before = anonymous().get(DATASET);
        String listing = Listing.list("").asString();
        String deleted = delete();
        Response restored = restore(owner);
        assertEquals(200, restored.statusCode(), restored::asString);
        assertEquals("POST, OPTIONS", restored.header("Allow"));
        assertEquals(before.asString(), restored.asString());
        assertEquals(before.asString(), anonymous().get(DATASET).asString());
        assertEquals(anonymous().get(DATASET).header("ETag"), restored.header("ETag"));
        assertEquals(listing, Listing.list("").asString());
        assertEquals(3, List.of(before.header("ETag"), deleted, restored.header("ETag")).stream()
                .map(RestoreTest::version).distinct().count());
        // A client that has read the dataset before its deletion does not overwrite what has happened since.
        owner.request().header("If-Match", before.header("ETag")).contentType(Caller.JSON).body("{}").patch(DATASET)
                .then().statusCode(412);
        assertEquals(List.of("dataset.delete 1 7", "dataset.restore 1 7"), audited());
    }

    /** All that is counted from changes, after folds as before. */
    @Test
    void everyListHasTheRestoredDataset() {
        String where = "in_bbox=1.5,0,5,5&category=Forest";
        List<String> addresses = List.of(Listing.PATH + "?ordering=-dataset_name", Listing.PATH + '?' + where,
                Listing.PATH + "facets/?facets=category,year", "/datasets/grid/?in_bbox=-180,-85,180,85",
                "/stac/aggregate?aggregations=total_count,datetime_frequency");
        List<String> before = addresses.stream().map(address -> anonymous().get(address).asString()).toList();
        Response item = anonymous().get("/stac/collections/datasets/items/1");
        delete();
        catalogue.fold();
        addresses.forEach(address -> assertNotEquals(before.get(addresses.indexOf(address)),
                anonymous().get(address).asString(), address));
        restore(owner).then().statusCode(200);
        for (boolean isFolded : new boolean[]{false, true}) {
            if (isFolded) {
                catalogue.fold();
            }
            assertEquals(before, addresses.stream().map(address -> anonymous().get(address).asString()).toList());
            Response again = anonymous().get("/stac/collections/datasets/items/1");
            again.then().statusCode(200);
            assertEquals(item.path("geometry").toString(), again.path("geometry").toString());
        }
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
    }

    @Test
    void theFeedOfChangesHasTheRestoredDatasetAsPut() {
        catalogue.fold();
        String position = anonymous().get(Listing.PATH + "changes/").path("next");
        delete();
        catalogue.fold();
        Response gone = anonymous().get(Listing.PATH + "changes/?since=" + position);
        assertEquals(List.of("gone"), gone.path("changes.change"));
        restore(owner).then().statusCode(200);
        catalogue.fold();
        Response put = anonymous().get(Listing.PATH + "changes/?since=" + gone.path("next"));
        assertEquals(List.of("put"), put.path("changes.change"));
        assertEquals(List.of(1), put.path("changes.dataset.id"));
    }

    @Test
    void aPrivateDatasetAndADraftStayWhatTheyAre() {
        owner.patch(DATASET, "{\"is_private\":true,\"bbox\":[],\"coordinates\":[]}").then().statusCode(200);
        delete();
        restore(owner).then().statusCode(200).body("is_private", equalTo(true)).body("coordinates.size()", equalTo(0));
        assertEquals(1, Listing.page("").count());
        anonymous().get(DATASET).then().statusCode(404);
        owner.get(DATASET).then().statusCode(200);
    }

    @Test
    void aDatasetThatIsNotDeletedStaysAsItIs() {
        Response before = owner.get(DATASET);
        Response restored = restore(owner);
        assertEquals(200, restored.statusCode());
        assertEquals(before.asString(), restored.asString());
        assertEquals(before.header("ETag"), restored.header("ETag"));
        assertEquals(List.of(), audited());
    }

    @Test
    void onlyCallersThatMayDeleteItRestoreIt() {
        Caller bob = writer("Bob");
        assertEquals(NO_SUCH, restore(bob).asString());
        delete();
        for (Response refused : List.of(restore(bob), bob.request().post(Listing.PATH + "99/restore/"),
                admin().request().post(Listing.PATH + "x/restore/"))) {
            assertEquals(404, refused.statusCode());
            assertEquals(NO_SUCH, refused.asString());
        }
        restore(anonymous()).then().statusCode(401);
        restore(owner.token("reader")).then().statusCode(403);
        Caller elsewhere = owner.holding(owner.post(Caller.TOKENS, "{\"right\":\"writer\",\"workspaces\":[71]}")
                .path("key"));
        restore(elsewhere).then().statusCode(403)
                .body("detail", equalTo("This token may write in these workspaces only: 71."));
        anonymous().get(DATASET).then().statusCode(404);
        restore(admin()).then().statusCode(200).body("user", equalTo("Ada van Dyk 7"));
        assertEquals(List.of("dataset.delete 1 7", "dataset.restore 1 0"), audited().stream()
                .filter(entry -> entry.startsWith("dataset.")).toList());
    }

    @Test
    void ifMatchNamesTheDeletion() {
        String read = owner.get(DATASET).header("ETag");
        String deleted = delete();
        restore(owner, read).then().statusCode(412);
        restore(owner, deleted).then().statusCode(200);
        restore(owner, deleted).then().statusCode(412);
        assertNotEquals(deleted, delete());
        restore(owner, deleted).then().statusCode(412);
        restore(owner, "*").then().statusCode(200);
    }

    /** The time is that of the database. */
    @Test
    void aDatasetThatWasDeletedTooLongAgoIsGone() {
        delete();
        deletedFor(Duration.ofDays(30));
        Response gone = restore(owner);
        assertEquals(410, gone.statusCode());
        assertEquals("{\"detail\":\"This dataset was deleted too long ago to be restored.\"}", gone.asString());
        assertEquals(NO_SUCH, restore(writer("Bob")).asString());
        owner.request().accept("application/problem+json").post(RESTORE).then().statusCode(410)
                .contentType("application/problem+json");
        assertEquals(List.of("dataset.delete 1 7"), audited().subList(0, 1));
        anonymous().get(DATASET).then().statusCode(404);
        deletedFor(Duration.ofDays(30).minusMinutes(5));
        restore(owner).then().statusCode(200);
    }

    private void deletedFor(Duration age) {
        catalogue.sql("set dataset.keep_times = 'on'; update dataset set updated_at = now() - interval '" + age
                + "' where id = 1; reset dataset.keep_times");
    }

    @Test
    void restoresAtTheSameTimeAreOne() {
        delete();
        List<CompletableFuture<Response>> all = IntStream.range(0, 10)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> restore(owner))).toList();
        all.forEach(each -> assertEquals(200, each.join().statusCode()));
        assertEquals(1, all.stream().map(each -> each.join().header("ETag")).distinct().count());
        assertEquals(List.of("dataset.delete 1 7", "dataset.restore 1 7"), audited());
    }

    /** An entry that cannot be written takes the restore back with it. */
    @Test
    void theEntryOfTheAuditIsInTheSameTransaction() {
        delete();
        catalogue.sql("alter table audit add constraint no_restore check (action <> 'dataset.restore')");
        try {
            assertEquals(500, owner.request().post(RESTORE).statusCode());
        } finally {
            catalogue.sql("alter table audit drop constraint no_restore");
        }
        anonymous().get(DATASET).then().statusCode(404);
        restore(owner).then().statusCode(200);
    }

    @Test
    void theAddressHasANameAndNoFields() {
        anonymous().request().options(RESTORE).then().statusCode(200).body("name", equalTo("Dataset Restore"));
        assertNull(new JsonObject(owner.request().options(RESTORE).asString()).getValue("actions"));
        owner.request().post("/api/dataset/1/restore").then().statusCode(200);
    }
}
