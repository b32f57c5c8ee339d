package io.datasetlisting.faces.web;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Callable;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;

import io.datasetlisting.support.AnyBrowser;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;

/** A browser for all tests of a class, and what they read from the list. */
abstract class PagesInAnyBrowser {

    static final String FIRST = "document.querySelector('ol.datasets .name')?.textContent";
    static final String CARDS = "document.querySelectorAll('ol.datasets > li').length";
    static final String MAP_IS_READY = "document.querySelector('#map path.footprint') && document.querySelector('#map "
            + "path.land') && !document.querySelector('#map[aria-busy]')";

    /** Null before the first test, and on a machine without the browser. */
    static AnyBrowser running;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/datasets/")
    URI list;

    @AfterAll
    static void closeBrowser() throws IOException {
        if (running != null) {
            running.close();
            running = null;
        }
    }

    /** The browser of the class. Not in a method before all tests: the report would not say why the tests are skipped. */
    static <B extends AnyBrowser> B browser(Class<B> kind, Callable<B> start) throws Exception {
        if (running == null) {
            running = start.call();
        }
        return kind.cast(running);
    }
}
