package io.datasetlisting.catalogue.query;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static io.datasetlisting.support.Listing.list;
import static io.datasetlisting.support.Listing.page;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Listing.PageOfDatasets;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the datasets that each filter finds, and the errors of invalid values. */
@QuarkusTest
class FilterTest {

    @Inject
    Catalogue catalogue;

    private static Dataset named(long id, String name) {
        return dataset(id, d -> d.datasetName = name);
    }

    private static Dataset at(long id, double lat, double lon, double... bbox) {
        return dataset(id, d -> {
            d.coordinates = new double[]{lat, lon};
            d.bbox = bbox;
        });
    }

    @Test
    void everyFilterAndEveryPairOfFiltersFindsTheExpectedDatasets() {
        List<Dataset> datasets = generated(600);
        catalogue.replaceWith(datasets);
        List<Dataset> listed = datasets.stream().filter(Caller.anonymous()::lists)
                .toList();
        FilterModel.FILTERS.forEach((name, first) -> FilterModel.FILTERS.forEach((otherName, second) -> {
            if (first == null || second == null || name.compareTo(otherName) < 0 || !name.equals(otherName)
                    && name.substring(0, 6).equals(otherName.substring(0, 6))) {
                return;
            }
            List<Long> expected = listed.stream().filter(first.and(second)).map(d -> d.id).sorted().toList();
            String query = "?page_size=100&fields=id&" + (name.equals(otherName) ? name : name + '&' + otherName);
            PageOfDatasets page = page(query);
            assertEquals(expected.size(), page.count(), query);
            assertEquals(expected, page.idsToTheEnd(), query);
            if (name.equals(otherName)) {
                assertFalse(expected.isEmpty() || expected.size() == listed.size(),
                        "the filter finds all datasets or none: " + name);
                assertEquals(Listing.reversed(expected), page(query + "&ordering=-id").idsToTheEnd());
            }
        }));
    }

    @Test
    void aListOfWorkspacesOrUsersFindsDatasetsOfAnyOfThem() {
        catalogue.replaceWith(generated(200));
        Map<String, Object> dataset = list("").jsonPath().getMap("results[3]");
        String name = dataset.get("user").toString().replaceFirst(" \\d+$", "");
        String id = dataset.get("user").toString().replaceFirst(".* ", "");
        assertEquals(matching("workspace = " + dataset.get("workspace")),
                page("?workspace=" + dataset.get("workspace")).count());
        assertEquals(matching("owner_id = " + id), page("?user=" + id).count());
        assertEquals(matching("owner_name = '" + name + "'"), page("?user=" + name.replace(" ", "+")).count());
        assertEquals(matching("owner_id <= 3"), page("?user=1,2&user=3").count());
        assertEquals(0, page("?user=nobody").count());
        assertEquals(0, page("?workspace=999999999").count());
    }

    private long matching(String condition) {
        return catalogue.sql("select count(*) from dataset where not is_deleted and not is_private"
                + " and coordinates is not null and " + condition).get(0).getLong(0);
    }

    /** Each value costs an index scan, or a comparison with every row. */
    @ParameterizedTest
    @ValueSource(strings = {"workspace=3", "workspace=3,4", "user=terra%20nova", "user=3,terra%20nova",
            "category=Other",
            "category=Rocky,Forest", "available_rasters=dtm", "band=nir,lwir", "has_stats=dsm",
            "category=Rocky&available_rasters=dsm"})
    void repeatedValuesAreRemoved(String once) {
        catalogue.replaceWith(generated(300));
        String repeated = String.join("&", Collections.nCopies(30, once)) + '&' + Arrays.stream(once.split("&"))
                .map(list -> list + ("," + list.split("=")[1]).repeat(150)).collect(Collectors.joining("&"));
        assertEquals(conditions(once), conditions(repeated));
        PageOfDatasets page = page("?" + repeated);
        assertEquals(page("?" + once).count(), page.count());
        assertEquals(page("?" + once).ids(), page.ids());
        String twice = once + '&' + once;
        String first = "?" + QueryString.parse(twice + "&page_size=15&p=1") + ">; rel=\"first\"";
        assertTrue(list("?" + twice).header("Link").contains(first));
    }

    private static String conditions(String query) {
        Sql.Statement statement = FilterSql
                .visible(Filter.parse(QueryString.parse(query), Views.FIELDS,
                        io.datasetlisting.access.account.Caller.ANONYMOUS),
                        io.datasetlisting.access.account.Caller.ANONYMOUS)
                .get(0)
                .ids().statement();
        return statement.text() + Arrays.deepToString(statement.values().toArray());
    }

