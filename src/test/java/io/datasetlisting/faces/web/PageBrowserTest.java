package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the page for people in a real browser. The storage of the thumbnails is away. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class PageBrowserTest extends PagesInBrowser {

    /** The sum of all shifts of the layout so far. The metric CLS is not larger. */
    private static final String LAYOUT_SHIFT = """
            (() => new Promise(done => {
              new PerformanceObserver(list => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
                .observe({ type: 'layout-shift', buffered: true });
              // Without any shift the observer is not called.
              setTimeout(() => done(0), 500);
            }))""";
    private static final String READY = "document.readyState === 'complete'";
    private static final String TITLE = "document.querySelector('h1').textContent";
    private static final String CHIPS = "[...document.querySelectorAll('.chips bdi')].map(chip => chip.textContent)";
    private static final String CHOICE = "[...document.querySelectorAll('a.choice')].find(each =>"
            + " each.querySelector('bdi').textContent === '%s')";
    /** Whether a part of the first card is in the view. */
    private static final String CARD_PART = "(({ top, height }) => top > 0 && top + %s * height <= innerHeight)"
            + "(document.querySelector('ol.datasets > li').getBoundingClientRect())";
    /** The names of scripts and land, one for each request. */
    private static final String LOADED_SCRIPTS = "performance.getEntriesByType('resource').map(entry =>"
            + " entry.name.split('/').pop()).filter(name => /js(on)?$/.test(name) && !name.startsWith('ground-')).sort()";

    private static final String IS_SETTLED = "!document.querySelector('main[aria-busy=true]')";
    private static final String ORDER = "[...document.querySelector('.columns').children].map(each => each.id).join()";
    /** Longer than the list waits for the next key. */
    private static final Duration PAUSE = Duration.ofMillis(450);

    @BeforeEach
    void startAtTheList() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> dataset(3 * i, d -> {
            // The page shows the newest first.
            d.capturedDate = Instant.parse("2023-05-31T00:00:00Z").minus(i, ChronoUnit.DAYS);
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
    void theLanguageIsChosenWithThePointer() {
        for (int width : List.of(1280, 390)) {
            browser.width(width);
            open("");
            for (String language : List.of("de", "en")) {
                if (width < 600) {
                    browser.pointer().click(browser.centre("document.querySelector('.to-menu')"));
                }
                browser.pointer().click(browser.centre("document.querySelector('.languages summary')"));
                browser.pointer().click(
                        browser.centre("document.querySelector('.languages a[lang=" + language + "]')"));
                browser.await("document.documentElement.lang === '" + language
                        + "' && document.readyState === 'complete'");
            }
        }
    }

    /** German has the longest words. */
    @Test
    void aPhoneShowsLabelsInWholeWordsAndTextOfTwiceTheSize() {
        browser.localize("de", "UTC");
        browser.width(390);
        open("9/");
        assertEquals(List.of(), browser.read("""
                [...document.querySelectorAll('dl.fields dt')].flatMap(label => {
                  const text = label.firstChild;
                  return [...text.data.matchAll(/\\S+/g)].filter(word => {
                    const range = new Range();
                    range.setStart(text, word.index);
                    range.setEnd(text, word.index + word[0].length);
                    return range.getClientRects().length > 1;
                  }).map(word => word[0]);
                })"""));
        browser.textSize(32);
        try {
            for (String address : List.of("", "9/", "9/?with=12")) {
                open(address);
                assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"),
                        address);
                long height = (Long) browser.read("document.querySelector('body > header').offsetHeight");
                assertTrue(height <= 230, () -> address + " " + height + " pixels");
            }
        } finally {
            browser.textSize(16);
        }
    }

    /** A value that has a letter in each line cannot be read. */
    @Test
    void aPhoneHasSpaceForTwoDatasetsSideBySide() {
        browser.width(360);
        for (String language : List.of("de", "fr", "ar")) {
            browser.localize(language, "UTC");
            open("9/?with=12");
            assertEquals(List.of(), browser
                    .read("""
                    [...document.querySelectorAll('.comparison tr > *')].filter(cell => cell.checkVisibility()
                        && (cell.offsetWidth < 140 || cell.scrollWidth > cell.clientWidth)).map(cell => cell.textContent)"""));
        }
    }

    /** Whatever part of a line is the first that has no space. */
    @Test
    void noLineEndsWithASeparator() {
        browser.width(390);
        for (String address : List.of("", "changes/")) {
            open(address);
            assertEquals(List.of(), browser.read("""
                    [...document.querySelectorAll('ol.datasets p, .changes li')].flatMap(line => {
                      const letters = [];
                      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
                      while (texts.nextNode())
                        [...texts.currentNode.data].forEach((letter, i) => {
                          if (letter.trim()) letters.push([texts.currentNode, i, letter]);
                        });
                      const box = ([node, i]) => {
                        const range = document.createRange();
                        range.setStart(node, i);
                        range.setEnd(node, i + 1);
                        return range.getBoundingClientRect();
                      };
                      return Array.from({ length: 30 }, (_, i) => 60 + 10 * i).filter(width => {
                        line.style.width = `${width}px`;
                        return letters.some((each, i) => each[2] === '·' && box(each).bottom <= box(letters[i + 1]).top);
                      }).map(width => `${width} ${line.textContent}`);
                    })"""));
        }
    }

    /** A visit from the menu closes it. */
    @Test
    void theHeaderOfAPhoneHasOneRow() {
        browser.read("sessionStorage.setItem('dataset-token', '" + Caller.writer("maria").key() + "')");
        browser.read("sessionStorage.setItem('dataset-account', 'maria')");
        for (int width : List.of(390, 360)) {
            browser.width(width);
            open("");
            browser.await("document.querySelector('#account').textContent === 'maria'");
            long height = (Long) browser.read("document.querySelector('body > header').offsetHeight");
            assertTrue(height <= 64, () -> height + " pixels");
            browser.pointer().click(browser.centre("document.querySelector('.to-menu')"));
            browser.await("document.querySelector('#mine').checkVisibility()");
            assertEquals(List.of(), browser.violations());
            mark();
            browser.pointer().click(browser.centre("document.querySelector('#mine')"));
            browser.await(TITLE + ".startsWith('My own') && !document.querySelector('#mine').checkVisibility()");
            assertSameDocument();
        }
    }

    /** The title of the filters, which stand before the list, puts them away, also on the next pages. */
    @Test
    void theFiltersArePutAwayAndComeBack() {
        String next = "document.activeElement.matches('.copy-view')";
        String title = "document.activeElement.matches('#panel h2 button')";
        for (boolean isFolded : List.of(true, false)) {
            browser.find("[name=search]").click();
            browser.type(Keys.TAB);
            assertEquals(true, browser.read(title));
            browser.type(Keys.ENTER);
            assertEquals(String.valueOf(!isFolded), browser.read("document.activeElement.ariaExpanded"));
            assertEquals(!isFolded, browser.find("#panel a.choice").isDisplayed());
            browser.type(Keys.TAB);
            assertEquals(isFolded, browser.read(next));
            assertEquals(List.of(), browser.violations());
            open("");
            assertEquals(!isFolded, browser.find("#panel a.choice").isDisplayed());
            browser.pointer().click(browser.centre("document.querySelector('nav.orders a:last-child')"));
            browser.await("location.search.includes('ordering') && " + IS_SETTLED);
            assertEquals(!isFolded, browser.find("#panel a.choice").isDisplayed());
        }
        // The filters stay in the view, and have the same places as the map and the list for the keyboard and the eye.
        browser.read("scrollTo(0, 900)");
        browser.await("document.querySelector('#panel').getBoundingClientRect().top >= 0");
        assertEquals("filters,panel,listing,where", browser.read(ORDER));
        browser.width(390);
        browser.await(ORDER + " === 'filters,panel,where,listing'");
    }

    @Test
    void datesAndNumbersHaveTheFormOfTheReader() {
        catalogue.replaceWith(Catalogue.plain(1234));
        String names = "[...document.querySelectorAll('ol.datasets .name')].map(name => name.textContent).join()";
        Object order = null;
        for (List<String> reader : List.of(
                List.of("en-US", "UTC", "1 to 15 of 1,234 datasets", "Mar 4, 2021, 5:06 AM UTC",
                        "In your time zone: Mar 4, 2021, 5:06:07 AM UTC"),
                List.of("de-CH", "Europe/Zurich", "1 bis 15 von 1'234 Datensätzen", "04.03.2021, 05:06 UTC",
                        "In Ihrer Zeitzone: 04.03.2021, 06:06:07 MEZ"),
                List.of("fr-FR", "Pacific/Noumea", "Jeux de données 1 à 15 sur 1 234", "4 mars 2021, 05:06 UTC",
                        "Dans votre fuseau horaire : 4 mars 2021, 16:06:07 UTC+11"))) {
            browser.localize(reader.get(0), reader.get(1));
            open("?ordering=dataset_name");
            assertEquals(reader.get(2), text("#count"));
            assertEquals(reader.get(3), text("li time"));
            assertEquals(reader.get(4),
                    browser.find("li time").getAttribute("title").replaceAll("\\p{Z}", " "));
            assertEquals("2021-03-04T05:06:07Z", browser.find("li time").getAttribute("datetime"));
            assertEquals("1234", browser.find("#count data:last-child").getAttribute("value"));
            order = order == null ? browser.read(names) : order;
            assertEquals(order, browser.read(names));
        }
    }

    @Test
    void theListLeadsToTheNewestChanges() {
        catalogue.fold();
        for (boolean hasScripts : List.of(true, false)) {
            browser.setScripts(hasScripts);
            browser.open(list.toString());
            browser.click(".formats li:last-child a");
            Patience.await("the changes").until(() -> browser.url().equals(list.resolve("changes/").toString()));
            Patience.await("the changes").ignoreExceptions().until(() -> text("h1").equals("Newest changes"));
            assertTrue(text(".changes li").endsWith(" · Ada van Dyk"), () -> text(".changes li"));
            browser.click(".changes li a");
            Patience.await("a dataset").until(() -> browser.url().matches(".*/datasets/\\d+/"));
        }
        // A feed is for other programs: the script leaves the link to the browser.
        browser.setScripts(true);
        open("changes/");
        browser.click(".formats a");
        Patience.await("the feed").until(() -> browser.url().endsWith("/datasets/changes/?format=atom"));
    }

    /** Flights in Chicago are named by the day in UTC, as the filters and the page without scripts are. */
    @Test
    void aDayIsTheSameForReadersInAllTimeZones() {
        catalogue.replaceWith(dataset(3, d -> d.capturedDate = Instant.parse("2020-03-07T00:00:00Z")),
                dataset(6, d -> d.capturedDate = Instant.parse("2020-03-07T23:30:00Z")));
        for (boolean hasScripts : List.of(true, false)) {
            browser.setScripts(hasScripts);
            browser.localize("en-US", "America/Chicago");
            for (String address : List.of("?ordering=id", "3/")) {
                browser.open(list.resolve(address).toString());
                String day = hasScripts ? "Mar 7, 2020" : "2020-03-07";
                Patience.await(day).until(() -> text("time").equals(day));
                String exact = address.startsWith("?") ? "" : "2020-03-07T00:00:00Z";
                assertEquals(hasScripts ? "In your time zone: Mar 6, 2020, 6:00:00 PM CST" : exact,
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
        awaitForms();
        browser.read("document.querySelector('[name=captured_until]').focus()");
        browser.type("12312023");
        browser.await(CARDS + " === 1 && document.querySelector('li[data-id=\"3\"]')");
        assertEquals("captured_until=2023-12-31", query());
        browser.setScripts(false);
        browser.open(list.toString());
        browser.find("[name=captured_until]").sendKeys("12312023", Keys.ENTER);
        Patience.await("the list of the filter").ignoreExceptions()
                .until(() -> query().contains("captured_until=2023-12-31")
                        && text("#count").equals("1 dataset"));
        assertEquals("2023-12-31", browser.find("[name=captured_until]").getAttribute("value"));
    }

    /** The script that follows the forms is loaded behind the map. */
    private static void awaitForms() {
        browser.await("performance.getEntriesByType('resource').some(each => each.name.includes('later'))");
    }

    /** On a slow network the page can be read and written in before its scripts are there. */
    @Test
    void whatIsWrittenBeforeTheScriptsAreThereIsFollowed() {
        browser.block("*/later.js");
        open("");
        browser.await(NOTICE + ".startsWith('The service cannot be reached.')");
        browser.find("[name=search]").sendKeys("dataset 9");
        browser.block();
        browser.click("#notice button");
        browser.await("location.search === '?search=dataset+9' && " + CARDS + " > 0");
        open("");
        awaitForms();
        browser.rest(PAUSE);
        assertEquals("", query());
    }

    /** With a pause after each key, in which the list follows the field. */
    @Test
    void aFieldKeepsWhatIsTypedSlowly() {
        mark();
        awaitForms();
        browser.read("document.querySelector('[name=captured_after]').focus()");
        browser.typeSlowly(PAUSE, "05302023");
        browser.await(CARDS + " === 1 && location.search === '?captured_after=2023-05-30'");
        assertEquals("captured_after", browser.read("document.activeElement.name"));
        browser.typeSlowly(PAUSE, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP);
        browser.await("location.search === '?captured_after=2022-06-30'");
        assertEquals(List.of("captured_after", "2022-06-30"),
                browser.read("[document.activeElement.name, document.activeElement.value]"));
        // A year with three digits is taken when the reader goes on.
        browser.typeSlowly(PAUSE, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "202");
        browser.rest(PAUSE);
        assertEquals("captured_after=2022-06-30", query());
        browser.type(Keys.TAB);
        browser.await("document.activeElement.name === 'captured_after'");
        browser.type(Keys.TAB);
        browser.await("location.search === '?captured_after=0202-06-30'");
        open("");
        mark();
        browser.click("details.rare summary");
        for (Map.Entry<String, String> field : Map.of("band", "b1", "user", "ada, 7", "workspace", "12", "in_bbox",
                "-10,-10,50,50", "page_size", "20").entrySet()) {
            browser.click("#panel [name=" + field.getKey() + "]");
            browser.typeSlowly(PAUSE, field.getValue());
            assertEquals(List.of(field.getKey(), field.getValue()),
                    browser.read("[document.activeElement.name, document.activeElement.value]"));
            browser.type(Keys.TAB);
            browser.await("new URL(location.href).searchParams.get('" + field.getKey() + "') === '" + field.getValue()
                    + "' && !document.querySelector('main[aria-busy=true]')");
            assertEquals(true, browser.read("document.activeElement.matches('#panel *')"), field.getKey());
        }
        // The focus stays on a control that the next list replaces. A field that Tab has reached has its text selected.
        browser.find("#panel [name=band]").sendKeys(Keys.END, "x", Keys.chord(Keys.SHIFT, Keys.TAB),
                Keys.chord(Keys.SHIFT, Keys.TAB));
        browser.await("location.search.includes('band=b1x') && !document.querySelector('main[aria-busy=true]')");
        assertEquals("SUMMARY", browser.read("document.activeElement.tagName"));
        assertSameDocument();
    }

    @Test
    void aPhoneShowsAGalleryInTwoColumns() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 4)
                .mapToObj(i -> dataset(i, d -> d.datasetName = "Photogrammetry of Rarotonga")).toList());
        browser.size(390, 844);
        open("?view=gallery");
        assertEquals(2L, browser.read("new Set([...document.querySelectorAll('ol.gallery > li')]"
                + ".map(each => each.getBoundingClientRect().left)).size"));
        assertEquals(List.of("Photogrammetry", "of", "Rarotonga"), browser.read("""
                (() => {
                  const text = document.querySelector('ol.gallery .name').firstChild;
                  const range = document.createRange();
                  return text.data.split(' ').filter(word => {
                    range.setStart(text, text.data.indexOf(word));
                    range.setEnd(text, text.data.indexOf(word) + word.length);
                    return range.getClientRects().length === 1;
                  });
                })()"""));
    }

    @Test
    void aChartIsWholeInAllLanguagesAndAPictureIsSmallWithoutScripts() {
        catalogue.replaceWith(dataset(1, d -> d.bandStats = "{\"dsm\":{\"b1\":{\"min\":1,\"max\":12345.5,"
                + "\"mean\":1.5,\"stddev\":1}},\"dtm\":{},\"ortho\":{}}"));
        for (String language : List.of("en", "ar")) {
            browser.localize(language, "UTC");
            open("1/");
            browser.click(".folded summary");
            assertEquals(List.of(), browser.read("""
                    (() => {
                      const chart = document.querySelector('.chart').getBoundingClientRect();
                      return [...document.querySelectorAll('.chart .label, .chart .tick')].filter(each => {
                        const { left, right } = each.getBoundingClientRect();
                        return left < chart.left - 1 || right > chart.right + 1;
                      }).map(each => each.textContent);
                    })()"""), language);
        }
        browser.setScripts(false);
        browser.open(list.resolve("1/").toString());
        assertTrue(browser.find("figure .picture").getSize().height <= 400, "the height of the placeholder");
    }

    /** On paper, the footprint is in the middle of the map, as on the screen. */
    @Test
    void paperShowsTheWholeMap() {
        browser.width(1440);
        open("9/");
        browser.await(MAP_IS_READY);
        String places = "(() => { const [map, footprint] = ['#map', '#map path.footprint'].map(each =>"
                + " document.querySelector(each).getBoundingClientRect()); return [Math.round(map.width),"
                + " Math.round(footprint.left + footprint.width / 2 - map.left - map.width / 2)]; })()";
        Object before = browser.read(places);
        browser.read("addEventListener('beforeprint', () => { window.paper = " + places + "; })");
        browser.print();
        List<?> paper = (List<?>) browser.read("window.paper");
        assertEquals(643L, paper.get(0));
        assertTrue(Math.abs((Long) paper.get(1)) <= 3, paper::toString);
        browser.await("JSON.stringify(" + places + ") === '" + before.toString().replace(" ", "") + "'");
    }

    /** On a slow network each request costs, and each byte. Pictures come from the storage. */
    @Test
    void theFirstViewHasFewRequestsAndBytes() {
        List<Dataset> datasets = new ArrayList<>(Catalogue.generated(500));
        LongStream.rangeClosed(1, 40).mapToObj(i -> dataset(1_000_000 + i, d -> {
            d.bbox = new double[]{36, -86, 36.1, -85.9};
            d.coordinates = new double[]{36.05, -85.95};
            d.capturedDate = Instant.parse("2023-05-31T00:00:00Z").minus(i, ChronoUnit.DAYS);
        })).forEach(datasets::add);
        catalogue.replaceWith(datasets);
        browser.becomePhone();
        for (String address : List.of("", "?in_bbox=-88,35,-84,38")) {
            open(address);
            browser.await(
                    "document.querySelector('#map path:is(.land, .coast)') && document.querySelector('#time .bar')"
                            + " && !document.querySelector('#map[aria-busy]')");
            browser.rest(PAUSE);
            String own = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
                    + ".filter(each => each.name.startsWith(location.origin))";
            List<?> names = (List<?>) browser.read(own + ".map(each => new URL(each.name).pathname)");
            // The browser also asks for its icon.
            assertTrue(names.size() <= 9, names::toString);
            long bytes = (Long) browser.read(own + ".reduce((sum, each) => sum + each.encodedBodySize, 0)");
            assertTrue(bytes <= 140_000, () -> bytes + " bytes of " + names);
        }
        // The part of the ground has the names of its places.
        assertTrue((Long) browser.read("document.querySelectorAll('#map .label').length") > 0);
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

    /** The task of a reader who has the keyboard only: a misspelt name, then a point. */
    @Test
    void theSearchFieldForgivesMistakesAndMovesTheMap() {
        catalogue.replaceWith(dataset(3, d -> d.datasetName = "Everglades flight 1"),
                dataset(6, d -> d.datasetName = "Everglades flight 2"), dataset(9, d -> {
                    d.datasetName = "Cookeville";
                    d.coordinates = new double[]{36.1, -85.4};
                    d.bbox = new double[]{36, -85.5, 36.2, -85.3};
                }));
        open("");
        mark();
        browser.type("/");
        browser.await("document.activeElement.name === 'search'");
        browser.type("everglads");
        browser.await("document.querySelector('#suggestions [role=option]')?.textContent.startsWith('Everglades')");
        assertEquals("true", browser.find("[name=search]").getAttribute("aria-expanded"));
        // The list that is being replaced is pale, and so is the next one at first.
        browser.await("document.querySelector('.did-you-mean') && !document.querySelector('main[aria-busy=true]')"
                + " && document.getAnimations().length === 0");
        assertEquals(List.of(), browser.violations());
        browser.type(Keys.ARROW_DOWN);
        assertEquals("suggestion-0", browser.find("[name=search]").getAttribute("aria-activedescendant"));
        browser.type(Keys.ENTER);
        browser.await(CARDS + " === 2");
        assertEquals("search=Everglades", query());

        browser.type("/");
        browser.await("document.activeElement.name === 'search'");
        browser.type("cook");
        // A place whose name is "Cook" without "Islands" is before the names that begin so.
        browser.await(
                "[...document.querySelectorAll('#suggestions [role=option]')].map(each => each.textContent.trim()).join()"
                        + " === 'Cook Islands,Cookeville 1'");
        browser.type(Keys.ESCAPE);
        assertEquals("cook", browser.read("document.activeElement.value"));
        assertEquals("false", browser.find("[name=search]").getAttribute("aria-expanded"));
        browser.read("document.activeElement.select()");
        browser.type("36.1, -85.4", Keys.ENTER);
        browser.await("location.search.includes('in_bbox=') && " + FIRST + " === 'Cookeville'");
        browser.await("document.querySelector('#map path.area')");
        assertSameDocument();
    }

    /** The list follows the typing to the box of a place, while the reader goes on to a name or another filter. */
    @Test
    void theBoxOfAPlaceThatIsOnlyTypedGoesWithAChosenSuggestion() {
        catalogue.replaceWith(dataset(3, d -> d.datasetName = "Great flight 1"),
                dataset(6, d -> d.datasetName = "Great flight 2"));
        for (String filters : List.of("", "in_bbox=-180,-90,180,90")) {
            open(filters.isEmpty() ? "" : "?" + filters);
            browser.type("/");
            browser.await("document.activeElement.name === 'search'");
            browser.type("kreta");
            browser.await("new URL(location.href).searchParams.get('place') === 'Crete' && " + IS_SETTLED
                    + " && document.querySelectorAll('#suggestions [role=option]').length === 2");
            assertEquals(List.of("Crete Greece", "Great 2"), browser.read(
                    "[...document.querySelectorAll('#suggestions [role=option]')].map(each => each.textContent)"));
            browser.type(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER);
            browser.await("new URL(location.href).searchParams.get('search') === 'Great' && " + IS_SETTLED);
            assertEquals(filters.isEmpty() ? "search=Great" : filters + "&search=Great",
                    query().replace("%2C", ","));
            assertEquals(2L, browser.read(CARDS));
        }
    }

    @Test
    void enterOnTheNameOfAPlaceShowsItAndKeepsTheName() {
        mark();
        browser.find("[name=search]").sendKeys("fiji", Keys.ENTER);
        browser.await("new URL(location.href).searchParams.get('place') === 'Fiji'");
        browser.await("document.querySelector('nav.chips bdi').textContent === 'Fiji'");
        assertTrue(browser.read("document.title").toString().startsWith("Fiji: 0 datasets"));
        assertTrue(text(".subscribe").startsWith("Subscribe to this search:"), text(".subscribe"));
        browser.click(".subscribe a[href*=changes]:not([href*=atom])");
        browser.await(
                "location.pathname === '/datasets/changes/' && document.body.textContent.includes('Datasets: Fiji')");
        assertSameDocument();
    }

    /** A search without a match leads on without scripts, too. */
    @Test
    void aSearchWithoutAMatchHasLinksWithoutScripts() {
        catalogue.replaceWith(dataset(3, d -> d.datasetName = "Jökulsárlón"));
        browser.setScripts(false);
        browser.open(list.toString());
        browser.find("[name=search]").sendKeys("jokulsalron", Keys.ENTER);
        Patience.await("the link").ignoreExceptions()
                .until(() -> text(".did-you-mean").equals("Did you mean Jökulsárlón (1)?"));
        browser.click(".did-you-mean a");
        Patience.await("the list").ignoreExceptions().until(() -> text("li .name").equals("Jökulsárlón"));
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
                List.of(StaticFiles.address("/", StaticFiles.ASSETS) + "icon.svg", "/datasets/", "/docs/", "/stac",
                        "/datasets/", "/datasets/new/", "/datasets/tokens/"),
                browser.read(
                        "[...document.querySelectorAll('header>a, header nav a, link[rel=icon]')]"
                                + ".map(link => new URL(link.href).pathname)"));

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

    /** Forest, then 2023, by the mouse; each filter is removed again by the keyboard. */
    @Test
    void choicesAndChipsLeadFromListToList() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> dataset(i, d -> {
            d.category = new String[]{i % 2 == 0 ? "Forest" : "Desert"};
            d.capturedDate = Instant.parse(i <= 10 ? "2023-05-31T00:00:00Z" : "2022-01-01T00:00:00Z");
        })).toList());
        open("");
        mark();
        browser.pointer().click(browser.centre(CHOICE.formatted("Forest")));
        browser.await(TITLE + " === 'Forest: 20 datasets'");
        assertEquals("Forest", browser.read("document.activeElement.querySelector('bdi').textContent"));
        browser.pointer().click(browser.centre(CHOICE.formatted("2023")));
        browser.await(TITLE + " === 'Forest, 2023: 5 datasets'");
        assertEquals(List.of("Forest", "2023"), browser.read(CHIPS));
        assertEquals("captured_after=2023-01-01&captured_until=2023-12-31&category=Forest", query());
        browser.read("document.querySelector('.chips a').focus()");
        browser.type(Keys.ENTER);
        browser.await(TITLE + " === '2023: 10 datasets'");
        // The next filter is in the place of the one before.
        assertEquals("Remove filter: 2023", browser.read("document.activeElement.ariaLabel"));
        browser.type(Keys.ENTER);
        browser.await(TITLE + " === 'Datasets'");
        assertEquals("count", browser.read("document.activeElement.id"));
        assertSameDocument();
        browser.back();
        browser.await(TITLE + " === '2023: 10 datasets'");
    }

    /** On a phone the filters are a sheet, which stays open while one chooses. */
    @Test
    void theSheetOfAPhoneStaysOpen() {
        String isOpen = "document.querySelector('#panel').matches(':popover-open')";
        for (boolean hasScripts : List.of(true, false)) {
            browser.setScripts(hasScripts);
            browser.size(390, 844);
            browser.open(list.toString());
            browser.click(".to-panel");
            Patience.await("the sheet").until(() -> browser.find("#panel").isDisplayed());
            browser.find("#panel a.choice").click();
            Patience.await("the list of the filter").ignoreExceptions().until(() -> query().contains("category="));
            if (hasScripts) {
                browser.await(TITLE + ".endsWith(': 0 datasets') || " + TITLE + ".endsWith(': 40 datasets')");
                assertEquals(true, browser.read(isOpen));
                assertEquals(List.of(), browser.violations());
                browser.click("#panel .close");
                browser.await("!" + isOpen);
            }
        }
    }

    /** The buttons at the end of the sheet lie over its other content. */
    @Test
    void theEndOfTheSheetCoversNoFocus() {
        browser.size(390, 844);
        open("");
        browser.click(".to-panel");
        browser.await("document.querySelector('#panel').matches(':popover-open')");
        browser.read("document.querySelectorAll('#panel details').forEach(each => { each.open = true; })");
        int stops = 0;
        browser.type(Keys.TAB);
        while (browser.read("document.activeElement.matches('#panel :not(.panel-end *)')").equals(true)) {
            assertEquals("", browser.read("(focused => { const box = focused.getBoundingClientRect();"
                    + " return focused.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))"
                    + " ? '' : focused.outerHTML; })(document.activeElement)"));
            stops++;
            browser.type(Keys.TAB);
        }
        assertTrue(stops > 15, stops + " stops");
    }

    /** The map included, as a reader with a laptop and one with a phone see the page. */
    @Test
    void theListIsInSightWithoutScrolling() {
        for (String address : List.of("", "?category=Forest&search=dataset&captured_after=2023-01-01")) {
            browser.size(1440, 900);
            open(address);
            browser.await(MAP_IS_READY);
            assertTrue((Boolean) browser.read(CARD_PART.formatted("1")), () -> "1440 " + address);
            // The filters stay beside the list, also at its end.
            browser.read("scrollTo(0, document.documentElement.scrollHeight)");
            browser.await("scrollY > 300 && document.querySelector('#panel').getBoundingClientRect().bottom > 200");
            browser.size(390, 844);
            open(address);
            browser.await(MAP_IS_READY);
            assertTrue((Boolean) browser.read(CARD_PART.formatted("0.5")), () -> "390 " + address);
        }
    }

    @Test
    void anErrorIsASentence() {
        mark();
        browser.click("details.rare summary");
        browser.click("input[name=in_bbox]");
        browser.type("nowhere", Keys.ENTER);
        browser.await(NOTICE + ".length > 20");
        assertEquals("nowhere", browser.read("document.querySelector('[name=in_bbox]').value"));
        assertEquals(List.of("Write four numbers of degrees, such as -10,35,5,45 for west, south, east and north."),
                browser.read("[...document.querySelectorAll('.wrong')].map(each => each.textContent.trim())"));
        assertEquals("wrong-in_bbox", browser.find("[name=in_bbox]").getAttribute("aria-describedby"));
        browser.find("[name=in_bbox]").sendKeys(Keys.chord(Keys.CONTROL, "a"), "1,1,5,5", Keys.ENTER);
        browser.await(CARDS + " === 1 && !document.querySelector('.wrong, [aria-invalid]')");
        assertSameDocument();
    }

    /** Four parts of the finer ground meet in Africa, and two in Lake Victoria. Their edges are no coasts and no shores. */
    @Test
    void theMapLoadsTheGroundOfItsView() {
        open("?in_bbox=29,-2,34,2");
        // Leaflet gives lines a stroke. The small map has a picture of the whole world.
        browser.await("document.querySelector('#map path.coast[stroke]')");
        assertEquals(0L, browser.read("""
                [...document.querySelectorAll('#map .leaflet-land-pane path[stroke]:not(.border)')]
                  .filter(path => getComputedStyle(path).stroke !== 'none').flatMap(path => path.getAttribute('d').split('M'))
                  .map(line => line.split('L').map(point => point.split(' ').map(Number))).filter(line => line.some(
                    ([x, y], i) => i && (Math.abs(x - line[i - 1][0]) < 1 && Math.abs(y - line[i - 1][1]) > 100
                      || Math.abs(y - line[i - 1][1]) < 1 && Math.abs(x - line[i - 1][0]) > 100))).length"""));
        assertEquals(List.of("ground-30.json", "ground-31.json", "ground-42.json", "ground-43.json"),
                browser.read("performance.getEntriesByType('resource').map(entry => entry.name.split('/').pop())"
                        + ".filter(name => name.startsWith('ground-')).sort()"));
    }

    /** A page that says why it has no datasets is still beside the map, and helps on. */
    @Test
    void aPageWithoutResultsKeepsTheMap() {
        for (String address : List.of("?p=999", "?captured_after=foo", "?in_bbox=x", "?p=x", "?mine=true")) {
            open(address);
            browser.await("document.querySelector('#map path.land') && !document.querySelector('#map[aria-busy]')");
            assertEquals(0L, browser.read("document.querySelectorAll('#map .count-circle').length"), address);
            assertEquals(address.contains("p=") ? 0L : 1L, browser.read("[...document.querySelectorAll('main a')]"
                    + ".filter(each => each.textContent === 'Clear all').length"), address);
        }
        browser.pointer().click(browser.centre("document.querySelector('#count button')"));
        browser.await("document.activeElement === document.querySelector('#sign-in-dialog[open] input')");
        browser.type(Keys.ESCAPE);
        open("");
        browser.await(MAP_IS_READY);
        mark();
        browser.read("document.querySelector('#map').before = true");
        browser.read("document.querySelector('input[name=p]').removeAttribute('max')");
        browser.find("nav.pages input[type=number]").sendKeys(Keys.chord(Keys.CONTROL, "a"), "999", Keys.ENTER);
        browser.await("location.search.includes('p=999') && document.querySelector('#count[role=alert]')");
        assertEquals(true, browser.read("document.querySelector('#map').before"));
        browser.click("#count a");
        browser.await(CARDS + " === 10 && " + MAP_IS_READY);
        assertSameDocument();
    }

    @Test
    void allDaysOfAPageHaveOneForm() {
        open("?captured_after=2023-05-20&captured_until=2023-05-30");
        browser.await("document.querySelector('.chips bdi').textContent === 'May 20, 2023 to May 30, 2023'");
        assertEquals("Remove filter: May 20, 2023 to May 30, 2023",
                browser.find(".chips a").getAttribute("aria-label"));
        assertEquals("May 20, 2023 to May 30, 2023: 11 datasets", text("h1"));
        assertEquals("Captured from May 20, 2023 to May 30, 2023 by 1 owner", text("#summary"));
        assertEquals("May 30, 2023", text("li time"));
        browser.localize("ar-EG", "UTC");
        catalogue.replaceWith(Catalogue.plain(1234));
        open("");
        browser.await("document.querySelector('#count').textContent.includes('1,234')");
        assertEquals(false, browser.read("/[\u0660-\u0669]/.test(document.body.innerText)"));
        assertEquals(1L, browser.read("new Set([...document.querySelectorAll('#panel .choice bdi')].map(each => {"
                + " const range = document.createRange(); range.selectNodeContents(each);"
                + " return Math.round(range.getBoundingClientRect().right); })).size"));
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
        browser.await("document.querySelector('.commands .copy')");
        browser.click(".commands .copy");
        browser.await(NOTICE + ".startsWith('Copied') || " + NOTICE + ".startsWith('The browser does not allow')");
        assertTrue(browser.find(".commands .copy").getAttribute("aria-label").startsWith("Copy: "));
        open("9/");
        String copyStac = "[data-copy$='/items/9']";
        assertEquals("Copy STAC", browser.find(copyStac).getText());
        assertFalse(browser.find(".actions a.unscripted").isDisplayed());
        browser.click(copyStac);
        browser.await(NOTICE + ".startsWith('Copied') || " + NOTICE + ".startsWith('The browser does not allow')");
    }

    @Test
    void theLogoIsBesideTheNameInBothDirectionsOfWriting() {
        for (String direction : List.of("ltr", "rtl")) {
            browser.read("document.documentElement.dir = '" + direction + "'");
            assertEquals(List.of(true, 0L), browser.read("""
                    (() => {
                      const image = document.querySelector('.catalogue svg');
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
        catalogue.replaceWith(dataset(3, d -> d.thumbnailKey = "thumbnails/1.png"));
        open("");
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
                .until(() -> query().contains("search=dataset+12") && text("#count").equals("1 to 2 of 2 datasets"));
        browser.click("ol.datasets a");
        Patience.await("the page of the dataset").ignoreExceptions()
                .until(() -> browser.find("h1").getText().equals("dataset 12"));
    }

    /** As when the files of another version are gone, or a filter of the network stops them. */
    @Test
    void everythingButTheMapWorksWhenTheScriptsCannotBeLoaded() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 20).mapToObj(i -> dataset(i, d -> {
            d.category = new String[]{i % 2 == 0 ? "Forest" : "Desert"};
            d.capturedDate = Instant.parse(i <= 8 ? "2023-05-31T00:00:00Z" : "2022-01-01T00:00:00Z");
        })).toList());
        browser.read("localStorage.setItem('filters-folded', '')");
        for (String file : List.of("*/page.js", "*/leaflet*", "*.js")) {
            browser.block(file);
            open("");
            assertWorksWithoutScripts();
        }
        for (int width : List.of(1280, 390)) {
            browser.width(width);
            open("");
            browser.pointer().click(browser.centre("document.querySelector('input[name=search]')"));
            browser.type("dataset 1", Keys.ENTER);
            browser.await(READY + " && location.search.includes('search=dataset')");
            openPanel(width);
            browser.pointer().click(browser.centre(CHOICE.formatted("Forest")));
            browser.await(READY + " && " + TITLE + ".startsWith('Forest')");
            openPanel(width);
            browser.find("[name=captured_until]").sendKeys("12312022");
            browser.click("#panel .apply");
            browser.await(READY + " && location.search.includes('captured_until=') && " + CHIPS + ".length === 3");
            assertWorksWithoutScripts();
            browser.pointer().click(browser.centre("document.querySelector('ol.datasets .name')"));
            browser.await(READY + " && document.querySelector('article.dataset')");
            assertEquals(List.of(true, true, false), browser.read("['figure', '.actions a', '.actions [data-copy]']"
                    + ".map(each => document.querySelector(each).checkVisibility())"));
            assertWorksWithoutScripts();
        }
    }

    /** A phone has the filters in a sheet. */
    private static void openPanel(int width) {
        if (width < 600) {
            browser.pointer().click(browser.centre("document.querySelector('.to-panel')"));
        }
    }

    /** Nothing stands there that only a script fills, or that does nothing. */
    private static void assertWorksWithoutScripts() {
        assertEquals(List.of(),
                browser.read("[...document.querySelectorAll('#map, #time, [hidden], html.filters-folded')]"
                        + ".filter(each => each.matches('#map, #time') ? each.getBoundingClientRect().height > 0"
                        + " : each.checkVisibility()).map(each => each.outerHTML)"));
        assertEquals(List.of(), browser.violations());
        assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"));
    }

    /** The button keeps its place while the reader writes in a field of the form. */
    @Test
    void aPhoneSaysHowManyFiltersThereAre() {
        String button = "document.querySelector('.to-panel')";
        browser.becomePhone();
        open("?category=Forest&search=dataset");
        mark();
        awaitForms();
        assertEquals("Filters (2)", text(".to-panel"));
        tap(button);
        tap("document.querySelector('[name=captured_after]')");
        browser.type("01012023");
        browser.await("location.search.includes('captured_after=2023-01-01') && " + button
                + ".textContent.trim() === 'Filters (3)'");
        browser.type(Keys.ESCAPE);
        tap("document.querySelector('.chips a')");
        browser.await("!location.search.includes('Forest') && " + button + ".textContent.trim() === 'Filters (2)'");
        tap("document.querySelector('[name=search]')");
        browser.read("document.activeElement.select()");
        browser.type(Keys.BACK_SPACE);
        browser.await("!location.search.includes('search') && " + button + ".textContent.trim() === 'Filters (1)'");
        browser.back();
        browser.await(button + ".textContent.trim() === 'Filters (2)'");
        assertSameDocument();
    }

    private static void tap(String element) {
        browser.read(element + ".scrollIntoView({ block: 'center' })");
        browser.pointer().tap(browser.centre(element));
    }

    @Test
    void theKeyboardReachesEverything() {
        mark();
        browser.type(Keys.TAB);
        assertEquals("skip", browser.read("document.activeElement.className"));
        browser.type(Keys.ENTER, Keys.TAB);
        assertEquals(true, browser.read("document.activeElement.matches('ol.datasets > li:first-child a')"));
        assertEquals(List.of("region", "Results"),
                List.of(browser.find(".listing").getAriaRole(), browser.find(".listing").getAccessibleName()));
        assertEquals("Results", browser.find(".listing h2").getAccessibleName());
        for (int i = 0; i < 60 && Boolean.FALSE.equals(browser.read("document.activeElement.id === 'map'")); i++) {
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

    /** The list, a dataset, a form, the dialog and the map as a screen reader has them. */
    @Test
    void aScreenReaderFindsWhatIsSeenInItsOrder() {
        Caller owner = Caller.writer("ada");
        open("?page_size=5");
        browser.await(MAP_IS_READY + " && document.querySelector('#map .count-circle')"
                + " && document.querySelector('#time .bar')");
        List<String> tree = namedTree();
        assertOrder(tree, "link \"Skip to the results\"", "banner", "navigation \"Service\"", "button \"Sign in\"",
                "main",
                "heading \"Datasets\"", "search \"Datasets\"", "searchbox", "heading \"Filters\"",
                "region \"Results\"", "heading \"Results\"", "button \"Copy link\"", "navigation \"Order\"",
                "list \"", "link \"edge\"", "link \"dataset 6\"", "navigation \"Pages\"", "region \"Map\"",
                "button \"Zoom in\"", "datasets. Zoom in.\"", "navigation \"Time of capture\"");
        browser.click("#sign-in");
        assertOrder(namedTree(), "dialog \"Sign in\"", "heading \"Sign in\"", "textbox \"Token\"", "button \"Sign in\"",
                "button \"Cancel\"");
        browser.type(Keys.ESCAPE);
        open("9/");
        browser.await(MAP_IS_READY);
        assertOrder(namedTree(), "link \"Skip to the content\"", "main", "heading \"dataset 9\"", "region \"Map\"");
        browser.read("sessionStorage.setItem('dataset-token', '" + owner.key() + "')");
        browser.read("sessionStorage.setItem('dataset-account', 'ada')");
        open("new/");
        browser.await("document.querySelector('#dataset #map.leaflet-container')"
                + " && !document.querySelector('#dataset').ariaBusy");
        assertOrder(namedTree(), "main", "heading \"New dataset\"", "textbox \"Name", "region \"Map\"",
                "button \"Save");
    }

    /** The tree, in which whatever one can use or jump to has a name. */
    private static List<String> namedTree() {
        List<String> tree = browser.accessibilityTree();
        String nameless = "(link|button|textbox|searchbox|combobox|checkbox|radio|spinbutton|slider|image|img|region|navigation"
                + "|dialog|Date|DisclosureTriangle|heading) \"\\s*\"";
        assertEquals(List.of(), IntStream.range(0, tree.size()).filter(i -> tree.get(i).matches(nameless))
                .mapToObj(i -> tree.subList(Math.max(0, i - 3), Math.min(i + 3, tree.size()))).toList());
        return tree;
    }

    /** Each of the texts begins, or is contained in, a line behind the one before. */
    private static void assertOrder(List<String> tree, String... expected) {
        int place = 0;
        for (String each : expected) {
            int from = place;
            while (place < tree.size() && !tree.get(place).contains(each)) {
                place++;
            }
            assertTrue(place < tree.size(), () -> each + " is not in " + tree.subList(from, tree.size()));
        }
    }

    /** The colours depend on the scheme alone, and what stands where on the width. A long run checks each pair. */
    @Test
    void noPageHasABarrier() {
        boolean each = RandomTests.times(0, 1) == 1;
        List<Integer> widths = List.of(1280, 768, 390, 320);
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(Map.of("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"));
            for (String address : List.of("", "?search=nothing", "?p=999", "?mine=true", "?in_bbox=x",
                    "?category=Forest&in_bbox=0,0,50,50&view=gallery", "9/", "999999/")) {
                int loaded = scheme.equals("light") ? 1280 : 320;
                for (int width : each ? widths : List.of(loaded)) {
                    browser.width(width);
                    open(address);
                    assertEquals(List.of(), browser.violations(), scheme + ' ' + width + ' ' + address);
                }
                for (int width : scheme.equals("light") ? widths : List.of(loaded)) {
                    browser.width(width);
                    assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"),
                            () -> width + " " + address);
                }
                browser.width(1280);
                browser.read("document.documentElement.style.fontSize = '200%'");
                assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"),
                        () -> "large text " + address);
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
                assertTrue(shift <= 0.02, () -> shift + " on the " + screen + ": " + list.resolve(address));
                browser.await(LOADED_SCRIPTS + ".length >= 4");
                assertEquals(List.of("land.json", "later.js", "leaflet-1.9.4.js", "page.js"),
                        browser.read(LOADED_SCRIPTS));
            }
        }
    }

    /** The text waits for no file. What the map needs is asked for while the page is parsed, and not one after the other. */
    @Test
    void theTextWaitsForNoFileAndTheMapForNoChainOfFiles() {
        for (String address : List.of("", "?page_size=10", "9/")) {
            open(address);
            browser.await(MAP_IS_READY);
            List<String> preloaded = new ArrayList<>(List.of("land.json", "leaflet-1.9.4.js"));
            if (!address.equals("9/")) {
                preloaded.add("grid/");
            }
            assertEquals(Set.copyOf(preloaded), Set.copyOf((List<?>) browser
                    .read("[...document.querySelectorAll('link[rel=preload]')].map(link => new URL(link.href).pathname)"
                            + ".map(path => path.endsWith('grid/') ? 'grid/' : path.split('/').pop())")));
            assertEquals(List.of(), browser.read("performance.getEntriesByType('resource')"
                    + ".filter(entry => entry.renderBlockingStatus === 'blocking').map(entry => entry.name)"));
            assertEquals(List.of(), browser.read("performance.getEntriesByType('resource')"
                    + ".filter(entry => entry.initiatorType === 'fetch').map(entry => entry.name)"
                    + ".filter(name => name.endsWith('/grid/') || name.endsWith('/land.json'))"));
        }
        open("?in_bbox=-90,-45,90,45");
        assertEquals(List.of("land.json"), browser.read("[...document.querySelectorAll('link[as=fetch]')]"
                + ".map(link => link.href.split('/').pop())"));
        open("?in_bbox=28,-2,32,2");
        browser.await("document.querySelector('#map path.coast[stroke]')");
        assertEquals(List.of("ground-30.json", "ground-31.json", "ground-42.json", "ground-43.json"),
                browser.read("performance.getEntriesByType('resource').filter(entry => entry.name.includes('/ground-')"
                        + " && entry.initiatorType === 'link').map(entry => entry.name.split('/').pop()).sort()"));
        open("999999/");
        assertEquals(List.of(), browser.read("[...document.querySelectorAll('link[rel=preload][as=fetch]')]"));
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
