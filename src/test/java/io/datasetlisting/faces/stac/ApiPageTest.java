package io.datasetlisting.faces.stac;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Map;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the pages that show the OpenAPI documents, in a real browser. */
@QuarkusTest
class ApiPageTest {

    /** Waits until the page shows the text of an element. */
    private static final String SHOWN = """
            (async selector => {
              for (let i = 0; i < 200; i++) {
                const found = [...document.querySelectorAll(selector)].map(element => element.textContent.trim());
                if (found.length) {
                  return found;
                }
                await new Promise(next => setTimeout(next, 100));
              }
              return [document.body.outerHTML];
            })""";

    private static final String REQUESTS = """
            (async () => performance.getEntriesByType('resource').map(entry => entry.name))""";

    @TestHTTPResource("/stac/api.html")
    URI page;

    @TestHTTPResource("/docs/")
    URI docs;

    @Inject
    Catalogue catalogue;

    @Test
    void thePageShowsTheOperationsWithoutAnotherHost() {
        try (Browser browser = Browser.start()) {
            browser.open(page.toString());

            List<?> operations = (List<?>) browser.call(SHOWN, ".operation > summary");
            assertEquals(70, operations.size(), operations::toString);
            List<?> requests = (List<?>) browser.call(REQUESTS);
            assertTrue(requests.size() >= 3, requests::toString);
            assertEquals(List.of(), requests.stream()
                    .filter(address -> !address.toString().startsWith(page.resolve("/").toString())
                            && !address.toString().startsWith("data:"))
                    .toList());
            assertEquals(List.of(), browser.console());
        }
    }

    @Test
    @Tag(NightlySuite.TAG)
    void aCallCanBeTriedOnTheDocumentationOfTheWholeService() {
        catalogue.replaceWith(Catalogue.plain(3));
        Caller owner = Caller.account("tries").token("writer");
        try (Browser browser = Browser.start()) {
            for (String scheme : List.of("light", "dark")) {
                browser.prefer(Map.of("prefers-color-scheme", scheme));
                for (String path : List.of("/docs/", "/nowhere")) {
                    browser.open(docs.resolve(path).toString());
                    browser.await("!document.getElementById('theme').hidden");
                    assertEquals(List.of(), browser.violations(), scheme + ' ' + path);
                    assertNoOverflow(browser, path);
                }
            }
            // The error has its status in the console.
            browser.console();
            browser.open(docs.toString());
            assertTheThemeIsKept(browser);
            assertEquals(List.of(), browser.read("performance.getEntriesByType('resource').map(entry => entry.name)"
                    + ".filter(name => name.includes('openapi'))"));
            browser.click(".try > summary");

            List<?> tags = (List<?>) browser.call(SHOWN, "#operations h3");
            assertEquals(List.of("Datasets", "Bare arrays", "Tiles", "Accounts and tokens",
                    "STAC API and OGC API - Features",
                    "Page"), tags);
            assertEquals("200", tryCall(browser, "listDatasets", Map.of("page_size", "1")));
            assertTrue(browser.find("#listDatasets [aria-label=Response]").getText().contains("\"count\": 3"));
            browser.click("#authorization");
            browser.type("Token " + owner.key());
            assertEquals("201", tryCall(browser, "createDataset", Map.of()));
            owner.get("/api/dataset/?user=tries").then().body("count", equalTo(1));

            List<?> requests = (List<?>) browser.call(REQUESTS);
            assertEquals(List.of(), requests.stream()
                    .filter(address -> !address.toString().startsWith(docs.resolve("/").toString())
                            && !address.toString().startsWith("data:"))
                    .toList());
            assertEquals(List.of(), browser.console());
        }
    }