    @Test
    void numbersWithLeadingZerosAreEqual() {
        assertEquals(conditions("workspace=3"), conditions("workspace=3,03&workspace=0003"));
        assertTrue(conditions("user=3,03").endsWith("owner_id = $2::bigint))[[3, 03], 3]"), conditions("user=3,03"));
    }

    @Test
    void aFilterMayHave100DifferentValues() {
        String hundred = IntStream.range(0, 100).mapToObj(Integer::toString).collect(Collectors.joining(","));
        assertEquals(200, list("?workspace=" + hundred + "&workspace=" + hundred).statusCode());
        list("?workspace=" + hundred + ",100").then().statusCode(400)
                .body(equalTo("{\"workspace\":[\"Ensure this field has no more than 100 elements.\"]}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            coast                | coast
            c                    | C-ç.Č
            Lüneburger Heide     | heide LUNEBURGER,luneburger
            straße a&b           | STRASSE 'a' :* b
            !!!                  | ...
            """)
    void repeatedSearchWordsAreRemoved(String once, String another) {
        String repeated = another + (' ' + once + '/' + another)
                .repeat((250 - another.length()) / (once.length() + another.length() + 2));
        assertTrue(repeated.length() > 200 && repeated.length() <= 255);
        assertEquals(words(once), words(repeated));
        catalogue.replaceWith(named(1, "Lüneburger Heide-Süd"), named(2, "coast"), named(3, "Straße A/B"),
                named(4, "c"));
        assertEquals(page("?search=" + Listing.encoded(once)).ids(),
                page("?search=" + Listing.encoded(repeated)).ids());
    }

    private List<String> words(String search) {
        String query = catalogue.sql("select words_query('" + search.replace("'", "''") + "')::text").get(0)
                .getString(0);
        return query == null ? null : Arrays.stream(query.split(" & ")).sorted().toList();
    }

    @Test
    void aUserThatIsANumberFindsIdsAndNames() {
        Consumer<Dataset> of12 = d -> {
            d.ownerId = 12;
            d.ownerName = "Bea";
        };
        catalogue.replaceWith(dataset(1, of12), dataset(2, d -> {
            d.ownerId = 13;
            d.ownerName = "12";
        }), dataset(3));
        assertEquals(List.of(1L, 2L), page("?user=12").ids());
        assertEquals(List.of(1L, 3L), page("?user=Bea,Ada%20van%20Dyk").ids());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            luneburg             | 1
            LÜNEBURGER heide     | 1
            heide, Süd           | 1
            heid                 | 1
            eide                 |
            strasse              | 2
            Straße               | 2
            angstrom lodz        | 3
            河川                  | 4
            dataset 7            | 5
            07                   | 6
            !!!                  |
            o'neill              | 7
            a & b:* !c           | 8
            c                    | 8
            """)
    void aSearchFindsWordsOfTheNameWithoutRegardToCaseAndAccents(String search, String found) {
        catalogue.replaceWith(named(1, "Lüneburger Heide-Süd"), named(2, "Lange STRASSE"), named(3, "Ångström/Łódź"),
                named(4, "河川 調査"), named(5, "dataset_7"), named(6, "flight.07"), named(7, "O'Neill \\ ' :* &"),
                named(8, "a b c"), named(9, ""));
        assertEquals(found == null ? List.of() : List.of(Long.valueOf(found)),
                page("?search=" + Listing.encoded(search)).ids());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            null                 | 1
            NULL                 | 1
            None                 | 2
            οδοσ                 | 3
            ΟΔΟΣ                 | 3
            οδος                 | 3
            αθηνας               | 3
            محمد                 | 4
            مُحَمَّد                | 4
            مـحـمـد              | 4
            احمد                 | 5
            שלום                 | 6
            שָׁלוֹם                 | 6
            mhz                  | 7
            सुंदर                 | 8
            ガラ                 | 9
            """)
    void aSearchFindsWordsThatAreTypedWithoutTheirMarks(String search, String found) {
        catalogue.replaceWith(named(1, "Null island"), named(2, "none of these"), named(3, "Οδός ΑΘΗΝΆΣ"),
                named(4, "مُحَمَّد"), named(5, "أَحْمَد"), named(6, "שָׁלוֹם"), named(7, "430 ㎒"), named(8, "सुंदरबन"),
                named(9, "ガラス"));
        assertEquals(List.of(Long.valueOf(found)),
                page("?search=" + Listing.encoded(search)).ids());
        assertEquals(List.of(Long.valueOf(found)),
                page("?search=&search=" + Listing.encoded(search) + "&search=+").ids());
    }

    @Test
    void aNameThatBecomesLongerInNormalizationIsFound() {
        catalogue.replaceWith(named(1, "㌖".repeat(255)));
        assertEquals(List.of(1L), page("?search=%E3%8C%96").ids());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0,0,10,10      | 1,2
            10,10,10,10    | 2
            5,5,5,5        | 1,2
            -10,-10,-1,-1  |
            170,-90,-170,90 | 3,4
            180,0,180,0    | 3
            -180,0,-180,0  | 4
            -180,-90,180,90 | 1,2,3,4
            """)
    void aBboxFindsDatasetsThatItTouches(String box, String found) {
        catalogue.replaceWith(at(1, 5, 5), at(2, 7.5, 7.5, 5, 5, 10, 10), at(3, 0, 180), at(4, 0, -180));
        assertEquals(found == null ? List.of() : Arrays.stream(found.split(",")).map(Long::valueOf).toList(),
                page("?in_bbox=" + box).ids());
    }

    /** PostgreSQL's operators of boxes also find boxes that are up to 1e-6 degrees away. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10,10,11,11                             | 1,2
            10.0000000000001,10,11,11               | 1
            10,10.0000000000001,11,11               | 1
            4,4,5,5                                 | 1
            4,4,4.9999999999999,5                   |
            4,4,5,4.9999999999999                   |
            4,4,4.9999995,4.9999995                 |
            10,10,10,10                             | 1,2
            9.9999999999999,10,9.9999999999999,10   | 1
            10.0000009,10,10.0000009,10             |  1
            20.0000000000001,5,20.0000000000001,5   |
            20.0000000000001,5,30,6                 |
            179.9999999,-90,-179.9999999,90         |
            179.9999998,-90,-179.9999999,90         | 3
            179.9999999,-90,-179.9999998,90         | 4
            """)
    void aBboxFindsNothingThatItDoesNotTouch(String box, String found) {
        catalogue.replaceWith(at(1, 7.5, 7.5, 5, 5, 20, 20), at(2, 10, 10), at(3, 0, 179.9999998),
                at(4, 0, -179.9999998));
        assertEquals(found == null ? List.of() : Arrays.stream(found.split(",")).map(Long::valueOf).toList(),
                page("?in_bbox=" + box).ids());
    }

    @Test
    void fractionsOfASecondCount() {
        catalogue.replaceWith(dataset(1));
        assertEquals(0, page("?captured_after=2021-03-04T05:06:07.5Z").count());
        assertEquals(0, page("?captured_after=2021-03-04T05:06:07.000000001Z").count());
        assertEquals(1, page("?captured_after=2021-03-04T05:06:06.999999999Z").count());
        assertEquals(1, page("?captured_after=2021-03-04T05:06:07.000Z").count());
        assertEquals(1, page("?captured_before=2021-03-04T05:06:07.5Z").count());
        assertEquals(1, page("?captured_before=2021-03-04T05:06:07,000000001Z").count());
        assertEquals(0, page("?captured_before=2021-03-04T05:06:07.000Z").count());
        assertEquals(0, page("?captured_before=2021-03-04T05:06:06.999999999Z").count());
        assertEquals(1, page("?captured_before=9999-12-31T23:59:59.999999999Z").count());
        String updated = catalogue.sql("select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')"
                + " from dataset").get(0).getString(0);
        // A client that polls gets the last ten seconds again.
        Instant last = Instant.parse(updated + "Z").plusSeconds(10);
        assertEquals(1, page("?updated_since=" + last).count());
        assertEquals(0, page("?updated_since=" + last.plusNanos(1)).count());
    }

    @Test
    void theRangeOfCaptureTimesIsHalfOpen() {
        catalogue.replaceWith(dataset(1));
        assertEquals(1, page("?captured_after=2021-03-04T05:06:07Z").count());
        assertEquals(0, page("?captured_before=2021-03-04T05:06:07Z").count());
        assertEquals(0, page("?captured_after=2021-03-04T05:06:08Z").count());
        assertEquals(1, page("?captured_before=2021-03-04T05:06:08Z&captured_after=2021-03-04").count());
    }

    @Test
    void updatedSinceFindsChangedDatasets() {
        catalogue.replaceWith(Catalogue.plain(3));
        catalogue.sql("alter table dataset disable trigger dataset_is_touched");
        catalogue.sql("update dataset set updated_at = '2020-01-01T00:00:00Z'");
        catalogue.sql("alter table dataset enable trigger dataset_is_touched");
        assertEquals(3, page("?updated_since=2020-01-01").count());
        // They became visible in this form after the time.
        assertEquals(3, page("?updated_since=2020-01-02").count());
        catalogue.fold();
        assertEquals(3, page("?updated_since=2020-01-02").count());
        // From here on it is as if they had become visible when they were updated.
        catalogue.sql("delete from late_fold");
        assertEquals(3, page("?updated_since=2020-01-01T00:00:10Z").count());
        assertEquals(0, page("?updated_since=2020-01-01T00:00:10.000001Z").count());
        Caller.admin().patch(Listing.PATH + "6/", "{\"dataset_name\":\"new\"}").then().statusCode(200);
        assertEquals(List.of(6L), page("?updated_since=2020-01-02").ids());
    }

    @Test
    void anOwnerFindsItsOwnAndItsPrivateDatasets() {
        catalogue.replaceWith(Catalogue.plain(3));
        Caller ada = Caller.writer("ada");
        Caller bea = Caller.writer("bea");
        String located = "{\"coordinates\": [1, 2], \"is_private\": ";
        final long secret = ada.create(located + "true}");
        final long shown = ada.create(located + "false}");
        bea.create(located + "true}");
        assertEquals(List.of(secret, shown), ids(ada, "mine=true"));
        assertEquals(List.of(secret), ids(ada, "mine=yes&is_private=true"));
        assertEquals(List.of(shown), ids(ada, "mine=1&is_private=0&category=Other"));
        assertEquals(List.of(secret), ids(ada, "is_private=true"));
        assertEquals(List.of(3L, 6L, 9L, shown), ids(ada, "is_private=false"));
        assertEquals(5, ids(ada, "mine=false").size());
        assertEquals(List.of(3L, 6L, 9L, shown), ids(Caller.anonymous(), "is_private=false&mine=false"));
        assertEquals(List.of(), ids(Caller.anonymous(), "is_private=true"));
        assertEquals(2, ids(Caller.admin(), "is_private=true").size());
        assertEquals(List.of(), ids(Caller.admin(), "mine=true"));
        assertEquals(List.of(shown), ids(ada, "mine=true&page_size=1&p=2"));
        // The same in each other form of the listing.
        assertEquals(3, ada.get(Listing.PATH + "?format=csv&fields=id&mine=true").asString().lines().count());
        assertEquals(2, ada.get("/api/search_datasets?mine=true").jsonPath().getList("").size());
        assertEquals(2, ada.get("/api/dataset_coords?mine=true").jsonPath().getList("").size());
        assertEquals(2, ada.get(Listing.PATH + "facets/?mine=true").jsonPath().getInt("count"));
        assertEquals(1, ada.get("/datasets/grid/?in_bbox=-180,-90,180,90&mine=true&is_private=true").jsonPath()
                .getInt("count"));
    }

    private static List<Long> ids(Caller caller, String query) {
        return PageOfDatasets
                .of(caller.get(Listing.PATH + "?ordering=id&" + query).then().statusCode(200).extract().response())
                .ids();
    }

    /** An empty list would say that the caller has no datasets. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/dataset/", "/api/dataset/?format=csv", "/api/search_datasets", "/api/dataset_coords",
            "/api/dataset/facets/", "/api/dataset/histogram/", "/datasets/grid/", "/tiles/0/0/0.mvt"})
    void ownDatasetsNeedAToken(String path) {
        Caller.anonymous().get(path + (path.contains("?") ? "&" : "?") + "mine=true").then()
                .statusCode(401).header("WWW-Authenticate", "Token")
                .body(equalTo("{\"detail\":\"Authentication credentials were not provided.\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"category=", "workspace=&user=,", "search=%20", "in_bbox=", "is_shareable=",
            "updated_since=", "gsd_min=&gsd_max=%20",
            "fields=", "unknown=1", "category=%20,%20"})
    void emptyFiltersAndUnknownParametersAreIgnored(String query) {
        catalogue.replaceWith(Catalogue.plain(2));
        assertEquals(2, page("?" + query).count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            workspace=a                   | {"workspace":["A valid integer is required."]}
            workspace=1,-2                | {"workspace":["A valid integer is required."]}
            workspace=9999999999999999999 | {"workspace":["A valid integer is required."]}
            category=Zed                  | {"category":["\\"Zed\\" is not a valid choice."]}
            category=forest               | {"category":["\\"forest\\" is not a valid choice."]}
            available_rasters=ortho,x     | {"available_rasters":["\\"x\\" is not a valid choice."]}
            has_stats=b1                  | {"has_stats":["\\"b1\\" is not a valid choice."]}
            is_shareable=2                | {"is_shareable":["Must be a valid boolean."]}
            gsd_max=fine&gsd_min=NaN      | {"gsd_min":["A valid number is required."],"gsd_max":["A valid number is required."]}
            mine=me                       | {"mine":["Must be a valid boolean."]}
            is_private=2                  | {"is_private":["Must be a valid boolean."]}
            in_bbox=1,2,3                 | {"in_bbox":["Expected four numbers: min_lon,min_lat,max_lon,max_lat."]}
            in_bbox=1,2,3,NaN             | {"in_bbox":["Expected four numbers: min_lon,min_lat,max_lon,max_lat."]}
            in_bbox=1,2,3,4,5             | {"in_bbox":["Expected four numbers: min_lon,min_lat,max_lon,max_lat."]}
            in_bbox=1,2,3,91              | {"in_bbox":["Longitudes are between -180 and 180, latitudes between -90 and 90."]}
            in_bbox=-181,2,3,4            | {"in_bbox":["Longitudes are between -180 and 180, latitudes between -90 and 90."]}
            in_bbox=1,5,3,4               | {"in_bbox":["min_lat is greater than max_lat."]}
            intersects=POINT(1            | {"intersects":["geometry: Expected a number at character 8."]}
            intersects=POINT(1%202)x      | {"intersects":["geometry: Expected the end of the geometry at character 11."]}
            intersects=CIRCLE(1%202)      | {"intersects":["geometry: Expected a geometry at character 1."]}
            intersects=POINT(1%2099)      | {"intersects":["geometry: Degrees outside the world: longitude 1.0, \
            latitude 99.0 at character 7."]}
            intersects=%7B%22type%22:%22Point%22%7D | {"intersects":["geometry: Expected an array with elements at \
            /coordinates."]}
            search=a%00b                  | {"search":["Null characters are not allowed."]}
            user=a%00b                    | {"user":["Null characters are not allowed."]}
            band=%00                      | {"band":["Null characters are not allowed."]}
            fields=id,nope                | {"fields":["\\"nope\\" is not a valid choice."]}
            is_shareable=x&in_bbox=1      | {"is_shareable":["Must be a valid boolean."],"in_bbox":["Expected four numbers: \
            min_lon,min_lat,max_lon,max_lat."]}
            """)
    void anInvalidValueIsReportedForEachParameter(String query, String error) {
        list("?" + query).then().statusCode(400).body(equalTo(error.replace("\\\"", "\\\"")));
    }

    /** The check must not block the event loop. */
    @Test
    void aGeometryHasFewVertices() {
        String places = IntStream.range(0, 251).mapToObj(i -> i / 2 + "%20" + i % 2).collect(Collectors.joining(","));
        list("?intersects=LINESTRING(" + places + ")").then().statusCode(400)
                .body("intersects[0]", startsWith("geometry: More than 250 vertices"));
        assertEquals(200, list("?intersects=LINESTRING(" + places.substring(0, places.lastIndexOf(',')) + ")")
                .statusCode());
        list("?intersects=" + "(".repeat(10_001)).then().statusCode(400);
    }

    /** The parameter {@code search} reads names alone. */
    @Test
    void textsOfOwnersAreFoundByTerms() {
        catalogue.replaceWith(named(1, "Reef"), dataset(2, d -> d.description = "After the Flood: reef and river."),
                dataset(3, d -> d.institutionName = "CIMS"), dataset(4, d -> {
                    d.description = "flood";
                    d.isPrivate = true;
                }), dataset(5, d -> d.category = new String[]{"Rocky"}));
        assertEquals(List.of(2L), page("?q=flood").ids());
        assertEquals(List.of(1L, 2L), page("?q=reef").ids());
        assertEquals(List.of(2L, 3L), page("?q=the+flood,cims").ids());
        assertEquals(List.of(5L), page("?q=rocky").ids());
        assertEquals(List.of(), page("?q=river+flood").ids());
        assertEquals(5, page("?q=,").count() + 1);
        assertEquals(2, Caller.admin().get(Listing.PATH + "?q=flood").jsonPath().getInt("count"));
        assertEquals(List.of(), page("?search=flood").ids());
        assertEquals(1, anonymousCount("/api/dataset/facets/?q=flood", "count"));
        assertEquals(1, list("?format=ndjson&fields=id&q=flood").asString().lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/dataset/?", "/api/dataset/?format=ndjson&", "/api/dataset/?format=csv&",
            "/api/dataset/?format=geojson&", "/api/search_datasets?", "/api/dataset_coords?", "/api/dataset/facets/?",
            "/api/dataset/histogram/?", "/api/dataset/changes/?", "/datasets/grid/?", "/tiles/0/0/0.mvt?"})
    void aSearchInAllTextsHasAtMost20Terms(String address) {
        catalogue.replaceWith(dataset(1));
        String twenty = IntStream.range(0, 20).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String repeated = twenty + ",,0, 19 ";
        assertEquals(200, Caller.anonymous().get(address + "q=" + Listing.encoded(repeated)).statusCode());
        Caller.anonymous().get(address + "q=" + twenty + ",20").then().statusCode(400)
                .body(equalTo("{\"q\":[\"Ensure this field has no more than 20 elements.\"]}"));
    }

    /** As in items, whose geometry is the point. The line of the bbox crosses an edge of the polygon, the point is outside. */
    @Test
    void thePointOfADatasetWhoseBboxHasNoAreaDecidesAPolygon() {
        Dataset dataset = Catalogue.plain(1).get(0);
        dataset.bbox = new double[]{-45, 0, -36, 0};
        dataset.coordinates = new double[]{-40.5, 0};
        catalogue.replaceWith(List.of(dataset));
        String polygon = "intersects=POLYGON((-20%20-40,60%20-40,60%2050,-20%20-40))";
        assertEquals(0, page("?" + polygon).count());
        assertFalse(FilterModel.FILTERS.get(polygon).test(dataset));
        assertEquals(1, page("?in_bbox=-20,-40,60,50").count());
        catalogue.sql("update dataset set coordinates = '{-39.5,0}'");
        assertEquals(1, page("?" + polygon).count());
    }

    /** All doors of the listing find the same datasets in an area, as GeoJSON and as well-known text. */
    @Test
    void eachDoorFindsTheDatasetsInAPolygon() {
        List<Dataset> datasets = generated(400);
        catalogue.replaceWith(datasets);
        String text = "intersects=POLYGON((-20%20-40,60%20-40,60%2050,-20%20-40))";
        String json = "intersects=" + PercentEncoding.form(
                "{\"type\":\"Polygon\",\"coordinates\":[[[-20,-40],[60,-40],[60,50],[-20,-40]]]}");
        List<Long> expected = datasets.stream().filter(Caller.anonymous()::lists)
                .filter(FilterModel.FILTERS.get(text)).map(d -> d.id).sorted().toList();
        assertFalse(expected.isEmpty());
        for (String query : List.of(text, json)) {
            for (String ordering : List.of("", "&ordering=dataset_name", "&ordering=-user,id")) {
                assertEquals(expected,
                        page("?page_size=100&fields=id&" + query + ordering).idsToTheEnd().stream().sorted()
                                .toList(),
                        query + ordering);
            }
            for (String format : List.of("ndjson", "csv")) {
                assertEquals(expected,
                        Arrays.stream(list("?fields=id&format=" + format + '&' + query).asString().split("\r?\n"))
                                .filter(line -> line.matches(".*\\d.*"))
                                .map(line -> Long.valueOf(line.replaceAll("\\D", ""))).sorted()
                                .toList(),
                        format);
            }
            assertEquals(expected.size(), anonymousCount("/api/dataset/facets/?" + query, "count"));
            assertEquals(expected.size(), anonymousCount("/datasets/grid/?" + query, "count"));
            assertEquals(expected.size(), anonymousCount("/api/dataset/histogram/?" + query, "buckets.count.sum()"));
        }
    }

    private static int anonymousCount(String path, String count) {
        return Caller.anonymous().get(path).jsonPath().getInt(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"captured_after", "captured_before", "updated_since"})
    void anInvalidDateIsRefused(String name) {
        for (String value : List.of("yesterday", "2021-02-30", "2021-13-01", "99999-01-01", "2021-01-01T25:00:00Z")) {
            list("?" + name + "=" + value).then().statusCode(400);
            assertTrue(list("?" + name + "=" + value).asString()
                    .startsWith("{\"" + name + "\":[\"Datetime has wrong format."));
        }
    }
}
