package io.datasetlisting.faces.document;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/**
 * Tests the pages of {@code /stac}.
 *
 * @see <a href="https://docs.ogc.org/is/17-069r4/17-069r4.html#rc_html">OGC API - Features, requirements class "HTML"</a>
 */
@QuarkusTest
class StacPagesTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
    private static final String HOSTILE = "<script>alert(1)</script>\"'&amp;{name}{#if}\u202e";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    @BeforeEach
    void fill() {
        List<io.datasetlisting.dataset.Dataset> datasets = new ArrayList<>(Catalogue.plain(25));
        datasets.add(dataset(26, d -> {
            d.datasetName = HOSTILE;
            d.ownerName = "Ada " + HOSTILE;
            d.ownerId = 99;
            d.bbox = new double[]{10, 20, 11, 21};
            d.bandStats = "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"band_descr\":"
                    + "{\"<b>red</b>\":{\"min\":0.125,\"max\":7}}}}";
        }));
        catalogue.replaceWith(datasets);
    }

    private static Response page(String path) {
        return Caller.anonymous().request().accept(BROWSER).get(path);
    }

    private static HtmlPage read(String path) {
        Response response = page(path);
        response.then().statusCode(200).contentType("text/html");
        return HtmlPage.parse(response.asString());
    }

    private Set<String> anchors(HtmlPage html, String path) {
        Set<String> anchors = new HashSet<>();
        html.select("//h:a/@href").stream()
                // The JDK resolves a query against the directory of an address.
                .map(href -> service.resolve(path).resolve(href.startsWith("?") ? path.split("\\?")[0] + href : href))
                .forEach(address -> anchors.add(address.toString()));
        return anchors;
    }

    /** The texts and addresses of a document that its page lacks. */
    private static void addMissing(JsonNode json, String name, String text, Set<String> anchors, List<String> missing) {
        json.properties().stream().filter(member -> !member.getKey().equals("timeStamp")).forEach(member -> {
            if (!text.contains(member.getKey())) {
                missing.add(member.getKey());
            }
            addMissing(member.getValue(), member.getKey(), text, anchors, missing);
        });
        if (json.isArray()) {
            json.forEach(item -> addMissing(item, name, text, anchors, missing));
        }
        if (json.isValueNode() && !json.isNull() && !text.contains(json.asText())) {
            missing.add(json.asText());
        }
        if (name.equals("href") && !anchors.contains(json.asText())) {
            missing.add("link to " + json.asText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac", "/stac/", "/stac/conformance", "/stac/collections", "/stac/collections/datasets",
            "/stac/queryables", "/stac/sortables", "/stac/collections/datasets/queryables",
            "/stac/collections/datasets/sortables", "/stac/collections/datasets/schema",
            "/stac/collections/datasets/items", "/stac/collections/datasets/items?limit=3&sortby=-datetime",
            "/stac/search?ids=26,3", "/stac/search?limit=20", "/stac/search?fields=title&limit=2",
            "/stac/search?ids=999", "/stac/collections/datasets/items/26", "/stac/collections/datasets/items/3",
            "/stac/collections/points", "/stac/collections/areas/items?limit=3", "/stac/collections/areas/schema"})
    void aPageContainsAllOfTheDocumentAndItsLinks(String path) throws Exception {
        JsonNode json = new ObjectMapper().readTree(withoutTokens(Caller.anonymous().get(path).asString()));
        HtmlPage html = read(path);

        List<String> missing = new ArrayList<>();
        addMissing(json, "", withoutTokens(html.one("/h:html")),
                anchors(html, path).stream().map(StacPagesTest::withoutTokens).collect(Collectors.toSet()), missing);

        assertEquals(List.of(), missing);
    }

    /** The text of the same position is another one each time. */
    private static String withoutTokens(String text) {
        return text.replaceAll("token=[\\w-]+", "token=");
    }

    /** No address of a page leads elsewhere behind a path prefix, where the links are relative to the page. */
    @ParameterizedTest
    @CsvSource({"/stac, ./", "/stac/, ../", "/stac/conformance, ../", "/stac/collections/datasets, ../../",
            "/stac/collections/datasets/items, ../../../", "/stac/collections/datasets/items/3, ../../../../"})
    void aPageLeadsToTheServiceAndToItsJson(String path, String root) {
        HtmlPage html = read(path);
        assertEquals(root, html.one("//h:body/@data-root"));
        assertTrue(anchors(html, path).contains(service.resolve("/datasets/").toString()));
        String json = service.resolve(path) + "?f=json";
        assertTrue(anchors(html, path).contains(json), json);
        Caller.anonymous().request().accept(BROWSER).get(json).then().statusCode(200)
                .contentType(containsString("json"));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", value = {"/stac, none, none, application/json",
            "/stac, '*/*', none, application/json", "/stac, application/json, none, application/json",
            "/stac, text/html, none, text/html",
            "/stac, 'application/json;q=0.5, text/html;q=0.4', none, application/json",
            "/stac, application/json, html, text/html", "/stac, text/html, json, application/json",
            "/stac, image/png, json, application/json", "/stac, image/png, html, text/html",
            "/stac/search, none, none, application/geo+json", "/stac/search, '*/*', none, application/geo+json",
            "/stac/search, application/json, none, application/json",
            "/stac/search, 'application/geo+json, application/json', none, application/geo+json",
            "/stac/search, text/html, none, text/html", "/stac/search, text/html, json, application/geo+json",
            "/stac/search, application/json, json, application/json",
            "/stac/collections/datasets/items/3, application/geo+json, none, application/geo+json",
            "/stac/collections/datasets/items/3, text/html, none, text/html",
            "/stac/collections/datasets/items/3, application/geo+json, html, text/html",
            "/stac/queryables, '*/*', none, application/schema+json", "/stac/queryables, text/html, none, text/html",
            "/stac/queryables, text/html, json, application/schema+json"})
    void theParameterPrecedesTheHeader(String path, String accept, String f, String expected) {
        var request = Caller.anonymous().request();
        if (accept != null) {
            request.header("Accept", accept);
        }
        request.get(path + (f == null ? "" : "?f=" + f)).then().statusCode(200)
                .header("Content-Type", expected.replace("text/html", "text/html; charset=utf-8"))
                .header("Vary", containsString("Accept"));
    }

    @Test
    void aBrowserReceivesAPageAtEachAddress() {
        page("/stac").then().statusCode(200).contentType("text/html");
        page("/stac/api.html").then().statusCode(200).contentType("text/html");
        Caller.anonymous().request().accept(BROWSER).redirects().follow(false).get("/stac/api").then().statusCode(303)
                .header("Location", "api.html");
        Caller.anonymous().request().accept(BROWSER).get("/stac/api?f=json").then().statusCode(200)
                .body("openapi", equalTo("3.0.3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac?f=xml", "/stac?f=", "/stac?f=JSON", "/stac?f=json&f=json", "/stac?f=json&f=html",
            "/stac/search?f=geojson", "/stac/collections/datasets/items/3?f=csv", "/stac/api?f=yaml",
            "/stac/queryables?f"})
    void anotherValueIsRefused(String path) {
        Caller.anonymous().get(path).then().statusCode(400).body("code", equalTo("BadRequest"))
                .body("detail",
                        matchesPattern(
                                "f: one of \"json\"(,| and) \"html\"(, \"geoparquet\" and \"flatgeobuf\")? is expected[.]"));
    }

    @Test
    void aSearchByPostIsNeverAPage() {
        Caller.anonymous().request().accept(BROWSER).contentType("application/json").body("{}").post("/stac/search")
                .then().statusCode(200).contentType("application/geo+json")
                .body("links.rel", not(org.hamcrest.Matchers.hasItem("alternate")));
        Caller.anonymous().request().accept("text/html").contentType("application/json").body("{}")
                .post("/stac/search").then().statusCode(406);
        Caller.anonymous().post("/stac/search?f=html", "{}").then().statusCode(400)
                .body("detail", equalTo("There is no parameter \"f\"."));
    }

    /** The links of the pages keep the choice of the representation, so that a reader stays in it. */
    @Test
    void walkingTheLinksShowsEachDatasetOnce() {
        for (String start : List.of("/stac/search?limit=7", "/stac/collections/datasets/items?limit=7&f=html",
                "/stac/search?limit=7&sortby=-datetime")) {
            List<Long> ids = new ArrayList<>();
            String next = start;
            for (int pages = 0; next != null && pages < 9; pages++) {
                HtmlPage html = read(next);
                ids.addAll(html.ids());
                next = html.select("//h:a[@rel='next']/@href").stream().findAny().orElse(null);
                if (next != null) {
                    assertEquals(start.contains("f=html"), next.contains("f=html"), next);
                }
            }
            assertEquals(26, ids.size(), start);
            assertEquals(26, new HashSet<>(ids).size(), start);
        }
    }

    /** A hundred items as a page are 930 KB of HTML. */
    @Test
    void aPageHasAtMostTwentyItems() {
        catalogue.replaceWith(Catalogue.plain(43));
        List<Integer> sizes = new ArrayList<>();
        for (String next = "/stac/search?limit=1000"; next != null && sizes.size() < 9;) {
            HtmlPage html = read(next);
            sizes.add(html.ids().size());
            next = html.select("//h:a[@rel='next']/@href").stream().findAny().orElse(null);
        }
        assertEquals(List.of(20, 20, 3), sizes);
        Caller.anonymous().get("/stac/search?limit=1000").then().body("numberReturned", equalTo(43));
    }

    @Test
    void theTokenOfAPageDoesNotDependOnTheRepresentation() {
        String next = Caller.anonymous().get("/stac/search?limit=7&f=json").jsonPath()
                .getString("links.find { it.rel == 'next' }.href");
        assertTrue(next.contains("f=json"), next);
        page(next.replace("f=json", "f=html")).then().statusCode(200).contentType("text/html");
        page(next.replace("f=json&", "")).then().statusCode(200).contentType("text/html");
    }

    @Test
    void theJsonLeadsToThePage() {
        for (String path : List.of("/stac", "/stac/collections", "/stac/collections/datasets", "/stac/search?limit=2",
                "/stac/collections/datasets/items?limit=2", "/stac/collections/datasets/items/3")) {
            String link = Caller.anonymous().get(path).jsonPath()
                    .getString("links.find { it.rel == 'alternate' && it.type == 'text/html' }.href");
            Caller.anonymous().request().get(link).then().statusCode(200).contentType("text/html");
        }
        Caller.anonymous().get("/stac/conformance").then().body("conformsTo",
                org.hamcrest.Matchers.hasItem("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac", "/stac/conformance", "/stac/search?limit=3", "/stac/collections/datasets/items/3",
            "/stac/queryables"})
    void headAndRevalidationWorkAndTheTagsDiffer(String path) {
        Response json = Caller.anonymous().get(path);
        Response html = page(path);
        assertFalse(json.header("ETag").equals(html.header("ETag")));
        Caller.anonymous().request().accept(BROWSER).head(path).then().statusCode(200)
                .header("Content-Type", "text/html; charset=utf-8").header("ETag", html.header("ETag"))
                .header("Content-Length", Integer.toString(html.asByteArray().length));
        Caller.anonymous().request().accept(BROWSER).header("If-None-Match", html.header("ETag")).get(path).then()
                .statusCode(304).header("ETag", html.header("ETag"));
        Caller.anonymous().request().accept(BROWSER).header("If-None-Match", json.header("ETag")).get(path).then()
                .statusCode(200);
        Caller.anonymous().request().header("If-None-Match", html.header("ETag")).get(path).then().statusCode(200);
    }

    @Test
    void aPageShowsWhatTheCallerMaySee() {
        Caller owner = Caller.account("hidden owner").token("writer");
        long id = owner.create("{\"dataset_name\": \"Hidden field\", \"coordinates\": [1, 2], \"is_private\": true}");
        String path = "/stac/search?ids=" + id;
        page(path).then().statusCode(200).body(not(containsString("Hidden field")));
        page("/stac/collections/datasets/items/" + id).then().statusCode(404);
        owner.request().accept(BROWSER).get(path).then().statusCode(200).body(containsString("Hidden field"))
                .header("Cache-Control", containsString("private"));
        owner.request().accept(BROWSER).get("/stac/collections/datasets/items/" + id).then().statusCode(200)
                .body(containsString("Hidden field"));
    }

    @Test
    void theLandingPageIsForPeople() {
        HtmlPage html = read("/stac");
        assertEquals("search", html.one("//h:main/h:form[@role='search']//h:input/@name"));
        assertTrue(html.one("//h:main").contains("Client.open(\"" + service.resolve("/stac") + "\")"));
        assertEquals("26 datasets", html.one("//*[@id='count']"));
        assertEquals("2021-03-04", html.one("//h:figure//h:time[1]/@datetime"));
        assertTrue(html.one("//h:figure//*[local-name() = 'path']/@d").length() > 5_000);
        // The conformance classes and the links are in a part that is closed.
        assertEquals(1, html.select("//h:main/h:details[not(@open)]").size());
        assertEquals(List.of(), html.select("//h:details[@open]"));
        assertEquals(List.of(), html.select("//h:main/*[not(self::h:details)]//*[contains(., 'conformsTo')]"));
        // One program is shown without scripts, too.
        assertEquals(List.of("tab-qgis"), html.select("//h:fieldset/h:input[@type='radio'][@checked]/@id"));
        for (String href : html.select("//h:dl[@class='collections']//h:a/@href")) {
            read(service.resolve("/stac").resolve(href).toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"/stac, 26", "/stac/, 26", "/stac/collections/datasets, 26", "/stac/collections/areas, 1",
            "/stac/collections/points, 25"})
    void aPageCountsItsDatasets(String path, int count) {
        HtmlPage html = read(path);
        assertEquals(Integer.toString(count), html.one("//*[@id='count']/h:data/@value"));
        Caller.account("who counts").token("writer")
                .create("{\"dataset_name\": \"one more\", \"coordinates\": [1, 2], \"is_private\": true}");
        assertEquals(Integer.toString(count), read(path).one("//*[@id='count']/h:data/@value"));
        Caller.account("who shows").token("writer").create("{\"dataset_name\": \"two more\", \"coordinates\": [1, 2]}");
        assertEquals(path.endsWith("areas") ? count : count + 1,
                Integer.parseInt(read(path).one("//*[@id='count']/h:data/@value")));
    }

    @Test
    void theMapShowsTheExtent() {
        catalogue.replaceWith(dataset(1, d -> {
            d.bbox = new double[]{-10, 100, 30, 170};
            d.coordinates = new double[]{10, 135};
        }));
        HtmlPage html = read("/stac/collections/areas");
        String rect = "//h:figure//*[local-name() = 'rect']/@";
        // Two units are one degree, and the vertical axis points to the south.
        assertEquals(List.of("200.0", "-60.0", "140.0", "80.0"),
                List.of("x", "y", "width", "height").stream().map(name -> html.one(rect + name)).toList());
        HtmlPage none = read("/stac/collections/points");
        assertEquals("There are no datasets.", none.one("//*[@id='count']"));
        assertEquals(List.of(), none.select("//h:figure"));
    }

    @Test
    void aCollectionSaysItsExtentInWordsAndQueryablesAreATable() {
        HtmlPage collection = read("/stac/collections/datasets");
        JsonPath json = Caller.anonymous().get("/stac/collections/datasets").jsonPath();
        assertEquals(json.getString("extent.temporal.interval[0][0]").substring(0, 10),
                collection.one("//h:main//h:dl[@class='fields']//h:time[1]/@datetime"));
        Caller.anonymous().request().accept(BROWSER).get(service.resolve("/stac/collections/")
                .resolve(collection.one("//h:dl[@class='fields']//h:a/@href"))).then().statusCode(200);
        assertEquals(Caller.anonymous().get("/stac/queryables").jsonPath().getMap("properties").size(),
                read("/stac/queryables").select("//h:table//h:tbody/h:tr").size());
    }

    @Test
    void aBoxIsOneLine() {
        assertEquals(List.of(), read("/stac/collections/datasets")
                .select("//h:li[not(*[2]) and number(normalize-space(.)) = number(normalize-space(.))]"));
    }

    @Test
    void hostileNamesStayText() {
        for (String path : List.of("/stac/search?ids=26", "/stac/collections/datasets/items/26")) {
            HtmlPage html = read(path);
            assertTrue(html.one("/h:html").contains(HOSTILE), path);
            assertEquals(List.of(),
                    html.select("//h:script[contains(., 'alert(1)') and not(@type = 'application/ld+json')]"), path);
            assertEquals(List.of(), html.select("//h:b"), path);
        }
        HtmlPage html = read("/stac/search?filter-lang=cql2-text&filter=title%3D'%22%3E%3Cb%3E'");
        assertEquals(List.of(), html.select("//h:b"));
    }
}
