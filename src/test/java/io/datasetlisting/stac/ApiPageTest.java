package io.datasetlisting.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Browser;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the page that shows the OpenAPI document, in a real browser. */
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

    @Test
    void thePageShowsTheOperationsWithoutAnotherHost() {
        try (Browser browser = Browser.start()) {
            browser.open(page.toString());

            List<?> operations = (List<?>) browser.call(SHOWN, ".opblock-summary-path");
            assertEquals(15, operations.size(), operations::toString);
            List<?> requests = (List<?>) browser.call(REQUESTS);
            assertTrue(requests.size() >= 4, requests::toString);
            assertEquals(List.of(), requests.stream()
                    .filter(address -> !address.toString().startsWith(page.resolve("/stac/").toString())
                            && !address.toString().startsWith("data:"))
                    .toList());
            assertEquals(List.of(), browser.console());
        }
    }
}
