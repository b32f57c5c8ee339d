package io.datasetlisting.listing;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.existing;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Who sees what, on every path that leads to a dataset. */
@QuarkusTest
class VisibilityTest {

    private static final String NO_SUCH = "{\"detail\":\"No Dataset matches the given query.\"}";

    private static final long BOB = 8;

    private static final List<Long> PUBLIC = List.of(1L, 2L, 11L);
    private static final List<Long> ADAS_PRIVATE = List.of(3L, 4L);
    private static final List<Long> BOBS_PRIVATE = List.of(13L);
    private static final List<Long> ADAS_DRAFTS = List.of(5L, 6L);
    private static final List<Long> BOBS_DRAFTS = List.of(15L);
    private static final List<Long> DELETED = List.of(7L, 8L, 9L, 17L);

    @Inject
    Catalogue catalogue;

    /** By what the test's messages call them: the caller and the ids that they see listed. */
    private final Map<String, Seer> seers = new LinkedHashMap<>();

    private record Seer(Caller caller, List<Long> listed, List<Long> readable) {
    }

    @BeforeEach
    void datasetsOfTwoOwnersInAllStates() {
        catalogue.replaceWith(dataset(1, d -> {
        }), dataset(2, d -> d.isShareable = true), dataset(3, d -> d.isPrivate = true), dataset(4, d -> {
            d.isPrivate = true;
            d.isShareable = true;
        }), dataset(5, d -> d.coordinates = null), dataset(6, d -> {
            d.coordinates = null;
            d.isPrivate = true;
        }), dataset(7, d -> d.isDeleted = true), dataset(8, d -> {
            d.isDeleted = true;
            d.isPrivate = true;
        }), dataset(9, d -> {
            d.isDeleted = true;
            d.coordinates = null;
        }), bobs(11, false, false, false), bobs(13, true, false, false), bobs(15, false, true, false),
                bobs(17, false, false, true));
        Caller ada = existing(OWNER.id(), OWNER.username());
        List<Long> adas = sorted(PUBLIC, ADAS_PRIVATE);
        seers.put("anonymous", new Seer(anonymous(), PUBLIC, PUBLIC));
        seers.put("another", new Seer(writer("Eve"), PUBLIC, PUBLIC));
        seers.put("owner who reads", new Seer(ada.token("reader"), adas, sorted(adas, ADAS_DRAFTS)));
        seers.put("owner who writes", new Seer(ada.token("writer"), adas, sorted(adas, ADAS_DRAFTS)));
        seers.put("other owner", new Seer(existing(BOB, "Bob").token("writer"), sorted(PUBLIC, BOBS_PRIVATE),
                sorted(PUBLIC, BOBS_PRIVATE, BOBS_DRAFTS)));
        seers.put("admin", new Seer(admin(), sorted(PUBLIC, ADAS_PRIVATE, BOBS_PRIVATE),
                sorted(PUBLIC, ADAS_PRIVATE, BOBS_PRIVATE, ADAS_DRAFTS, BOBS_DRAFTS)));
    }

    private static Dataset bobs(long id, boolean isPrivate, boolean isDraft, boolean isDeleted) {
        return dataset(id, d -> {
            d.ownerId = BOB;
            d.ownerName = "Bob";
            d.isPrivate = isPrivate;
            d.isDeleted = isDeleted;
            d.coordinates = isDraft ? null : d.coordinates;
        });
    }

    private static List<Long> sorted(List<Long> first, List<?>... more) {
        return Stream.concat(first.stream(), Arrays.stream(more).flatMap(List::stream).map(Long.class::cast)).sorted()
                .toList();
    }

    private static List<Long> ids(Response page) {
        page.then().statusCode(200);
        return page.jsonPath().getList("results.id", Long.class);
    }

