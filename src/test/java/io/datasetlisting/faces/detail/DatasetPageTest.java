package io.datasetlisting.faces.detail;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.faces.chart.Numbers;
import io.datasetlisting.faces.web.InlinePart;
import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests the page of one dataset. Nothing listens at the address of the storage. */
@QuarkusTest
class DatasetPageTest {

    private static final String PAGE = "/datasets/1/";
    private static final String CATALOGUE = "Drone and aerial imagery";
    private static final String HOSTILE_OWNER = "<b>\"O'Hara\" & {foo}</b>";

    /** Reads the texts of the page, and whether one of the hostile names has run as a script. */
    private static final String READ = """
            (async () => ({title: document.title, heading: document.querySelector('h1').textContent,
                alt: document.querySelector('main img').alt, hacked: String(window.hacked),
                metadata: document.querySelector('script[type="application/ld+json"]').textContent}))""";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    static List<String> hostileNames() {
        return List.of("<script>window.hacked = 1</script>", "\"><img src=x onerror=\"window.hacked = 1\">",
                "</script></title><img src=x onerror='window.hacked = 1'>", "'; window.hacked = 1; //",
                "\u202eSDRAWKCAB", "\ud83d\ude00".repeat(255), "{foo} {#if a} {config:['a']} {| {{ \\{ {! !}",
                "&lt;b&gt; &amp; ]]> --> <!-- \u2028", "`$(reboot)` \\");
    }

    private void fill(Consumer<Dataset> change) {
        catalogue.replaceWith(dataset(1, change));
    }

    private static Response get(Caller caller, String path) {
        return caller.request().accept("text/html").get(path);
    }

    private static HtmlPage page(String path) {
        Response response = get(anonymous(), path);
        assertEquals(200, response.statusCode(), response::asString);
        return HtmlPage.parse(response.asString());
    }

    private static JsonObject metadata(HtmlPage page) {
        return new JsonObject(page.all("script", "type", "application/ld+json").get(0).getTextContent());
    }

    @Test
    void theSameCallersSeeThePageAndTheJson() {
        catalogue.replaceWith(dataset(1), dataset(2, d -> d.isPrivate = true), dataset(3, d -> d.coordinates = null),
                dataset(4, d -> d.isDeleted = true));
        List<Caller> callers = List.of(anonymous(), Caller.reader("Eve"),
                Caller.owner().token("reader"), admin());
        List<String> statuses = callers.stream().map(caller -> Stream.of("1", "2", "3", "4", "5", "0001", "1e0", "-1")
                .map(id -> {
                    int status = get(caller, "/datasets/" + id + '/').statusCode();
                    assertEquals(caller.get(Listing.PATH + id + '/').statusCode(), status, id);
                    return status == 200 ? id : "";
                }).collect(Collectors.joining())).toList();
        assertEquals(List.of("10001", "10001", "1230001", "1230001"), statuses);
    }

