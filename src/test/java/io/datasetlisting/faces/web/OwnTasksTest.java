package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Point;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;

/**
 * What strangers wanted to do with the imagery of a catalogue, each from the list to the goal, with the number of clicks. That
 * the owner is asked, and what may be done with the imagery, is in {@link ConfiguredPageTest}.
 */
@QuarkusTest
@Tag(NightlySuite.TAG)
class OwnTasksTest extends PagesInBrowser {

    private static final String TITLE = "document.querySelector('h1')?.textContent";
    private static final String IS_SETTLED = "!document.querySelector('main[aria-busy=true]')";
    private static final String FIRST_CARD = "document.querySelector('ol.datasets .name')";
    private static final String MAP = "document.querySelector('#map')";

    private int clicks;

    @BeforeEach
    void fill() {
        clicks = 0;
        catalogue.replaceWith(Stream.concat(Stream.of(
                island(3, "Aitutaki after the cyclone", "2023-03-05", -18.86, -159.79),
                island(6, "Aitutaki", "2023-01-10", -18.861, -159.791),
                island(9, "Rarotonga", "2023-03-04", -21.24, -159.78)),
                LongStream.rangeClosed(11, 40).mapToObj(i -> dataset(3 * i, d -> {
                    d.coordinates = new double[]{i, 3 * i};
                    d.bbox = new double[]{i, 3 * i, i + 1, 3 * i + 1};
                }))).toList());
    }

    private static Dataset island(long id, String name, String day, double south, double west) {
        return dataset(id, d -> {
            d.datasetName = name;
            d.capturedDate = Instant.parse(day + "T00:00:00Z");
            d.coordinates = new double[]{south + 0.005, west + 0.005};
            d.bbox = new double[]{south, west, south + 0.01, west + 0.01};
            d.rasterHeaders = "{\"ortho\":{\"proj:shape\":[100,200],\"proj:code\":\"EPSG:4326\",\"gsd\":0.05,"
                    + "\"is_cog\":true}}";
        });
    }

    private void click(String expression) {
        browser.read("(" + expression + ").scrollIntoView({ block: 'center' })");
        browser.pointer().click(browser.centre(expression));
        clicks++;
    }

    private static String named(String selector, String text) {
        return "[...document.querySelectorAll('" + selector + "')].find(each => each.textContent.includes('" + text
                + "'))";
    }

    /** What the page has copied, as the reader pastes it. */
    private static String copied() {
        browser.await(NOTICE + " === 'Copied.'");
        browser.read("document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))");
        browser.find("#paste").sendKeys(Keys.chord(Keys.CONTROL, "v"));
        String text = browser.read("document.getElementById('paste').value").toString();
        browser.read("document.getElementById('paste').remove()");
        return text;
    }

    @Test
    void findImageryOfAnIslandAfterACyclone() {
        open("");
        click("document.querySelector('[name=search]')");
        browser.type("cook islands", Keys.ENTER);
        browser.await(CARDS + " === 3 && " + TITLE + ".startsWith('Cook Islands: 3') && " + IS_SETTLED);
        click("document.querySelector('[name=captured_after]')");
        // The click was on the day; the month comes first.
        browser.type(Keys.ARROW_LEFT, Keys.ARROW_LEFT, "02012023");
        browser.await(CARDS + " === 2 && " + FIRST + " === 'Aitutaki after the cyclone'");
        assertEquals(2, clicks);
    }

    @Test
    void drawAnAreaAndSearchIt() {
        open("");
        browser.await(MAP_IS_READY);
        click("document.querySelector('#map .draw button')");
        browser.await("document.querySelector('#map.drawing')");
        Point centre = browser.centre(MAP);
        browser.pointer().drag(centre.moveBy(-90, -90), centre.moveBy(90, 90));
        browser.await("location.search.startsWith('?in_bbox=') && " + IS_SETTLED);
        int found = Caller.anonymous().get("/api/dataset/?" + query()).jsonPath().getInt("count");
        assertTrue(found > 0 && found < 33, () -> found + " datasets");
        browser.await("[...document.querySelectorAll('#count data')].at(-1).value === '" + found + "'");
        assertEquals(1, clicks, "and one movement");
    }

