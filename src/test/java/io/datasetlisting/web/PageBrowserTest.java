package io.datasetlisting.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the page for people in a real browser. The storage of the thumbnails is away. */
@QuarkusTest
class PageBrowserTest {

    private static final String FIRST = "document.querySelector('ol.datasets .name')?.textContent";
    private static final String CARDS = "document.querySelectorAll('ol.datasets > li').length";
    private static final String NOTICE = "document.getElementById('notice').textContent";
    private static final String MAP_IS_READY = "document.querySelector('#map path.footprint') && document.querySelector('#map path.land')";

    private static Browser browser;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/datasets/")
    URI list;

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void startAtTheList() {
        if (browser == null) {
            browser = Browser.start();
        }
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> dataset(3 * i, d -> {
            d.coordinates = new double[]{i, 2 * i};
            d.bbox = new double[]{i, 2 * i, i + 1, 2 * i + 1};
            if (i == 1) {
                d.datasetName = "edge";
                d.bbox = new double[]{i, 179.5, i + 1, 180};
                d.coordinates = new double[]{i, 180};
            }
        })).toList());
        browser.width(1280);
        open("");
        browser.read("sessionStorage.clear()");
        browser.console();
    }

    @AfterEach
    void resetBrowser() {
        browser.setNetwork(true, 0);
        browser.setScripts(true);
        browser.prefer(Map.of("prefers-color-scheme", "light", "prefers-reduced-motion", "no-preference"));
    }

    private void open(String address) {
        browser.open(list.resolve(address).toString());
        // The script is a module, which runs before the event.
        browser.await("document.readyState === 'complete'");
    }

    /** Marks the document, so that a test sees whether another one has replaced it. */
    private static void mark() {
        browser.read("window.marked = true");
    }

    private static void assertSameDocument() {
        assertEquals(true, browser.read("window.marked === true"));
    }

    private String query() {
        String query = URI.create(browser.url()).getRawQuery();
        return query == null ? "" : query;
    }

    @Test
    void datesAndNumbersHaveTheFormOfTheReader() {
        assertEquals(
                browser.read("new Intl.DateTimeFormat(navigator.languages, {dateStyle: 'medium', timeStyle: 'short'})"
                        + ".format(new Date('2021-03-04T05:06:07Z'))"),
                browser.read("document.querySelector('li time').textContent"));
        assertEquals("2021-03-04 05:06:07 UTC", browser.find("li time").getAttribute("title"));
    }

    @Test
    void linksReplaceTheContentAndTheHistoryLeadsBack() {
        mark();
        browser.click("nav.pages a[rel=next]");
        browser.await(FIRST + " === 'dataset 48'");
        assertTrue(query().contains("p=2"), query());
        assertEquals("count", browser.read("document.activeElement.id"));
        browser.await(NOTICE + ".includes('40 datasets')");

        browser.click("ol.datasets a");
        browser.await("document.querySelector('h1').textContent === 'dataset 48'");
        assertEquals("H1", browser.read("document.activeElement.tagName"));
        assertTrue(browser.read("document.title").toString().contains("dataset 48"));
        browser.await("document.querySelector('#map path.footprint')");
        assertEquals(Stream.of("../datasets/", "../docs/", "../stac?f=html").map(list::resolve).map(URI::toString)
                .toList(), browser.read("[...document.querySelectorAll('header a')].map(link => link.href)"));

        browser.back();
        browser.await(FIRST + " === 'dataset 48'");
        browser.back();
        browser.await(FIRST + " === 'edge'");
        assertSameDocument();
        assertEquals(List.of(), browser.console().stream().filter(line -> !line.contains("thumbnail")).toList());
    }

    @Test
    void anOrderKeepsTheFocusAtItsLink() {
        mark();
        browser.read("document.querySelectorAll('nav.orders a')[1].focus()");
        browser.type(Keys.ENTER);
        browser.await("location.search.includes('ordering=')");
        browser.await("document.activeElement === document.querySelectorAll('nav.orders a')[1]");
        assertSameDocument();
    }

    @Test
    void theListFollowsTheSearchAsOneTypes() {
        mark();
        browser.click("input[name=search]");
        browser.type("dataset 12");
        browser.await(CARDS + " === 2");
        assertEquals("search=dataset+12", query());
        assertEquals(List.of("search", "dataset 12", 10L), browser.read("[document.activeElement.name,"
                + " document.activeElement.value, document.activeElement.selectionStart]"));
        browser.type(Keys.ARROW_LEFT, Keys.BACK_SPACE);
        browser.await("location.search === '?search=dataset+2'");
        assertEquals(9L - 1, browser.read("document.activeElement.selectionStart"));
        browser.back();
        // One entry of the history for the whole word.
        browser.await(FIRST + " === 'edge'");
        assertEquals("", query());
        assertSameDocument();
    }

    @Test
    void filtersApplyOnChangeAndTheFormKeepsItsState() {
        mark();
        browser.click("#filters summary");
        browser.click("input[value=Desert]");
        browser.await(CARDS + " === 0");
        assertEquals("category=Desert", query());
        assertEquals("Desert", browser.read("document.activeElement.value"));
        browser.click("input[value=Forest]");
        browser.await(CARDS + " === 15");
        assertEquals(true, browser.read("document.querySelector('#filters details').open"));
        assertSameDocument();
    }

    @Test
    void anErrorIsASentence() {
        mark();
        browser.click("#filters summary");
        browser.click("input[name=in_bbox]");
        browser.type("nowhere", Keys.ENTER);
        browser.await(NOTICE + ".length > 20");
        assertEquals("nowhere", browser.read("document.querySelector('[name=in_bbox]').value"));
        assertSameDocument();
    }

    @Test
    void aSlowAndAMissingNetworkSaySo() {
        mark();
        browser.setNetwork(true, 1500);
        browser.click("nav.pages a[rel=next]");
        browser.await(NOTICE + ".startsWith('Still loading')");
        browser.await(FIRST + " === 'dataset 48'");
        browser.setNetwork(false, 0);
        browser.click("nav.pages a[rel=next]");
        browser.await("document.querySelector('#notice button')");
        browser.setNetwork(true, 0);
        browser.click("#notice button");
        browser.await(FIRST + " === 'dataset 93'");
        assertSameDocument();
    }

    @Test
    void aFootprintAndItsCardMarkEachOther() {
        browser.await(MAP_IS_READY);
        browser.hover("li[data-id='9']");
        browser.await(
                "document.querySelector('#map path.marked') && document.querySelector('li[data-id=\"9\"].marked')");
        browser.hover("h1");
        browser.await("!document.querySelector('.marked')");
        browser.read("document.querySelector('li[data-id=\"9\"] a').focus()");
        browser.await("document.querySelector('#map path.marked')");
        browser.read("document.activeElement.blur()");
        browser.read(
                "document.querySelectorAll('#map path.footprint')[4].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))");
        browser.await("document.querySelector('li.marked')");
        browser.read(
                "document.querySelectorAll('#map path.footprint')[4].dispatchEvent(new MouseEvent('click', {bubbles: true}))");
        browser.await("document.querySelector('article.dataset')");
    }

    @Test
    void theAreaOfTheMapIsAFilter() {
        mark();
        browser.await(MAP_IS_READY);
        open("?search=dataset&p=2");
        mark();
        browser.await(MAP_IS_READY);
        assertEquals(false, browser.find(".area-buttons button").isDisplayed());
        browser.click(".leaflet-control-zoom-in");
        browser.await("!document.querySelector('.area-buttons button').hidden");
        browser.click(".area-buttons button");
        browser.await("location.search.includes('in_bbox=')");
        assertTrue(query().matches("search=dataset&in_bbox=-?[\\d.]+,-?[\\d.]+,-?[\\d.]+,-?[\\d.]+"), query());
        browser.await("document.querySelector('.area-buttons button').hidden");
        browser.await("document.querySelector('#map path.area')");
        assertEquals(browser.read("new URLSearchParams(location.search).get('in_bbox')"),
                browser.read("document.querySelector('[name=in_bbox]').value"));
        browser.click(".area-buttons button:last-child");
        browser.await("!location.search.includes('in_bbox')");
        assertEquals("search=dataset", query());
        assertSameDocument();
    }

    @Test
    void circlesSayHowManyDatasetsLieWhere() {
        browser.await("document.querySelector('#map .count-circle')");
        // The page shows all datasets of the other cells.
        assertEquals(30L, browser.read("[...document.querySelectorAll('#map .count-circle')]"
                + ".reduce((sum, circle) => sum + Number(circle.textContent), 0)"));
        browser.read("document.querySelector('#map .count-circle').click()");
        browser.await("!document.querySelector('.area-buttons button').hidden");
        open("?page_size=100");
        browser.await(MAP_IS_READY);
        assertEquals(0L, browser.read("document.querySelectorAll('#map .count-circle').length"));
    }

    @Test
    void anOwnerSignsInAndOut() {
        Caller owner = Caller.writer("ada");
        owner.create("{\"dataset_name\": \"secret\", \"coordinates\": [1, 2], \"is_private\": true,"
                + " \"captured_date\": \"2021-01-01T00:00:00Z\"}");
        open("?search=secret");
        mark();
        assertEquals(0L, browser.read(CARDS));
        browser.click("#sign-in");
        browser.type("wrong", Keys.ENTER);
        browser.await("document.getElementById('sign-in-error').textContent.includes('does not know')");
        assertEquals(List.of(), browser.violations());
        browser.type(owner.key(), Keys.ENTER);
        browser.await(FIRST + " === 'secret'");
        assertEquals("ada", browser.read("document.getElementById('account').textContent"));
        browser.click("ol.datasets a");
        browser.await("document.querySelector('h1').textContent === 'secret'");
        assertFalse((browser.read("document.documentElement.outerHTML") + browser.url()).contains(owner.key()));
        assertEquals(List.of("", 0L),
                browser.read("[document.cookie, localStorage.length]"));

        browser.open(browser.url());
        browser.await("document.querySelector('h1').textContent === 'secret'");
        open("?search=secret");
        browser.await(FIRST + " === 'secret'");
        browser.click("#sign-in");
        browser.await(CARDS + " === 0");
        assertEquals(0L, browser.read("sessionStorage.length"));
    }

    @Test
    void aTokenThatIsNoLongerValidIsForgotten() {
        mark();
        browser.read("sessionStorage.setItem('dataset-token', 'revoked')");
        browser.click("nav.pages a[rel=next]");
        browser.await(FIRST + " === 'dataset 48'");
        browser.await(NOTICE + ".includes('no longer valid')");
        assertEquals(0L, browser.read("sessionStorage.length"));
        assertSameDocument();
    }

    @Test
    void aLineIsCopied() {
        browser.click(".commands .copy");
        browser.await(NOTICE + ".startsWith('Copied') || " + NOTICE + ".startsWith('The browser does not allow')");
        assertTrue(browser.find(".commands .copy").getAttribute("aria-label").startsWith("Copy: "));
    }

    @Test
    void aPictureThatFailsLeavesThePlaceholder() {
        browser.await("document.querySelector('ol.datasets img.missing')");
        assertTrue(browser.read("getComputedStyle(document.querySelector('ol.datasets .picture')).backgroundImage")
                .toString().startsWith("url(\"data:image/svg+xml"));
    }

    @Test
    void everythingButTheMapWorksWithoutTheScript() {
        browser.setScripts(false);
        browser.open(list.toString());
        assertFalse(browser.find("#map").isDisplayed());
        assertFalse(browser.find("#sign-in").isDisplayed());
        browser.click("input[name=search]");
        browser.type("dataset 12", Keys.ENTER);
        browser.find("nav.pages");
        assertTrue(query().contains("search=dataset+12"), query());
        browser.click("ol.datasets a");
        assertEquals("dataset 12", browser.find("h1").getText());
    }

    @Test
    void theKeyboardReachesEverything() {
        mark();
        browser.type(Keys.TAB);
        assertEquals("skip", browser.read("document.activeElement.className"));
        browser.type(Keys.ENTER, Keys.TAB);
        assertEquals("search", browser.read("document.activeElement.name"));
        for (int i = 0; i < 12 && Boolean.FALSE.equals(browser.read("document.activeElement.id === 'map'")); i++) {
            browser.type(Keys.TAB);
        }
        assertEquals("map", browser.read("document.activeElement.id"));
        browser.type("+");
        browser.await("!document.querySelector('.area-buttons button').hidden");
        for (int i = 0; i < 12 && Boolean.FALSE
                .equals(browser.read("document.activeElement.textContent === 'Search this area'")); i++) {
            browser.type(Keys.TAB);
        }
        assertEquals("Search this area", browser.read("document.activeElement.textContent"));
        browser.type(Keys.ENTER);
        browser.await("location.search.includes('in_bbox=')");
        assertSameDocument();
    }

    @Test
    void noPageHasABarrier() {
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(Map.of("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"));
            for (int width : List.of(1280, 390, 320)) {
                browser.width(width);
                for (String address : List.of("", "?search=nothing", "?p=999", "9/", "999999/")) {
                    open(address);
                    if (width == 320 || width == 1280) {
                        assertEquals(List.of(), browser.violations(), scheme + ' ' + width + ' ' + address);
                    }
                    assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"),
                            () -> width + " " + address);
                }
            }
        }
    }

    @Test
    void theListIsLightAndAsksNoOtherHost() {
        browser.open("about:blank");
        browser.setNetwork(true, 0);
        open("");
        browser.await(MAP_IS_READY);
        long bytes = ((Number) browser.read("[...performance.getEntriesByType('resource'),"
                + " ...performance.getEntriesByType('navigation')].filter(entry => entry.initiatorType !== 'img')"
                + ".reduce((sum, entry) => sum + entry.encodedBodySize, 0)")).longValue();
        assertTrue(bytes > 50_000 && bytes < 150_000, () -> bytes + " bytes");
        assertEquals(List.of(), browser.read("performance.getEntriesByType('resource')"
                + ".filter(entry => new URL(entry.name).origin !== location.origin && entry.initiatorType !== 'img')"
                + ".map(entry => entry.name)"));
        assertEquals(List.of(), browser.console().stream().filter(line -> !line.contains("thumbnail")).toList());
    }
}
