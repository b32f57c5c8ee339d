package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the pages of {@code /stac}, the documentation and the errors in a browser, in both directions of writing. */
@QuarkusTest
class StacPagesBrowserTest extends PagesInBrowser {

    private static final List<String> PAGES = List.of("/stac?f=html", "/stac/collections?f=html",
            "/stac/collections/areas?f=html", "/stac/conformance?f=html", "/stac/queryables?f=html",
            "/stac/search?f=html&limit=3", "/stac/collections/datasets/items/26?f=html", "/datasets/26/",
            "/datasets/changes/", "/docs/",
            "/nowhere", "/stac/search?f=html&limit=x");
    private static final String OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

    @BeforeEach
    void fill() {
        List<Dataset> datasets = new ArrayList<>(Catalogue.plain(25));
        datasets.add(dataset(26, d -> {
            d.bbox = new double[]{36.2, -86.8, 36.3, -86.7};
            d.coordinates = new double[]{36.25, -86.75};
            d.bandStats = "{\"dsm\":{\"b1\":{\"min\":1,\"max\":3,\"mean\":2,\"stddev\":1}},\"dtm\":{},\"ortho\":{}}";
        }));
        catalogue.replaceWith(datasets);
    }

    private static String focused() {
        return (String) browser.read("document.activeElement.id");
    }

    @Test
    void theTabsWorkByKeyboardAndWithoutScripts() {
        for (boolean hasScripts : List.of(true, false)) {
            browser.setScripts(hasScripts);
            browser.open(list.resolve("/stac?f=html").toString());
            for (int i = 0; i < 40 && !focused().equals("tab-qgis"); i++) {
                browser.type(Keys.TAB);
            }
            assertEquals("tab-qgis", focused());
            assertTrue(browser.find(".tabs .qgis").isDisplayed());
            assertFalse(browser.find(".tabs .python").isDisplayed());
            browser.type(Keys.ARROW_RIGHT);
            assertEquals("tab-python", focused());
            assertFalse(browser.find(".tabs .qgis").isDisplayed());
            assertTrue(browser.find(".tabs .python").getText().contains("Client.open("));
            assertEquals("solid",
                    browser.read("getComputedStyle(document.querySelector('label[for=tab-python]')).outlineStyle"));
            browser.type(Keys.ARROW_LEFT);
            assertTrue(browser.find(".tabs .qgis").isDisplayed());
            browser.click("label[for=tab-python]");
            assertTrue(browser.find(".tabs .python").isDisplayed());
        }
    }

    @Test
    void theMapIsDrawnWithoutScripts() {
        browser.setScripts(false);
        browser.open(list.resolve("/stac/collections/areas?f=html").toString());
        assertTrue(browser.find(".extent svg").isDisplayed());
        assertTrue(browser.find(".extent svg").getSize().getHeight() > 200);
    }

    @Test
    @Tag(NightlySuite.TAG)
    void nothingIsWiderThanTheScreen() {
        for (String language : List.of("en-US", "ar")) {
            browser.localize(language, "UTC");
            for (String path : PAGES) {
                browser.openPage(list.resolve(path));
                browser.read("document.querySelectorAll('details').forEach(each => { each.open = true; })");
                for (int width : List.of(390, 768)) {
                    browser.width(width);
                    assertEquals(0L, browser.read(OVERFLOW), width + " " + language + ' ' + path);
                }
            }
        }
    }

    /** The colours depend on the scheme alone, and what stands where on the direction of writing. */
    @Test
    @Tag(NightlySuite.TAG)
    void noPageHasABarrier() {
        Map.of("light", "en-US", "dark", "ar").forEach((scheme, language) -> {
            browser.prefer(Map.of("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"));
            browser.localize(language, "UTC");
            for (String path : PAGES) {
                browser.openPage(list.resolve(path));
                browser.await("!document.getElementById('theme').hidden");
                assertEquals(List.of(), browser.violations(), scheme + ' ' + language + ' ' + path);
            }
        });
    }

    /** The scripts speak the language of the page. */
    @Test
    void theScriptsSpeakTheLanguageOfThePage() {
        browser.localize("de", "UTC");
        open("26/");
        browser.await(MAP_IS_READY);
        assertEquals("Karte", browser.find("#map").getAttribute("aria-label"));
        assertEquals("Vergrößern", browser.find(".leaflet-control-zoom-in").getAttribute("title"));
        assertEquals("Link kopieren", browser.find("[data-copy]").getText());
        assertEquals("Anmelden", browser.find("#sign-in").getText());
        browser.setNetwork(false, 0);
        browser.click("nav.way a");
        browser.await(NOTICE + ".startsWith('Der Dienst ist nicht erreichbar.')");
        assertEquals("Erneut versuchen", browser.find("#notice button").getText());
        browser.setNetwork(true, 0);
    }
}
