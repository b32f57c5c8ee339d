package io.datasetlisting.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the page for people in a real browser. The storage of the thumbnails is away. */
@QuarkusTest
class PageBrowserTest extends PagesInBrowser {

    /** The sum of all shifts of the layout so far. The metric CLS is not larger. */
    private static final String LAYOUT_SHIFT = """
            (() => new Promise(done => {
              new PerformanceObserver(list => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
                .observe({ type: 'layout-shift', buffered: true });
              // Without any shift the observer is not called.
              setTimeout(() => done(0), 500);
            }))""";
    /** The names of scripts and land, one for each request. */
    private static final String LOADED_SCRIPTS = "performance.getEntriesByType('resource').map(entry =>"
            + " entry.name.split('/').pop()).filter(name => /js(on)?$/.test(name)).sort()";

    @BeforeEach
    void startAtTheList() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> dataset(3 * i, d -> {
            d.coordinates = new double[]{i, 2 * i};
            d.bbox = new double[]{i, 2 * i, i + 1, 2 * i + 1};
            if (i == 1) {
                d.datasetName = "edge";
                d.bbox = new double[]{i, 179.5, i + 1, 180};
                d.coordinates = new double[]{i, 180};
            }
        })).toList());
        open("");
    }

    @Test
    void datesAndNumbersHaveTheFormOfTheReader() {
        catalogue.replaceWith(Catalogue.plain(1234));
        String names = "[...document.querySelectorAll('ol.datasets .name')].map(name => name.textContent).join()";
        Object order = null;
        for (List<String> reader : List.of(
                List.of("en-US", "UTC", "1 to 15 of 1,234", "Mar 4, 2021, 5:06 AM UTC", "Mar 4, 2021, 5:06:07 AM UTC"),
                List.of("de-CH", "Europe/Zurich", "1 to 15 of 1'234", "04.03.2021, 05:06 UTC",
                        "04.03.2021, 06:06:07 MEZ"),
                List.of("fr-FR", "Pacific/Noumea", "1 to 15 of 1 234", "4 mars 2021, 05:06 UTC",
                        "4 mars 2021, 16:06:07 UTC+11"))) {
            browser.localize(reader.get(0), reader.get(1));
            open("?ordering=dataset_name");
            assertEquals(reader.get(2) + " datasets", text("#count"));
            assertEquals(reader.get(3), text("li time"));
            assertEquals("In your time zone: " + reader.get(4),
                    browser.find("li time").getAttribute("title").replaceAll("\\p{Z}", " "));
            assertEquals("2021-03-04T05:06:07Z", browser.find("li time").getAttribute("datetime"));
            assertEquals("1234", browser.find("#count data:last-child").getAttribute("value"));
            order = order == null ? browser.read(names) : order;
            assertEquals(order, browser.read(names));
        }
    }

    /** Flights in Chicago are named by the day in UTC, as the filters and the page without scripts are. */
    @Test
    void aDayIsTheSameForReadersInAllTimeZones() {
        catalogue.replaceWith(dataset(3, d -> d.capturedDate = Instant.parse("2020-03-07T00:00:00Z")),
                dataset(6, d -> d.capturedDate = Instant.parse("2020-03-07T23:30:00Z")));
        for (boolean hasScripts : List.of(true, false)) {
            browser.setScripts(hasScripts);
            browser.localize("en-US", "America/Chicago");
            for (String address : List.of("", "3/")) {
                browser.open(list.resolve(address).toString());
                String day = hasScripts ? "Mar 7, 2020" : "2020-03-07";
                Patience.await(day).until(() -> text("time").equals(day));
                assertEquals(hasScripts ? "In your time zone: Mar 6, 2020, 6:00:00 PM CST" : "",
                        browser.find("time").getAttribute("title").replaceAll("\\p{Z}", " "));
            }
            browser.open(list.toString());
            String time = hasScripts ? "Mar 7, 2020, 11:30 PM UTC" : "2020-03-07 23:30 UTC";
            Patience.await(time).until(() -> text("li[data-id='6'] time").equals(time));
        }
    }

    @Test
    void theLastDayOfAFilterIsIncluded() {
        catalogue.replaceWith(dataset(3, d -> d.capturedDate = Instant.parse("2023-12-31T23:59:59Z")),
                dataset(6, d -> d.capturedDate = Instant.parse("2024-01-01T00:00:00Z")));
        browser.localize("en-US", "America/Chicago");
        open("");
        browser.click("#filters summary");
        browser.read("document.querySelector('[name=captured_until]').focus()");
        browser.type("12312023");
        browser.await(CARDS + " === 1 && document.querySelector('li[data-id=\"3\"]')");
        assertEquals("captured_until=2023-12-31", query());
        browser.setScripts(false);
        browser.open(list.toString());
        browser.click("#filters summary");
        browser.find("[name=captured_until]").sendKeys("12312023", Keys.ENTER);
        Patience.await("the list of the filter").ignoreExceptions()
                .until(() -> query().contains("captured_until=2023-12-31")
                        && text("#count").equals("1 to 1 of 1 dataset"));
        assertEquals("2023-12-31", browser.find("[name=captured_until]").getAttribute("value"));
    }

    @Test
    void statisticsHaveTheFormOfTheReader() {
        catalogue.replaceWith(dataset(1, d -> d.bandStats = "{\"dsm\":{\"b1\":{\"min\":1,\"max\":12345.5,"
                + "\"mean\":1.5,\"stddev\":1e-9}},\"dtm\":{},\"ortho\":{}}"));
        browser.localize("de-CH", "UTC");
        open("1/");
        assertEquals(List.of("1", "1.5", "12'345.5", "1e-9"),
                browser.read("[...document.querySelectorAll('td')].map(cell => cell.textContent)"));
        assertEquals("12'345.5", browser.read("document.querySelector('.tick.end').textContent"));
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
        assertEquals(
                List.of(StaticFiles.address("/", StaticFiles.ASSETS) + "icon.svg", "/datasets/", "/docs/", "/stac"),
                browser.read(
                        "[...document.querySelectorAll('header a, link[rel=icon]')].map(link => new URL(link.href).pathname)"));

        browser.back();
        browser.await(FIRST + " === 'dataset 48'");
        browser.back();
        browser.await(FIRST + " === 'edge'");
        assertSameDocument();
        assertEquals(List.of(), browser.console().stream().filter(line -> !line.contains("thumbnail")).toList());
    }

    /** The form of the page number has a field for each parameter of the address, also for unknown ones. */
    @Test
    void aParameterMayHaveTheNameOfAPropertyOfTheForm() {
        open("?action=a&method=b&id=c");
        mark();
        browser.read("document.querySelector('input[name=p]').value = 3");
        browser.click("nav.pages button");
        browser.await(FIRST + " === 'dataset 93'");
        assertTrue(query().contains("p=3"), query());
        assertSameDocument();
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
    void anAddressThatIsShownAlreadyAddsNothingToTheHistory() {
        mark();
        browser.click("input[name=search]");
        browser.type("dataset 12");
        browser.await(CARDS + " === 2");
        for (int i = 0; i < 3; i++) {
            browser.read("document.querySelector('.listing').id = 'before'");
            browser.type(Keys.ENTER);
            browser.await("!document.getElementById('before')");
        }
        assertEquals("search=dataset+12", query());
        // The entry before is the list without the filter.
        browser.back();
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
    void aLineIsCopied() {
        browser.click(".commands .copy");
        browser.await(NOTICE + ".startsWith('Copied') || " + NOTICE + ".startsWith('The browser does not allow')");
        assertTrue(browser.find(".commands .copy").getAttribute("aria-label").startsWith("Copy: "));
    }

    @Test
    void theLogoIsBesideTheNameInBothDirectionsOfWriting() {
        for (String direction : List.of("ltr", "rtl")) {
            browser.read("document.documentElement.dir = '" + direction + "'");
            assertEquals(List.of(true, 0L), browser.read("""
                    (() => {
                      const image = document.querySelector('.catalogue img');
                      const name = document.createRange();
                      name.selectNodeContents(document.querySelector('.catalogue'));
                      name.setStartAfter(image);
                      const [logo, letters] = [image, name].map(each => each.getBoundingClientRect());
                      return [logo.width > 20 && (logo.right <= letters.left || letters.right <= logo.left),
                        Math.max(0, document.documentElement.scrollWidth - innerWidth)];
                    })()"""), direction);
        }
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
        // The browser loads a page while the test goes on.
        Patience.await("the list of the search").ignoreExceptions()
                .until(() -> query().contains("search=dataset+12") && browser.find("nav.pages").isDisplayed());
        browser.click("ol.datasets a");
        Patience.await("the page of the dataset").ignoreExceptions()
                .until(() -> browser.find("h1").getText().equals("dataset 12"));
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

    /** The network is slow, so that the browser shows the page before the scripts run. */
    @Test
    void nothingMovesWhileAPageLoads() {
        for (String address : List.of("", "9/")) {
            for (String screen : List.of("desktop", "phone")) {
                browser.open("about:blank");
                if (screen.equals("phone")) {
                    browser.becomePhone();
                } else {
                    browser.width(1280);
                }
                browser.setNetwork(true, 200);
                open(address);
                browser.await(MAP_IS_READY);
                browser.setNetwork(true, 0);
                double shift = ((Number) browser.call(LAYOUT_SHIFT)).doubleValue();
                assertTrue(shift < 0.1, () -> shift + " on the " + screen + ": " + list.resolve(address));
                assertEquals(
                        List.of("base.js", "formats.js", "forms.js", "land.json", "leaflet-1.9.4.js", "links.js",
                                "map.js", "page.js", "sentences.js", "session.js", "theme.js", "visits.js"),
                        browser.read(LOADED_SCRIPTS));
            }
        }
    }

    /** Files that the page asks for while it is parsed, and not one after the other. */
    @Test
    void theMapWaitsForNoChainOfFiles() {
        for (String address : List.of("", "9/")) {
            open(address);
            assertEquals(
                    List.of("base.js", "formats.js", "forms.js", "land.json", "links.js", "map.js", "sentences.js",
                            "session.js", "visits.js"),
                    browser.read("[...document.querySelectorAll('link[rel=modulepreload], link[rel=preload]')]"
                            + ".map(link => link.href.split('/').pop()).sort()"));
        }
        open("999999/");
        assertEquals(List.of(), browser.read("[...document.querySelectorAll('link[rel=preload]')]"));
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
