package io.datasetlisting.faces.list;

import static io.restassured.RestAssured.given;
import static io.restassured.config.DecoderConfig.decoderConfig;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.wololo.flatgeobuf.HeaderMeta;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.faces.view.FacetGroups;
import io.datasetlisting.faces.view.ProgramLinks;
import io.datasetlisting.faces.view.Reader;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;

/** Tests the list of datasets as a page. */
@QuarkusTest
class ListPageTest {

    private static final String PATH = "/datasets/";
    private static final String FORM = "//*[self::h:form[@id='filters'] or @id='panel']";
    private static final String FORMATS = "//*[@class='formats']//h:a";
    private static final String STAC_SEARCH = "//*[@class='formats']/h:li[7]/h:a";
    private static final int SEARCHES = RandomTests.times(40, 150);

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    private static RequestSpecification browser() {
        return given().config(RestAssured.config().decoderConfig(decoderConfig().noContentDecoders()))
                .urlEncodingEnabled(false).redirects().follow(false).header("Accept",
                        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8");
    }

    private static Response get(int status, String path) {
        Response response = browser().get(path);
        assertEquals(status, response.statusCode(), response::asString);
        assertEquals("text/html; charset=utf-8", response.header("Content-Type"));
        return response;
    }

    private static HtmlPage page(String query) {
        return page(200, query);
    }

    private static HtmlPage page(int status, String query) {
        return HtmlPage.parse(get(status, PATH + query).asString());
    }

    /** The sentence above the list, with one space between words. */
    private static String count(HtmlPage page) {
        return page.one("//*[@id='count']").replaceAll("\\s+", " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void theRootLeadsToTheListWithoutItsQuery(String method) {
        Response response = browser().request(method, "/?p=2");
        assertEquals(302, response.statusCode());
        assertEquals(service.resolve(PATH).toString(), response.header("Location"));
        assertEquals("", response.asString());
    }

    @Test
    void thePageHasTheDatasetsOfTheListing() {
        catalogue.replaceWith(Catalogue.generated(40));
        for (String query : List.of("", "?p=2", "?p=last", "?page_size=7&ordering=-dataset_name&p=3",
                "?category=Forest&category=Desert,Rocky", "?search=flight", "?is_shareable=1")) {
            String newestFirst = query.contains("ordering=")
                    ? query
                    : (query.isEmpty() ? "?" : query + "&") + "ordering=-captured_date";
            assertEquals(Listing.page(newestFirst).ids(), page(query).ids(), query);
        }
    }

    @Test
    void aCardShowsNameOwnerDateCategoriesRastersAndPlace() {
        catalogue.replaceWith(Catalogue.dataset(3, d -> {
            d.datasetName = "<script>alert('&\"</script>";
            d.category = new String[]{"Forest", "Rocky"};
            d.availableRasters = new String[]{"dsm"};
            d.bbox = new double[]{-2, 179, -1.00004, 180};
            d.coordinates = new double[]{-1.00006, 180};
        }), Catalogue.dataset(6, d -> d.datasetName = ""));
        HtmlPage page = page("");
        String card = "//h:li[@data-id='3']";
        assertEquals("<script>alert('&\"</script>", page.one(card + "//*[@class='name']"));
        assertEquals("Ada van Dyk", page.one(card + "//*[@class='owner']"));
        assertEquals("2021-03-04T05:06:07Z", page.one(card + "//h:time/@datetime"));
        assertEquals("2021-03-04 05:06 UTC", page.one(card + "//h:time"));
        assertEquals(List.of("Forest", "Rocky"), page.select(card + "//*[@class='category']"));
        assertEquals(List.of("Elevation model (DSM)"), page.select(card + "//*[@class='raster']"));
        assertEquals("1.0001° S, 180.0000° E", page.one(card + "//*[@class='place']"));
        assertEquals("179.0,-2.0,180.0,-1.00004", page.one(card + "/@data-box"));
        assertEquals("../datasets/3/", page.one(card + "/h:a/@href"));
        assertEquals("Dataset 6", page.one("//h:li[@data-id='6']//*[@class='name']"));
    }

    @Test
    void blankParametersAreAbsentAndInNoLink() {
        catalogue.replaceWith(Catalogue.plain(40));
        String blank = "?search=&user=&workspace=&captured_after=&captured_before=&updated_since=&is_shareable=&band="
                + "&in_bbox=+&ordering=&page_size=&category=&available_rasters=&has_stats=&p=+&fields=&format=";
        assertEquals(service.resolve(PATH).toString(), browser().get(PATH + blank).header("Location"));
        Response form = browser()
                .get(PATH + "?search=a+b&user=&captured_until=2023-12-31&is_shareable=&category=Forest");
        assertEquals(302, form.statusCode());
        assertEquals(service.resolve(PATH) + "?captured_until=2023-12-31&category=Forest&search=a+b",
                form.header("Location"));
        for (String sentence : List.of("gsd_max=0,05 gsd_max=0.05",
                "gsd_max=0%2C05&gsd_min=,01 gsd_max=0.05&gsd_min=.01")) {
            assertEquals(service.resolve(PATH) + "?" + sentence.split(" ")[1],
                    browser().get(PATH + "?" + sentence.split(" ")[0]).header("Location"));
        }
        // Neither is a decimal comma alone.
        for (String wrong : List.of("1,000.5", "1,2,3", "1.2,3")) {
            page(400, "?gsd_max=" + wrong);
        }
        assertEquals(400, browser().get("/api/dataset/?gsd_max=0,05").statusCode());
        HtmlPage page = page("?unknown=");
        assertEquals("1 to 15 of 40 datasets", count(page));
        assertEquals(List.of(), page.select("//@href[contains(., '=&') or substring(., string-length(.)) = '=']"));
        assertEquals(List.of("ordering"), page.select("//*[@class='pages']//h:input[@type='hidden']/@name"));
        assertEquals(service.resolve(PATH).toString(), page.one("//h:link[@rel='canonical']/@href"));
        assertEquals("../api/dataset/?ordering=-captured_date", page.select(FORMATS + "/@href").get(0));
        assertEquals(List.of(), page.select("//h:details/@open"));
    }

    @Test
    void parametersOfTheApiAndUnknownOnesAreHarmless() {
        catalogue.replaceWith(Catalogue.plain(4));
        assertEquals(4, page("?fields=nothing&x=1&x;&y").ids().size());
    }

    @ParameterizedTest
    @CsvSource({"2020-03-03T00:00, 2020-03-03T00:00", "2020-03-03, 2020-03-03T00:00",
            "2020-03-03T00:00:05.123456Z, 2020-03-03T00:00:05.123", "2020-03-03T02:00:01%2B02:00, 2020-03-03T00:00:01",
            "0001-01-01, 0001-01-01T00:00"})
    void aTimeOfTheQueryIsShownInTheForm(String asked, String shown) {
        HtmlPage page = page("?captured_after=" + asked + "&captured_before=" + asked + "&updated_since=" + asked);
        assertField(page, "updated_since", "datetime-local", shown);
        boolean isDay = shown.endsWith("T00:00");
        if (isDay) {
            assertField(page, "captured_after", "date", shown.substring(0, 10));
        } else {
            assertField(page, "captured_after", "datetime-local", shown);
        }
        // No field shows the day before the first one.
        if (isDay && !asked.startsWith("0001")) {
            assertField(page, "captured_until", "date", "2020-03-02");
        } else {
            assertField(page, "captured_before", "datetime-local", shown);
        }
        assertEquals(List.of(""), page.select("//h:details[@class='rare']/@open"));
    }

    private static void assertField(HtmlPage page, String name, String type, String value) {
        String input = FORM + "//h:input[@name='" + name + "']";
        assertEquals(value, page.one(input + "/@value"));
        assertEquals(type, page.one(input + "/@type"));
        assertEquals(type.equals("date") ? List.of() : List.of("any"), page.select(input + "/@step"));
    }

    /** The form sends its last day, and all links of the page the moment at which this day ends. */
    @Test
    void theLastDayOfTheFormIsIncluded() {
        catalogue.replaceWith(Catalogue.dataset(3, d -> d.capturedDate = Instant.parse("2023-12-31T23:59:59Z")),
                Catalogue.dataset(6, d -> d.capturedDate = Instant.parse("2024-01-01T00:00:00Z")));
        HtmlPage page = page("?captured_until=2023-12-31&captured_after=2023-12-31");
        assertEquals(List.of(3L), page.ids());
        assertField(page, "captured_until", "date", "2023-12-31");
        assertField(page, "captured_after", "date", "2023-12-31");
        assertEquals("../api/dataset/?captured_after=2023-12-31&captured_before=2024-01-01&ordering=-captured_date",
                page.select(FORMATS + "/@href").get(0));
        assertEquals("grid/?captured_after=2023-12-31&captured_before=2024-01-01",
                page.one("//*[@id='map']/@data-grid"));
        // Addresses that are shared keep their meaning.
        assertEquals(List.of(), page("?captured_before=2023-12-31").ids());
        assertEquals(List.of(3L), page("?captured_before=2024-01-01").ids());
        assertEquals(List.of(6L, 3L), page("?captured_until=9999-12-31").ids());
        for (String wrong : List.of("x", "2023-02-30", "2023-12-31T10:00")) {
            HtmlPage refusal = page(400, "?captured_until=" + wrong);
            assertEquals("Write a day, such as 2023-05-31.", refusal.one("//*[@id='wrong-captured_until']"));
            assertEquals(wrong, refusal.one(FORM + "//h:input[@name='captured_until']/@value"));
        }
    }

    @Test
    void theFormShowsTheFiltersOfTheView() {
        HtmlPage page = page("?search=a+%22b&user=x&user=7&workspace=3&is_shareable=Yes&band=nir&in_bbox=1,2,3,4"
                + "&category=Forest,Rocky&available_rasters=dsm&has_stats=dtm&ordering=-user&page_size=500");
        assertEquals("a \"b", page.one(FORM + "//h:input[@name='search']/@value"));
        assertEquals("x,7", page.one(FORM + "//h:input[@name='user']/@value"));
        assertEquals("3", page.one(FORM + "//h:input[@name='workspace']/@value"));
        assertEquals("nir", page.one(FORM + "//h:input[@name='band']/@value"));
        assertEquals("1,2,3,4", page.one(FORM + "//h:input[@name='in_bbox']/@value"));
        assertEquals("100", page.one(FORM + "//h:input[@name='page_size']/@value"));
        assertEquals("true", page.one("//h:select[@name='is_shareable']/h:option[@selected]/@value"));
        assertEquals(List.of("Forest,Rocky", "dsm", "dtm", "-user"),
                page.select("//h:form[@id='filters']//h:input[@type='hidden']/@value"));
        assertEquals(Stream
                .of("x", "7", "Forest", "Rocky", "Elevation model (DSM)", "Terrain model (DTM)", "nir").sorted()
                .toList(),
                page.select("//*[@id='panel']//h:a[@aria-current]/h:bdi").stream().sorted().toList());
        // The fields of the panel belong to the form.
        assertEquals(List.of(),
                page.select("//*[@id='panel']//*[self::h:input or self::h:select][not(@form='filters')]"));
    }

    @Test
    void aLinkChangesTheOrderAndTheChosenOneReversesIt() {
        catalogue.replaceWith(Catalogue.plain(4));
        String links = "//h:nav[@class='orders']/h:a";
        HtmlPage page = page("?search=dataset&p=1");
        assertEquals(List.of("./?ordering=captured_date&search=dataset", "./?ordering=gsd&search=dataset",
                "./?ordering=dataset_name&search=dataset", "./?ordering=user&search=dataset",
                "./?ordering=-id&search=dataset"), page.select(links + "/@href"));
        assertEquals(List.of("Newest first", "Finest pixels first", "Name, A to Z", "Owner, A to Z",
                "Last added first"), page.select(links));
        assertEquals("Coarsest pixels first", page("?ordering=-gsd").one(links + "[@aria-current='true']"));
        assertEquals("./?ordering=-gsd", page("?ordering=gsd").one(links + "[@aria-current='true']/@href"));
        assertEquals("Newest first", page.one(links + "[@aria-current='true']"));
        HtmlPage oldest = page("?ordering=captured_date");
        assertEquals("Oldest first", oldest.one(links + "[@aria-current='true']"));
        assertEquals("./", oldest.one(links + "[@aria-current='true']/@href"));
        HtmlPage several = page("?ordering=workspace,-user");
        assertEquals(List.of(), several.select(links + "/@aria-current"));
        assertEquals("Workspace, ascending, User, descending, ID, ascending",
                several.one("//h:nav[@class='orders']/h:span[@aria-current='true']"));
        assertEquals(List.of(), page("").select("//h:select[@name='ordering']"));
        assertEquals("-user", page("?ordering=-user").one("//h:form[@id='filters']/h:input[@name='ordering']/@value"));
    }

    /** People see the newest first. What a page offers to programs is the same list. */
    @Test
    void theNewestDatasetsComeFirst() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 20).mapToObj(id -> Catalogue.dataset(id,
                d -> d.capturedDate = Instant.parse("2023-01-01T00:00:00Z").plusSeconds(id * 7 % 20))).toList());
        HtmlPage page = page("");
        assertEquals(Listing.page("?ordering=-captured_date").ids(), page.ids());
        assertEquals(LongStream.rangeClosed(1, 15).boxed().toList(), Listing.page("").ids());
        for (String href : page.select(FORMATS + "[starts-with(., 'JSON, ')]/@href")) {
            assertEquals(page.ids(), Listing.PageOfDatasets.of(follow(href)).ids());
        }
        String next = page.one("//h:a[@rel='next']/@href");
        assertEquals(Listing.page("?ordering=-captured_date&p=2").ids(), page(next).ids());
        assertTrue(page.one("//*[@class='commands']//h:code[contains(., 'pystac')]").contains("sortby=\"-datetime"));
    }

    @Test
    void theTitleSaysWhatTheListHas() {
        catalogue.replaceWith(Catalogue.dataset(3, d -> d.capturedDate = Instant.parse("2023-05-31T10:00:00Z")),
                Catalogue.dataset(6, d -> d.capturedDate = Instant.parse("2021-01-01T00:00:00Z")),
                Catalogue.dataset(9, d -> {
                    d.ownerId = 8;
                    d.ownerName = "Zoe";
                    d.isPrivate = true;
                    d.capturedDate = Instant.parse("2019-01-01T00:00:00Z");
                }));
        HtmlPage all = page("");
        assertEquals("Datasets", all.one("//h:h1"));
        assertEquals("Captured from 2021 to 2023 by 1 owner", all.one("//*[@id='summary']"));
        assertEquals(List.of(all.meta("property", "og:site_name")), all.texts("title"));
        HtmlPage some = page("?category=Forest&captured_after=2023-01-01&captured_until=2023-12-31&in_bbox=1,0,3,4");
        assertEquals("Forest, 2023, in this area: 1 dataset", some.one("//h:h1"));
        assertEquals("Forest, 2023, in this area: 1 dataset", some.meta("property", "og:title"));
        assertEquals("Forest, 2023, in this area: 1 dataset · " + some.meta("property", "og:site_name"),
                some.one("//h:title"));
        assertEquals("Captured on 2023-05-31 by 1 owner.", some.meta("property", "og:description"));
        assertEquals(service.resolve("/api/dataset/3/thumbnail/").toString(), some.meta("property", "og:image"));
        HtmlPage admins = HtmlPage.parse(Caller.admin().request().accept("text/html").get(PATH).asString());
        assertEquals("Captured from 2019 to 2023 by 2 owners", admins.one("//*[@id='summary']"));
        assertEquals("In this area: 2 datasets", page("?in_bbox=1,0,3,4").one("//h:h1"));
        String many = "?category=Forest,Desert,Rocky&workspace=1,2,3,4&user=a,b,c,d,e&q=reef";
        assertEquals("Forest, Desert, Rocky, of 5 owners, 4 workspaces, “reef”: 0 datasets", page(many).one("//h:h1"));
        assertEquals(13, page(many).select("//*[@class='chips']//h:bdi").size());
        assertEquals("“<b>&”: 0 datasets", page("?search=%3Cb%3E%26").one("//h:h1"));
    }

    /** Each filter has a chip, which leads to the same list without it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            category=Forest,Rocky      | Forest; Rocky | ./?category=Rocky; ./?category=Forest
            captured_after=2023-01-01&captured_until=2023-12-31&search=a | 2023; Search: a | ./?search=a; \
            ./?captured_after=2023-01-01&captured_before=2024-01-01
            captured_after=2020-01-01&captured_until=2022-12-31 | 2020 to 2022 | ./
            captured_after=2023-05-31&captured_before=2023-06-01 | 2023-05-31 | ./
            captured_after=2023-05-02&captured_until=2023-06-01 | 2023-05-02 to 2023-06-01 | ./
            captured_after=2023-05-02   | From 2023-05-02 | ./
            captured_until=2023-05-02&ordering=id | Until 2023-05-02 | ./?ordering=id
            captured_before=2023-05-02T10:00:00Z | Before 2023-05-02T10:00 | ./
            in_bbox=1,2,3,4&p=1         | This area | ./
            intersects=POLYGON((0+0,0.1+0,0.1+0.1,0+0.1,0+0)) | Drawn area, about 120 km² | ./
            intersects=POLYGON((0+0,1+0,1+1,0+1,0+0),(.25+.25,.25+.75,.75+.25,.25+.25)) | Drawn area, about 11,000 km² | ./
            intersects=POINT(1+2)       | Drawn area | ./
            user=Ada+van+Dyk&workspace=3&band=red | Band: red; Owner: Ada van Dyk; Workspace: 3 | \
            ./?user=Ada+van+Dyk&workspace=3; ./?band=red&workspace=3; ./?band=red&user=Ada+van+Dyk
            is_shareable=no&has_stats=dtm&available_rasters=dsm | \
            With Elevation model (DSM); With statistics of Terrain model (DTM); Not shareable | \
            ./?has_stats=dtm&is_shareable=no; ./?available_rasters=dsm&is_shareable=no; \
            ./?available_rasters=dsm&has_stats=dtm
            gsd_max=0.1&gsd_min=0.02    | Pixels of 0.02 m or more; Pixels of 0.1 m or less | ./?gsd_max=0.1; ./?gsd_min=0.02
            ordering=id&page_size=3&unknown=x | '' | ''
            """)
    void aChipRemovesItsFilter(String query, String labels, String hrefs) {
        HtmlPage page = page("?" + query);
        String links = "//h:nav[@class='chips']//h:a[not(@class)]";
        List<String> chips = labels.isEmpty() ? List.of() : List.of(labels.split("; "));
        assertEquals(chips, chips(page));
        assertEquals(hrefs.isEmpty() ? List.of() : List.of(hrefs.split("; ")), page.select(links + "/@href"));
        assertEquals(chips.stream().map(chip -> "Remove filter: " + chip).toList(),
                page.select(links + "/@aria-label"));
        assertEquals(chips.isEmpty() ? "Filters" : "Filters (" + chips.size() + ")",
                page.one("//h:button[@popovertarget='panel'][@class='to-panel']"));
        assertEquals(chips.isEmpty() ? 0 : 1, page.select("//h:a[@class='clear']").size());
    }

    /** The count beside a choice is the count of the list to which the choice leads, for each caller. */
    @Test
    void aChoiceHasTheCountOfItsList() {
        List<Dataset> datasets = new ArrayList<>(Catalogue.generated(150));
        catalogue.replaceWith(datasets);
        Caller owner = Caller.existing(datasets.get(0).ownerId, datasets.get(0).ownerName).token("reader");
        for (Caller caller : List.of(Caller.anonymous(), owner, Caller.admin())) {
            for (String query : List.of("", "?category=Forest", "?captured_after=2021-01-01&captured_until=2021-12-31",
                    "?search=flight&available_rasters=dsm")) {
                HtmlPage page = pageOf(caller, query);
                Map<String, Long> counts = new HashMap<>();
                for (Element link : page.all("a", "class", "choice")) {
                    Element data = (Element) link.getElementsByTagNameNS("*", "data").item(0);
                    // The choices of a reader with a token are not counted.
                    if (!link.hasAttribute("aria-current") && data != null) {
                        counts.put(link.getAttribute("href").substring(2),
                                Long.parseLong(data.getAttribute("value")));
                    }
                }
                assertTrue(counts.size() > 15, counts::toString);
                List<String> hrefs = new ArrayList<>(counts.keySet());
                // Values of the same filter are added to the chosen ones.
                hrefs.removeIf(href -> query.startsWith("?category") && href.matches(".*category=.*category=.*")
                        || query.contains("rasters") && href.matches(".*rasters=.*rasters=.*"));
                Collections.shuffle(hrefs, new Random(7));
                for (String href : hrefs.subList(0, RandomTests.times(4, 12))) {
                    assertEquals(counts.get(href), total(pageOf(caller, href)), query + " " + href);
                }
            }
        }
    }

    private static HtmlPage pageOf(Caller caller, String query) {
        return HtmlPage
                .parse(caller.request().urlEncodingEnabled(false).accept("text/html").get(PATH + query).asString());
    }

    private static long total(HtmlPage page) {
        List<String> numbers = page.select("//*[@id='count']/h:data/@value");
        return numbers.isEmpty() ? 0 : Long.parseLong(numbers.get(numbers.size() - 1));
    }

    @Test
    void aChoiceThatWouldFindNothingIsNoLinkUnlessItIsChosen() {
        catalogue.replaceWith(Catalogue.dataset(3, d -> d.capturedDate = Instant.parse("2023-05-31T10:00:00Z")),
                Catalogue.dataset(6, d -> {
                    d.category = new String[]{"Desert"};
                    d.ownerId = 8;
                    d.ownerName = "a, b";
                }));
        String choice = "//*[@id='panel']//*[@class='choice'][h:bdi='%s']";
        HtmlPage page = page("");
        assertEquals(List.of(), page.select(choice.formatted("Rocky") + "/@href"));
        assertEquals("0", page.one(choice.formatted("Rocky") + "/h:data"));
        assertEquals("./?captured_after=2023-01-01&captured_until=2023-12-31",
                page.one(choice.formatted("2023") + "/@href"));
        // A filter splits its value at commas.
        assertEquals("./?user=8", page.one(choice.formatted("a, b") + "/@href"));
        HtmlPage none = page("?category=Rocky&user=8&captured_after=2023-01-01&captured_until=2023-12-31");
        assertEquals("true", none.one(choice.formatted("Rocky") + "/@aria-current"));
        assertEquals("true", none.one(choice.formatted("8") + "/@aria-current"));
        assertEquals(List.of(), none.select(choice.formatted("Forest") + "/@href"));
        HtmlPage unknown = page("?band=ultraviolet&user=nobody");
        assertEquals("./?user=nobody", unknown.one(choice.formatted("ultraviolet") + "/@href"));
        assertEquals("./?band=ultraviolet", unknown.one(choice.formatted("nobody") + "/@href"));
    }

    /** The page that a reader with a token sees offers what only the reader has. */
    @Test
    void aReaderWithATokenFindsItsOwnDatasets() {
        Caller ada = Caller.writer("ada");
        ada.create("{\"dataset_name\": \"secret\", \"coordinates\": [1, 2], \"is_private\": true}");
        String choices = "//*[@aria-labelledby='facet-mine']//h:a/";
        assertEquals(List.of(), page("").select(choices + "@href"));
        HtmlPage page = page(ada, 200, "?search=secret");
        assertEquals(List.of("My datasets", "Private", "Drafts", "Deleted"), page.select(choices + "h:bdi"));
        assertEquals(List.of("1"), page.select(choices + "h:data"));
        assertEquals("./?mine=true&search=secret", page.select(choices + "@href").get(0));
        HtmlPage own = page(ada, 200, "?mine=true&is_private=true&view=gallery");
        assertEquals("My own, private: 1 dataset", own.one("//h:h1"));
        assertEquals(List.of("My datasets", "Private"), own.select("//*[@class='chips']//h:bdi"));
        assertEquals("./?is_private=true&view=gallery", own.select(choices + "@href").get(0));
        assertEquals(List.of("mine", "is_private", "view"), own.select("//*[@id='filters']/h:input/@name"));
        assertTrue(own.select("//*[@class='commands']//h:code").get(3).contains("dataset:is_private = true"));
        assertTrue(own.select("//*[@class='commands']//h:dt").get(3).endsWith("(cannot filter by mine)"));
        // Another dataset becomes private, which changes nothing else of the page.
        long other = ada.create("{\"coordinates\": [1, 2], \"captured_date\": \"1990-01-01T00:00:00Z\"}");
        String first = "?mine=true&page_size=1";
        String tag = ada.request().accept("text/html").get(PATH + first).header("ETag");
        ada.patch(Listing.PATH + other + "/", "{\"is_private\": true}").then().statusCode(200);
        assertFalse(tag.equals(ada.request().accept("text/html").get(PATH + first).header("ETag")));
        assertEquals(List.of("2"), page(ada, 200, first).select(choices + "h:data"));
        HtmlPage refused = page(401, "?mine=true");
        assertEquals("Sign in to see your own datasets.", refused.one("//*[@role='alert']/h:p[1]"));
    }

    private static HtmlPage page(Caller caller, int status, String query) {
        Response response = caller.request().accept("text/html").get(PATH + query);
        assertEquals(status, response.statusCode());
        return HtmlPage.parse(response.asString());
    }

    @Test
    void theListIsAlsoAGallery() {
        catalogue.replaceWith(Catalogue.plain(40));
        String list = "//h:ol/@class";
        String shapes = "//*[@class='shapes']/h:a";
        assertEquals("datasets", page("?view=table").one(list));
        HtmlPage page = page("?category=Forest&p=2&page_size=5&view=gallery");
        assertEquals("datasets gallery", page.one(list));
        assertEquals(List.of("List", "Gallery"), page.select(shapes + "/@aria-label"));
        assertEquals("Gallery", page.one(shapes + "[@aria-current]/@aria-label"));
        assertEquals("./?category=Forest&p=2&page_size=5", page.select(shapes + "/@href").get(0));
        // Programs, search engines and the map know no views.
        assertEquals(List.of(), page.select("//*[@class='formats']//@href[contains(., 'view=')]"));
        assertFalse((page.one("//h:link[@rel='canonical']/@href") + page.one("//@data-grid")).contains("view="));
        assertTrue(page.one("//h:a[@rel='next']/@href").contains("view=gallery"));
        assertTrue(page.select("//*[@id='facet-category']/..//h:a/@href").get(0).contains("view=gallery"));
    }

    /** As in a catalogue whose columns need more memory than they may take. */
    @Test
    void withoutCountsTheFixedChoicesAreLinks() {
        List<FacetGroups.Group> groups = FacetGroups.of(QueryString.parse("category=Forest"), null,
                new Reader(io.datasetlisting.access.account.Caller.ANONYMOUS, Language.EN));
        assertEquals(List.of("category", "available_rasters", "has_stats"),
                groups.stream().map(FacetGroups.Group::name).toList());
        List<FacetGroups.Option> categories = groups.get(0).shown();
        assertEquals(DatasetFields.CATEGORIES, categories.stream().map(FacetGroups.Option::value).toList());
        assertTrue(categories.stream().allMatch(each -> each.count() == null && each.href() != null));
        assertEquals(List.of("Forest"), categories.stream().filter(FacetGroups.Option::chosen)
                .map(FacetGroups.Option::value).toList());
    }

    /** Owners and bands may be many. */
    @Test
    void theLargestChoicesAreShownAndMoreOnDemand() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 60).mapToObj(id -> Catalogue.dataset(id, d -> {
            d.ownerId = 100 + id % 30;
            d.ownerName = "owner " + id % 30;
        })).toList());
        String group = "//h:div[@aria-labelledby='facet-user']";
        HtmlPage page = page("");
        assertEquals(8, page.select(group + "/h:ul/h:li").size());
        assertEquals(12, page.select(group + "/h:details/h:ul/h:li").size());
        assertEquals(List.of(), page.select(group + "/h:details/@open"));
        String last = page.select(group + "/h:details/h:ul/h:li//h:bdi").get(11);
        HtmlPage chosen = page("?user=" + PercentEncoding.form(last));
        assertEquals("", chosen.one(group + "/h:details/@open"));
    }

    @Test
    void nothingIsShownThatHasNoEffect() {
        catalogue.replaceWith(Catalogue.plain(15));
        HtmlPage one = page("");
        assertEquals(List.of(), one.select("//h:nav[@class='pages']"));
        assertEquals(List.of(), one.select("//h:nav[@class='chips']"));
        assertEquals(8, one.select(FORMATS).size());
        HtmlPage none = page("?search=nothing");
        for (String part : List.of("//h:nav[@class='pages']", "//h:nav[@class='orders']", FORMATS,
                "//*[@class='commands']", "//*[@id='summary']")) {
            assertEquals(List.of(), none.select(part), part);
        }
        assertEquals(1, none.select("//h:a[.='Clear all']").size());
    }

    /** The datasets of the page stay the same, the counts beside the choices do not. */
    @Test
    void theTagFollowsTheCounts() {
        catalogue.replaceWith(Catalogue.plain(20));
        Response before = get(200, PATH);
        Caller.admin().patch("/api/dataset/3/", "{\"category\":[\"Desert\"]}").then().statusCode(200);
        Response after = browser().header("If-None-Match", before.header("ETag")).get(PATH);
        assertEquals(200, after.statusCode());
        assertEquals(HtmlPage.parse(before.asString()).ids(), HtmlPage.parse(after.asString()).ids());
        assertEquals("1", HtmlPage.parse(after.asString()).one("//*[@class='choice'][h:bdi='Desert']/h:data"));
        assertEquals(after.header("ETag"), get(200, PATH).header("ETag"));
    }

    @Test
    void thePagerLeadsToAllPages() {
        catalogue.replaceWith(Catalogue.plain(40));
        String links = "//h:nav[@class='pages']/h:a/@href";
        HtmlPage first = page("?user=7");
        assertEquals("1 to 15 of 40 datasets", count(first));
        assertEquals(List.of(numbered(2), numbered(3)), first.select(links));
        HtmlPage second = page("?user=7&p=2");
        assertEquals("16 to 30 of 40 datasets", count(second));
        assertEquals(List.of(numbered(1), numbered(1), numbered(3), numbered(3)), second.select(links));
        assertEquals(List.of("user", "ordering"),
                second.select("//h:nav[@class='pages']//h:input[@type='hidden']/@name"));
        assertEquals("3", second.one("//h:input[@name='p']/@max"));
        assertEquals("16", second.one("//h:ol[@class='datasets']/@start"));
        HtmlPage last = page("?user=7&p=last");
        assertEquals("31 to 40 of 40 datasets", count(last));
        assertEquals("3", last.one("//h:input[@name='p']/@value"));
        assertTrue(last.one("//h:link[@rel='canonical']/@href").endsWith("/datasets/?p=3&user=7"));
    }

    private static String numbered(int page) {
        return "?ordering=-captured_date&p=" + page + "&page_size=15&user=7";
    }

    @Test
    void aPageBehindTheLastOneLeadsToTheLastPage() {
        catalogue.replaceWith(Catalogue.plain(40));
        HtmlPage page = page(404, "?p=99&user=7");
        assertEquals("There is no page 99. The last page is 3. Go to the last page", count(page));
        assertEquals(numbered(3), page.one("//*[@id='count']//h:a/@href"));
        assertEquals(List.of(), page.ids());
        for (String wrong : List.of("x", "0", "-1", "1.5")) {
            HtmlPage refusal = page(404, "?user=7&p=" + wrong);
            assertEquals("“" + wrong + "” is not the number of a page. Pages have the numbers 1, 2, 3 and so on. "
                    + "Go to the first page", count(refusal));
            assertEquals("./?user=7", refusal.one("//*[@id='count']//h:a/@href"));
        }
    }

    @Test
    void aPageWithoutDatasetsSaysWhy() {
        catalogue.replaceWith();
        assertEquals("The catalogue is empty.", count(page("")));
        catalogue.replaceWith(Catalogue.plain(1));
        HtmlPage none = page("?search=nothing");
        assertEquals("No dataset matches.", count(none));
        assertEquals("“nothing”: 0 datasets", none.one("//h:h1"));
        assertEquals("./", none.one("//h:a[@class='clear']/@href"));
    }

    @Test
    void wrongFiltersStandBesideTheirMessages() {
        catalogue.replaceWith(Catalogue.plain(4));
        HtmlPage page = page(400, "?captured_after=%3Cyesterday%3E&workspace=x&search=kept&category=Forest");
        assertEquals(2, page.select("//*[@id='count']//h:li").size());
        assertWrong(page, "captured_after", "Write a day, such as 2023-05-31.");
        assertWrong(page, "workspace", "Write the number of a workspace, such as 3.");
        assertEquals(List.of("Forest", "From <yesterday>", "Workspace: x", "Search: kept"), chips(page));
        assertEquals(List.of(), page.select("//*[@id='panel']/@popover"));
        assertEquals("<yesterday>", page.one(FORM + "//h:input[@name='captured_after']/@value"));
        assertEquals(List.of(), page.select(FORM + "//h:input[@name='captured_after']/@type"));
        assertEquals("kept", page.one(FORM + "//h:input[@name='search']/@value"));
        assertEquals("Forest", page.one("//h:form[@id='filters']/h:input[@type='hidden']/@value"));
        assertEquals(List.of(), page.ids());
        assertEquals(400, browser().head(PATH + "?workspace=x").statusCode());
        assertWrong(page(400, "?in_bbox=1,2,3"), "in_bbox",
                "Write four numbers of degrees, such as -10,35,5,45 for west, south, east and north.");
        assertWrong(page(400, "?is_shareable=perhaps"), "is_shareable", "Choose yes or no.");
        HtmlPage fine = page(400, "?gsd_max=fine&gsd_min=0.1");
        assertWrong(fine, "gsd_max", "Write a number of metres, such as 0.05.");
        assertEquals("fine", fine.one(FORM + "//h:input[@name='gsd_max']/@value"));
        assertEquals("0.1", fine.one("//h:form[@id='filters']/h:input[@name='gsd_min']/@value"));
        assertWrong(page(400, "?search=" + "a".repeat(256)), "search", "Write at most 255 characters.");
        String many = IntStream.range(0, 21).mapToObj(i -> "w" + i).collect(Collectors.joining(","));
        assertTrue(page(400, "?q=" + many).one("//*[@id='count']//h:li")
                .endsWith(": Write at most 255 characters, and at most 20 texts with commas between them."));
        assertTrue(page("?search=" + many).one("//h:h1").endsWith(": 0 datasets"));
        int length = browser().get(PATH + "?category=Forest&search=" + "a".repeat(5_000)).asByteArray().length;
        assertTrue(length < 40_000, () -> length + " bytes");
        assertEquals("There is no such category. Choose from the list.",
                page(400, "?category=Moon").one("//*[@id='panel']//h:p[@class='wrong']"));
    }

    @Test
    void aBoxAndADrawnAreaAreOneAreaInTheTitle() {
        catalogue.replaceWith(Catalogue.plain(4));
        String title = page("?in_bbox=0,0,1,1&intersects=POLYGON((0+0,1+0,1+1,0+0))").one("//h:h1");
        assertTrue(title.matches("In this area: \\d datasets?"), title);
    }

    /** The sentence stands at its field, also for readers who do not see it. */
    private static void assertWrong(HtmlPage page, String field, String sentence) {
        assertEquals("wrong-" + field, page.one("//*[@name='" + field + "'][@aria-invalid='true']/@aria-describedby"));
        assertEquals(sentence, page.one("//*[@id='wrong-" + field + "']"));
    }

    /** The labels of the links that remove the filters. */
    private static List<String> chips(HtmlPage page) {
        return page.select("//h:nav[@class='chips']//h:bdi");
    }

    @Test
    void anErrorOfThePipelineIsAPage() {
        for (String[] request : new String[][]{{"POST", PATH, "405", "Method \"POST\" not allowed."},
                {"POST", "/", "405", "Method \"POST\" not allowed."},
                {"GET", PATH + "999999/", "404",
                        "There is no public dataset at this address. It may be private: sign in to see"
                                + " your own datasets."},
                {"GET", "/stac/collections/datasets/items/999999", "404",
                        "There is no public dataset at this address. It may be private: sign in to see your own datasets."}}) {
            Response response = browser().request(request[0], request[1]);
            assertEquals(Integer.parseInt(request[2]), response.statusCode());
            assertEquals("text/html; charset=utf-8", response.header("Content-Type"));
            assertTrue(response.header("Content-Security-Policy").contains("style-src 'self'"));
            assertEquals(request[3], HtmlPage.parse(response.asString()).one("//h:main/h:p[1]"));
        }
        assertEquals(405, given().post(PATH).statusCode());
        Response unknown = browser().header("Authorization", "Token nobody").get(PATH + "999999/");
        assertEquals(401, unknown.statusCode());
        assertEquals("Token", unknown.header("WWW-Authenticate"));
        assertEquals("Invalid token.", HtmlPage.parse(unknown.asString()).one("//h:main/h:p[1]"));
        assertEquals(StaticFiles.address("../../", StaticFiles.ASSETS) + "page.css",
                HtmlPage.parse(unknown.asString()).one("//h:link[contains(@href, 'page.css')]/@href"));
        assertEquals("../../datasets/", HtmlPage.parse(unknown.asString()).one("//h:main//h:a/@href"));
        assertEquals(StaticFiles.address("./", StaticFiles.ASSETS) + "page.css",
                HtmlPage.parse(browser().post("/").asString()).one("//h:link[contains(@href, 'page.css')]/@href"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?workspace=x", "?p=99", "?p=x"})
    void aClientThatAcceptsProblemDetailsReceivesThemInPlaceOfAPage(String query) {
        catalogue.replaceWith(Catalogue.plain(4));
        given().urlEncodingEnabled(false).header("Accept", "text/html, application/problem+json").get(PATH + query)
                .then().contentType("application/problem+json").body("title", not(equalTo(null)));
    }

    @Test
    void anErrorOfTheApiStaysJson() {
        browser().get("/api/dataset/?workspace=x").then().statusCode(400).contentType("application/json");
        given().header("Accept", "application/json").get(PATH).then().statusCode(406).contentType("application/json");
    }

    @Test
    void theFormatsOfAViewHaveItsDatasets() throws Exception {
        catalogue.replaceWith(Catalogue.generated(60));
        HtmlPage page = page("?category=Forest&category=Rocky&ordering=-id&page_size=2&p=2");
        List<String> hrefs = page.select(FORMATS + "/@href");
        assertEquals(List.of("JSON, this page", "GeoJSON, all pages", "CSV, all pages", "JSON lines, all pages",
                "GeoParquet, all pages", "FlatGeobuf, all pages", "STAC search, from the first page", "Newest changes"),
                page.select(FORMATS));
        assertEquals(page.ids(), Listing.PageOfDatasets.of(follow(hrefs.get(0))).ids());
        assertEquals(listed("category=Forest,Rocky&ordering=-id"),
                new JsonObject(follow(hrefs.get(1)).asString()).getJsonArray("features").stream()
                        .map(feature -> ((JsonObject) feature).getLong("id")).toList());
        long count = Listing.page("?category=Forest,Rocky").count();
        assertEquals(count + 1, follow(hrefs.get(2)).asString().lines().count());
        assertEquals(count, follow(hrefs.get(3)).asString().lines().count());
        assertEquals(count, new JsonObject(follow(hrefs.get(6)).asString()).getLong("numberMatched"));
        try (DuckDb duckDb = new DuckDb(follow(hrefs.get(4)).asByteArray())) {
            assertEquals(List.of(count), duckDb.query("select count(*) from " + DuckDb.FILE));
        }
        assertEquals(count, HeaderMeta.read(ByteBuffer.wrap(follow(hrefs.get(5)).asByteArray())
                .order(ByteOrder.LITTLE_ENDIAN)).featuresCount);
    }

    private Response follow(String href) {
        Response response = given().urlEncodingEnabled(false).get(service.resolve(PATH).resolve(href));
        assertEquals(200, response.statusCode(), () -> href + " " + response.asString());
        return response;
    }

    /** A page has a hundred links, and each would be as long. */
    @ParameterizedTest
    @ValueSource(strings = {"place", "view", "ordering", "page_size", "something"})
    void aLongValueThatMeansNothingIsInNoLink(String name) {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(id -> Catalogue.dataset(id)).toList());
        int length = get(200, PATH + "?category=Other").asString().length();
        String html = get(200, PATH + "?category=Other&" + name + "=" + "x".repeat(5000)).asString();
        assertTrue(html.length() < length + 2000, () -> name + ": " + html.length() + " characters, not " + length);
        String few = get(200, PATH + "?category=Other&" + name + "1=" + "x".repeat(20)).asString();
        assertTrue(few.contains(name + "1=xxxx"), "a short parameter of somebody else stays");
    }

    /** Random views, and the searches that their pages offer. */
    @Test
    void theStacSearchFindsTheDatasetsOfTheView() {
        Random random = new Random(23);
        List<String> owners = List.of("Ada van Dyk", "O'Neil", "a\\'b", "77");
        List<String> bands = List.of("nir", "it's", "\\");
        catalogue.replaceWith(LongStream.rangeClosed(1, 300).mapToObj(id -> Catalogue.dataset(id, d -> {
            int owner = random.nextInt(owners.size());
            d.ownerId = owner == 0 ? 7 : 70 + owner;
            d.ownerName = owners.get(owner);
            d.workspace = 1 + random.nextInt(4);
            d.category = Stream
                    .concat(some(random, DatasetFields.CATEGORIES.subList(0, 4)).stream(), Stream.of("Other"))
                    .toArray(String[]::new);
            d.availableRasters = some(random, DatasetFields.RASTERS).toArray(String[]::new);
            d.isShareable = random.nextBoolean();
            d.capturedDate = Instant.parse("2020-01-01T00:00:00Z").plusSeconds(random.nextInt(5));
            d.bandStats = "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"band_descr\":"
                    + new JsonObject().put(bands.get(random.nextInt(3)), 1).encode() + "}}";
            double latitude = random.nextInt(160) - 80;
            double longitude = random.nextInt(360) - 180;
            d.coordinates = new double[]{latitude, longitude};
            d.bbox = random.nextInt(3) == 0
                    ? new double[0]
                    : new double[]{latitude, longitude, latitude + random.nextInt(3),
                            Math.min(180, longitude + random.nextInt(3))};
        })).toList());
        int found = 0;
        for (int i = 0; i < SEARCHES; i++) {
            String query = anyQuery(random, owners.subList(0, 3), bands);
            HtmlPage page = page("?" + query);
            if (page.ids().isEmpty()) {
                // An empty list is nothing for programs.
                assertEquals(List.of(), listed(query), query);
                continue;
            }
            assertEquals("STAC search, from the first page"
                    + (query.contains("updated_since") ? " (cannot filter by updated_since)" : ""),
                    page.one(STAC_SEARCH), query);
            JsonObject search = new JsonObject(follow(page.one(STAC_SEARCH + "/@href")
                    .replaceFirst("limit=\\d+", "limit=1000")).asString());
            List<Long> items = search.getJsonArray("features").stream()
                    .map(item -> Long.valueOf(((JsonObject) item).getString("id"))).toList();
            assertEquals(listed(query), items, query);
            found += items.size();
        }
        assertTrue(found > 6 * SEARCHES, "only " + found + " datasets found");
    }

    /** Ids of all pages of the listing, in its order. */
    private static List<Long> listed(String query) {
        return given().urlEncodingEnabled(false).get("/api/dataset/?format=ndjson&fields=id&" + query).asString()
                .lines()
                .map(line -> new JsonObject(line).getLong("id")).toList();
    }

    private static <T> List<T> some(Random random, List<T> choices) {
        return choices.stream().filter(choice -> random.nextBoolean()).toList();
    }

    private static String anyQuery(Random random, List<String> owners, List<String> bands) {
        List<String> query = new ArrayList<>();
        for (String[] filter : new String[][]{{"category", "Forest"}, {"user"}, {"workspace"}, {"band"},
                {"available_rasters"}}) {
            if (random.nextInt(3) == 0) {
                List<String> values = switch (filter[0]) {
                    case "category" -> some(random, DatasetFields.CATEGORIES.subList(0, 4));
                    case "user" -> some(random, owners);
                    case "workspace" -> some(random, List.of("1", "2", "03"));
                    case "band" -> some(random, bands);
                    default -> some(random, DatasetFields.RASTERS);
                };
                values.forEach(value -> query.add(filter[0] + "=" + PercentEncoding.form(value)));
            }
        }
        for (String name : List.of("captured_after", "captured_before")) {
            if (random.nextInt(3) == 0) {
                query.add(name + "=2020-01-01T00:00:0" + random.nextInt(5) + List.of("", "Z", ".0000001")
                        .get(random.nextInt(3)));
            }
        }
        if (random.nextInt(4) == 0) {
            query.add("updated_since=2020-01-01");
        }
        if (random.nextInt(3) == 0) {
            query.add("is_shareable=" + random.nextBoolean());
        }
        if (random.nextBoolean()) {
            double west = random.nextInt(3600) / 10.0 - 180;
            double east = random.nextInt(3600) / 10.0 - 180;
            query.add("in_bbox=" + west + ",-60.5," + east + ",70");
        }
        List<String> orders = some(random,
                List.of("-captured_date", "user", "workspace", "-dataset_name", "is_shareable", "-id"));
        query.add("ordering=" + (orders.isEmpty() ? "id" : String.join(",", orders)));
        return String.join("&", query);
    }

    @ParameterizedTest
    @CsvSource({"search=a, search", "has_stats=dtm, has_stats", "user=7, user", "user=7&user=Ada+van+Dyk, user",
            "captured_before=9999-12-31T23:59:59.9999999, captured_before",
            "search=a&has_stats=dtm&workspace=70, 'search, has_stats'"})
    void aFilterThatASearchCannotExpressIsNamed(String query, String leftOut) {
        catalogue.replaceWith(Catalogue.dataset(3, d -> {
            d.datasetName = "a";
            d.bandStats = "{\"dsm\":{},\"dtm\":{\"b1\":{\"min\":1}},\"ortho\":{}}";
        }));
        HtmlPage page = page("?" + query);
        assertEquals("STAC search, from the first page (cannot filter by " + leftOut + ")",
                page.one(STAC_SEARCH));
        assertEquals("pystac-client (cannot filter by " + leftOut + ")",
                page.select("//*[@class='commands']/h:dt").get(3));
        assertEquals(200, follow(page.one(STAC_SEARCH + "/@href")).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "it's $HOME `id` $(id) \"\\ ; & | \n <b>", "''", "\\'; touch /tmp/x #"})
    void aCommandContainsTheTextOfAVisitorOnlyInQuotes(String text) throws Exception {
        catalogue.replaceWith(Catalogue.dataset(3, d -> d.ownerName = text));
        HtmlPage page = page("?user=" + PercentEncoding.form(text));
        List<String> commands = page.select("//*[@class='commands']//h:code");
        String url = shellWords(commands.get(0)).get(1);
        assertEquals(service.resolve("/api/dataset/").toString(), url.substring(0, url.indexOf('?')));
        assertEquals(text, parameter(url, "user"));
        assertEquals(List.of("a", text, "b"), shellWords("a " + ProgramLinks.shellWord(text) + " b"));
        String source = shellWords(commands.get(4)).get(2);
        assertEquals(List.of(text, "geojson", "true"),
                Stream.of("user", "format", "all").map(name -> parameter(source, name)).toList());
        String filter = python(commands.get(3));
        assertEquals(parameter(page.one(STAC_SEARCH + "/@href"), "filter"), filter);
    }

    private static String parameter(String url, String name) {
        return Arrays.stream(url.substring(url.indexOf('?') + 1).split("&")).filter(p -> p.startsWith(name + "="))
                .map(p -> URLDecoder.decode(p.substring(name.length() + 1), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    /** The words of a command as a shell reads them. */
    private static List<String> shellWords(String command) throws Exception {
        return List.of(run("sh", "-c", "for word in " + command + "; do printf '%s\\0' \"$word\"; done").split("\0"));
    }

    /** The filter that the lines hand to pystac-client. */
    private static String python(String lines) throws Exception {
        return run("python3", "-c", "import sys, types\n"
                + "class Client:\n"
                + "  open = staticmethod(lambda url: Client())\n"
                + "  def search(self, filter='', **others):\n"
                + "    sys.stdout.write(filter)\n"
                + "    return types.SimpleNamespace(matched=lambda: None, items=lambda: [])\n"
                + "sys.modules['pystac_client'] = types.SimpleNamespace(Client=Client)\n"
                + "print = lambda *texts: None\n" + lines);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    @Test
    void aKnownPageIs304AndAnEditIsVisibleAtOnce() {
        catalogue.replaceWith(Catalogue.plain(15));
        String tag = get(200, PATH).header("ETag");
        browser().header("If-None-Match", tag).get(PATH).then().statusCode(304).header("ETag", tag)
                // A browser would put the header on the page that it has kept.
                .header("Content-Security-Policy", nullValue());
        assertEquals("dataset 3", page("").select("//*[@class='name']").get(14));
        Caller.admin().patch("/api/dataset/3/", "{\"dataset_name\":\"renamed\"}").then().statusCode(200);
        browser().header("If-None-Match", tag).get(PATH).then().statusCode(200);
        assertEquals("renamed", page("").select("//*[@class='name']").get(14));
    }

    @Test
    void aPageHasTheHeadersOfThePagesOfTheApi() {
        catalogue.replaceWith(Catalogue.plain(40));
        for (int i = 0; i < 2; i++) {
            Response page = get(200, PATH + "?p=2");
            assertEquals("public, max-age=0, must-revalidate", page.header("Cache-Control"));
            String listed = "?p=2&ordering=-captured_date";
            assertEquals(Listing.list(listed).header("Vary") + ", Accept-Language, Cookie", page.header("Vary"));
            // Firefox would fetch the next page, which the policy of the page refuses.
            assertEquals(Listing.list(listed).header("Link").replace("/api/dataset/", PATH)
                    .replaceFirst(", <[^>]*>; rel=\"next\"", "").replaceFirst(", <[^>]*>; rel=\"changes\"", ""),
                    page.header("Link"));
            assertFalse(page.header("Link").contains("next"));
            assertTrue(page.header("Content-Security-Policy").contains("script-src 'self'"));
            Response head = browser().head(PATH + "?p=2");
            assertEquals(page.header("Content-Length"), head.header("Content-Length"));
            assertEquals(page.header("ETag"), head.header("ETag"));
            assertEquals("", head.asString());
        }
        Response compressed = given().header("Accept", "text/html").get(PATH + "?p=2");
        assertEquals("gzip", compressed.header("Content-Encoding"));
        assertEquals(page("?p=2").ids(), HtmlPage.parse(compressed.asString()).ids());
    }

    @Test
    void anOwnerSeesPrivateDatasetsMarkedAndTheyAreNotCachedForOthers() {
        catalogue.replaceWith(Catalogue.dataset(3, d -> d.isPrivate = true), Catalogue.dataset(6));
        Caller owner = Caller.owner().token("reader");
        assertEquals(List.of(6L), page("").ids());
        Response own = browser().header("Authorization", "Token " + owner.key()).get(PATH);
        assertEquals("private, max-age=0, must-revalidate", own.header("Cache-Control"));
        HtmlPage page = HtmlPage.parse(own.asString());
        assertEquals(List.of(6L, 3L), page.ids());
        assertEquals("private", page.one("//h:li[@data-id='3']//h:strong"));
        assertEquals(List.of(), page.select("//h:li[@data-id='6']//h:strong"));
        assertEquals(List.of(6L), page("").ids());
        assertFalse(own.header("ETag").equals(get(200, PATH).header("ETag")));
    }

    @Test
    void theMapHasTheFiltersOfTheViewExceptItsArea() {
        assertEquals("grid/?category=Forest", page("?category=Forest&in_bbox=1,2,3,4&p=1&ordering=id&page_size=3")
                .one("//*[@id='map']/@data-grid"));
        assertEquals("grid/", page("").one("//*[@id='map']/@data-grid"));
    }

    /**
     * The script draws the time of each page that has a choice, also if the view has a time. The years are links anyway.
     * Without a choice, no place is kept for it: a map that becomes larger later is fitted twice, and a tap between opens
     * another dataset.
     */
    @Test
    void theTimeBarHasTheFiltersOfTheViewExceptItsTime() {
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2021-12-31"), captured(9, "2022-01-01"));
        String time = "//h:nav[@id='time']/@data-histogram";
        String histogram = "../api/dataset/histogram/?";
        assertEquals(histogram + "interval=month", page("").one(time));
        assertEquals(List.of("2022", "2021", "2020"),
                page("?captured_after=2022-01-01").select("//*[@aria-labelledby='facet-year']//h:bdi"));
        assertEquals(histogram + "category=Forest&interval=month",
                page("?category=Forest&p=1&ordering=id&captured_after=2022-01-01&captured_until=2022-01-31&page_size=2")
                        .one(time));
        catalogue.sql("delete from dataset where id = 9");
        assertEquals(histogram + "interval=day", page("?captured_until=2021-01-01").one(time));
        catalogue.sql("delete from dataset where id = 6");
        assertEquals(List.of(), page("").select(time));
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2020-01-01"));
        String tag = get(200, PATH).header("ETag");
        assertEquals(List.of(), page("").select(time));
        catalogue.sql("update dataset set captured_date = '2020-01-02' where id = 6");
        assertEquals(histogram + "interval=day", page("").one(time));
        assertFalse(tag.equals(get(200, PATH).header("ETag")));
    }

    private static Dataset captured(long id, String day) {
        return Catalogue.dataset(id, d -> d.capturedDate = Instant.parse(day + "T12:00:00Z"));
    }

    /** What a page of a dataset shows, a visitor finds; a text that the visitor may not see is none. */
    @Test
    void aSearchThatNoNameHasFindsTheTextsOfOwners() {
        catalogue.replaceWith(Catalogue.dataset(1, d -> d.institutionName = "CIMS"), Catalogue.dataset(2, d -> {
            d.description = "seagrass";
            d.isPrivate = true;
        }));
        Response found = browser().get(PATH + "?search=cims&category=Forest");
        assertEquals(302, found.statusCode());
        assertTrue(found.header("Location").endsWith("/datasets/?category=Forest&q=cims"), found.header("Location"));
        HtmlPage page = page("?q=cims");
        assertEquals(List.of("Text: cims"), page.select("//*[@class='chips']//h:bdi"));
        assertEquals("cims", page.one("//h:input[@name='q']/@value"));
        assertEquals("./?q=dataset", page("?search=dataset").one("//*[@class='texts']/h:a/@href"));
        assertEquals(200, browser().get(PATH + "?search=seagrass").statusCode());
        assertEquals(302, Caller.admin().request().redirects().follow(false).accept("text/html")
                .get("/datasets/?search=seagrass").statusCode());
    }
}
