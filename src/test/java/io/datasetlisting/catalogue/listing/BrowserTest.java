package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import javax.imageio.ImageIO;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.OtherOrigin;
import io.datasetlisting.support.TestClock;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the API from a web page of another origin in a real browser. The functions of the page are in browser/page.html. */
@QuarkusTest
@TestProfile(WithStorage.class)
class BrowserTest {

    private static final String LIST_TO_THE_END = "listToTheEnd";
    private static final String REVALIDATE = "revalidate";
    private static final String DATASET = Listing.PATH + "3/";
    /** The error that a page gets for a response that the browser does not let the page read. */
    private static final String BLOCKED_BY_THE_BROWSER = "failed: TypeError";

    private static Browser browser;

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @TestHTTPResource("/")
    URI service;

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void openThePage() {
        if (browser == null) {
            // Not in @BeforeAll: the report would not say why the tests are skipped.
            browser = Browser.start();
        }
        catalogue.replaceWith(plain(20));
        // The storage and the browser use the real time.
        clock.setToNow();
        browser.open(OtherOrigin.allowed());
    }

    private Object call(String function, String path, Object... more) {
        Object[] arguments = new Object[more.length + 1];
        arguments[0] = service.resolve(path).toString();
        System.arraycopy(more, 0, arguments, 1, more.length);
        return browser.call(function, arguments);
    }

    private static List<Long> ids(LongStream ids) {
        return ids.boxed().toList();
    }

    @Test
    void aPageListsTheCatalogueByFollowingNext() {
        assertEquals(ids(LongStream.rangeClosed(1, 20).map(i -> 3 * i)),
                call(LIST_TO_THE_END, Listing.PATH + "?page_size=7"));
        assertEquals(ids(LongStream.rangeClosed(1, 20).map(i -> 63 - 3 * i)),
                call(LIST_TO_THE_END, Listing.PATH + "?ordering=-id"));
        assertEquals(List.of(9L), call(LIST_TO_THE_END, Listing.PATH + "?search=DATASET%209&in_bbox=2,1,2,1"));
    }

    @Test
    void anUnchangedResponseIsRevalidatedWithoutABody() {
        List<Object> revalidated = List.of(200L, 304L, true);
        assertEquals(revalidated, call(REVALIDATE, DATASET));
        assertEquals(revalidated, call(REVALIDATE, Listing.PATH + "?page_size=7"));
    }

    @Test
    void aPageWritesWithAToken() {
        Map<String, String> headers = Map.of("Authorization", "Token " + Caller.admin().key(), "Content-Type",
                Caller.JSON);
        Map<?, ?> created = (Map<?, ?>) call("call", Listing.PATH, "POST", headers, "{\"dataset_name\":\"new\"}");
        assertEquals(201L, created.get("status"));
        assertEquals("new", ((Map<?, ?>) created.get("body")).get("dataset_name"));
        headers = new HashMap<>(headers);
        headers.put("If-Match", "\"x\"");
        Map<?, ?> stale = (Map<?, ?>) call("call", DATASET, "PATCH", headers, "{}");
        assertEquals(412L, stale.get("status"));
        assertEquals("Precondition failed: this is not the version that the request is about.",
                ((Map<?, ?>) stale.get("body")).get("detail"));
    }

    @Test
    void aPageReadsTheErrorOfARequestWithoutAToken() {
        Map<?, ?> refused = (Map<?, ?>) call("call", DATASET, "DELETE");
        assertEquals(401L, refused.get("status"));
        assertEquals(Map.of("detail", "Authentication credentials were not provided."), refused.get("body"));
    }

    @Test
    void aPageOfAnOriginThatIsNotAllowedCannotReadResponses() {
        browser.open(OtherOrigin.notAllowed());
        assertEquals(BLOCKED_BY_THE_BROWSER, call(LIST_TO_THE_END, Listing.PATH));
        assertEquals(BLOCKED_BY_THE_BROWSER, call(REVALIDATE, DATASET));
        assertEquals(BLOCKED_BY_THE_BROWSER, call("call", DATASET, "DELETE",
                Map.of("Authorization", "Token " + Caller.admin().key())));
        Caller.admin().get(DATASET).then().statusCode(200);
    }

    @Test
    void aPageShowsTheThumbnail() throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(5, 3, BufferedImage.TYPE_INT_RGB), "png", png);
        Caller.admin().request().contentType("image/png").body(png.toByteArray()).put(DATASET + "thumbnail/").then()
                .statusCode(200);
        assertEquals(5L, call("showThumbnail", DATASET));
    }
}
