package io.datasetlisting.faces.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.datasetlisting.support.Browser;

/** The pages in Chromium, which each test finds as if it was just started. */
abstract class PagesInBrowser extends PagesInAnyBrowser {

    static final String NOTICE = "document.getElementById('notice').textContent";
    static Browser browser;

    @BeforeEach
    void startBrowser() throws Exception {
        browser = browser(Browser.class, Browser::start);
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
        browser.block();
        browser.setScripts(true);
        browser.localize("en-US", "UTC");
        browser.prefer(Map.of("prefers-color-scheme", "light", "prefers-reduced-motion", "no-preference"));
        if (browser.url().startsWith("http")) {
            browser.read("sessionStorage.clear()");
            browser.read("localStorage.clear()");
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
