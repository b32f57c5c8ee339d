package io.datasetlisting.stac;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Map;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

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

    /** Opens an operation by its id, fills its fields by their placeholder or kind, sends it, and returns the status of the response. */
    private static final String TRIED = """
            (async (operation, fields) => {
              const find = async selector => {
                for (let i = 0; i < 200; i++) {
                  const found = document.querySelector(selector);
                  if (found) {
                    return found;
                  }
                  await new Promise(next => setTimeout(next, 50));
                }
                throw { name: 'nothing is ' + selector };
              };
              const fill = (field, text) => {
                Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text);
                field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
              };
              if (!operation) {
                (await find('.btn.authorize')).click();
                fill(await find('.auth-container input'), fields);
                (await find('.auth-btn-wrapper .authorize')).click();
                (await find('.auth-btn-wrapper .btn-done')).click();
                return 'authorized';
              }
              const place = `[id="operations-${operation}"] `;
              const tag = await find(`[id="operations-tag-${operation.split('-')[0]}"]`);
              if (tag.dataset.isOpen === 'false') {
                tag.click();
              }
              (await find(place + '.opblock-summary-control')).click();
              (await find(place + '.try-out__btn')).click();
              for (const [selector, text] of Object.entries(fields)) {
                fill(await find(place + selector), text);
              }
              (await find(place + '.execute')).click();
              return (await find(place + '.live-responses-table tbody .response-col_status')).textContent.trim();
            })""";

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
            assertEquals(27, operations.size(), operations::toString);
            List<?> requests = (List<?>) browser.call(REQUESTS);
            assertTrue(requests.size() >= 4, requests::toString);
            assertEquals(List.of(), requests.stream()
                    .filter(address -> !address.toString().startsWith(page.resolve("/stac/").toString())
                            && !address.toString().startsWith("data:"))
                    .toList());
            assertEquals(List.of(), browser.console());
        }
    }

    @Test
    void aCallCanBeTriedOnTheDocumentationOfTheWholeService() {
        catalogue.replaceWith(Catalogue.plain(3));
        Caller owner = Caller.account("tries").token("writer");
        try (Browser browser = Browser.start()) {
            browser.open(docs.toString());

            List<?> tags = (List<?>) browser.call(SHOWN, ".opblock-tag > a");
            assertEquals(List.of("Datasets", "Bare arrays", "Accounts and tokens", "STAC API and OGC API - Features",
                    "Page", "Redirects"), tags);
            assertEquals("200", browser.call(TRIED, "Datasets-listDatasets",
                    Map.of("[data-param-name=page_size] input", "1")));
            assertEquals("authorized", browser.call(TRIED, "", "Token " + owner.key()));
            assertEquals("201", browser.call(TRIED, "Datasets-createDataset", Map.of()));
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
}
