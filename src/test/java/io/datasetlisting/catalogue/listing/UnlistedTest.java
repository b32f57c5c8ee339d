package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests the lists of an owner's drafts and deleted datasets. */
@QuarkusTest
class UnlistedTest {

    private static final String DELETED = Listing.PATH + "deleted/";
    private static final String DRAFTS = Listing.PATH + "drafts/";

    @Inject
    Catalogue catalogue;

    @Inject
    UnlistedRepository repository;

    @Inject
    PagingConfig paging;

    private Caller owner;
    private Caller bob;

    /** 1 and 2 are listed, 3 to 5 are drafts, 6 is a deleted draft, 7 and 8 are deleted. */
    @BeforeEach
    void createDatasets() {
        catalogue.replaceWith();
        catalogue.replaceWith(List.of(1, 2, 3, 4, 5, 6, 7, 8).stream().map(id -> dataset(id, d -> {
            d.isPrivate = id % 2 == 0;
            d.coordinates = id > 2 && id < 7 ? null : new double[]{1, 2};
            d.isDeleted = id > 5;
        })).toList());
        age("8", Duration.ofHours(1));
        age("7", Duration.ofDays(2));
        age("3", Duration.ofDays(100));
        owner = Caller.owner().token("writer");
        bob = Caller.writer("Bob");
        bob.create("{\"dataset_name\":\"draft of Bob\"}");
        bob.delete(Listing.PATH + bob.create("{\"coordinates\":[1,2]}") + '/').then().statusCode(204);
    }

    private void age(String condition, Duration age) {
        catalogue.sql("set dataset.keep_times = 'on'; update dataset set updated_at = now() - interval '" + age
                + "' where id = " + condition + "; reset dataset.keep_times");
    }

    private static List<Integer> drafts(Caller caller, String query) {
        Response page = caller.get(DRAFTS + query);
        page.then().statusCode(200);
        return page.path("results.id");
    }

    private static List<Integer> deleted(Caller caller, String query) {
        Response page = caller.get(DELETED + query);
        page.then().statusCode(200);
        return page.path("results.dataset.id");
    }

    @Test
    void anOwnerSeesItsOwn() {
        assertEquals(List.of(5, 4, 3), drafts(owner, ""));
        assertEquals(List.of(6, 8, 7), deleted(owner, ""));
        assertEquals(3, owner.get(DRAFTS).<Integer>path("count"));
        assertEquals(3, owner.get(DELETED).<Integer>path("count"));
        assertEquals(List.of(5, 4, 3), drafts(owner.token("reader"), ""));
        assertEquals(List.of(6, 8, 7), deleted(owner.token("reader"), ""));
        assertEquals(1, drafts(bob, "").size());
        assertEquals(1, deleted(bob, "").size());
    }

    /** A draft has the fields of the listing. */
    @Test
    void aDatasetHasTheShapeOfTheListing() {
        JsonObject listed = new JsonObject(Listing.list("").asString()).getJsonArray("results").getJsonObject(0);
        JsonObject draft = owner.json(DRAFTS).getJsonArray("results").getJsonObject(2);
        assertEquals(listed.fieldNames(), draft.fieldNames());
        assertEquals("dataset 3", draft.getString("dataset_name"));
        JsonObject deleted = owner.json(DELETED).getJsonArray("results").getJsonObject(1);
        assertEquals(List.of("deleted_at", "restorable_until", "dataset"), List.copyOf(deleted.fieldNames()));
        assertEquals(listed.fieldNames(), deleted.getJsonObject("dataset").fieldNames());
        assertEquals(true, deleted.getJsonObject("dataset").getBoolean("is_deleted"));
        assertEquals(Duration.ofDays(30), Duration.between(Instant.parse(deleted.getString("deleted_at")),
                Instant.parse(deleted.getString("restorable_until"))));
        assertTrue(deleted.getJsonObject("dataset").getString("thumbnail_image").contains("Signature="));
    }

    @Test
    void aDatasetIsInTheListAsLongAsItCanBeRestored() {
        age("7", Duration.ofDays(30).minusMinutes(5));
        assertEquals(List.of(6, 8, 7), deleted(owner, ""));
        age("7", Duration.ofDays(30));
        assertEquals(List.of(6, 8), deleted(owner, ""));
        assertEquals(2, owner.get(DELETED).<Integer>path("count"));
        owner.request().post(Listing.PATH + "7/restore/").then().statusCode(410);
        owner.request().post(Listing.PATH + "6/restore/").then().statusCode(200);
        assertEquals(List.of(8), deleted(owner, ""));
        assertEquals(List.of(6, 5, 4, 3), drafts(owner, ""));
        owner.patch(Listing.PATH + "6/", "{\"coordinates\":[1,2]}").then().statusCode(200);
        assertEquals(List.of(5, 4, 3), drafts(owner, ""));
    }

