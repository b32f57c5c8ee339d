package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;

/** Tests the bars below the map of the list. */
@QuarkusTest
class TimeBarTest {

    private static final String BARS = "//h:nav[@id='time']//*[@class='bar']";
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMMM uuuu", Locale.ENGLISH);

    @Inject
    Catalogue catalogue;

    private static Response get(Caller caller, String query, String... headers) {
        RequestSpecification request = given().urlEncodingEnabled(false).header("Accept", "text/html");
        if (caller.key() != null) {
            request.header("Authorization", "Token " + caller.key());
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.get("/datasets/" + query);
    }

    private static HtmlPage page(Caller caller, String query) {
        return HtmlPage.parse(get(caller, query).asString());
    }

    private static List<String> names(HtmlPage page) {
        return page.select(BARS + "/@aria-label");
    }

    private static List<String> names(String query) {
        return names(page(Caller.anonymous(), query));
    }

    /** The months of the histogram of the API, in words. */
    private static List<String> histogram(Caller caller, String query) {
        String months = new JsonObject(caller.get(Listing.PATH + "histogram/" + query + "interval=month").asString())
                .getJsonArray("buckets").stream().map(JsonObject.class::cast)
                .filter(bucket -> bucket.getLong("count") > 0)
                .map(bucket -> MONTH.format(LocalDate.parse(bucket.getString("from").substring(0, 10))) + ": "
                        + bucket.getLong("count") + " dataset" + (bucket.getLong("count") == 1 ? "" : "s"))
                .reduce((all, next) -> all + "|" + next).orElse("");
        return List.of(months.split("\\|"));
    }

    private static Dataset captured(long id, String day) {
        return dataset(id, d -> d.capturedDate = Instant.parse(day + "T12:00:00Z"));
    }

    @Test
    void theBarsOfEachCallerAreTheHistogramAndLeadToTheirDatasets() {
        List<Dataset> datasets = new ArrayList<>(Catalogue.generated(400));
        LongStream.rangeClosed(1, 5).forEach(i -> datasets.add(dataset(i, d -> {
            d.isPrivate = true;
            d.capturedDate = Instant.parse("2018-02-28T23:59:59.999999Z");
        })));
        catalogue.replaceWith(datasets);
        Caller owner = Caller.existing(Catalogue.OWNER.id(), Catalogue.OWNER.username()).token("reader");
        List<List<String>> all = new ArrayList<>();
        for (Caller caller : List.of(Caller.anonymous(), owner, Caller.admin())) {
            for (String query : List.of("?", "?category=Forest&", "?in_bbox=-90,-45,90,45&search=flight&")) {
                HtmlPage page = page(caller, query + "captured_after=2018-01-01&captured_until=2018-02-28&p=1");
                assertEquals(histogram(caller, query), names(page), query);
                all.add(names(page));
                for (int i : List.of(0, names(page).size() / 2, names(page).size() - 1)) {
                    String href = page.select(BARS + "/@href").get(i);
                    String count = page(caller, href).one("//*[@id='count']/h:data[3]/@value");
                    assertEquals(names(page).get(i).split("[: ]+")[2], count, href);
                    assertEquals(query.contains("Forest"), href.contains("category=Forest"), href);
                }
                String label = page.select("//h:nav[@id='time']//*[@class='label']/@href").get(1);
                assertEquals("2018-12-31",
                        QueryString.parse(page.select("//*[@class='label'][.='2018']/@href").get(0).substring(1))
                                .get("captured_until"));
                assertTrue(page(caller, label).one("//*[@id='count']").contains("dataset"), label);
            }
        }
        assertNotEquals(all.get(0), all.get(3));
    }

    @Test
    void theStepFollowsFromTheTimeOfTheDatasets() {
        for (String[] each : List.of(
                new String[]{"2021-03-04", "2021-03-05", "4 March 2021: 1 dataset", "5 March 2021: 2 datasets"},
                new String[]{"2021-03-04", "2022-03-05", "1 March 2021 to 7 March 2021: 1 dataset",
                        "28 February 2022 to 6 March 2022: 2 datasets"},
                new String[]{"2016-01-31", "2025-12-01", "January 2016: 1 dataset", "December 2025: 2 datasets"},
                new String[]{"2005-01-31", "2025-12-01", "1 January 2005 to 31 March 2005: 1 dataset",
                        "1 October 2025 to 31 December 2025: 2 datasets"},
                new String[]{"1950-01-31", "2025-12-01", "1950: 1 dataset", "2025: 2 datasets"},
                new String[]{"0001-01-01", "9999-12-31", "1 January 0001 to 31 December 0099: 1 dataset",
                        "1 January 9900 to 31 December 9999: 2 datasets"})) {
            catalogue.replaceWith(captured(3, each[0]), captured(6, each[1]), captured(9, each[1]));
            HtmlPage page = page(Caller.anonymous(), "");
            assertEquals(List.of(each[2], each[3]), names(page));
            int bars = page.one("//h:nav[@id='time']/@data-starts").split(" ").length - 1;
            assertTrue(bars >= 12 && bars <= 120, () -> bars + " bars");
            assertEquals("1 to 2 of 2 datasets",
                    page(Caller.anonymous(), page.select(BARS + "/@href").get(1)).one("//*[@id='count']")
                            .replaceAll("\\s+", " "));
        }
    }

    @Test
    void theChosenTimeIsMarkedAndTheOtherBarsStay() {
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2020-06-30"), captured(9, "2020-07-01"),
                captured(12, "2023-01-01"));
        String current = BARS + "[@aria-current='true']/@aria-label";
        String range = "//h:nav[@id='time']//*[@class='range']/@width";
        assertEquals(List.of(), page(Caller.anonymous(), "").select(current));
        assertEquals("0", page(Caller.anonymous(), "").one(range));
        for (String query : List.of("?captured_after=2020-06-01&captured_until=2020-06-30",
                "?captured_after=2020-06-30T11:00:00Z&captured_before=2020-07-01T00:00:00Z")) {
            HtmlPage page = page(Caller.anonymous(), query);
            assertEquals(4, names(page).size());
            assertEquals(List.of("June 2020: 1 dataset"), page.select(current), query);
            assertNotEquals("0", page.one(range));
        }
        // 37 months, of which the last 31 are chosen.
        assertEquals("83.784%", page(Caller.anonymous(), "?captured_after=2020-07-01").one(range));
        assertEquals(2, page(Caller.anonymous(), "?captured_after=2020-07-01").select(current).size());
        assertEquals(2, page(Caller.anonymous(), "?captured_until=2020-06-30").select(current).size());
    }