    @Test
    void compareTwoDays() {
        open("");
        click(FIRST_CARD);
        browser.await("document.querySelector('.compare')");
        click("document.querySelector('.compare')");
        browser.await("document.querySelectorAll('#map path.footprint').length === 2");
        assertEquals(List.of("Aitutaki after the cyclone", "Aitutaki"),
                browser.read("[...document.querySelectorAll('.comparison .name')].map(each => each.textContent)"));
        assertEquals(2, clicks);
    }

    @Test
    void shareTheView() {
        open("?category=Forest");
        browser.await(MAP_IS_READY);
        click("document.querySelector('.leaflet-control-zoom-in')");
        browser.await("location.hash.startsWith('#map=')");
        click("document.querySelector('.copy-view')");
        String address = copied();
        assertEquals(browser.url(), address);
        assertEquals(2, clicks, "one of them for the zoom");
        browser.open("about:blank");
        browser.openPage(URI.create(address));
        browser.await(MAP_IS_READY + " && !document.querySelector('.area-buttons button').hidden");
        assertEquals(address, browser.url());
    }

    @Test
    void useAListInQgis(@TempDir Path folder) throws IOException {
        browser.saveTo(folder);
        open("?search=aitutaki");
        click(named(".formats a", "CSV"));
        Path file = folder.resolve("datasets.csv");
        Patience.await("the file").until(() -> Files.exists(file) && Files.readAllLines(file).size() == 3);
        click(named(".commands dt", "GeoPackage") + ".nextElementSibling.querySelector('.copy')");
        String line = copied();
        assertTrue(line.startsWith("ogr2ogr datasets.gpkg 'GeoJSON:" + list.resolve("/api/dataset/?")), line);
        assertEquals(2, clicks, "one for each format");
    }

    @Test
    void copyTheStacItem() {
        open("");
        click(FIRST_CARD);
        browser.await("document.querySelector('[data-copy*=\"/items/\"]')");
        click("document.querySelector('[data-copy*=\"/items/\"]')");
        assertEquals(list.resolve("/stac/collections/datasets/items/3").toString(), copied());
        assertEquals(2, clicks);
    }

    @Test
    void chooseAmongFootprintsThatLieOnEachOther() {
        open("?search=aitutaki");
        browser.await(MAP_IS_READY + " && document.querySelectorAll('#map path.footprint').length === 2");
        click("document.querySelector('#map path.footprint')");
        browser.await("document.querySelectorAll('#map .stack a').length === 2");
        click("document.querySelectorAll('#map .stack a')[1]");
        browser.await(TITLE + " === 'Aitutaki' && document.querySelector('article.dataset')");
        assertEquals(2, clicks);
    }

    @Test
    void readSizeAndResolution() {
        open("");
        click(FIRST_CARD);
        browser.await("document.querySelector('.numbers time')?.textContent === 'Mar 5, 2023'");
        String numbers = text(".numbers");
        assertTrue(numbers.matches("Mar 5, 2023 .*Avarua.* 1\\.1\\d* km² 5 cm/pixel"), numbers);
        assertEquals(1, clicks);
    }

    @Test
    void subscribeToAnAreaWithoutDatasets() {
        open("?in_bbox=-31,-31,-30,-30");
        browser.await(TITLE + ".includes('0 datasets')");
        click("document.querySelector('.subscribe button')");
        String feed = Caller.anonymous().request().get(URI.create(copied())).then().statusCode(200)
                .contentType("application/atom+xml").extract().asString();
        assertTrue(feed.contains("in_bbox=-31"), feed);
        assertEquals(1, clicks);
    }

    @Test
    void citeADataset() {
        open("");
        click(FIRST_CARD);
        browser.await("document.querySelector('.cite [data-copy]')");
        click(named("button", "Copy citation"));
        assertEquals("Ada van Dyk (2023): Aitutaki after the cyclone. Drone and aerial imagery. "
                + list.resolve("3/"), copied());
        assertEquals(2, clicks);
    }
}
