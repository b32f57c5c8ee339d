package io.datasetlisting.faces.ground;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.dataset.format.BoundingBox;

/** Tests the small maps of datasets without a picture. */
class SmallMapTest {

    private static final Pattern STEP = Pattern.compile("(M?)(-?\\d+)[ ]?(-?\\d+)[lz ]?");

    private static SmallMap map(double south, double west, double north, double east) {
        return SmallMap.of(BoundingBox.of(new double[]{south, west, north, east}));
    }

    /** Fiji lies on both sides of the antimeridian. */
    @ParameterizedTest
    @CsvSource({"36.1,-85.5,36.2,-85.4", "-18.2,178.3,-18.1,178.4", "-17,-179.99,-16.9,-179.9",
            "-21.3,-159.9,-21.2,-159.7",
            "88,10,90,20", "-90,-180,-60,180", "-60,-180,80,180", "50,-10,60,20", "4.17,73.5,4.18,73.51"})
    void landAndFootprintStayInTheDrawing(double south, double west, double north, double east) {
        SmallMap map = map(south, west, north, east);
        for (String path : List.of(map.land(), map.borders())) {
            long x = 0;
            long y = 0;
            Matcher step = STEP.matcher(path);
            while (step.find()) {
                boolean isStart = !step.group(1).isEmpty();
                x = Long.parseLong(step.group(2)) + (isStart ? 0 : x);
                y = Long.parseLong(step.group(3)) + (isStart ? 0 : y);
                assertTrue(x >= -1 && x <= 121 && y >= -1 && y <= 91, path);
            }
        }
        assertTrue(map.land().length() < 10_000, () -> map.land().length() + " characters");
        assertTrue(map.x() >= 0 && map.y() >= 0 && map.x() + map.width() <= 120 && map.y() + map.height() <= 90,
                map::toString);
    }

    @Test
    void aCoastAndABorderAreSeen() {
        // Tennessee has neither; the Alps have a border.
        assertFalse(map(-18.2, 178.3, -18.1, 178.4).land().isEmpty());
        assertEquals(map(-17, 179.9, -16.9, 179.99).land().isEmpty(),
                map(-17, -179.99, -16.9, -179.9).land().isEmpty());
        assertFalse(map(46, 7, 46.1, 7.1).borders().isEmpty());
        assertEquals("", map(-40, -120, -39.9, -119.9).land());
    }

    @Test
    void aLargeFootprintFillsAThirdOfTheDrawing() {
        SmallMap map = map(40, 0, 60, 10);
        assertEquals(30, map.height(), 0.1);
        assertEquals(5, map(1, 1, 1.01, 1.01).width(), 0.1);
    }
}
