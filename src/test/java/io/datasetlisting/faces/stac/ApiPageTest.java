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
import org.openqa.selenium.Keys;

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

            List<?> operations = (List<?>) browser.call(SHOWN, ".opblock-summary-path");
            assertEquals(58, operations.size(), operations::toString);
            List<?> requests = (List<?>) browser.call(REQUESTS);
            assertTrue(requests.size() >= 4, requests::toString);
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
                    + ".filter(name => name.includes('swagger'))"));
            browser.click(".try summary");

            List<?> tags = (List<?>) browser.call(SHOWN, ".opblock-tag > a");
            assertEquals(List.of("Datasets", "Bare arrays", "Tiles", "Accounts and tokens",
                    "STAC API and OGC API - Features",
                    "Page"), tags);
            assertEquals("200", tryCall(browser, "Datasets", "listDatasets",
                    Map.of("[data-param-name=page_size] input", "1")));
            authorize(browser, "Token " + owner.key());
            assertEquals("201", tryCall(browser, "Datasets", "createDataset", Map.of()));
            owner.get("/api/dataset/?user=tries").then().body("count", equalTo(1));

            List<?> requests = (List<?>) browser.call(REQUESTS);
            assertEquals(List.of(), requests.stream()
                    .filter(address -> !address.toString().startsWith(docs.resolve("/").toString())
                            && !address.toString().startsWith("data:"))
                    .toList());
            // Swagger UI warns that it has no field of its own for integers of 64 bits.
            assertEquals(List.of(), browser.console().stream()
                    .filter(line -> !line.contains("Could not find component")).toList());
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

    private static void authorize(Browser browser, String token) {
        click(browser, ".btn.authorize");
        click(browser, ".auth-container input");
        browser.type(token);
        click(browser, ".auth-btn-wrapper .authorize");
        click(browser, ".auth-btn-wrapper .btn-done");
    }

    /** Opens an operation, fills its fields, sends it, and returns the status of the response. */
    private static String tryCall(Browser browser, String tag, String operation, Map<String, String> fields) {
        String heading = "[id='operations-tag-" + tag + "']";
        browser.await("document.querySelector(\"" + heading + "\")");
        if (browser.find(heading).getAttribute("data-is-open").equals("false")) {
            click(browser, heading);
        }
        String place = "[id='operations-" + tag + "-" + operation + "'] ";
        click(browser, place + ".opblock-summary-control");
        click(browser, place + ".try-out__btn");
        fields.forEach((selector, text) -> {
            browser.find(place + selector).sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
        });
        click(browser, place + ".execute");
        String status = place + ".live-responses-table tbody .response-col_status";
        browser.await("document.querySelector(\"" + status + "\")");
        // The style of the pages' own tables is not the style of the answers.
        assertEquals(List.of("left", "0px"), browser.read("(({ textAlign, borderBottomWidth }) => [textAlign.replace("
                + "'start', 'left'), borderBottomWidth])(getComputedStyle(document.querySelector(\"" + status
                + "\")))"));
        return browser.find(status).getText().strip();
    }

    private static void click(Browser browser, String selector) {
        browser.await("document.querySelector(\"" + selector + "\")");
        browser.click(selector);
    }
}
