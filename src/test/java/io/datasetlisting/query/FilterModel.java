package io.datasetlisting.query;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;

import io.datasetlisting.dataset.Dataset;

/** What filters of the listing mean, in Java. */
public final class FilterModel {

    /** The datasets that each filter finds. */
    public static final Map<String, Predicate<Dataset>> FILTERS = Map.ofEntries(
            Map.entry("category=Forest", d -> has(d.category, "Forest")),
            Map.entry("category=Forest,Desert", d -> has(d.category, "Forest", "Desert")),
            Map.entry("category=Artificial%20-%20terrestrial&category=Rocky",
                    d -> has(d.category, "Artificial - terrestrial", "Rocky")),
            Map.entry("available_rasters=dsm,dtm", d -> has(d.availableRasters, "dsm", "dtm")),
            Map.entry("is_shareable=yes", d -> d.isShareable),
            Map.entry("is_shareable=0", d -> !d.isShareable),
            Map.entry("captured_after=2019-01-01",
                    d -> !d.capturedDate.isBefore(Instant.parse("2019-01-01T00:00:00Z"))),
            Map.entry("captured_before=2019-01-01T02:00:00%2B02:00",
                    d -> d.capturedDate.isBefore(Instant.parse("2019-01-01T00:00:00Z"))),
            Map.entry("in_bbox=-20,-40,60,50", d -> intersects(d, -20, -40, 60, 50)),
            Map.entry("in_bbox=100,-90,-100,90",
                    d -> intersects(d, 100, -90, 180, 90) || intersects(d, -180, -90, -100, 90)),
            Map.entry("band=nir", d -> d.bandStats.contains("\"nir\"")),
            Map.entry("band=nir&band=lwir", d -> d.bandStats.contains("\"nir\"") || d.bandStats.contains("\"lwir\"")),
            Map.entry("has_stats=multispec_ortho", d -> d.bandStats.contains("band_descr")),
            Map.entry("has_stats=dsm", d -> d.bandStats.contains("\"dsm\":{\"b1\"")));

    private static boolean has(String[] all, String... wanted) {
        return Arrays.stream(wanted).anyMatch(Arrays.asList(all)::contains);
    }

    private static boolean intersects(Dataset d, double west, double south, double east, double north) {
        double[] b = d.bbox.length == 4
                ? d.bbox
                : new double[]{d.coordinates[0], d.coordinates[1], d.coordinates[0], d.coordinates[1]};
        return b[1] <= east && b[3] >= west && b[0] <= north && b[2] >= south;
    }

    private FilterModel() {
    }
}
