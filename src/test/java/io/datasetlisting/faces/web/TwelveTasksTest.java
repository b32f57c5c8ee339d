package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Twelve tasks of readers, each done with the mouse, the fingers or the keyboard, from the first page to the goal. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class TwelveTasksTest extends PagesInBrowser {

    private static final int DATASETS = 640;
    private static final String TITLE = "document.querySelector('h1')?.textContent";
    private static final String NAMES = "[...document.querySelectorAll('ol.datasets .name')].map(name =>"
            + " name.textContent)";
    private static final String CHIPS = "[...document.querySelectorAll('.chips bdi')].map(chip => chip.textContent)";
    private static final String CIRCLE = "document.querySelector('#map .count-circle')";
    private static final String SEARCH_AREA = "document.querySelector('.area-buttons button')";
    private static final String PAGE_NUMBER = "document.querySelector('nav.pages input[type=number]')";
    private static final String IS_READY = "!document.querySelector('main[aria-busy=true]')";

    @BeforeEach
    void fill() {
        catalogue.replaceWith(LongStream.rangeClosed(1, DATASETS).mapToObj(i -> dataset(i, d -> {
            d.datasetName = i % 20 == 0 ? "Everglades flight " + i : "dataset " + i;
            d.category = new String[]{i % 4 == 0 ? "Forest" : "Desert"};
            // The page shows the newest first.
            d.capturedDate = Instant.parse(i % 3 == 0 ? "2023-05-31T00:00:00Z" : "2021-05-31T00:00:00Z")
                    .minus(i, ChronoUnit.MINUTES);
            boolean isInAmerica = i % 8 == 0;
            d.coordinates = isInAmerica
                    ? new double[]{25 + i / 1000.0, -81}
                    : new double[]{45 + i / 1000.0, 9};
        })).toList());
    }

    private static String choice(String name) {
        return "[...document.querySelectorAll('a.choice')].find(each => each.querySelector('bdi').textContent === '"
                + name + "')";
    }

    /** Clicks what an expression of the page finds, with the mouse. */
    private static void click(String expression) {
        browser.read("(" + expression + ").scrollIntoView({ block: 'center' })");
        browser.pointer().click(browser.centre(expression));
    }

    /** Touches what an expression of the page finds, with a finger. */
    private static void tap(String expression) {
        browser.read("(" + expression + ").scrollIntoView({ block: 'center' })");
        browser.pointer().tap(browser.centre(expression));
    }

    private static void signIn(Caller caller) {
        click("document.getElementById('sign-in')");
        browser.await("document.querySelector('dialog[open] input')");
        browser.type(caller.key(), Keys.ENTER);
        browser.await("document.getElementById('account').textContent === '" + caller.username() + "'");
    }

    @Test
    void findForestOf2023InARegionAndShareIt() {
        open("");
        click(choice("Forest"));
        browser.await(TITLE + " === 'Forest: 160 datasets'");
        click(choice("2023"));
        browser.await(TITLE + " === 'Forest, 2023: 53 datasets'");
        browser.await(CIRCLE + " && " + MAP_IS_READY);
        browser.await("(() => { const before = window.before;"
                + " window.before = JSON.stringify(" + CIRCLE + ".getBoundingClientRect());"
                + " return before === window.before && !document.querySelector('.leaflet-zoom-anim'); })()");
        // The map shows the datasets of the circle, which rests: a click would miss one that moves.
        click(CIRCLE);
        browser.await(SEARCH_AREA + "?.hidden === false && !document.querySelector('.leaflet-zoom-anim')"
                + " && document.querySelectorAll('#map .count-circle').length === 1");
        click(SEARCH_AREA);
        browser.await(TITLE + ".startsWith('Forest, 2023, in this area: ') && " + IS_READY);
        List<?> expected = (List<?>) browser.read("[" + TITLE + ", document.title, " + CHIPS + ", " + NAMES + "]");
        assertEquals(List.of("Forest", "2023", "This area"), expected.get(2));
        assertTrue(List.of("26", "27").contains(expected.get(0).toString().replaceAll("\\D+", " ").split(" ")[2]),
                expected::toString);
        try (Browser another = Browser.start()) {
            another.openPage(URI.create(browser.url()));
            another.await(MAP_IS_READY);
            assertEquals(expected, another.read("[" + TITLE + ", document.title, " + CHIPS + ", " + NAMES + "]"));
            another.await("document.querySelector('#map path.area')");
        }
    }

    @Test
    void findAMisspeltName() {
        open("");
        click("document.querySelector('[name=search]')");
        browser.type("everglads", Keys.ENTER);
        String link = "document.querySelector('.did-you-mean a')";
        browser.await(link + "?.textContent === 'Everglades (32)' && " + IS_READY
                + " && document.getElementById('suggestions').hidden");
        click(link);
        browser.await(TITLE + " === '“Everglades”: 32 datasets' || " + TITLE + ".endsWith(': 32 datasets')");
        // A part inside of a word.
        click("document.querySelector('[name=search]')");
        browser.find("[name=search]").sendKeys(Keys.chord(Keys.CONTROL, "a"), "erglad", Keys.ENTER);
        browser.await(link + "?.textContent === 'Everglades (32)'");
    }

    @Test
    void goToPage300() {
        open("?page_size=2");
        click(PAGE_NUMBER);
        browser.find("nav.pages input[type=number]").sendKeys(Keys.chord(Keys.CONTROL, "a"), "300", Keys.ENTER);
        browser.await("document.querySelector('#count').textContent.includes('599 to 600 of 640')");
        assertTrue(query().contains("p=300"), query());
        assertTrue(browser.read("document.title").toString().contains("300"));
        Object names = browser.read(NAMES);
        click("document.querySelector('ol.datasets a')");
        browser.await("document.querySelector('article.dataset')");
        browser.back();
        browser.await("document.querySelector('#count')?.textContent.includes('599 to 600 of 640')");
        assertEquals(names, browser.read(NAMES));
    }

    @Test
    void copyTheStacItemOfADataset() {
        open("");
        click("document.querySelector('ol.datasets a')");
        browser.await("document.querySelector('[data-copy*=\"/items/\"]')");
        String name = browser.read(TITLE).toString();
        click("document.querySelector('[data-copy*=\"/items/\"]')");
        browser.await(NOTICE + " === 'Copied.'");
        browser.back();
        browser.await(CARDS + " === 15");
        browser.type("/");
        browser.await("document.activeElement.name === 'search'");
        browser.find("[name=search]").sendKeys(Keys.chord(Keys.CONTROL, "v"));
        URI item = URI.create(browser.read("document.activeElement.value").toString());
        assertEquals(name, Caller.anonymous().request().accept("application/geo+json").get(item).jsonPath()
                .getString("properties.title"));
    }

    @Test
    void signInAndSeeOnesPrivateDatasets() {
        Caller ada = Caller.writer("ada");
        ada.create("{\"dataset_name\": \"secret\", \"coordinates\": [1, 2], \"is_private\": true}");
        ada.create("{\"dataset_name\": \"shown\", \"coordinates\": [1, 2]}");
        open("");
        assertFalse(browser.find("#mine").isDisplayed());
        signIn(ada);
        click("document.getElementById('mine')");
        browser.await(TITLE + " === 'My own: 2 datasets'");
        click(choice("Private"));
        browser.await(TITLE + " === 'My own, private: 1 dataset'");
        assertEquals(List.of("secret"), browser.read(NAMES));
        assertEquals(List.of(), browser.violations());
        click("document.getElementById('sign-in')");
        browser.await(TITLE + " === 'Datasets: my own, private' && " + CARDS + " === 0");
        assertFalse(browser.read("document.documentElement.outerHTML").toString().contains("secret"));
        assertEquals("Sign in to see your own datasets.", text("#count p"));
        assertEquals(List.of(), browser.violations());
        click("document.querySelector('#count button')");
        browser.type(ada.key(), Keys.ENTER);
        browser.await(TITLE + " === 'My own, private: 1 dataset'");
        browser.await("document.activeElement.tagName === 'H1'");
    }

    @Test
    void saveAFilteredListAsCsv(@TempDir Path folder) throws IOException {
        browser.saveTo(folder);
        open("");
        click(choice("Forest"));
        browser.await(TITLE + " === 'Forest: 160 datasets' && " + IS_READY);
        click("[...document.querySelectorAll('.formats a')].find(link => link.textContent.includes('CSV'))");
        Path file = folder.resolve("datasets.csv");
        Patience.await("the file").until(() -> Files.exists(file));
        assertEquals(161, Files.readAllLines(file).size());
    }

    @Test
    void findADatasetOnAPhone() {
        browser.becomePhone();
        open("");
        tap("document.querySelector('.to-panel')");
        browser.await("document.querySelector('#panel').matches(':popover-open')");
        tap(choice("Forest"));
        browser.await("document.querySelector('#panel .close').textContent.includes('160') && " + IS_READY);
        assertEquals(List.of(), browser.violations());
        tap("document.querySelector('#panel .close')");
        browser.await("!document.querySelector('#panel').matches(':popover-open')");
        assertEquals("Filters (1)", text(".to-panel"));
        tap("document.querySelector('nav.shapes a:last-child')");
        browser.await("document.querySelector('ol.gallery') && " + IS_READY);
        assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"));
        tap("document.querySelector('ol.datasets .picture')");
        browser.await("document.querySelector('article.dataset h1')?.textContent === 'dataset 12'");
    }

    @Test
    void findADatasetWithTheKeyboardOnly() {
        open("");
        mark();
        browser.type("/");
        browser.await("document.activeElement.name === 'search'");
        browser.type("everg");
        browser.await("document.querySelector('#suggestions [role=option]')?.textContent.startsWith('Everglades')");
        browser.type(Keys.ARROW_DOWN, Keys.ENTER);
        browser.await(TITLE + ".endsWith(': 32 datasets') && " + IS_READY);
        tabTo("document.activeElement.matches('a.choice')");
        browser.type(Keys.ENTER);
        browser.await("location.search.includes('category=') && " + IS_READY);
        tabTo("document.activeElement.matches('ol.datasets a')");
        browser.type(Keys.ENTER);
        browser.await("document.querySelector('article.dataset h1')?.textContent.startsWith('Everglades')");
        assertEquals("H1", browser.read("document.activeElement.tagName"));
        assertSameDocument();
    }

    private static void tabTo(String condition) {
        for (int i = 0; i < 120 && Boolean.FALSE.equals(browser.read(condition)); i++) {
            browser.type(Keys.TAB);
        }
        assertEquals(true, browser.read(condition));
    }

    @Test
    void findADatasetWithoutScripts() {
        browser.setScripts(false);
        browser.open(list.toString());
        browser.find("#panel a.choice[href*='category=Forest']").click();
        awaitText("h1", "Forest: 160 datasets");
        browser.find("#panel a.choice[href*='captured_after=2023']").click();
        awaitText("h1", "Forest, 2023: 53 datasets");
        browser.find("nav.pages input[type=number]").sendKeys(Keys.chord(Keys.CONTROL, "a"), "4", Keys.ENTER);
        awaitText("#count", "46 to 53 of 53 datasets");
        browser.find(".chips li:nth-child(2) a").click();
        awaitText("h1", "Forest: 160 datasets");
        browser.find("nav.shapes a:last-child").click();
        Patience.await("the gallery").ignoreExceptions().until(() -> browser.find("ol.gallery").isDisplayed());
        browser.find("ol.datasets a").click();
        awaitText("h1", "dataset 12");
    }

    private static void awaitText(String selector, String expected) {
        Patience.await(expected).ignoreExceptions().until(() -> text(selector).equals(expected));
    }

    /** A network as in the country: DevTools call it 3G. */
    @Test
    void findADatasetOnASlowNetwork() {
        browser.open("about:blank");
        browser.setNetwork(true, 1200, 50_000);
        open("");
        assertEquals(15L, browser.read(CARDS));
        mark();
        click(choice("Forest"));
        browser.await(NOTICE + ".startsWith('Still loading')");
        browser.await(TITLE + " === 'Forest: 160 datasets'");
        browser.await("!" + NOTICE + ".startsWith('Still loading')");
        // Of two clicks the later one counts.
        click(choice("2023"));
        click(choice("2021"));
        browser.await(TITLE + " === 'Forest, 2021: 107 datasets' && " + IS_READY);
        assertSameDocument();
    }

    @Test
    void readOnWhileTheServiceAnswersNothing() {
        open("");
        mark();
        click(choice("Forest"));
        browser.await(TITLE + " === 'Forest: 160 datasets' && " + IS_READY);
        Object names = browser.read(NAMES);
        browser.setNetwork(false, 0);
        click(choice("2023"));
        browser.await(NOTICE + ".startsWith('The service cannot be reached. Check the network.')");
        click("document.querySelector('[name=search]')");
        browser.type("everglades");
        browser.await(NOTICE + ".startsWith('The service cannot be reached. Check the network.') && " + IS_READY);
        assertEquals(List.of("everglades", names, "?category=Forest"), browser
                .read("[document.querySelector('[name=search]').value, " + NAMES + ", location.search]"));
        assertEquals(List.of(), browser.violations());
        browser.setNetwork(true, 0);
        click("document.querySelector('#notice button')");
        browser.await("location.search.includes('search=everglades') && " + NAMES
                + ".every(name => name.startsWith('Everglades')) && " + CARDS + " > 10");
        assertTrue(query().contains("category=Forest"), query());
        assertSameDocument();
    }

    @Test
    void nothingPrivateStaysAfterTheTokenIsRevoked() {
        Caller ada = Caller.writer("ada");
        ada.create("{\"dataset_name\": \"secret\", \"coordinates\": [1, 2], \"is_private\": true}");
        for (String start : List.of("list", "dataset")) {
            open("");
            JsonObject token = new JsonObject(Caller.admin().newToken(ada, "reader", null).asString());
            signIn(ada.holding(token.getString("key")));
            click("document.getElementById('mine')");
            browser.await(NAMES + "[0] === 'secret' && " + IS_READY);
            if (start.equals("dataset")) {
                click("document.querySelector('ol.datasets a')");
                browser.await("document.querySelector('article.dataset h1')?.textContent === 'secret'");
            }
            mark();
            Caller.admin().delete(Caller.TOKENS + token.getLong("id") + "/").then().statusCode(204);
            click(start.equals("list") ? choice("Private") : "document.querySelector('.way a')");
            browser.await(NOTICE + " === 'Your token is no longer valid. You see the public datasets.'");
            browser.await(IS_READY + " && !document.documentElement.outerHTML.includes('secret')");
            assertEquals("", browser.read("document.getElementById('account').textContent"));
            assertEquals(0L, browser.read("sessionStorage.length"));
            assertFalse(browser.find("#mine").isDisplayed());
            assertEquals("Sign in to see your own datasets.", text("#count p"));
            assertSameDocument();
        }
    }
}
