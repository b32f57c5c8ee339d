package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What holds in the engines that the other tests do not use. */
abstract class PagesInOtherBrowser extends PagesInAnyBrowser {

    /** In this time after a key the list follows the field. WebKit takes a digit for a new year after a second. */
    private static final Duration PAUSE = Duration.ofMillis(450);

    /** The keys that a reader types into an empty field for 30 May 2023. */
    abstract CharSequence[] keysOfDay();

    @BeforeEach
    void fillTheCatalogue() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> dataset(3 * i, d -> {
            d.coordinates = new double[]{i, 2 * i};
            d.bbox = new double[]{i, 2 * i, i + 1, 2 * i + 1};
            // The page shows the newest first.
            d.capturedDate = Instant.parse("2023-05-31T00:00:00Z").minusSeconds(86_400 * i);
            d.bandStats = "{\"dsm\":{\"b1\":{\"min\":1,\"max\":12345.5,\"mean\":1.5,\"stddev\":1}},\"dtm\":{},"
                    + "\"ortho\":{}}";
        })).toList());
    }

    /** With a pause after each key, in which the list follows the field. WebKit follows a day when its field is left. */
    @Test
    void everyFieldKeepsWhatIsTypedSlowly() {
        running.read("window.marked = true");
        for (String field : List.of("captured_after", "captured_until")) {
            running.read("document.querySelector('[name=" + field + "]').focus()");
            running.typeSlowly(PAUSE, keysOfDay());
            assertEquals(List.of(field, "2023-05-30"),
                    running.read("[document.activeElement.name, document.activeElement.value]"));
            running.read("document.querySelector('[name=search]').focus()");
            awaitFilter(field, "2023-05-30");
        }
        running.await(CARDS + " === 1");
        running.openPage(list);
        running.read("window.marked = true");
        running.click("details.rare summary");
        for (Map.Entry<String, String> field : Map.of("band", "b1", "user", "ada, 7", "workspace", "12", "in_bbox",
                "-10,-10,50,50", "page_size", "20", "search", "dataset 9").entrySet()) {
            running.click("input[name=" + field.getKey() + "]");
            running.typeSlowly(PAUSE, field.getValue());
            assertEquals(List.of(field.getKey(), field.getValue()),
                    running.read("[document.activeElement.name, document.activeElement.value]"));
            running.type(Keys.TAB);
            awaitFilter(field.getKey(), field.getValue());
        }
        assertEquals(true, running.read("window.marked === true"), "the same document");
    }

    private static void awaitFilter(String name, String value) {
        running.await("new URL(location.href).searchParams.get('" + name + "') === '" + value
                + "' && !document.querySelector('main[aria-busy=true]')");
    }
}