    @Test
    void aPageWithoutAChoiceHasNoBars() {
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2020-01-01"));
        assertEquals(List.of(), names(""));
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2020-01-02"));
        assertEquals(2, names("").size());
        assertEquals(List.of(), names("?search=nothing"));
        assertEquals(List.of(), names("?category=Forest" + ",Forest".repeat(200)));
        assertEquals(List.of(), names("?captured_after=x"));
    }

    @Test
    void theTagFollowsTheBars() {
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2020-02-01"));
        String query = "?captured_until=2020-01-31";
        String tag = get(Caller.anonymous(), query).header("ETag");
        assertEquals(304, get(Caller.anonymous(), query, "If-None-Match", tag).statusCode());
        // The datasets of the page stay as they are.
        catalogue.sql("update dataset set captured_date = '2020-03-01' where id = 6");
        Response changed = get(Caller.anonymous(), query, "If-None-Match", tag);
        assertEquals(200, changed.statusCode());
        assertEquals(List.of("January 2020: 1 dataset", "March 2020: 1 dataset"),
                names(HtmlPage.parse(changed.asString())).stream().map(name -> name.replaceAll("^\\d+ ", "")
                        .replaceAll(" to .*:", ":")).toList());
        assertNotEquals(tag, changed.header("ETag"));
    }
}
