package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.Arrays;
import java.util.List;

import jakarta.inject.Inject;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.OtherOrigin;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonObject;

/** Tests the pages of a service with a tile server and a licence. */
@QuarkusTest
@TestProfile(WithStorage.class)
class ConfiguredPageTest {

    private static final List<String> PAGES = List.of("/datasets/", "/datasets/3/",
            "/stac/collections/datasets/items/3");
    private static final String LOADED = "[...document.querySelectorAll('#map img.leaflet-tile-loaded')]";

    @Inject
    Catalogue catalogue;

    @ConfigProperty(name = "dataset.storage.url")
    URI storage;

    @TestHTTPResource("/")
    URI service;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(dataset(3));
    }

    @AfterEach
    void startTileServer() {
        OtherOrigin.setTiles(true);
    }

    @Test
    void noPageAllowsAnotherHostThanTheStorageAndTheTileServers() {
        for (String path : List.of("/datasets/", "/datasets/3/", "/datasets/4/", "/stac?f=html", "/nowhere",
                "/docs/")) {
            List<String> policy = Arrays.asList(anonymous().request().accept("text/html").get(path)
                    .header("Content-Security-Policy").split("; "));
            assertTrue(policy.contains("img-src 'self' data: http://" + storage.getAuthority() + ' '
                    + OtherOrigin.allowed() + " https://titiler.example.org"), policy::toString);
            assertEquals(1, policy.stream().filter(rule -> rule.contains("//")).count(), policy::toString);
        }
    }

    @Test
    void theMapsShowTheTilesAndTheirOrigin() {
        try (Browser browser = Browser.start()) {
            for (String path : PAGES) {
                browser.openPage(service.resolve(path + "?f=html"));
                browser.await(LOADED + ".length > 3");
                assertEquals(true,
                        browser.read(LOADED + ".every(tile => tile.naturalWidth === 256 && tile.src.startsWith('"
                                + OtherOrigin.allowed() + "/'))"),
                        path);
                assertTrue(browser.find(".leaflet-control-attribution").getText().endsWith(OtherOrigin.ATTRIBUTION),
                        path);
                assertEquals(0L, browser.read("document.querySelectorAll('#map path.land').length"), path);
                assertEquals("undefined", browser.read("String(window.hacked)"));
                assertEquals(List.of(), errors(browser));
                assertEquals(List.of(), browser.violations());
            }
        }
    }

    @Test
    void theReaderChoosesBetweenMapAndSatellite() {
        try (Browser browser = Browser.start()) {
            for (String path : List.of("/datasets/", "/datasets/3/")) {
                browser.openPage(service.resolve(path));
                browser.await(LOADED + ".length > 3");
                String satellite = "[...document.querySelectorAll('.leaflet-control-layers label')]"
                        + ".find(label => label.textContent.trim() === 'Satellite')";
                browser.pointer().click(browser.centre(satellite));
                browser.await(LOADED + ".length > 3 && " + LOADED + ".every(tile => tile.src.includes('/satellite/'))");
                assertTrue(browser.find(".leaflet-control-attribution").getText().endsWith(OtherOrigin.SATELLITE),
                        path);
                assertEquals(List.of(), browser.violations());
                assertEquals(List.of(), errors(browser));
            }
        }
    }

    @Test
    void landAndSeaReplaceTilesThatCannotBeLoaded() {
        OtherOrigin.setTiles(false);
        try (Browser browser = Browser.start()) {
            for (String path : PAGES) {
                browser.openPage(service.resolve(path + "?f=html"));
                browser.await(
                        "document.querySelector('#map path.land') && document.querySelector('#map path.footprint')");
                browser.click(".leaflet-control-zoom-out");
                assertEquals(List.of(), errors(browser).stream().filter(line -> !line.contains("/tiles/")).toList());
            }
        }
    }

    /** The messages of the console except for thumbnails, which the storage does not have. */
    private static List<String> errors(Browser browser) {
        return browser.console().stream().filter(line -> !line.contains("thumbnail")).toList();
    }

    @Test
    void eachPageHasTheNameOfTheCatalogue() {
        for (String path : List.of("/datasets/", "/datasets/3/", "/stac?f=html", "/datasets/4/", "/nowhere",
                "/datasets/?p=x", "/stac/collections/datasets/items/4?f=html")) {
            HtmlPage page = HtmlPage.parse(anonymous().request().accept("text/html").get(path).asString());
            assertEquals(WithStorage.CATALOGUE, page.one("//*[@class='catalogue']"), path);
            assertTrue(page.one("//h:title").endsWith(WithStorage.CATALOGUE), path);
            assertEquals("Sign in", page.one("//h:dialog//h:h2"), path);
        }
    }

    @Test
    void readersAskTheOperatorAboutADataset() {
        catalogue.replaceWith(dataset(3, d -> d.datasetName = "Reef & sand\n\"a/b\""));
        HtmlPage page = HtmlPage.parse(anonymous().request().accept("text/html").get("/datasets/3/").asString());
        String address = page.one("//h:a[text()='Contact']/@href");
        assertTrue(address.matches("mailto:imagery@example\\.org\\?subject=Reef%20%26%20sand%0A%22a/b%22"
                + "&body=3%20http%3A//[^&]+/datasets/3/"), address);
    }

    @Test
    void searchEnginesReadTheLicence() {
        HtmlPage page = HtmlPage.parse(anonymous().request().accept("text/html").get("/datasets/3/").asString());
        assertEquals("https://spdx.org/licenses/CC-BY-4.0.html",
                new JsonObject(page.all("script", "type", "application/ld+json").get(0).getTextContent())
                        .getString("license"));
        assertEquals("https://spdx.org/licenses/CC-BY-4.0.html", page.one("//h:a[@rel='license']/@href"));
        assertEquals("Licence: CC-BY-4.0", page.one("//h:a[@rel='license']"));
    }
}
