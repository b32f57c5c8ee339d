package io.datasetlisting.dataset.raster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Point;

import io.datasetlisting.support.Browser;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.TileServer;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests that a browser paints orthomosaics: tiles that GDAL reads through signed links from the storage. */
@QuarkusTest
@TestProfile(RasterTilesBrowserTest.WithTileServer.class)
class RasterTilesBrowserTest extends RastersOfAnOwner {

    private static final Color RED = new Color(200, 40, 30);
    private static final Color BLUE = new Color(30, 60, 220);
    /** Of a channel: the browser rounds. */
    private static final int TOLERANCE = 6;

    /** A tile server that reads rasters. */
    public static class WithTileServer extends WithStorage {

        @Override
        public Map<String, String> getConfigOverrides() {
            Map<String, String> keys = new HashMap<>(super.getConfigOverrides());
            keys.remove("dataset.rasters.viewer");
            return keys;
        }

        @Override
        public List<TestResourceEntry> testResources() {
            List<TestResourceEntry> all = new ArrayList<>(super.testResources());
            all.add(new TestResourceEntry(TileServer.class));
            return all;
        }
    }

    @TempDir
    Path folder;

    /** A dataset whose orthomosaic has one colour. */
    private long create(Color colour) throws IOException, InterruptedException {
        long id = owner.create("{\"bbox\":[46.9,7.4,46.91,7.42],\"available_rasters\":[\"ortho\"]}");
        List<String> arguments = new ArrayList<>(List.of("-of", "GTiff", "-ot", "Byte", "-bands", "4", "-outsize",
                "400", "300", "-a_srs", "EPSG:4326", "-a_ullr", "7.4", "46.91", "7.42", "46.9"));
        for (int value : new int[]{colour.getRed(), colour.getGreen(), colour.getBlue(), 255}) {
            Collections.addAll(arguments, "-burn", Integer.toString(value));
        }
        arguments.add("plain.tif");
        Files.deleteIfExists(folder.resolve("plain.tif"));
        Program.ofGdal("gdal_create", folder).run(arguments.toArray(String[]::new));
        Program.ofGdal("gdal_translate", folder).run("-of", "COG", "-co", "TILING_SCHEME=GoogleMapsCompatible", "-co",
                "RESAMPLING=NEAREST", "-colorinterp", "red,green,blue,alpha", "plain.tif", "ortho.tif");
        store(id, "ortho.tif", Files.readAllBytes(folder.resolve("ortho.tif")));
        return id;
    }

    /** Waits until a place on the map has a colour. */
    private static void awaitColour(Browser browser, String what, Point place, Color colour) {
        Patience.await(what).untilAsserted(() -> {
            Color found = browser.colour(place);
            assertTrue(difference(found, colour) <= TOLERANCE, () -> what + ": " + found + " in place of " + colour);
        });
    }

    private static int difference(Color one, Color other) {
        return Math.max(Math.abs(one.getRed() - other.getRed()), Math.max(Math.abs(one.getGreen() - other.getGreen()),
                Math.abs(one.getBlue() - other.getBlue())));
    }

    private static Color mixed(Color over, Color under, double opacity) {
        return new Color((int) Math.round(over.getRed() * opacity + under.getRed() * (1 - opacity)),
                (int) Math.round(over.getGreen() * opacity + under.getGreen() * (1 - opacity)),
                (int) Math.round(over.getBlue() * opacity + under.getBlue() * (1 - opacity)));
    }

    @Test
    void theOrthomosaicIsPaintedAsTransparentAsTheSliderSays() throws IOException, InterruptedException {
        long id = create(RED);
        try (Browser browser = Browser.startTrustful()) {
            browser.openPage(service.resolve("/datasets/" + id + '/'));
            browser.await("!document.querySelector('label.opacity').hidden");
            browser.read("document.getElementById('map').scrollIntoView({ block: 'center' })");
            Point map = browser.centre("document.getElementById('map')");
            // Inside the outline, which is small.
            Point place = map.moveBy(12, 8);
            awaitColour(browser, "the orthomosaic", place, RED);
            browser.find("#opacity").sendKeys(Keys.HOME);
            browser.await("document.querySelector('.leaflet-pictures-pane .leaflet-layer').style.opacity === '0'");
            Patience.await("the ground").untilAsserted(
                    () -> assertTrue(difference(browser.colour(place), RED) > 2 * TOLERANCE));
            Color ground = browser.colour(place);
            browser.find("#opacity").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
            double opacity = ((Number) browser.read("Number(document.querySelector('#opacity').value)")).doubleValue();
            assertTrue(opacity > 0 && opacity < 1);
            awaitColour(browser, "both", place, mixed(RED, ground, opacity));
            assertEquals(List.of(), browser.violations());
        }
        assertFalse(TileServer.addresses().isEmpty());
        // Without its signature the storage refuses an address.
        TileServer.addresses().forEach(address -> assertTrue(
                address.startsWith(s3.url() + '/' + S3Resource.BUCKET + '/') && address.contains("Signature="),
                address));
    }

    @Test
    void theSliderShowsMoreOfOneOrthomosaicAndLessOfTheOther() throws IOException, InterruptedException {
        long one = create(RED);
        long other = create(BLUE);
        try (Browser browser = Browser.startTrustful()) {
            browser.openPage(service.resolve("/datasets/" + one + "/?with=" + other));
            browser.await("!document.querySelector('.swipe').hidden");
            browser.read("document.getElementById('map').scrollIntoView({ block: 'center' })");
            Point map = browser.centre("document.getElementById('map')");
            Point left = map.moveBy(-12, 8);
            Point right = map.moveBy(12, 8);
            awaitColour(browser, "the first one on the left", left, RED);
            awaitColour(browser, "the other one on the right", right, BLUE);
            browser.find(".swipe input").sendKeys(Keys.END);
            awaitColour(browser, "the first one on the right", right, RED);
            browser.find(".swipe input").sendKeys(Keys.HOME);
            awaitColour(browser, "the other one on the left", left, BLUE);
            assertEquals(List.of(), browser.violations());
        }
    }
}
