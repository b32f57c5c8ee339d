package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.existing;
import static io.datasetlisting.support.Caller.writer;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests which datasets each caller can list and read, with every endpoint and ordering. */
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

    /** Callers and the ids that each caller may list and read, by the name in messages. */
    private final Map<String, Viewer> viewers = new LinkedHashMap<>();

    private record Viewer(Caller caller, List<Long> listed, List<Long> readable) {
    }

    @BeforeEach
    void datasetsOfTwoOwnersInAllStates() {
        catalogue.replaceWith(dataset(1), dataset(2, d -> d.isShareable = true), dataset(3, d -> d.isPrivate = true),
                dataset(4, d -> {
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
        Caller ada = Caller.owner();
        List<Long> adas = sorted(PUBLIC, ADAS_PRIVATE);
        viewers.put("anonymous", new Viewer(anonymous(), PUBLIC, PUBLIC));
        viewers.put("another", new Viewer(writer("Eve"), PUBLIC, PUBLIC));
        viewers.put("owner with a reader token", new Viewer(ada.token("reader"), adas, sorted(adas, ADAS_DRAFTS)));
        viewers.put("owner with a writer token", new Viewer(ada.token("writer"), adas, sorted(adas, ADAS_DRAFTS)));
        viewers.put("other owner", new Viewer(existing(BOB, "Bob").token("writer"), sorted(PUBLIC, BOBS_PRIVATE),
                sorted(PUBLIC, BOBS_PRIVATE, BOBS_DRAFTS)));
        viewers.put("admin", new Viewer(admin(), sorted(PUBLIC, ADAS_PRIVATE, BOBS_PRIVATE),
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

    private static PageOfDatasets page(Response response) {
        response.then().statusCode(200);
        return PageOfDatasets.of(response);
    }

    private static List<Long> ids(Response page) {
        return page(page).ids();
    }

    @Test
    void theListingAndItsCountHaveTheDatasetsThatTheCallerMaySee() {
        viewers.forEach((name, viewer) -> {
            Response page = viewer.caller.get(Listing.PATH);
            assertEquals(viewer.listed, ids(page), name);
            assertEquals(viewer.listed.size(), page(page).count(), name);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "uav_uid", "user", "workspace", "dataset_name", "captured_date", "is_private",
            "is_shareable", "cant_orthomosaic", "is_dem_processing", "cumulative_adjustment",
            "latest_adjustment_status"})
    void everyOrderingHasTheSameDatasetsInBothDirections(String field) {
        viewers.forEach((name, viewer) -> {
            List<Long> ascending = ids(viewer.caller.get(Listing.PATH + "?ordering=" + field));
            assertEquals(viewer.listed, sorted(ascending), name);
            assertEquals(Listing.reversed(ascending), ids(viewer.caller.get(Listing.PATH + "?ordering=-" + field)),
                    name);
            assertEquals(ascending, throughLinks(viewer.caller, "?page_size=2&ordering=" + field, PageOfDatasets::next),
                    name);
        });
    }

    /** No tag of another caller, and no cached response, tells how many private datasets there are. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/dataset/facets/", "/api/dataset/histogram/", "/datasets/grid/",
            "/stac/aggregate?aggregations=total_count", "/tiles/0/0/0.mvt", "/stac/tiles/WebMercatorQuad/0/0/0"})
    void countsOfACallerDoNotReachAnother(String path) {
        Map<String, Response> own = new LinkedHashMap<>();
        // The admin first: its response must not be kept for others.
        List<String> names = new ArrayList<>(viewers.keySet());
        Collections.reverse(names);
        names.forEach(name -> own.put(name, viewers.get(name).caller.get(path)));
        assertNotEquals(text(own.get("admin")), text(own.get("anonymous")));
        viewers.forEach((name, viewer) -> own.forEach((other, response) -> {
            Response answer = viewer.caller.request().header("If-None-Match", response.header("ETag")).get(path);
            boolean isSame = viewer.listed.size() == viewers.get(other).listed.size()
                    && text(response).equals(text(own.get(name)));
            assertEquals(isSame ? 304 : 200, answer.statusCode(), name + " with the tag of " + other);
            assertEquals(isSame ? "" : text(own.get(name)), text(answer), name + " with the tag of " + other);
            assertEquals(name.equals("anonymous"), answer.header("Cache-Control").startsWith("public"), name);
        }));
    }

    private static String text(Response response) {
        return new String(response.asByteArray(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void linksVisitExactlyTheDatasetsThatTheCallerMaySee() {
        viewers.forEach((name, viewer) -> {
            assertEquals(viewer.listed, throughLinks(viewer.caller, "?page_size=1", PageOfDatasets::next), name);
            Response last = viewer.caller.get(Listing.PATH + "?page_size=1&p=last");
            assertEquals(viewer.listed.subList(viewer.listed.size() - 1, viewer.listed.size()), ids(last), name);
            assertEquals(Listing.reversed(viewer.listed),
                    throughLinks(viewer.caller, "?page_size=1&p=last", PageOfDatasets::previous),
                    name);
            viewer.caller.get(Listing.PATH + "?page_size=1&p=" + (viewer.listed.size() + 1)).then().statusCode(404);
        });
    }

    private static List<Long> throughLinks(Caller caller, String query, Function<PageOfDatasets, String> link) {
        List<Long> ids = new ArrayList<>();
        for (String url = Listing.PATH + query; url != null;) {
            PageOfDatasets page = page(caller.get(url));
            ids.addAll(page.ids());
            url = link.apply(page);
        }
        return ids;
    }

    @Test
    void aDatasetThatTheCallerMayNotReadIsA404() {
        viewers.forEach((name, viewer) -> {
            for (Long id : sorted(PUBLIC, ADAS_PRIVATE, BOBS_PRIVATE, ADAS_DRAFTS, BOBS_DRAFTS, DELETED)) {
                String path = Listing.PATH + id + '/';
                boolean readable = viewer.readable.contains(id);
                Response read = viewer.caller.get(path);
                assertEquals(readable ? 200 : 404, read.statusCode(), name + ' ' + id);
                assertEquals(readable ? 200 : 404, viewer.caller.request().head(path).statusCode(), name + ' ' + id);
                assertEquals(readable ? 200 : 404, viewer.caller.request().options(path).statusCode(), name + ' ' + id);
                // A tag does not reveal that the dataset exists.
                assertEquals(readable ? 304 : 404,
                        viewer.caller.request().header("If-None-Match", "*").get(path).statusCode(), name + ' ' + id);
                if (!readable) {
                    assertEquals(NO_SUCH, read.asString());
                }
            }
        });
    }

    @Test
    void aWriteToADatasetThatTheCallerMayNotReadIsA404AndNotA403() {
        for (String name : List.of("another", "other owner")) {
            Viewer viewer = viewers.get(name);
            for (Long id : sorted(ADAS_PRIVATE, ADAS_DRAFTS, DELETED)) {
                for (String method : List.of("PUT", "PATCH", "DELETE")) {
                    Response answer = viewer.caller.request().header("If-Match", "\"x\"").contentType(Caller.JSON)
                            .body("{\"bbox\":1}").request(method, Listing.PATH + id + '/');
                    assertEquals(404, answer.statusCode(), name + ' ' + method + ' ' + id);
                    assertEquals(NO_SUCH, answer.asString());
                }
            }
        }
        assertEquals(0L, catalogue.sql("select max(version) from dataset").get(0).getLong(0));
    }

    @Test
    void aDatasetLeavesAndEntersTheListingWhenItsOwnerChangesIsPrivate() {
        Caller ada = viewers.get("owner with a writer token").caller;
        ada.patch(Listing.PATH + "1/", "{\"is_private\":true}").then().statusCode(200);
        assertFalse(ids(anonymous().get(Listing.PATH)).contains(1L));
        anonymous().get(Listing.PATH + "1/").then().statusCode(404);
        assertEquals(viewers.get("owner with a writer token").listed, ids(ada.get(Listing.PATH)));
        ada.patch(Listing.PATH + "3/", "{\"is_private\":false}").then().statusCode(200);
        assertEquals(List.of(2L, 3L, 11L), ids(anonymous().get(Listing.PATH)));
    }

    @Test
    void anInvalidTokenReadsNoPublicDataset() {
        for (String path : List.of(Listing.PATH, Listing.PATH + "1/")) {
            assertEquals("{\"detail\":\"Invalid token.\"}", anonymous().holding("wrong").get(path).asString());
        }
    }
}
