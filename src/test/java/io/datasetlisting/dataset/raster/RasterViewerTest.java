package io.datasetlisting.dataset.raster;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.StoredExports;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests that a tile server receives a signed link only in the pages of callers that may see the raster. */
@QuarkusTest
@TestProfile(RasterViewerTest.WithSignedViewer.class)
class RasterViewerTest extends RastersOfAnOwner {

    private static final String TILES = "https://tiles.example.org/{z}/{x}/{y}?url=";
    private static final Pattern SHOWN = Pattern.compile("<code>(https://tiles[^<]*)</code>");

    /** A tile server that takes signed links, stored exports, and an access log. */
    public static class WithSignedViewer extends WithStorage {

        @Override
        public Map<String, String> getConfigOverrides() {
            Map<String, String> keys = new HashMap<>(super.getConfigOverrides());
            keys.put("dataset.rasters.viewer", TILES + "{signed}");
            keys.put("quarkus.http.access-log.enabled", "true");
            keys.putAll(new StoredExports().getConfigOverrides());
            return keys;
        }
    }

    private long create(boolean isPrivate, String raster) {
        return owner.create("{\"coordinates\":[1,2],\"is_private\":" + isPrivate + ",\"available_rasters\":[\"" + raster
                + "\"]}");
    }

    private static String page(Caller caller, long id) {
        return caller.request().accept("text/html").get("/datasets/" + id + '/').asString();
    }

    @Test
    void thePageHasASignedLinkForCallersThatMaySeeTheDataset() {
        Caller other = Caller.writer("Other");
        for (boolean isPrivate : new boolean[]{true, false}) {
            long id = create(isPrivate, "ortho");
            store(id, "ortho.tif", "0123456789".getBytes());
            Matcher shown = SHOWN.matcher(page(owner, id));
            assertTrue(shown.find());
            String address = shown.group(1).replace("&amp;", "&");
            assertEquals(TILES, address.substring(0, TILES.length()));
            given().urlEncodingEnabled(false).header("Range", "bytes=3-5")
                    .get(URLDecoder.decode(address.substring(TILES.length()), StandardCharsets.UTF_8)).then()
                    .statusCode(206).body(equalTo("345"));
            assertEquals(!isPrivate, SHOWN.matcher(page(Caller.anonymous(), id)).find());
            assertEquals(!isPrivate, SHOWN.matcher(page(other, id)).find());
        }
        assertFalse(SHOWN.matcher(page(owner, create(false, "dsm"))).find());
    }

    private long createArea(String name) {
        return owner.create("{\"dataset_name\":\"" + name + "\",\"bbox\":[46.9,7.4,46.91,7.42],"
                + "\"available_rasters\":[\"ortho\"]}");
    }

    private static String tilesIn(String pane) {
        return "[...document.querySelectorAll('.leaflet-" + pane + "-pane img')]"
                + ".filter(each => each.src.startsWith('https://tiles.example.org/')).length > 0";
    }

    @Test
    void theMapShowsTheOrthomosaicWithASliderForItsOpacity() {
        long id = createArea("one");
        try (Browser browser = Browser.start()) {
            browser.openPage(service.resolve("/datasets/" + id + '/'));
            browser.await(tilesIn("pictures"));
            browser.await("!document.querySelector('label.opacity').hidden");
            browser.find("#opacity").sendKeys(Keys.HOME);
            browser.await("document.querySelector('.leaflet-pictures-pane .leaflet-layer').style.opacity === '0'");
            assertEquals(List.of(), browser.violations());
        }
    }

    @Test
    void aSliderMovesTheEdgeBetweenTwoOrthomosaics() {
        long one = createArea("one");
        long other = createArea("other");
        try (Browser browser = Browser.start()) {
            browser.openPage(service.resolve("/datasets/" + one + "/?with=" + other));
            browser.await(tilesIn("side-0"));
            browser.await(tilesIn("side-1"));
            browser.await("!document.querySelector('.swipe').hidden");
            String share = "(() => { const [left, map] = [document.querySelector('.leaflet-side-0-pane').style.clipPath,"
                    + " document.getElementById('map')]; const x = left.match(/-?[\\d.]+px/g).map(parseFloat);"
                    + " return (Math.max(...x.filter((_, i) => i % 2 === 0)) - Math.min(...x.filter((_, i) => i % 2 === 0)))"
                    + " / map.clientWidth; })()";
            assertEquals(0.5, ((Number) browser.read(share)).doubleValue(), 0.02);
            // The slider goes over the width of the datasets.
            double width = ((Number) browser
                    .read("document.querySelector('#map path.footprint').getBoundingClientRect().width"
                            + " / document.getElementById('map').clientWidth"))
                    .doubleValue();
            assertTrue(width < 0.9, () -> "width " + width);
            for (Map.Entry<Keys, Double> each : Map.of(Keys.HOME, -width / 2, Keys.END, width / 2).entrySet()) {
                browser.find(".swipe input").sendKeys(each.getKey());
                assertEquals(0.5 + each.getValue(), ((Number) browser.read(share)).doubleValue(), 0.02);
            }
            assertEquals("0",
                    browser.read("getComputedStyle(document.querySelector('#map path.footprint.marked')).fillOpacity"));
            assertEquals(List.of(), browser.violations());
        }
    }

    @Test
    void datasetsWithoutImageryHaveNoEdge() {
        long one = createArea("one");
        long other = owner.create("{\"bbox\":[46.9,7.4,46.91,7.42]}");
        String html = Caller.anonymous().request().accept("text/html").get("/datasets/" + one + "/?with=" + other)
                .asString();
        assertTrue(html.contains("id=\"map\""), html);
        assertFalse(html.contains("data-layers"), html);
    }

    /** Items are the same for all callers, and do not expire. */
    @Test
    void noItemHasASignedLink() {
        for (boolean isPrivate : new boolean[]{true, false}) {
            long id = create(isPrivate, "ortho");
            for (String path : List.of("/stac/collections/datasets/items/" + id, "/stac/search?ids=" + id,
                    "/stac/changes", Listing.PATH + id + '/')) {
                owner.get(path).then().statusCode(200).body(not(containsString("tiles.example.org")));
            }
        }
    }
}
