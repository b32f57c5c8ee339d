package io.datasetlisting.faces.collection;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.grid.GridModel;
import io.datasetlisting.catalogue.search.CollectionExtents;
import io.datasetlisting.catalogue.search.ListingExtents;
import io.datasetlisting.catalogue.search.Workspaces;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.restassured.path.json.JsonPath;

/**
 * Tests the collections of workspaces, and the search for collections. The client of the tests compares each response with the
 * OpenAPI document and with the schemas of the standards.
 */
@QuarkusTest
class WorkspaceCollectionsTest {

    private static final String COLLECTIONS = "/stac/collections";
    private static final long SEED = RandomTests.seed();
    private static final int SEARCHES = RandomTests.times(60, 600);
    private static final int WORKSPACES = 40;

    @Inject
    Catalogue catalogue;
    @Inject
    CollectionExtents extents;

    private static Dataset of(long id, long workspace, boolean isPrivate) {
        return dataset(id, d -> {
            d.workspace = workspace;
            d.isPrivate = isPrivate;
            d.capturedDate = Instant.parse("2020-01-01T00:00:00Z").plus(id, ChronoUnit.DAYS);
            d.coordinates = new double[]{id, 10 + id};
        });
    }

    private static Caller owner() {
        return Caller.existing(7, "Ada van Dyk").token("writer");
    }

    private static JsonPath json(Caller caller, String path) {
        return caller.get(path).then().statusCode(200).extract().jsonPath();
    }

    private static JsonPath json(String path) {
        return json(Caller.anonymous(), path);
    }

    private static String ids(Caller caller, String query) {
        return String.join(" ", json(caller, COLLECTIONS + query).<String>getList("collections.id"));
    }

    /** The number, the box and the days of a collection, which is the same in the list. */
    private static String extent(Caller caller, String id) {
        JsonPath collection = json(caller, COLLECTIONS + '/' + id);
        assertEquals(collection.getMap(""),
                json(caller, COLLECTIONS + "?limit=1000").getMap("collections.find { it.id == '" + id + "' }"));
        return collection.getInt("'dataset:count'") + " " + collection.getList("extent.spatial.bbox[0]", Double.class)
                + collection.<String>getList("extent.temporal.interval[0]").stream()
                        .map(time -> " " + time.substring(0, 10)).collect(Collectors.joining());
    }

    @Test
    void theExtentsOfACallerAreComputedOnceForEachListingVersion() throws Throwable {
        catalogue.replaceWith(of(1, 3, false), of(2, 12, true));
        io.datasetlisting.access.account.Caller admin = new io.datasetlisting.access.account.Caller(0L, "admin", 1L,
                Right.ADMIN, 1L);
        ListingExtents all = VertxContextSupport.subscribeAndAwait(() -> extents.of(admin));
        Workspaces one = VertxContextSupport.subscribeAndAwait(() -> extents.ofWorkspaces(admin));
        assertEquals(1, VertxContextSupport.subscribeAndAwait(
                () -> extents.of(io.datasetlisting.access.account.Caller.ANONYMOUS)).all().count());
        assertSame(all, VertxContextSupport.subscribeAndAwait(() -> extents.of(admin)));
        assertSame(one, VertxContextSupport.subscribeAndAwait(() -> extents.ofWorkspaces(admin)));
        catalogue.sql("update dataset set is_private = false where id = 2");
        assertNotSame(all, VertxContextSupport.subscribeAndAwait(() -> extents.of(admin)));
        assertEquals(2, VertxContextSupport.subscribeAndAwait(() -> extents.ofWorkspaces(admin)).size());
    }

