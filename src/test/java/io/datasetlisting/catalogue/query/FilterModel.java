package io.datasetlisting.catalogue.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.catalogue.grid.GridModel;
import io.datasetlisting.dataset.Dataset;
import io.vertx.core.json.JsonObject;

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
            Map.entry("in_bbox=-20,-40,60,50", d -> GridModel.touches(d, new double[]{-20, -40, 60, 50})),
            Map.entry("in_bbox=100,-90,-100,90",
                    d -> GridModel.touches(d, new double[]{100, -90, -100, 90})),
            Map.entry("intersects=POLYGON((-20%20-40,60%20-40,60%2050,-20%20-40))",
                    d -> covers("POLYGON((-20 -40,60 -40,60 50,-20 -40))", d)),
            Map.entry("band=nir", d -> d.bandStats.contains("\"nir\"")),
            Map.entry("band=nir&band=lwir", d -> d.bandStats.contains("\"nir\"") || d.bandStats.contains("\"lwir\"")),
            Map.entry("has_stats=multispec_ortho", d -> d.bandStats.contains("band_descr")),
            Map.entry("has_stats=dsm", d -> d.bandStats.contains("\"dsm\":{\"b1\"")));

    /** A word begins with it. */
    private static final Pattern EVERGLADES = Pattern.compile("(^|[^\\p{L}\\p{N}])everglades");

    /** Further values of these filters, and other filters. */
    private static final Map<String, Predicate<Dataset>> MORE = Map.of("user=terra%20nova,3",
            d -> d.ownerName.equals("terra nova") || d.ownerId == 3, "workspace=20,31,550",
            d -> List.of(20L, 31L, 550L).contains(d.workspace), "workspace=31", d -> d.workspace == 31,
            "search=everglades",
            d -> EVERGLADES.matcher(d.datasetName.toLowerCase()).find(),
            "captured_after=2020-02-29T12:00:00.000001Z",
            d -> !d.capturedDate.isBefore(Instant.parse("2020-02-29T12:00:00.000001Z")),
            "captured_before=2022-12-31T23:59:59Z",
            d -> d.capturedDate.isBefore(Instant.parse("2022-12-31T23:59:59Z")), "updated_since=2020-01-01",
            d -> true, "band=new,unknown", d -> d.bandStats.contains("\"new\""));

    /**
     * A filter.
     *
     * @param text
     *            parameter and value
     */
    public record Named(String text, Predicate<Dataset> finds) {

        /** The name of the parameter. */
        public String parameter() {
            return text.substring(0, text.indexOf('='));
        }
    }

    /** What a raster says of itself, with this distance of its rows in metres. */
    public static String header(String raster, Object gsd) {
        return "{\"%s\":{\"gsd\":%s,\"proj:shape\":[1,2],\"file:size\":3,\"is_cog\":true}}".formatted(raster, gsd);
    }

    /** The distance of the rows of the finest raster in metres; null if none is known. */
    public static Double gsd(Dataset d) {
        return d.rasterHeaders == null
                ? null
                : new JsonObject(d.rasterHeaders).stream()
                        .map(header -> ((JsonObject) header.getValue()).getDouble("gsd")).filter(Objects::nonNull)
                        .min(Comparator.naturalOrder()).orElse(null);
    }

    /** What is not known is last in both directions. */
    public static Comparator<Dataset> byGsd(boolean descending) {
        return Comparator.comparing(FilterModel::gsd, Comparator.nullsLast(
                descending ? Comparator.<Double>reverseOrder() : Comparator.<Double>naturalOrder()));
    }

    /** Often exactly the distance of datasets. */
    private static Named gsd(Random random, boolean isMax) {
        double metres = random.nextInt(14) / 8.0 + random.nextInt(3) / 2 * 0.01;
        return isMax
                ? new Named("gsd_max=" + metres, d -> gsd(d) != null && gsd(d) <= metres)
                : new Named("gsd_min=" + metres, d -> gsd(d) != null && gsd(d) >= metres);
    }

    /** Up to a number of filters of different parameters, some with random values. */
    public static List<Named> any(Random random, int most) {
        List<Named> all = new ArrayList<>();
        Stream.of(FILTERS, MORE).forEach(
                filters -> new TreeMap<>(filters).forEach((text, finds) -> all.add(new Named(text, finds))));
        for (int i = 0; i < 3; i++) {
            all.add(box(random));
            all.add(time(random, random.nextBoolean()));
            all.add(gsd(random, random.nextBoolean()));
        }
        Collections.shuffle(all, random);
        List<Named> chosen = new ArrayList<>();
        all.stream().limit(random.nextInt(most + 1)).forEach(filter -> {
            if (chosen.stream().map(Named::parameter).noneMatch(filter.parameter()::equals)) {
                chosen.add(filter);
            }
        });
        return chosen;
    }

    /** A box of any size, which may cross the antimeridian. */
    private static Named box(Random random) {
        double west = random.nextInt(3_600) / 10.0 - 180;
        double south = random.nextInt(1_700) / 10.0 - 90;
        double width = Math.round(Math.pow(10, random.nextDouble() * 3.5)) / 10.0;
        double east = Math.round(10 * (west + width > 180 ? west + width - 360 : west + width)) / 10.0;
        double north = Math.min(90, Math.round(10 * (south + width / 2)) / 10.0);
        return new Named("in_bbox=" + west + ',' + south + ',' + east + ',' + north,
                d -> GridModel.touches(d, new double[]{west, south, east, north}));
    }

    private static Named time(Random random, boolean isAfter) {
        Instant time = Instant.parse("2015-01-01T00:00:00Z").plusSeconds(86_400L * random.nextInt(3_650))
                .plusMillis(random.nextInt(4) / 3 * 1_500L);
        return isAfter
                ? new Named("captured_after=" + time, d -> !d.capturedDate.isBefore(time))
                : new Named("captured_before=" + time, d -> d.capturedDate.isBefore(time));
    }

    /**
     * The datasets that match filters.
     *
     * @param without
     *            the names of the parameters that are ignored
     */
    public static List<Dataset> matching(List<Dataset> all, List<Named> filters, List<String> without) {
        return all.stream().filter(d -> filters.stream()
                .allMatch(filter -> without.contains(filter.parameter()) || filter.finds.test(d))).toList();
    }

    private static boolean has(String[] all, String... wanted) {
        return Arrays.stream(wanted).anyMatch(Arrays.asList(all)::contains);
    }

    /** The geometry of a dataset whose bbox has no area is its point. */
    private static boolean covers(String geometry, Dataset d) {
        boolean isArea = d.bbox.length == 4 && d.bbox[0] != d.bbox[2] && d.bbox[1] != d.bbox[3];
        Envelope box = isArea
                ? new Envelope(d.bbox[1], d.bbox[3], d.bbox[0], d.bbox[2])
                : new Envelope(new Coordinate(d.coordinates[1], d.coordinates[0]));
        try {
            return new WKTReader().read(geometry).intersects(new GeometryFactory().toGeometry(box));
        } catch (ParseException e) {
            throw new AssertionError(e);
        }
    }

    private FilterModel() {
    }
}