    @Test
    void pagesHaveTheLinksOfTheListing() {
        Response first = owner.get(DRAFTS + "?page_size=2&x=1");
        assertEquals(List.of(5, 4), first.path("results.id"));
        assertEquals(3, first.<Integer>path("count"));
        assertNull(first.path("previous"));
        String next = first.path("next");
        assertTrue(next.endsWith("/api/dataset/drafts/?p=2&page_size=2&x=1"), next);
        Response second = owner.get(next.replaceFirst("^https?://[^/]+", ""));
        assertEquals(List.of(3), second.path("results.id"));
        assertNull(second.path("next"));
        assertEquals(List.of(3), drafts(owner, "?page_size=2&p=last"));
        assertEquals(List.of(7), deleted(owner, "?page_size=2&p=last"));
        for (String page : List.of("3", "0", "x", "999999999999999")) {
            assertEquals("{\"detail\":\"Invalid page.\"}", owner.get(DELETED + "?page_size=2&p=" + page).asString());
        }
        Caller empty = Caller.reader("Empty");
        for (String query : List.of("", "?p=last")) {
            assertEquals("{\"count\":0,\"next\":null,\"previous\":null,\"results\":[]}",
                    empty.get(DELETED + query).asString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DELETED, DRAFTS})
    void adminsNameTheOwner(String path) {
        String ofOwner = owner.get(path).path("results").toString().replaceAll("Signature=[^&]+&Expires=\\d+", "");
        for (String user : List.of("7", "Ada%20van%20Dyk")) {
            assertEquals(ofOwner, admin().get(path + "?user=" + user).path("results").toString()
                    .replaceAll("Signature=[^&]+&Expires=\\d+", ""));
            assertEquals(3, owner.get(path + "?user=" + user).<Integer>path("count"));
            bob.get(path + "?user=" + user).then().statusCode(403)
                    .body("detail", equalTo("You do not have permission to perform this action."));
        }
        for (String user : List.of("", "?user=", "?user=nobody", "?user=999999999999999999999")) {
            admin().get(path + user).then().statusCode(200).body("count", equalTo(0));
        }
        admin().get(path + "?user=%00").then().statusCode(400);
        bob.get(path + "?user=" + "x".repeat(300)).then().statusCode(400);
    }

    @Test
    void aNameOfDigitsHasPriorityOverAnId() {
        Caller named = Caller.writer("7");
        long draft = named.create("{}");
        assertEquals(List.of((int) draft), drafts(admin(), "?user=7"));
    }

    /** Of many rows, a page reads few: the plan has the index, and no sort. */
    @Test
    void aPageReadsItsIndex() {
        catalogue.sql("insert into dataset (owner_id, owner_name, workspace, category, is_deleted, coordinates)"
                + " select 7, 'Ada van Dyk', 70, '{Forest}', i % 3 = 0, case when i % 3 = 1 then '{1,2}'::float8[] end"
                + " from generate_series(1, 6000) i");
        catalogue.fold();
        catalogue.vacuumUntilAllIsVisible();
        assertPageReads("dataset_drafts_idx", Visibility.DRAFTS);
        assertPageReads("dataset_deleted_idx", Visibility.DELETED);
    }

    private void assertPageReads(String index, Visibility kind) {
        ListRequest request = ListRequest.parse(QueryString.parse("p=2"), paging);
        for (Owner named : Arrays.asList(null, OWNER)) {
            String plan = plan(
                    repository.page(kind, named, request, io.datasetlisting.access.account.Caller.ANONYMOUS));
            assertTrue(plan.contains("Index Only Scan using " + index), plan);
            assertTrue(plan.contains("Index Scan Backward using " + index), plan);
            assertFalse(plan.contains("Sort Key: d.updated_at"), plan);
            assertFalse(plan.contains("Seq Scan on dataset"), plan);
        }
        assertEquals(2_003, owner.get(Listing.PATH + kind.name().toLowerCase() + '/').<Integer>path("count"));
    }

    /** The plan for any values, which a prepared statement gets in the end. */
    private String plan(Sql sql) {
        return catalogue.sql("explain (generic_plan, costs off) " + sql.statement().text()).stream()
                .map(row -> row.getString(0)).collect(Collectors.joining("\n"));
    }
}