    private static void assertNoOverflow(Browser browser, String path) {
        for (int width : List.of(320, 768, 1280)) {
            browser.width(width);
            assertEquals(0L,
                    browser.read("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
                    width + " " + path);
        }
    }

    /** The reader chooses by keyboard. */
    private static void assertTheThemeIsKept(Browser browser) {
        browser.find("#theme").sendKeys("L");
        browser.await("document.documentElement.dataset.theme === 'light'");
        browser.open(browser.url());
        assertEquals("light", browser.read("document.documentElement.dataset.theme"));
        assertEquals("rgb(244, 246, 248)", browser.read("getComputedStyle(document.body).backgroundColor"));
        browser.find("#theme").sendKeys("S");
        browser.await("!('theme' in document.documentElement.dataset)");
        assertEquals("rgb(15, 20, 25)", browser.read("getComputedStyle(document.body).backgroundColor"));
    }

    /** Opens an operation, fills its fields, sends it, and returns the status of the response. */
    private static String tryCall(Browser browser, String operation, Map<String, String> fields) {
        String place = "#" + operation;
        browser.await("document.querySelector('" + place + "')");
        browser.click(place + " > summary");
        browser.await("document.querySelector('" + place + " form')");
        fields.forEach((name, text) -> browser.find(place + " [name=" + name + "]").sendKeys(text));
        browser.click(place + " form button");
        String status = place + " .status strong";
        browser.await("document.querySelector('" + status + "')");
        return browser.find(status).getText().strip();
    }

    /** A reader learns what became of each request, also of one that has no response, a long one, or one to another host. */
    @Test
    @Tag(NightlySuite.TAG)
    void aResponseThatCannotBeShownIsSaidInWords() {
        catalogue.replaceWith(Catalogue.plain(3));
        Caller owner = Caller.account("markup").token("writer");
        long id = owner.create("{\"dataset_name\": \"<img src=x onerror=alert(1)><b>bold</b>\", \"is_private\": false,"
                + " \"captured_date\": \"2021-01-01T00:00:00Z\", \"coordinates\": [1, 2]}");
        try (Browser browser = Browser.start()) {
            // A fragment that no text is encoded as.
            browser.open(page + "#%E0%A4%A");
            assertEquals("200", tryCall(browser, "readSearch", Map.of()));
            browser.open(docs + "#readDataset");
            browser.await("document.querySelector('#readDataset form')");
            browser.read("document.querySelector('#readDataset [name=id]').value = " + id);
            browser.click("#readDataset form button");
            browser.await("document.querySelector('#readDataset .status strong')");
            assertTrue(browser.find("#readDataset [aria-label=Response]").getText().contains("<b>bold</b>"));
            assertEquals(0L, browser.read("document.querySelectorAll('#operations :is(img, pre b)').length"));
            // Twice at once is once.
            browser.await("document.querySelector('#createDataset')");
            browser.click("#createDataset > summary");
            browser.click("#authorization");
            browser.type("Token " + owner.key());
            browser.await("document.querySelector('#createDataset form')");
            browser.read("[1, 2].forEach(() => document.querySelector('#createDataset form button').click())");
            browser.await("document.querySelector('#createDataset .status strong')?.textContent === '201'");
            owner.get("/api/dataset/?user=markup").then().body("count", equalTo(2));
            // No response: the clock of the page goes faster, and the request waits for a change behind all that there are.
            catalogue.awaitThat("not exists (select from listing_change)");
            browser.read("window.setTimeout = (set => (work, time) => set(work, time === 10000 ? 500 : time))"
                    + "(window.setTimeout)");
            browser.click("#readChanges > summary");
            browser.await("document.querySelector('#readChanges form')");
            browser.read("document.querySelector('#readChanges [name=wait]').value = 20");
            browser.read("document.querySelector('#readChanges [name=since]').value = '"
                    + owner.get("/api/dataset/changes/").jsonPath().getString("next") + "'");
            browser.click("#readChanges form button");
            browser.await("document.querySelector('#readChanges .status').textContent"
                    + " === 'No response within 10 seconds.'");
        }
    }

    /** Operations of each kind, open with all of their parts: one after the other, because the rules take long. */
    @Test
    @Tag(NightlySuite.TAG)
    void theOperationsHaveNoBarrier() {
        try (Browser browser = Browser.start()) {
            for (String path : List.of("/docs/", "/stac/api.html")) {
                browser.open(docs.resolve(path).toString());
                if (path.equals("/docs/")) {
                    browser.click(".try > summary");
                }
                browser.await("document.querySelector('.operation')");
                for (String operation : path.equals("/docs/")
                        ? List.of("listDatasets", "createDataset", "putThumbnail", "createToken")
                        : List.of("readSearch", "searchItems")) {
                    browser.await("document.getElementById('" + operation + "')");
                    browser.click("#" + operation + " > summary");
                    browser.await("document.querySelector('#" + operation + " form')");
                }
                browser.read("document.querySelectorAll('.operation details').forEach(each => { each.open = true; })");
                browser.click(".operation[open] form button");
                browser.await("document.querySelector('.operation .status strong')");
                for (String scheme : List.of("light", "dark")) {
                    browser.prefer(Map.of("prefers-color-scheme", scheme));
                    assertEquals(List.of(), browser.violations(), scheme + ' ' + path);
                }
                assertNoOverflow(browser, path);
                browser.width(1280);
            }
        }
    }
}
