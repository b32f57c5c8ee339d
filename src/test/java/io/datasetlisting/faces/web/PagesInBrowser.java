package io.datasetlisting.faces.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Map;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;

/** A browser for all tests of a class, and what they read from the list. */
abstract class PagesInBrowser {

    static final String FIRST = "document.querySelector('ol.datasets .name')?.textContent";
    static final String CARDS = "document.querySelectorAll('ol.datasets > li').length";
    static final String NOTICE = "document.getElementById('notice').textContent";
    static final String MAP_IS_READY = "document.querySelector('#map path.footprint') && document.querySelector('#map "
            + "path.land') && !document.querySelector('#map[aria-busy]')";

    static Browser browser;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/datasets/")
    URI list;

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
            browser = null;
        }
    }

    @BeforeEach
    void startBrowser() {
        if (browser == null) {
            browser = Browser.start();
        }
        browser.setTouchScreen(false);
        browser.width(1280);
        browser.open("about:blank");
        browser.console();
    }

    @AfterEach
    void resetBrowser() {
        if (browser == null) {
            // This machine has none: the test is skipped.
            return;
        }
        browser.setNetwork(true, 0);
        browser.setScripts(true);
        browser.localize("en-US", "UTC");
        browser.prefer(Map.of("prefers-color-scheme", "light", "prefers-reduced-motion", "no-preference"));
        if (browser.url().startsWith("http")) {
            browser.read("sessionStorage.clear()");
            browser.forgetCookies();
        }
    }

    /** Opens an address below the list. */
    void open(String address) {
        browser.openPage(list.resolve(address));
    }

    /** Marks the document, so that a test sees whether another one has replaced it. */
    static void mark() {
        browser.read("window.marked = true");
    }

    static void assertSameDocument() {
        assertEquals(true, browser.read("window.marked === true"));
    }

    String query() {
        String query = URI.create(browser.url()).getRawQuery();
        return query == null ? "" : query;
    }

    /** The text of an element, with plain spaces. */
    static String text(String selector) {
        return browser.find(selector).getText().replaceAll("\\p{Z}", " ");
    }
}