    @Test
    void eachWorkspaceWithPublicDatasetsIsACollectionThatIsAView() {
        catalogue.replaceWith(of(1, 3, false), of(2, 12, false), of(4, 3, false), of(5, 0, false));
        assertEquals("datasets areas points workspace-0 workspace-3 workspace-12", ids(Caller.anonymous(), ""));
        JsonPath collection = json(COLLECTIONS + "/workspace-3");
        assertEquals("Workspace 3", collection.getString("title"));
        assertEquals("The datasets of workspace 3. Its items are also in the collection datasets, which they name.",
                collection.getString("description"));
        assertEquals(json(COLLECTIONS + "/datasets").getList("links.href").stream()
                .map(href -> href.toString().replace("/datasets", "/workspace-3")).toList(),
                collection.getList("links.href"));
        JsonPath items = json(COLLECTIONS + "/workspace-3/items");
        assertEquals(List.of("1", "4"), items.getList("features.id"));
        assertEquals(List.of("datasets", "datasets"), items.getList("features.collection"));
        assertEquals(2, items.getInt("numberMatched"));
        assertEquals(json(COLLECTIONS + "/datasets/items/4").getMap(""),
                json(COLLECTIONS + "/workspace-3/items/4").getMap(""));
        Caller.anonymous().get(COLLECTIONS + "/workspace-3/items/2").then().statusCode(404);
        for (String schema : List.of("queryables", "sortables", "schema")) {
            String path = COLLECTIONS + "/workspace-3/" + schema;
            assertEquals(json(COLLECTIONS + "/datasets/" + schema).getMap("properties"),
                    json(path).getMap("properties"));
            assertTrue(json(path).getString("'$id'").endsWith(path));
        }
        assertEquals(2, json(COLLECTIONS + "/workspace-3/aggregate?aggregations=total_count")
                .getInt("aggregations[0].value"));
        assertTrue(json(COLLECTIONS + "/workspace-3/tiles/WebMercatorQuad").getList("links.href").toString()
                .contains("/workspace-3/tiles/WebMercatorQuad/{tileMatrix}"));
        assertEquals(List.of(json("/stac").getString("links.find { it.rel == 'self' }.href") + "/collections/datasets"),
                json("/stac").getList("links.findAll { it.rel == 'child' }.href"));
    }

    @Test
    void aSearchTakesTheNamesOfWorkspaces() {
        catalogue.replaceWith(of(1, 3, false), of(2, 12, false), of(4, 3, false), of(5, 0, false), of(6, 9, true));
        Map.of("workspace-3", "1,4", "workspace-0,workspace-12", "2,5", "workspace-3,areas", "1,4", "workspace-9", "",
                "workspace-03", "", "workspace-", "", "workspace-3,datasets", "1,2,4,5", "workspace-3,points",
                "1,2,4,5")
                .forEach((names, found) -> assertEquals(found, String.join(",",
                        json("/stac/search?collections=" + names).<String>getList("features.id")), names));
        assertEquals(2, json(COLLECTIONS + "/workspace-3/items?collections=workspace-3").getInt("numberMatched"));
        assertEquals(0, json(COLLECTIONS + "/workspace-3/items?collections=workspace-12").getInt("numberMatched"));
        assertEquals(1, json(COLLECTIONS + "/points/items?collections=workspace-12").getInt("numberMatched"));
        Caller.anonymous().post("/stac/search", "{\"collections\":[\"workspace-12\"]}").then().statusCode(200)
                .body("features.id", equalTo(List.of("2")));
    }

    @Test
    void theCountAndTheExtentFollowWritesAndShowWhatTheCallerSees() {
        catalogue.replaceWith(of(1, 3, false), of(2, 3, true), of(4, 3, false), of(5, 4, true));
        assertEquals("2 [11.0, 1.0, 14.0, 4.0] 2020-01-02 2020-01-05", extent(Caller.anonymous(), "workspace-3"));
        assertEquals("2 [11.0, 1.0, 14.0, 4.0] 2020-01-02 2020-01-05", extent(Caller.reader("other"), "workspace-3"));
        Caller owner = owner();
        for (Caller caller : List.of(owner, Caller.admin())) {
            assertEquals("3 [11.0, 1.0, 14.0, 4.0] 2020-01-02 2020-01-05", extent(caller, "workspace-3"));
        }
        owner.delete("/api/dataset/4/").then().statusCode(204);
        assertEquals("1 [11.0, 1.0, 11.0, 1.0] 2020-01-02 2020-01-02", extent(Caller.anonymous(), "workspace-3"));
        assertEquals("2 [11.0, 1.0, 12.0, 2.0] 2020-01-02 2020-01-03", extent(owner, "workspace-3"));
        owner.patch("/api/dataset/5/", "{\"is_private\":false,\"workspace\":3}").then().statusCode(200);
        assertEquals("2 [11.0, 1.0, 15.0, 5.0] 2020-01-02 2020-01-06", extent(Caller.anonymous(), "workspace-3"));
        assertEquals(json(owner, COLLECTIONS + "/workspace-3/items").getInt("numberMatched"),
                json(owner, COLLECTIONS + "/workspace-3").getInt("'dataset:count'"));
        for (String id : List.of("datasets", "points")) {
            assertEquals("2", extent(Caller.anonymous(), id).split(" ")[0]);
            assertEquals("3", extent(owner, id).split(" ")[0]);
        }
    }

