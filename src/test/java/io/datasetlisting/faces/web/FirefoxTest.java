package io.datasetlisting.faces.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Firefox;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the pages in a real Firefox, with a mouse, a finger and a keyboard. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class FirefoxTest extends PagesInOtherBrowser {

    /** A footprint in the view. Leaflet gives this path to a shape outside of the view. */
    private static final String FOOTPRINT = "#map path.footprint:not([d='M0 0'])";
    private static final String TITLE = "document.querySelector('article.dataset h1')?.textContent";
    private static final String TOOLTIP = "document.querySelector('#map .leaflet-tooltip')";
    private static final String NAME = "document.querySelector('.catalogue')";

    private static Firefox browser;

    @BeforeEach
    void startAtTheList() throws Exception {
        browser = browser(Firefox.class, Firefox::start);
        browser.newTab(1280, 900);
        open("");
    }

    /** The field goes on by itself. */
    @Override
    CharSequence[] keysOfDay() {
        return new CharSequence[]{"05302023"};
    }

    /** Opens an address below the list. */
    private void open(String address) {
        browser.openPage(list.resolve(address));
    }

    /** Opens the list with all datasets, so that no circle with a count lies on a footprint. */
    private void openMap() {
        open("?page_size=100");
        browser.await(MAP_IS_READY);
    }

    @Test
    void theMouseFindsTheNameOfAFootprintAndOpensItsDataset() {
        openMap();
        browser.hover(FOOTPRINT);
        browser.await(TOOLTIP);
        List<?> size = (List<?>) browser
                .read("(({ width, height }) => [width, height])(" + TOOLTIP + ".getBoundingClientRect())");
        assertTrue(((Number) size.get(0)).doubleValue() > ((Number) size.get(1)).doubleValue(), size::toString);
        String name = (String) browser.read(TOOLTIP + ".textContent");
        assertTrue(name.startsWith("dataset "), name);
        // The footprint below the mouse is now in front of the others, and so the last element.
        browser.click(FOOTPRINT + ".marked");
        browser.await(TITLE + " === '" + name + "'");
        assertEquals(List.of(), browser.console());
    }

    @Test
    void aTapOpensTheDatasetOfAFootprint() {
        browser.size(390, 844);
        // Footprints that lie on each other would be listed.
        open("?in_bbox=40.2,20.2,40.8,20.8");
        browser.await(MAP_IS_READY);
        browser.tap(FOOTPRINT);
        browser.await(TITLE + " === 'dataset 60'");
        assertEquals(List.of(), browser.console());
    }

    /** The touches of WebDriver do not scroll in Firefox. They move the map, unless the map leaves one finger to the page. */
    @Test
    void oneFingerScrollsThePageAndLeavesTheMap() {
        browser.size(390, 844);
        openMap();
        String place = "document.querySelector(\"" + FOOTPRINT + "\").getBoundingClientRect().top"
                + " - document.getElementById('map').getBoundingClientRect().top";
        Object before = browser.read(place);
        browser.swipeUp("#map", 100);
        browser.read("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assertEquals(before, browser.read(place));
        assertEquals("pan-y", browser.read("getComputedStyle(document.getElementById('map')).touchAction"));
    }

    @Test
    void linksReplaceTheContentWithoutAnErrorInTheConsole() {
        browser.await(MAP_IS_READY);
        browser.read("window.marked = true");
        browser.click("nav.pages a[rel=next]");
        browser.await(FIRST + " === 'dataset 48'");
        browser.click("ol.datasets a");
        browser.await(TITLE + " === 'dataset 48'");
        // Not at the end: on the way back Firefox would show a document that another one has replaced.
        assertEquals(true, browser.read("window.marked === true"));
        browser.back();
        browser.await(FIRST + " === 'dataset 48'");
        browser.back();
        browser.await(FIRST + " === 'dataset 3'");
        assertEquals(List.of(), browser.console());
    }

    @Test
    void theListFollowsWhatOneTypesIntoTheFilters() {
        browser.click("input[name=search]");
        browser.type("dataset 12");
        browser.await(CARDS + " === 2 && location.search === '?search=dataset+12'");
        assertEquals("dataset 12", browser.read("document.activeElement.value"));
        browser.click("details.rare summary");
        browser.click("input[name=in_bbox]");
        browser.type("0,0,10,10", Keys.ENTER);
        browser.await(CARDS + " === 1");
        browser.await("document.querySelector('#map path.area')");
    }

    @Test
    void anOwnerSignsInAndOut() {
        Caller owner = Caller.writer("ada");
        owner.create("{\"dataset_name\": \"secret\", \"coordinates\": [1, 2], \"is_private\": true,"
                + " \"captured_date\": \"2021-01-01T00:00:00Z\"}");
        open("?search=secret");
        assertEquals(0L, browser.read(CARDS));
        browser.click("#sign-in");
        browser.type("wrong", Keys.ENTER);
        browser.await("document.getElementById('sign-in-error').textContent.includes('does not know')");
        browser.type(owner.key(), Keys.ENTER);
        browser.await(FIRST + " === 'secret'");
        assertEquals("ada", browser.read("document.getElementById('account').textContent"));
        browser.click("#sign-in");
        browser.await(CARDS + " === 0");
        assertFalse(browser.read("document.documentElement.outerHTML").toString().contains(owner.key()));
    }

    @Test
    void theLogoLeavesTheNameFree() throws IOException {
        for (String direction : List.of("ltr", "rtl")) {
            browser.read("(document.documentElement.dir = '" + direction + "', " + NAME
                    + ".style.color = 'transparent', 0)");
            BufferedImage header = picture(NAME);
            BufferedImage name = picture("(range => { range.selectNodeContents(" + NAME
                    + ".lastChild); return range; })(document.createRange())");
            assertTrue(colours(header) > 1, "a logo, " + direction);
            assertEquals(1, colours(name), "behind the name, " + direction);
        }
    }

    /** The picture of an element, or of a range of text. */
    private static BufferedImage picture(String part) throws IOException {
        List<?> box = (List<?>) browser.read("(({ left, top, width, height }) => [left, top, width, height])("
                + part + ".getBoundingClientRect()).map(Math.round)");
        return browser.picture(((Number) box.get(0)).intValue(), ((Number) box.get(1)).intValue(),
                ((Number) box.get(2)).intValue(), ((Number) box.get(3)).intValue());
    }

    private static long colours(BufferedImage picture) {
        return IntStream.of(picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth()))
                .distinct().count();
    }
}
