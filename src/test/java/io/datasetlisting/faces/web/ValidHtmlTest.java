package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlChecker;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests that the pages are valid HTML. */
@QuarkusTest
class ValidHtmlTest {

    private static final String STATISTICS = """
            {"dsm": {"b1": {"max": 9.5, "min": -3, "mean": 2, "stddev": 1}}, "dtm": {}, "ortho": {},
             "multispec_ortho": {"band_descr": {"near \\"infrared\\" <b>": 1, "red": 2},
              "b1": {"max": 1e308, "min": -1e308, "mean": 0, "stddev": 1e308},
              "b2": {"max": 3, "min": 3, "mean": 3, "stddev": 0}}}""";

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(dataset(1, d -> d.bandStats = STATISTICS), dataset(2, d -> {
            d.datasetName = "";
            d.bbox = new double[]{1, 160, 3, 170};
            d.coordinates = new double[]{2, 165};
        }), dataset(3,
                d -> d.datasetName = "a \"quoted\" & 'hostile' </title><script>alert(1)</script> {name} \u202e name"),
                dataset(4, d -> d.isPrivate = true), dataset(5, d -> d.coordinates = null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/datasets/", "/datasets/?search=name&category=Forest&has_stats=dsm&in_bbox=170,0,-170,3",
            "/datasets/?search=nothing", "/datasets/?page_size=1&p=2&ordering=-captured_date", "/datasets/1/",
            "/datasets/2/", "/datasets/1/?with=2", "/datasets/5/?with=3",
            "/datasets/?intersects=POINT(1%202)&q=name", "/datasets/3/", "/datasets/4/", "/datasets/5/",
            "/datasets/404/", "/datasets/changes/",
            "/datasets/changes/?category=Forest&search=a", "/datasets/tokens/", "/datasets/tokens/?user=7",
            "/datasets/accounts/",
            "/datasets/?p=0", "/datasets/?p=99", "/datasets/?workspace=%3Cb%3E", "/docs/", "/nowhere", "/stac",
            "/stac/collections/datasets", "/stac/collections/datasets/items?f=html",
            "/stac/collections/datasets/items/1", "/stac/collections/datasets/items/404"})
    void aPageIsValid(String path) {
        Response response = Caller.admin().request().accept("text/html").get(path);
        assertTrue(response.statusCode() < 500, response::asString);
        assertEquals("text/html; charset=utf-8", response.contentType(), response::asString);
        HtmlChecker.check(path, response.asString());
    }

    /** Otherwise the other tests would find nothing. */
    @Test
    void theCheckerFindsMistakes() {
        List<String> messages = HtmlChecker.messages(
                "<!DOCTYPE html><html lang=en><title>a</title><body><p id=a><b id=a></p><img src=b style='c'></html>");
        assertTrue(messages.stream().anyMatch(message -> message.contains("Duplicate ID")), messages::toString);
        assertTrue(messages.stream().anyMatch(message -> message.contains("alt")), messages::toString);
        assertTrue(messages.stream().anyMatch(message -> message.contains("violates nesting rules")
                || message.contains("unclosed elements")), messages::toString);
    }
}