    /** Of another workspace nobody learns whether it has private datasets. */
    @Test
    void aWorkspaceWithoutPublicDatasetsIsNoCollectionForAnyone() {
        catalogue.replaceWith(of(1, 3, true), of(2, 4, false));
        Caller owner = owner();
        for (Caller caller : List.of(Caller.anonymous(), Caller.reader("other"), owner, Caller.admin())) {
            assertEquals("datasets areas points workspace-4", ids(caller, ""));
            for (String path : List.of("", "/items", "/items/1", "/queryables", "/sortables", "/schema",
                    "/aggregations", "/aggregate?aggregations=total_count", "/tiles", "/tiles/WebMercatorQuad",
                    "/tiles/WebMercatorQuad/0/0/0")) {
                caller.get(COLLECTIONS + "/workspace-3" + path).then().statusCode(404);
            }
            caller.post(COLLECTIONS + "/workspace-3/aggregate", "{\"aggregations\":[\"total_count\"]}").then()
                    .statusCode(404);
        }
        owner.patch("/api/dataset/1/", "{\"is_private\":false}").then().statusCode(200);
        assertEquals("datasets areas points workspace-3 workspace-4", ids(Caller.anonymous(), ""));
        Caller.anonymous().get(COLLECTIONS + "/workspace-3/items/1").then().statusCode(200);
        owner.patch("/api/dataset/1/", "{\"is_private\":true}").then().statusCode(200);
        Caller.anonymous().get(COLLECTIONS + "/workspace-3").then().statusCode(404);
        assertEquals("datasets areas points workspace-4", ids(owner, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"workspace-04", "workspace-x", "workspace--4", "workspace-4%20", "workspace-+4",
            "workspace-5",
            "workspace-9223372036854775808", "workspace-99999999999999999999", "Workspace-4", "workspace-4.0",
            "workspace-%D9%A4"})
    void anotherTextIsNoWorkspace(String id) {
        catalogue.replaceWith(of(2, 4, false));
        for (String path : List.of("", "/items", "/items/2", "/queryables", "/aggregate?aggregations=total_count")) {
            Caller.anonymous().get(COLLECTIONS + '/' + id + path).then().statusCode(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=-1", "limit=x", "limit=1.5", "bbox=1", "bbox=0,0,0,91", "bbox=0,5,1,4",
            "datetime=2020", "datetime=2021-01-01T00:00:00Z/2020-01-01T00:00:00Z", "datetime=../..", "token=x",
            "token=workspace-x", "ids=1", "sortby=id", "filter=true", "limit=1&limit=1", "q=a&q=b", "f=xml"})
    void aWrongParameterIsRefused(String query) {
        Caller.anonymous().get(COLLECTIONS + '?' + query).then().statusCode(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/workspace-4?limit=1", "/workspace-4/queryables?x=1", "/workspace-4/items?ids=2",
            "/workspace-4/items?limit=0", "/workspace-4/items/2?limit=1"})
    void aWrongParameterOfAWorkspaceIsRefused(String path) {
        catalogue.replaceWith(of(2, 4, false));
        Caller.anonymous().get(COLLECTIONS + path).then().statusCode(400);
    }

    @Test
    void theItemsOfAWorkspaceAreReadOnly() {
        catalogue.replaceWith(of(2, 4, false));
        owner().post(COLLECTIONS + "/workspace-4/items", "{}").then().statusCode(405);
        owner().delete(COLLECTIONS + "/workspace-4/items/2").then().statusCode(405);
    }

    /** The same page is answered while nothing changes, and the links lead through the list both ways. */
    @Test
    void twoThousandWorkspacesArePages() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 2_000).mapToObj(i -> dataset(i, d -> {
            d.workspace = 7 * i;
            d.coordinates = new double[]{i % 80, i % 170};
        })).toList());
        List<String> expected = Stream.concat(Stream.of("datasets", "areas", "points"),
                LongStream.rangeClosed(1, 2_000).mapToObj(i -> "workspace-" + 7 * i)).toList();
        JsonPath first = json(COLLECTIONS);
        assertEquals(expected.subList(0, 10), first.getList("collections.id"));
        assertEquals(2_003, first.getInt("numberMatched"));
        assertEquals(10, first.getInt("numberReturned"));
        assertNull(first.getString("links.find { it.rel == 'prev' }"));
        List<String> found = new ArrayList<>();
        JsonPath last = null;
        for (String next = COLLECTIONS + "?limit=900"; next != null; next = link(last, "next")) {
            last = json(next);
            found.addAll(last.getList("collections.id"));
        }
        assertEquals(expected, found);
        assertEquals(203, last.getInt("numberReturned"));
        assertEquals(expected.subList(900, 1_800), json(link(last, "prev")).getList("collections.id"));
        assertEquals(1_000, json(COLLECTIONS + "?limit=5000").getInt("numberReturned"));
        // A page begins at a place, also if the collection in this place is no longer in the list.
        assertEquals("workspace-7 workspace-14", ids(Caller.anonymous(), "?limit=2&token=workspace-1"));
        assertEquals(0, json(COLLECTIONS + "?token=workspace-99999").getInt("numberReturned"));
        // 70, but not 700 and not 7007.
        assertEquals("workspace-70", ids(Caller.anonymous(), "?q=workspace%2070"));
        assertEquals("workspace-70 workspace-700", ids(Caller.anonymous(), "?q=workspace-70,Workspace%20700,70000"));
        String tag = Caller.anonymous().get(COLLECTIONS).header("ETag");
        Caller.anonymous().request().header("If-None-Match", tag).get(COLLECTIONS).then().statusCode(304);
        Caller.admin().delete("/api/dataset/10/").then().statusCode(204);
        assertNotEquals(tag, Caller.anonymous().get(COLLECTIONS).header("ETag"));
        assertEquals("", ids(Caller.anonymous(), "?q=workspace%2070"));
    }

    private static String link(JsonPath page, String rel) {
        String href = page.getString("links.find { it.rel == '" + rel + "' }.href");
        return href == null ? null : href.replaceFirst("^https?://[^/]+", "");
    }

    @Test
    void peopleReadTheTitleOfTheListOfTheSameWorkspace() {
        catalogue.replaceWith(of(1, 3, false), of(4, 3, false), of(5, 44, true));
        HtmlPage collection = page(COLLECTIONS + "/workspace-3?f=html");
        assertEquals("Workspace 3", collection.one("//h:h1"));
        assertEquals("2 datasets", collection.one("//*[@id='count']"));
        assertTrue(page("/datasets/?workspace=3").one("//h:h1").startsWith("Workspace 3"));
        assertTrue(page(COLLECTIONS + "/workspace-3/items?f=html").one("//*[@id='count']").startsWith("2 "));
        assertTrue(collection.one("//h:figure/h:a/@href").endsWith("&workspace=3"));
        String alternate = Caller.anonymous().get(COLLECTIONS + "?limit=3&q=datasets").jsonPath()
                .getString("links.find { it.rel == 'alternate' }.href");
        assertTrue(alternate.endsWith("/stac/collections?f=html&limit=3&q=datasets"), alternate);
        HtmlPage list = page(COLLECTIONS + "?f=html&limit=3&q=datasets");
        assertEquals("datasets", list.one("//h:form//h:input[@name='q']/@value"));
        assertEquals(List.of(), collection.select("//h:form//h:input[@name='q']"));
        assertEquals(List.of("Datasets", "Datasets, areas", "Datasets, points"),
                list.select("//h:dl[@class='collections']//h:a"));
        String next = list.one("//h:nav[@class='pages']/h:a[@rel='next']/@href").replaceFirst("^https?://[^/]+", "");
        HtmlPage second = page(next);
        assertEquals(List.of("Workspace 3"), second.select("//h:dl[@class='collections']//h:a"));
        assertEquals(1, second.select("//h:nav[@class='pages']/h:a[@rel='prev']").size());
        Caller.anonymous().get(COLLECTIONS + "/workspace-44?f=html").then().statusCode(404)
                .contentType(containsString("text/html"));
    }

    private static HtmlPage page(String path) {
        return HtmlPage
                .parse(Caller.anonymous().request().accept("text/html").get(path).then().statusCode(200).extract()
                        .asString());
    }

    /** A collection as the model knows it. */
    private record Model(String id, String text, int count, double[] box, Instant first, Instant last) {

        static Model of(String id, String text, List<Dataset> datasets) {
            return new Model(id, text, datasets.size(), datasets.stream().map(GridModel::footprint)
                    .reduce((one, other) -> new double[]{Math.min(one[0], other[0]), Math.min(one[1], other[1]),
                            Math.max(one[2], other[2]), Math.max(one[3], other[3])})
                    .orElse(null), datasets.stream().map(d -> d.capturedDate).min(Instant::compareTo).orElse(null),
                    datasets.stream().map(d -> d.capturedDate).max(Instant::compareTo).orElse(null));
        }

        boolean touches(double west, double south, double east, double north) {
            return box == null || box[3] >= south && box[1] <= north && (west > east
                    ? box[2] >= west || box[0] <= east
                    : box[2] >= west && box[0] <= east);
        }

        boolean overlaps(Instant start, Instant end) {
            return first == null || (start == null || !last.isBefore(start)) && (end == null || !first.isAfter(end));
        }
    }

    private static List<Dataset> randomDatasets(Random random) {
        return IntStream.rangeClosed(1, 5 * WORKSPACES).mapToObj(id -> dataset(id, d -> {
            d.workspace = random.nextInt(10) == 0 ? 1_000_000L + random.nextInt(3) : random.nextInt(WORKSPACES);
            d.isPrivate = random.nextInt(3) == 0;
            if (random.nextInt(4) == 0) {
                d.ownerId = 8L;
                d.ownerName = "Other";
            }
            d.capturedDate = Instant.parse("2010-01-01T00:00:00Z").plus(random.nextInt(4_000), ChronoUnit.DAYS);
            double south = random.nextInt(160) - 80;
            double west = random.nextInt(340) - 170;
            d.coordinates = new double[]{south, west};
            if (random.nextBoolean()) {
                d.bbox = new double[]{south, west, south + 1 + random.nextInt(5), west + 1 + random.nextInt(5)};
                d.coordinates = new double[]{south + 0.5, west + 0.5};
            }
        })).toList();
    }

    private static List<Model> model(List<Dataset> datasets, Predicate<Dataset> isSeen) {
        List<Dataset> seen = datasets.stream().filter(isSeen).toList();
        List<Model> all = new ArrayList<>();
        all.add(Model.of("datasets",
                "datasets datasets of drone and aerial imagery: the public ones, and the private ones "
                        + "that the caller may see.",
                seen));
        all.add(Model.of("areas", "areas datasets, areas geometry is an area",
                seen.stream().filter(d -> d.bbox.length > 0)
                        .toList()));
        all.add(Model.of("points", "points datasets, points geometry is a point",
                seen.stream().filter(d -> d.bbox.length == 0).toList()));
        Map<Long, List<Dataset>> workspaces = seen.stream()
                .collect(Collectors.groupingBy(d -> d.workspace, TreeMap::new, Collectors.toList()));
        workspaces.forEach((number, own) -> {
            if (own.stream().anyMatch(d -> !d.isPrivate)) {
                all.add(Model.of("workspace-" + number, "workspace " + number + " the datasets of workspace", own));
            }
        });
        return all;
    }

    @Test
    void searchesFindWhatAModelFinds() {
        Random random = new Random(SEED);
        List<Dataset> datasets = randomDatasets(random);
        catalogue.replaceWith(datasets);
        Map<Caller, List<Model>> models = Map.of(Caller.anonymous(), model(datasets, d -> !d.isPrivate), owner(),
                model(datasets, d -> !d.isPrivate || d.ownerId == 7), Caller.admin(), model(datasets, d -> true));
        int some = 0;
        for (int i = 0; i < SEARCHES; i++) {
            List<Caller> callers = List.copyOf(models.keySet());
            Caller caller = callers.get(random.nextInt(callers.size()));
            List<String> query = new ArrayList<>();
            List<Predicate<Model>> conditions = new ArrayList<>();
            addConditions(random, query, conditions);
            List<Model> expected = models.get(caller).stream()
                    .filter(each -> conditions.stream().allMatch(condition -> condition.test(each))).toList();
            some += expected.isEmpty() || expected.size() == models.get(caller).size() ? 0 : 1;
            assertEquals(expected.stream().map(each -> each.id + ' ' + each.count).toList(),
                    walk(caller, query, 1 + random.nextInt(20), expected.size()),
                    () -> "seed " + SEED + " " + query);
        }
        assertTrue(some > SEARCHES / 3, some + " searches find some collections");
    }

    private static void addConditions(Random random, List<String> query, List<Predicate<Model>> conditions) {
        if (random.nextBoolean()) {
            double south = random.nextInt(150) - 80;
            double north = south + random.nextInt(10);
            double west = random.nextInt(350) - 175;
            double east = random.nextInt(4) == 0 ? random.nextInt(350) - 175 : Math.min(180, west + random.nextInt(20));
            query.add("bbox=" + west + ',' + south + ',' + east + ',' + north);
            conditions.add(each -> each.touches(west, south, east, north));
        }
        if (random.nextBoolean()) {
            Instant start = Instant.parse("2009-06-01T00:00:00Z").plus(random.nextInt(4_400), ChronoUnit.DAYS);
            Instant end = start.plus(random.nextInt(200), ChronoUnit.DAYS);
            switch (random.nextInt(4)) {
                case 0 -> {
                    query.add("datetime=" + start);
                    conditions.add(each -> each.overlaps(start, start));
                }
                case 1 -> {
                    query.add("datetime=" + start + "/..");
                    conditions.add(each -> each.overlaps(start, null));
                }
                case 2 -> {
                    query.add("datetime=../" + end);
                    conditions.add(each -> each.overlaps(null, end));
                }
                default -> {
                    query.add("datetime=" + start + '/' + end);
                    conditions.add(each -> each.overlaps(start, end));
                }
            }
        }
        if (random.nextInt(3) == 0) {
            List<String> terms = Stream.generate(() -> switch (random.nextInt(5)) {
                case 0 -> "areas";
                case 1 -> "POINT";
                case 2 -> "Workspace";
                case 3 -> "work";
                default -> Integer.toString(random.nextInt(WORKSPACES));
            }).limit(1 + random.nextInt(3)).toList();
            query.add("q=" + String.join(",", terms));
            conditions.add(each -> terms.stream().anyMatch(term -> List.of(each.text.split("[^a-z0-9]+"))
                    .contains(term.toLowerCase(Locale.ROOT))));
        }
    }

    /** The ids with their counts on all pages of a search. */
    private static List<String> walk(Caller caller, List<String> query, int limit, int count) {
        List<String> found = new ArrayList<>();
        String next = COLLECTIONS + "?limit=" + limit + query.stream()
                .map(each -> '&' + each.substring(0, each.indexOf('=') + 1)
                        + Listing.encoded(each.substring(each.indexOf('=') + 1)))
                .collect(Collectors.joining());
        while (next != null) {
            JsonPath page = json(caller, next);
            assertEquals(count, page.getInt("numberMatched"));
            List<Map<String, Object>> collections = page.getList("collections");
            assertEquals(collections.size(), page.getInt("numberReturned"));
            collections.stream().filter(Objects::nonNull)
                    .forEach(each -> found.add(each.get("id") + " " + each.get("dataset:count")));
            next = link(page, "next");
        }
        return found;
    }
}