    @Test
    void aClientThatKnowsThePageGets304UntilItChanges() {
        fill(d -> {
        });
        Response first = get(anonymous(), PAGE);
        assertEquals("public, max-age=0, must-revalidate", first.header("Cache-Control"));
        assertTrue(first.header("Content-Security-Policy").contains("script-src 'self' 'sha256-"));
        String tag = first.header("ETag");
        assertEquals(304, anonymous().request().header("If-None-Match", tag).get(PAGE).statusCode());
        Response head = anonymous().request().head(PAGE);
        assertEquals(first.header("Content-Length"), head.header("Content-Length"));
        assertEquals(tag, head.header("ETag"));
        assertEquals("gzip", anonymous().request().header("Accept-Encoding", "gzip").get(PAGE)
                .header("Content-Encoding"));
        admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"other\"}");
        assertNotEquals(tag, anonymous().request().header("If-None-Match", tag).get(PAGE).header("ETag"));
    }

    private static Map<String, String> fields(HtmlPage page) {
        List<String> labels = page.select("//*[@class='fields']/h:dt");
        List<String> values = page.select("//*[@class='fields']/h:dd");
        return IntStream.range(0, labels.size()).boxed().collect(Collectors.toMap(labels::get, values::get));
    }

    @Test
    void thePageHasAllFieldsInWords() {
        fill(d -> {
            d.category = new String[]{"Forest", "Other"};
            d.availableRasters = new String[]{"ortho", "dsm"};
            d.bbox = new double[]{-1, 160, 3, 170};
            d.coordinates = new double[]{1, 165};
            d.isShareable = true;
            d.isDemProcessing = true;
            d.cumulativeAdjustment = 1.25;
        });
        HtmlPage page = page(PAGE);
        Map<String, String> fields = fields(page);
        // Two of the 21 have nothing to say: an orthomosaic can be made, and no adjustment has a status.
        assertEquals(19, fields.size());
        assertEquals("ForestOther", fields.get("Category").replaceAll("\\s", ""));
        assertEquals("Orthomosaic|Elevation model (DSM)", fields.get("Rasters").replaceAll("\\s*\n\\s*", "|"));
        assertEquals("from 1.0000° S, 160.0000° E to 3.0000° N, 170.0000° E", fields.get("Area"));
        assertEquals("1.0000° N, 165.0000° E", fields.get("Position"));
        assertEquals("yes", fields.get("May be shared"));
        assertEquals("no", fields.get("Private"));
        assertEquals("is being made", fields.get("Elevation model"));
        assertEquals("–none", fields.get("File of ground control points"));
        assertEquals("1.25", fields.get("Elevation adjustments, sum"));
        assertFalse(fields.containsKey("Orthomosaic"), "an orthomosaic that can be made is nothing to say");
        assertEquals(List.of("Number", "Permanent identifier", "Workspace", "Name as stored", "Picture", "Deleted",
                "File of ground control points", "Band statistics", "Identifier of the latest adjustment"),
                page.select("//h:details[@class='technical']//h:dt"));
        assertEquals("160.0,-1.0,170.0,3.0", page.all("div", "id", "map").get(0).getAttribute("data-box"));
    }

    @Test
    void thePageHasTheTextsOfTheOwnerInTheReadersLanguage() {
        fill(d -> {
            d.description = "first line\n<script>window.hacked = 1</script> &amp; {foo}";
            d.tags = new String[]{"<b>reef</b>", "Forest"};
            d.dataCredits = "\"><img src=x onerror=\"window.hacked = 1\">";
            d.dataCapturedBy = "Lan";
            d.institutionName = "O'Hara & Co";
            d.locationName = "</dd>Óbidos";
        });
        Map<String, String> fields = fields(page(PAGE));
        assertEquals("first line\n<script>window.hacked = 1</script> &amp; {foo}", fields.get("Description"));
        assertEquals("<b>reef</b>|Forest", fields.get("Tags").strip().replaceAll("\\s*\n\\s*", "|"));
        assertEquals("\"><img src=x onerror=\"window.hacked = 1\">", fields.get("Credits"));
        assertEquals("Lan", fields.get("Captured by"));
        assertEquals("O'Hara & Co", fields.get("Institution"));
        assertEquals("</dd>Óbidos", fields.get("Place"));
        assertFalse(get(anonymous(), PAGE).asString().contains("<script>window"), "unescaped");
        Map.of("de", "Beschreibung", "fr", "Description", "es", "Descripción", "ar", "الوصف").forEach(
                (language, label) -> assertTrue(
                        anonymous().request().accept("text/html").header("Accept-Language", language).get(PAGE)
                                .asString().contains(label),
                        language));
        assertEquals(200, get(anonymous(), "/stac/collections/datasets/items/1").statusCode());
        fill(d -> {
        });
        assertFalse(fields(page(PAGE)).containsKey("Description"), "a field without a text says nothing");
    }

    @Test
    void theHeadSaysWhatWhenWhereAndWhose() {
        fill(d -> {
            d.bbox = new double[]{36.2, -86.8, 36.3, -86.7};
            d.coordinates = new double[]{36.25, -86.75};
            d.thumbnailKey = "thumbnails/1.png";
            d.rasterHeaders = "{\"dsm\":{\"gsd\":0.20},\"ortho\":{\"gsd\":0.05}}";
        });
        HtmlPage page = page(PAGE);
        String facts = page.one("//*[@class='facts numbers']").replaceAll("\\s+", " ");
        assertTrue(facts.contains(" km north of Nashville, Tennessee, United States"), facts);
        // A degree of latitude is 111.2 km; a degree of longitude is less by the cosine of the latitude.
        assertTrue(facts.endsWith(" 99.7 km² 5 cm/pixel"), facts);
        assertEquals("2021-03-04", page.one("//*[@class='facts numbers']/h:time"));
        assertEquals("2021-03-04T05:06:07Z", page.one("//*[@class='facts numbers']/h:time/@title"));
        assertEquals("dataset 1 · 2021-03-04 · " + CATALOGUE, page.texts("title").get(0));
        assertEquals(List.of(OWNER.username(), "Forest"), page.select("//*[@class='facts']/h:a"));
        String base = service.toString().replaceFirst("/$", "");
        assertEquals(List.of(base + PAGE, base + "/stac/collections/datasets/items/1", base + "/stac"),
                page.select("//*[@class='actions']//@data-copy"));
        assertEquals(List.of(base + PAGE, base + "/stac/collections/datasets/items/1"),
                page.select("//*[@class='actions']/h:a[@class='unscripted']/@href"));
        assertEquals("../../api/dataset/1/thumbnail/", page.one("//h:a[@download]/@href"));
        // The picture does not wait for the scripts that put it on the map.
        assertEquals(page.one("//*[@id='map']/@data-picture"), page.one("//*[@id='map']/h:img/@src"));
        assertEquals("unscripted", page.one("//h:figure/@class"));
        // A picture has no place on the map around a point, and stands beside it.
        fill(d -> d.thumbnailKey = "thumbnails/1.png");
        page = page(PAGE);
        assertEquals(List.of(), page.select("//*[@id='map']/h:img | //*[@id='map']/@data-picture | //h:figure/@class"));
        assertEquals("dataset 1", page.one("//h:h1"));
        fill(d -> {
        });
        assertEquals(List.of(), page(PAGE).select("//*[@id='map']/h:img"));
        assertEquals(List.of(), page(PAGE).select("//h:a[@download]"));
        assertFalse(page(PAGE).one("//*[@class='facts numbers']").contains("km²"));
    }

    private static List<String> strip(Caller caller, String path, String heading) {
        return HtmlPage.parse(get(caller, path).asString()).select("//h:section[@aria-labelledby='" + heading
                + "']//*[@class='name']");
    }

    private static Dataset at(long id, double latitude, double size, String day, Consumer<Dataset> change) {
        return dataset(id, d -> {
            d.bbox = new double[]{latitude, 2, latitude + size, 2 + size};
            d.coordinates = new double[]{latitude + size / 2, 2 + size / 2};
            d.capturedDate = Instant.parse(day + "T05:06:07Z");
            change.accept(d);
        });
    }

    @Test
    void theStripsShowWhatTheCallerSees() {
        Consumer<Dataset> plain = d -> {
        };
        catalogue.replaceWith(at(1, 10, 0.1, "2021-03-04", plain), at(2, 10.2, 0.1, "2021-03-04", plain),
                at(3, 10.11, 0.1, "2021-03-05", plain), at(4, 10.01, 0.1, "2020-03-04", plain),
                at(5, 10, 0.11, "2022-03-04", plain), at(6, 10, 0.1, "2021-03-04", plain),
                at(7, 10, 0.1, "2023-01-01", d -> d.isPrivate = true), at(8, 10.6, 0.1, "2021-01-01", plain),
                at(9, 10, 0.1, "2023-01-01", d -> d.isDeleted = true));
        Response response = get(anonymous(), PAGE);
        assertTrue(response.asString().contains("<a href=\"#other-days\">Same place, other days</a>"), "near the name");
        assertFalse(get(anonymous(), "/datasets/8/").asString().contains("#other-days"), "there are none");
        for (Caller caller : List.of(anonymous(), Caller.reader("Eve"))) {
            assertEquals(List.of("dataset 5", "dataset 4"), strip(caller, PAGE, "other-days"));
            assertEquals(List.of("dataset 6", "dataset 3", "dataset 2"), strip(caller, PAGE, "nearby"));
        }
        for (Caller caller : List.of(admin(),
                Caller.owner().token("reader"))) {
            assertEquals(List.of("dataset 7", "dataset 5", "dataset 4"), strip(caller, PAGE, "other-days"));
        }
        assertEquals(304, anonymous().request().accept("text/html")
                .header("If-None-Match", response.header("ETag")).get(PAGE).statusCode());
        admin().patch(Listing.PATH + "5/", "{\"dataset_name\": \"other\"}");
        assertEquals(200, anonymous().request().accept("text/html")
                .header("If-None-Match", response.header("ETag")).get(PAGE).statusCode());
        assertEquals(List.of("other", "dataset 4"), strip(anonymous(), PAGE, "other-days"));
    }

    private static List<String> way(Caller caller, long id, String query) {
        return HtmlPage.parse(get(caller, "/datasets/" + id + "/" + query).asString())
                .select("//*[@class='way']/h:a/@href");
    }

    @Test
    void aDatasetOfAListLeadsToTheNextOne() {
        catalogue.replaceWith(dataset(1, d -> d.capturedDate = Instant.parse("2021-01-03T00:00:00Z")),
                dataset(2, d -> d.capturedDate = Instant.parse("2021-01-01T00:00:00Z")),
                dataset(3, d -> d.isPrivate = true), dataset(4, d -> d.category = new String[]{"Other"}),
                dataset(5, d -> d.capturedDate = Instant.parse("2021-01-03T00:00:00Z")));
        String query = "?category=Forest";
        List<String> links = page("/datasets/" + query + "&p=1").select("//h:ol[@class='datasets']/h:li/h:a/@href");
        assertEquals(List.of("../datasets/5/" + query, "../datasets/1/" + query, "../datasets/2/" + query), links);
        assertEquals(List.of("../../datasets/" + query, "../../datasets/5/" + query, "../../datasets/2/" + query),
                way(anonymous(), 1, query));
        assertEquals(List.of("../../datasets/" + query, "../../datasets/1/" + query), way(anonymous(), 5, query));
        assertEquals("../../datasets/3/" + query, way(admin(), 5, query).get(1));
        String byId = "?category=Forest&ordering=id";
        assertEquals(List.of("../../datasets/" + byId, "../../datasets/1/" + byId, "../../datasets/5/" + byId),
                way(anonymous(), 2, byId));
        for (String other : List.of("", "?p=2", "?category=none", "?utm_source=mail", "?ordering=wrong")) {
            assertTrue(way(anonymous(), 1, other).stream().noneMatch(href -> href.matches(".*/[25]/.*")
                    && !other.equals("?ordering=wrong")), other);
        }
        assertEquals(List.of("../../datasets/"), way(anonymous(), 1, "?category=none"));
        assertEquals(service.toString().replaceFirst("/$", "") + PAGE,
                page(PAGE + query).one("//h:link[@rel='canonical']/@href"));
    }

    /** Datasets without a known distance of rows are last in both directions. */
    @Test
    void theWayThroughAListFollowsTheSizeOfPixels() {
        catalogue.replaceWith(pixels(1, 0.05), pixels(2, 0.2), dataset(3), pixels(4, 0.01), pixels(5, 0.05),
                dataset(6));
        assertWay("?ordering=gsd", 4, 1, 5, 2, 3, 6);
        assertWay("?ordering=-gsd", 2, 5, 1, 4, 6, 3);
    }

    private static Dataset pixels(long id, double metres) {
        return dataset(id, d -> d.rasterHeaders = "{\"dsm\":{\"gsd\":1},\"ortho\":{\"gsd\":" + metres + "}}");
    }

    private void assertWay(String query, long... ids) {
        for (int i = 0; i < ids.length; i++) {
            List<String> expected = new ArrayList<>(List.of("../../datasets/" + query));
            for (int place : new int[]{i - 1, i + 1}) {
                if (place >= 0 && place < ids.length) {
                    expected.add("../../datasets/" + ids[place] + "/" + query);
                }
            }
            assertEquals(expected, way(anonymous(), ids[i], query));
        }
    }

    @Test
    void aNameThatShowsNothingCountsAsNone() {
        fill(d -> d.datasetName = "\u3164\u00a0\u200b");
        HtmlPage page = page(PAGE);
        assertEquals(List.of("Dataset 1"), page.texts("h1"));
        assertEquals("Dataset 1", page.meta("property", "og:title"));
        assertEquals("–none", fields(page).get("Name as stored"));
        assertEquals(List.of("Dataset 1"), page("/datasets/").all("span", "class", "name").stream()
                .map(Element::getTextContent).toList());
    }

    @Test
    void theLinksLeadToDatasetsThatHaveSomethingInCommon() {
        fill(d -> {
            d.ownerId = 8;
            d.ownerName = "Hara, O'";
        });
        List<String> queries = page(PAGE).all("a").stream().map(a -> a.getAttribute("href"))
                .filter(href -> href.contains("datasets/?") && !href.endsWith("?mine=true"))
                .map(href -> href.substring(href.indexOf('?'))).toList();
        assertEquals(4, queries.size(), queries::toString);
        queries.forEach(query -> assertEquals(List.of(1L), Listing.page(query).ids(), query));
    }

    @Test
    void theLinesToCopyKeepTheirLineBreaks() {
        fill(d -> {
        });
        List<String> lines = page(PAGE).select("//*[@class='commands']//h:pre/h:code");
        assertEquals(2, lines.size());
        assertEquals(2, lines.get(1).lines().count());
    }

    @Test
    void searchEnginesReadWhatTheDatasetIs() {
        fill(d -> {
            d.bbox = new double[]{-1, 2, 3, 4};
            d.coordinates = new double[]{1, 3};
        });
        HtmlPage page = page(PAGE);
        String base = service.toString().replaceFirst("/$", "");
        JsonObject metadata = metadata(page);
        assertEquals("Dataset", metadata.getString("@type"));
        assertEquals("dataset 1", metadata.getString("name"));
        assertTrue(metadata.getString("description").length() >= 50, metadata::encode);
        assertEquals(base + PAGE, metadata.getString("url"));
        assertEquals("2021-03-04T05:06:07Z", metadata.getString("temporalCoverage"));
        assertEquals("-1.0 2.0 3.0 4.0",
                metadata.getJsonObject("spatialCoverage").getJsonObject("geo").getString("box"));
        assertEquals(OWNER.username(), metadata.getJsonObject("creator").getString("name"));
        // No licence is configured.
        assertFalse(metadata.containsKey("license"));
        assertEquals(
                Map.of("og:url", base + PAGE, "og:title", "dataset 1", "og:type", "website", "og:site_name", CATALOGUE,
                        "og:description", metadata.getString("description"), "og:image",
                        base + "/api/dataset/1/thumbnail/"),
                page.all("meta").stream().filter(meta -> meta.hasAttribute("property")).collect(Collectors
                        .toMap(meta -> meta.getAttribute("property"), meta -> meta.getAttribute("content"))));
        assertEquals(metadata.getString("description"), page.meta("name", "description"));
        assertEquals(302, anonymous().get(page.meta("property", "og:image").substring(base.length())).statusCode());
    }

    @Test
    void twoDatasetsStandSideBySide() {
        catalogue.replaceWith(dataset(1, d -> d.bbox = new double[]{36.2, -86.8, 36.3, -86.7}), dataset(2, d -> {
            d.bbox = new double[]{36.2, -86.8, 36.4, -86.7};
            d.description = "After the flood.";
        }), dataset(3, d -> {
            d.isPrivate = true;
            d.datasetName = "Hidden reef";
        }));
        HtmlPage page = page(PAGE + "?with=2");
        assertEquals(List.of("dataset 1", "dataset 2"), page.select("//h:th//*[@class='name']"));
        assertEquals(List.of("2021-03-04", "2021-03-04"), page.select("//h:thead//h:time"));
        assertEquals("-86.8,36.2,-86.7,36.3 -86.8,36.2,-86.7,36.4", page.one("//*[@id='map']/@data-box"));
        assertEquals(List.of("–none", "After the flood."),
                page.select("//h:tr[normalize-space(h:th)='Description']/h:td").stream().map(String::strip).toList());
        assertEquals(List.of("differs", ""), List.of(page.one("//h:tr[normalize-space(h:th)='Description']/@class"),
                String.join("", page.select("//h:tr[normalize-space(h:th)='Owner']/@class"))));
        assertEquals("noindex", page.meta("name", "robots"));
        // Neither exists for a caller who may not see it.
        for (String path : List.of(PAGE + "?with=3", "/datasets/3/?with=1", PAGE + "?with=x", PAGE + "?with=99")) {
            Response refused = get(anonymous(), path);
            assertEquals(404, refused.statusCode(), path);
            assertFalse(refused.asString().contains("Hidden"), path);
            assertEquals(path.contains("3") ? 200 : 404, get(admin(), path).statusCode(), path);
        }
        for (String itself : List.of("1", "01")) {
            HtmlPage alone = page(PAGE + "?with=" + itself);
            assertEquals(List.of("dataset 1"), alone.select("//h:h1"));
            assertEquals(List.of(), alone.select("//*[@class='comparison']"));
        }
        assertEquals("../../datasets/1/?with=2", page(PAGE).one("//*[@class='compare']/@href"));
    }

    /** A slider needs a place that both areas show. */
    @ParameterizedTest
    @CsvSource({"10,20,11,21, 10.5,20.5,12,22, true, false", "10,20,11,21, 10,21,11,22, false, true",
            "10,20,11,21, 40,50,41,51, false, true", "10,20,11,21, 10.9998,20,12,21, false, true",
            "10,20,11,21, 10.94,20,12,21, true, false", "10,20,11,21, 10,20.97,10.5,21.47, true, false",
            "10,20,11,21, 10.5,20.5,10.5,20.5, false, false"})
    void twoAreasApartHaveNoSlider(double south, double west, double north, double east, double otherSouth,
            double otherWest, double otherNorth, double otherEast, boolean hasSlider, boolean isApart) {
        catalogue.replaceWith(dataset(1, d -> {
            d.bbox = new double[]{south, west, north, east};
            d.thumbnailKey = "thumbnails/1.png";
        }), dataset(2, d -> {
            d.bbox = new double[]{otherSouth, otherWest, otherNorth, otherEast};
            d.thumbnailKey = "thumbnails/2.png";
        }));
        for (String path : List.of(PAGE + "?with=2", "/datasets/2/?with=1")) {
            HtmlPage page = page(path);
            assertEquals(hasSlider ? 1 : 0, page.select("//*[@class='swipe opacity']").size(), path);
            assertEquals(isApart ? 1 : 0, page.select("//h:main/h:p").size(), path);
            assertEquals(hasSlider || isApart ? 1 : 0, page.select("//*[@id='map']/@data-layers").size(), path);
        }
    }

    @Test
    void searchEnginesDoNotShowAPrivateDataset() {
        fill(d -> {
            d.isPrivate = true;
            d.thumbnailKey = "thumbnails/1.png";
        });
        HtmlPage page = HtmlPage.parse(get(admin(), PAGE).asString());
        assertEquals("noindex", page.meta("name", "robots"));
        assertEquals(List.of(), page.all("script", "type", "application/ld+json"));
        // A link sends no token, so the address of the thumbnail that does not expire would answer 404.
        assertEquals(page.one("//*[@class='picture']/h:img/@src"), page.one("//*[@class='picture']/@href"));
    }

    private static String statistics(String min, String max, String mean, String stddev) {
        return "{\"dsm\":{\"b1\":{\"min\":%s,\"max\":%s,\"mean\":%s,\"stddev\":%s}},\"dtm\":{},\"ortho\":{}}"
                .formatted(min, max, mean, stddev);
    }

    @Test
    void aChartShowsTheStatisticsOnACommonAxis() {
        fill(d -> d.bandStats = statistics("0", "100", "50", "25"));
        HtmlPage page = page(PAGE);
        Element range = page.all("rect", "class", "range").get(0);
        Element deviation = page.all("rect", "class", "deviation").get(0);
        double left = Double.parseDouble(range.getAttribute("x"));
        double width = Double.parseDouble(range.getAttribute("width"));
        assertEquals(left + width / 4, Double.parseDouble(deviation.getAttribute("x")), 0.1);
        assertEquals(width / 2, Double.parseDouble(deviation.getAttribute("width")), 0.1);
        assertEquals(left + width / 2,
                Double.parseDouble(page.all("line", "class", "mean").get(0).getAttribute("x1")), 0.1);
        assertEquals(List.of("0", "50", "100", "25"), page.texts("td"));
        Element bar = page.all("g", "class", "bar").get(0);
        assertEquals("0", bar.getAttribute("tabindex"));
        assertEquals("b1: minimum 0, mean 50, maximum 100, standard deviation 25",
                bar.getAttribute("aria-label").replaceAll("\\s+", " "));
        assertEquals(List.of("Elevation model (DSM)"), page.select("//*[@class='statistics']/h:h3"));
    }

    static List<String> extremeStatistics() {
        return List.of(statistics("-1.7e308", "1.7e308", "0", "1.7e308"), statistics("3", "3", "3", "0"),
                statistics("0", "0", "0", "0"), statistics("5e-324", "1e-323", "5e-324", "5e-324"),
                statistics("9", "-9", "100", "-5"), statistics("1e308", "1e308", "1e308", "1e308"),
                statistics("1", "1.0000000000000002", "1", "1e-20"), statistics("-1e-300", "1e300", "7", "1e18"));
    }

    @ParameterizedTest
    @MethodSource("extremeStatistics")
    void allNumbersStayInsideTheDrawing(String statistics) {
        fill(d -> d.bandStats = statistics);
        HtmlPage page = page(PAGE);
        Element drawing = page.all("svg", "class", "chart").get(0);
        String[] size = drawing.getAttribute("viewBox").split(" ");
        for (Element element : page.all("*")) {
            for (String name : List.of("x", "x1", "x2", "y", "y1", "y2", "width", "height")) {
                if (element.getNamespaceURI().endsWith("svg") && element.hasAttribute(name)) {
                    double value = Double.parseDouble(element.getAttribute(name));
                    boolean isHorizontal = name.startsWith("x") || name.equals("width");
                    assertTrue(value >= 0 && value <= Double.parseDouble(size[isHorizontal ? 2 : 3]),
                            () -> element.getNodeName() + " " + name + " " + value);
                }
            }
        }
        page.select("//*[@class='label' or starts-with(@class, 'tick')]")
                .forEach(text -> assertTrue(text.length() <= 16, text));
        page.texts("td").forEach(text -> assertTrue(text.matches("-?[0-9.]+(e-?[0-9]+)?"), text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"})
    void aDatasetMayBeOfAnyYear(String captured) {
        fill(d -> d.capturedDate = Instant.parse(captured));
        assertTrue(page(PAGE).texts("time").size() > 0);
    }

    @Test
    void aChartOfManyBandsIsBounded() {
        String bands = IntStream.rangeClosed(1, 500)
                .mapToObj(i -> "\"b%d\":{\"min\":0,\"max\":%d,\"mean\":1,\"stddev\":1}".formatted(i, i))
                .collect(Collectors.joining(","));
        fill(d -> d.bandStats = "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"band_descr\":{\"red\":2},"
                + bands + "}}");
        HtmlPage page = page(PAGE);
        assertEquals(24, page.all("rect", "class", "range").size());
        assertEquals(500 * 4, page.all("td").size());
        assertTrue(page.texts("p").contains("The chart shows the first 24 of 500 bands. The table has all of them."));
        assertTrue(page.texts("text").contains("b2 red"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1", "255", "123456.789", "-0.0001", "1e9", "0.00001234567", "-1.7976931348623157e308"})
    void aNumberIsReadable(String number) {
        double shown = Double.parseDouble(Numbers.text(Double.parseDouble(number)));
        assertEquals(Double.parseDouble(number), shown, Math.abs(Double.parseDouble(number)) * 1e-5);
        assertTrue(Numbers.text(Double.parseDouble(number)).length() <= 14);
    }

    /** What an import may have, though no raster is so fine or so coarse. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5e-324   | en | 5e-322 cm/pixel
            5e-324   | ar | 5e-322 سم/بكسل
            1.25e-8  | de | 1,3e-6 cm/Pixel
            1.25e-8  | es | 1,3e-6 cm/píxel
            0.000012 | fr | 0,0012 cm/pixel
            12345678 | en | 12,000,000 m/pixel
            1e300    | fr | 1e300 m/pixel
            """)
    void theSizeOfAPixelIsShort(String metres, String language, String shown) {
        fill(d -> d.rasterHeaders = "{\"ortho\":{\"gsd\":" + metres + ",\"proj:shape\":[1,2]}}");
        HtmlPage page = HtmlPage.parse(anonymous().request().accept("text/html").header("Accept-Language", language)
                .get(PAGE).asString());
        assertEquals(shown, page.one("//*[@class='facts numbers']/h:span[last()]").strip());
        assertTrue(page.select("//*[@class='fields']/h:dd").stream()
                .anyMatch(each -> each.contains("2 × 1 px, " + shown + ", GeoTIFF")), shown);
    }

    private void fillHostile(String name) {
        // At most 64 characters: the rule for labels counts UTF-16 units.
        String label = name.substring(0, Math.min(64, name.length()));
        JsonObject band = new JsonObject().put("min", 1).put("max", 2).put("mean", 1).put("stddev", 1);
        String statistics = new JsonObject(statistics("1", "2", "1", "0")).put("multispec_ortho",
                new JsonObject().put("band_descr", new JsonObject().put(label, 1)).put("b1", band)).encode();
        fill(d -> {
            d.thumbnailKey = "thumbnails/1.png";
            d.datasetName = name;
            d.ownerId = 8;
            d.ownerName = HOSTILE_OWNER;
            d.bandStats = statistics;
        });
    }

    @ParameterizedTest
    @MethodSource("hostileNames")
    void aHostileNameStaysText(String name) {
        fillHostile(name);
        HtmlPage page = page(PAGE);
        assertEquals(List.of(name), page.texts("h1"));
        assertEquals(name + " · 2021-03-04 · " + CATALOGUE, page.texts("title").get(0));
        assertEquals(name, page.meta("property", "og:title"));
        assertTrue(page.meta("name", "description")
                .startsWith(name + ": drone or aerial imagery of " + HOSTILE_OWNER + ","));
        assertEquals("Picture of " + name, page.all("img").get(0).getAttribute("alt"));
        assertEquals(name, metadata(page).getString("name"));
        assertEquals(HOSTILE_OWNER, metadata(page).getJsonObject("creator").getString("name"));
        assertTrue(fields(page).containsValue(name.strip()));
        assertTrue(page.texts("th").contains("b1 " + name.substring(0, Math.min(64, name.length()))));
        assertTrue(page.texts("text").stream().anyMatch(text -> text.startsWith("b1 " + name.substring(0, 2))));
        assertEquals(List.of(HOSTILE_OWNER), page.all("a").stream()
                .filter(a -> a.getAttribute("href").contains("?user=")).map(Element::getTextContent)
                .toList());

        HtmlPage list = page("/datasets/");
        assertEquals(List.of(name),
                list.all("span", "class", "name").stream().map(Element::getTextContent).toList());
        for (HtmlPage each : List.of(page, list)) {
            assertEquals(List.of(), each.all("b"));
            // The picture of the dataset.
            assertEquals(1, each.all("img").size());
            assertEquals(List.of(), each.all("*").stream()
                    .filter(element -> element.hasAttribute("onerror") || element.hasAttribute("style")).toList());
            assertTrue(each.all("script").stream().allMatch(script -> script.getAttribute("src").contains("assets/")
                    || script.getAttribute("type").endsWith("json")
                    || script.getTextContent().equals(InlinePart.SCRIPT.text())));
        }
    }

    @Test
    void noHostileNameRunsInABrowser() {
        try (Browser browser = Browser.start()) {
            for (String name : hostileNames()) {
                fillHostile(name);
                browser.open(service.resolve(PAGE).toString());
                Map<?, ?> read = (Map<?, ?>) browser.call(READ);
                assertEquals(name, read.get("heading"));
                // A browser makes one space of a line separator in a title.
                assertEquals((name + " · 2021-03-04 · " + CATALOGUE).strip(), read.get("title"));
                assertEquals("Picture of " + name, read.get("alt"));
                assertEquals("undefined", read.get("hacked"));
                assertEquals(name, new JsonObject(read.get("metadata").toString()).getString("name"));
                assertEquals(List.of(), browser.console().stream()
                        .filter(line -> line.contains("Content Security Policy") || line.contains("Refused")
                                || line.contains("Uncaught"))
                        .toList());
            }
        }
    }
}
