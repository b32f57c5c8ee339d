package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.export;
import static io.datasetlisting.support.Bulk.exported;
import static io.datasetlisting.support.Bulk.exportedIds;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the export of the catalogue as NDJSON. */
@QuarkusTest
class BulkExportTest {

    private static final Caller ADA = Caller.owner();
    private static final Caller BEA = Caller.existing(8, "Bea");

    @Inject
    Catalogue catalogue;

    @Test
    void anExportHasTheListedDatasetsOfTheCallerAndForAnAdminAllDatasets() {
        catalogue.replaceWith(dataset(1), dataset(2, d -> d.isPrivate = true), dataset(3, d -> d.isDeleted = true),
                dataset(4, d -> d.coordinates = null), dataset(5, d -> d.isDeleted = d.isPrivate = true),
                dataset(6, BulkExportTest::ownedByBea), dataset(7, d -> {
                    ownedByBea(d);
                    d.isPrivate = true;
                }));
        assertEquals(List.of(1L, 6L), listedAndExported(Caller.anonymous()));
        assertEquals(List.of(1L, 2L, 6L), listedAndExported(ADA.token("reader")));
        assertEquals(List.of(1L, 6L, 7L), listedAndExported(BEA.token("writer")));
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), exportedIds(Caller.admin(), ""));
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), exportedIds(BEA.token("admin"), ""));
    }

    /** No column has deleted datasets, which decide a polygon otherwise. */
    @Test
    void anAdminsExportHasDraftsAndDeletedDatasetsInABoxAndInAPolygon() {
        catalogue.replaceWith(within(1, 0, 0, d -> {
        }), within(2, 1, 1, d -> d.isPrivate = true), within(3, 2, 2, d -> d.isDeleted = true),
                within(4, 8, 8, d -> d.isDeleted = true), within(5, 20, 20, d -> d.isDeleted = true),
                within(6, 3, 3, d -> d.coordinates = null), within(7, 9, 9, d -> d.coordinates = null),
                // The line crosses the polygon; the point, which decides, is outside.
                dataset(8, d -> {
                    d.isDeleted = true;
                    d.bbox = new double[]{4, 0, 4, 9};
                    d.coordinates = new double[]{4, 8};
                }), dataset(9, d -> {
                    d.isDeleted = true;
                    d.coordinates = new double[]{1, 1};
                }));
        String box = "intersects=POLYGON((0%200,10%200,10%2010,0%2010,0%200))";
        String triangle = "intersects=POLYGON((0%200,10%200,0%2010,0%200))";
        assertEquals(List.of(1L, 2L, 3L, 4L, 6L, 7L, 8L, 9L), exportedIds(Caller.admin(), "?" + box));
        assertEquals(List.of(1L, 2L, 3L, 6L, 9L), exportedIds(Caller.admin(), "?" + triangle));
        assertEquals(List.of(9L, 3L, 2L, 1L),
                exportedIds(Caller.admin(), "?ordering=-id&captured_after=2021-01-01&in_bbox=0,0,2.5,2.5&" + triangle));
        assertEquals(List.of(1L), exportedIds(Caller.anonymous(), "?" + triangle));
        assertEquals(List.of(1L, 2L), exportedIds(ADA.token("writer"), "?" + triangle));
        assertEquals("id\r\n1\r\n2\r\n3\r\n6\r\n9\r\n",
                Caller.admin().get(Listing.PATH + "?format=csv&fields=id&" + triangle).asString());
        for (Map.Entry<String, List<Integer>> each : Map
                .of(box, List.of(1, 2, 3, 4, 8, 9), triangle, List.of(1, 2, 3, 9))
                .entrySet()) {
            assertEquals(each.getValue(), Caller.admin()
                    .get(Listing.PATH + "?format=geojson&all=true&include=deleted&" + each.getKey()).jsonPath()
                    .getList("features.id"));
        }
    }

    /** With a bbox of one square degree, whose corner is this one. */
    private static Dataset within(long id, double lat, double lon, Consumer<Dataset> change) {
        return dataset(id, d -> {
            d.bbox = new double[]{lat, lon, lat + 1, lon + 1};
            d.coordinates = new double[]{lat, lon};
            change.accept(d);
        });
    }

    private static void ownedByBea(Dataset dataset) {
        dataset.ownerId = BEA.id();
        dataset.ownerName = BEA.username();
    }

    private static List<Long> listedAndExported(Caller caller) {
        List<Long> exported = exportedIds(caller, "");
        assertEquals(caller.get(Listing.PATH).jsonPath().getList("results.id", Long.class), exported);
        return exported;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?ordering=-dataset_name", "?ordering=captured_date,-id", "?ordering=-user"})
    void exportedLinesEqualTheListingsObjectsInTheListingsOrder(String query) {
        catalogue.replaceWith(generated(100));
        byte[] page = Caller.anonymous().get(Listing.PATH + (query.isEmpty() ? "?" : query + "&") + "page_size=100")
                .asByteArray();
        List<String> lines = exported(Caller.anonymous(), query);
        assertTrue(lines.size() > 80);
        String results = "\"results\":[" + String.join(",", lines) + "]}";
        assertTrue(new String(page, StandardCharsets.UTF_8).endsWith(results), results);
    }

    @Test
    void anAdminsExportEqualsTheAdminsListing() {
        catalogue.replaceWith(dataset(1, d -> d.isPrivate = true),
                dataset(2, d -> d.datasetName = "岩 \" \\ 🛰 \u2028"));
        assertTrue(new String(Caller.admin().get(Listing.PATH).asByteArray(), StandardCharsets.UTF_8)
                .endsWith("[" + String.join(",", exported(Caller.admin(), "")) + "]}"));
    }

    @Test
    void anExportIgnoresPagingAndReadsMoreRowsThanOneFetchOfTheCursor() {
        catalogue.replaceWith(plain(1_234));
        List<Long> all = Stream.iterate(3L, id -> id + 3).limit(1_234).toList();
        for (String query : new String[]{"", "?p=2", "?p=99", "?p=abc", "?p=last", "?page_size=1&p=0",
                "?format=ndjson&page_size=7"}) {
            assertEquals(all, exportedIds(Caller.anonymous(), query), query);
        }
        assertEquals(Listing.reversed(all), exportedIds(Caller.admin(), "?ordering=-id"));
    }

    /** {@code application/problem+json} selects JSON only when the header names no other type. */
    @ParameterizedTest
    @ValueSource(strings = {Bulk.NDJSON, "application/x-ndjson; charset=utf-8", "APPLICATION/X-NDJSON",
            "application/x-ndjson, application/json;q=0.9", "application/json;q=0.1,application/x-ndjson",
            "application/x-ndjson, application/problem+json"})
    void ndjsonIsSentWhenTheAcceptHeaderPrefersNdjson(String accept) {
        catalogue.replaceWith(plain(3));
        Response response = Caller.anonymous().request().header("Accept", accept).get(Listing.PATH);
        assertEquals(200, response.statusCode());
        assertEquals(Bulk.NDJSON, response.header("Content-Type"));
        assertEquals("GET, POST, HEAD, OPTIONS", response.header("Allow"));
        assertEquals("Accept, Accept-Encoding", response.header("Vary"));
        assertEquals(3, response.asString().lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"?format=ndjson", "?format=csv", "?format=geojson&all=true", "?format=geoparquet",
            "?format=flatgeobuf"})
    void headHasTheHeadersOfAnExport(String query) {
        catalogue.replaceWith(plain(1));
        for (Caller caller : List.of(Caller.anonymous(), Caller.admin())) {
            assertEquals(headers(caller, "GET", query), headers(caller, "HEAD", query));
        }
        assertEquals(query.endsWith("ndjson"),
                headers(Caller.anonymous(), "HEAD", query).getOrDefault("link", "").endsWith(">; rel=\"changes\""));
    }

    /** Without those of the transfer. The text of a position is another one each time. */
    private static Map<String, String> headers(Caller caller, String method, String query) {
        Response response = caller.request().request(method, Listing.PATH + query);
        assertEquals(200, response.statusCode());
        return response.headers().asList().stream()
                .filter(header -> !header.getName().toLowerCase(Locale.ROOT)
                        .matches("date|x-request-id|content-length|content-encoding|transfer-encoding"))
                .collect(Collectors.toMap(header -> header.getName().toLowerCase(Locale.ROOT),
                        header -> header.getValue().replaceAll("since=[^&>]+", "since=")));
    }

    @Test
    void anErrorBeforeTheFirstLineIsAJsonError() {
        Response invalidToken = export(Caller.anonymous().holding("of-nobody"), "");
        assertEquals(401, invalidToken.statusCode());
        assertEquals("application/json", invalidToken.header("Content-Type"));
        assertEquals("{\"detail\":\"Invalid token.\"}", invalidToken.asString());
        Response unknownFormat = export(Caller.anonymous(), "?format=xml");
        assertEquals(404, unknownFormat.statusCode());
        assertEquals("application/json", unknownFormat.header("Content-Type"));
        assertEquals("{\"detail\":\"Not found.\"}", unknownFormat.asString());
    }
}