    @Test
    void theListingAndItsCountHoldWhatTheCallerSees() {
        seers.forEach((who, seer) -> {
            Response page = seer.caller.get(Listing.PATH);
            assertEquals(seer.listed, ids(page), who);
            assertEquals(seer.listed.size(), page.jsonPath().getLong("count"), who);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "uav_uid", "user", "workspace", "dataset_name", "captured_date", "is_private",
            "is_shareable", "cant_orthomosaic", "is_dem_processing", "cumulative_adjustment",
            "latest_adjustment_status"})
    void everyOrderingHoldsTheSameInBothDirections(String field) {
        seers.forEach((who, seer) -> {
            List<Long> ascending = ids(seer.caller.get(Listing.PATH + "?ordering=" + field));
            assertEquals(seer.listed, sorted(ascending), who);
            assertEquals(Listing.reversed(ascending), ids(seer.caller.get(Listing.PATH + "?ordering=-" + field)), who);
            assertEquals(ascending, throughLinks(seer.caller, "?page_size=2&ordering=" + field, "next"), who);
        });
    }

    @Test
    void linksLeadThroughExactlyWhatTheCallerSees() {
        seers.forEach((who, seer) -> {
            assertEquals(seer.listed, throughLinks(seer.caller, "?page_size=1", "next"), who);
            Response last = seer.caller.get(Listing.PATH + "?page_size=1&p=last");
            assertEquals(seer.listed.subList(seer.listed.size() - 1, seer.listed.size()), ids(last), who);
            assertEquals(Listing.reversed(seer.listed), throughLinks(seer.caller, "?page_size=1&p=last", "previous"),
                    who);
            seer.caller.get(Listing.PATH + "?page_size=1&p=" + (seer.listed.size() + 1)).then().statusCode(404);
        });
    }

    private static List<Long> throughLinks(Caller caller, String query, String link) {
        List<Long> ids = new ArrayList<>();
        for (String url = Listing.PATH + query; url != null;) {
            Response page = caller.get(url);
            ids.addAll(ids(page));
            url = page.path(link);
        }
        return ids;
    }

    @Test
    void headCountsTheBytesThatTheCallerWouldGet() {
        seers.forEach((who, seer) -> assertEquals(seer.caller.get(Listing.PATH).header("Content-Length"),
                seer.caller.request().head(Listing.PATH).header("Content-Length"), who));
    }

    @Test
    void whatIsNotForTheCallerDoesNotExistAtItsOwnAddress() {
        seers.forEach((who, seer) -> {
            for (Long id : sorted(PUBLIC, ADAS_PRIVATE, BOBS_PRIVATE, ADAS_DRAFTS, BOBS_DRAFTS, DELETED)) {
                String path = Listing.PATH + id + '/';
                boolean readable = seer.readable.contains(id);
                Response read = seer.caller.get(path);
                assertEquals(readable ? 200 : 404, read.statusCode(), who + ' ' + id);
                assertEquals(readable ? 200 : 404, seer.caller.request().head(path).statusCode(), who + ' ' + id);
                assertEquals(readable ? 200 : 404, seer.caller.request().options(path).statusCode(), who + ' ' + id);
                // Not even a tag that the caller has guessed, or any, gives it away.
                assertEquals(readable ? 304 : 404,
                        seer.caller.request().header("If-None-Match", "*").get(path).statusCode(), who + ' ' + id);
                if (!readable) {
                    assertEquals(NO_SUCH, read.asString());
                }
            }
        });
    }

    @Test
    void whoeverMayWriteGetsA404ForWhatTheyDoNotSeeAndNeverA403() {
        for (String who : List.of("another", "other owner")) {
            Seer seer = seers.get(who);
            for (Long id : sorted(ADAS_PRIVATE, ADAS_DRAFTS, DELETED)) {
                for (String method : List.of("PUT", "PATCH", "DELETE")) {
                    Response answer = seer.caller.request().header("If-Match", "\"x\"").contentType(Caller.JSON)
                            .body("{\"bbox\":1}").request(method, Listing.PATH + id + '/');
                    assertEquals(404, answer.statusCode(), who + ' ' + method + ' ' + id);
                    assertEquals(NO_SUCH, answer.asString());
                }
            }
        }
        assertEquals(0L, catalogue.sql("select max(version) from dataset").get(0).getLong(0));
    }

    @Test
    void inBulkEverybodyGetsWhatTheySeeListedAndAnAdminEverything() {
        seers.forEach((who, seer) -> {
            Response lines = seer.caller.request().header("Accept", "application/x-ndjson").get(Listing.PATH);
            lines.then().statusCode(200);
            List<Long> expected = who.equals("admin")
                    ? sorted(PUBLIC, ADAS_PRIVATE, BOBS_PRIVATE, ADAS_DRAFTS, BOBS_DRAFTS, DELETED)
                    : seer.listed;
            assertEquals(expected,
                    lines.asString().lines().map(line -> new JsonObject(line).getLong("id")).toList(), who);
        });
    }

    @Test
    void aDatasetComesAndGoesAsItsOwnerHidesAndShowsIt() {
        Caller ada = seers.get("owner who writes").caller;
        ada.patch(Listing.PATH + "1/", "{\"is_private\":true}").then().statusCode(200);
        assertFalse(ids(anonymous().get(Listing.PATH)).contains(1L));
        anonymous().get(Listing.PATH + "1/").then().statusCode(404);
        assertEquals(seers.get("owner who writes").listed, ids(ada.get(Listing.PATH)));
        ada.patch(Listing.PATH + "3/", "{\"is_private\":false}").then().statusCode(200);
        assertEquals(List.of(2L, 3L, 11L), ids(anonymous().get(Listing.PATH)));
    }

    @Test
    void aTokenThatIsGoodForNothingSeesNothingAtAll() {
        for (String path : List.of(Listing.PATH, Listing.PATH + "1/")) {
            assertEquals("{\"detail\":\"Invalid token.\"}", anonymous().holding("wrong").get(path).asString());
        }
    }
}
