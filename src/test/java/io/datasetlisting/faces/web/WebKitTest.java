package io.datasetlisting.faces.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.WebKit;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the pages in WebKitGTK, the engine of Safari. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class WebKitTest extends PagesInOtherBrowser {

    private static final String CIRCLES = "[...document.querySelectorAll('#map .count-circle')]";

    private static WebKit browser;

    @BeforeEach
    void startAtTheList() throws Exception {
        browser = browser(WebKit.class, WebKit::start);
        // With its frame. A narrower window has the filters in a sheet.
        browser.size(1400, 900);
        browser.openPage(list);
        browser.await(MAP_IS_READY);
    }

    /** The field of a month or a day is left by an arrow. */
    @Override
    CharSequence[] keysOfDay() {
        return new CharSequence[]{"05", Keys.ARROW_RIGHT, "30", Keys.ARROW_RIGHT, "2023"};
    }

    @Test
    void linksAndTheSearchReplaceTheContent() {
        browser.read("window.marked = true");
        browser.find("nav.pages a[rel=next]").click();
        browser.await(FIRST + " === 'dataset 48'");
        browser.find("[name=search]").sendKeys("dataset 12");
        browser.await(CARDS + " === 2 && location.search.includes('search=dataset+12')");
        assertEquals("search", browser.read("document.activeElement.name"));
        browser.find("ol.datasets a").click();
        browser.await("document.querySelector('article.dataset h1')?.textContent.startsWith('dataset 12')");
        assertEquals(true, browser.read("window.marked === true"));
    }

    @Test
    void chartsAreWholeInArabicAndCountsInLargeText() {
        browser.await(CIRCLES + ".length");
        for (String size : List.of("100%", "150%", "200%")) {
            browser.read("document.documentElement.style.fontSize = '" + size + "'");
            browser.await(CIRCLES + ".length && " + CIRCLES + ".every(circle => {"
                    + " const range = document.createRange(); range.selectNodeContents(circle);"
                    + " return range.getBoundingClientRect().width <= circle.getBoundingClientRect().width; })");
            assertEquals(0L, browser.read("Math.max(0, document.documentElement.scrollWidth - innerWidth)"), size);
        }
        browser.openPage(list.resolve("language/?language=ar"));
        browser.openPage(list.resolve("3/"));
        browser.await("document.documentElement.dir === 'rtl' && document.querySelector('.folded summary')");
        browser.find(".folded summary").click();
        assertEquals(List.of(), browser.read("(chart => [...document.querySelectorAll('.chart .label, .chart .tick')]"
                + ".map(each => [each.textContent, each.getBoundingClientRect()])"
                + ".filter(([, { left, right }]) => left < chart.left - 1 || right > chart.right + 1)"
                + ".map(([text]) => text))(document.querySelector('.chart').getBoundingClientRect())"));
        browser.openPage(list.resolve("language/?language=en"));
    }
}
