package io.datasetlisting.write.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.http.input.DrfFields;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests that generated datasets are valid, reproducible and varied. */
class DatasetGeneratorTest {

    private static final Set<String> CATEGORIES = Set.of("Artificial - terrestrial", "Deep ocean floor", "Desert",
            "Forest", "Grassland", "Intertidal", "Neritic", "Oceanic", "Other", "Rocky", "Savanna", "Shrubland",
            "Wetlands");
    private static final Set<String> SEA = Set.of("Intertidal", "Neritic", "Oceanic", "Deep ocean floor");
    private static final Set<String> RASTERS = Set.of("ortho", "dsm", "dtm", "multispec_ortho");
    private static final Set<String> BAND_LABELS = Set.of("red", "green", "blue", "nir", "rededge", "alpha", "lwir");

    private static final List<Sample> SAMPLES = LongStream.range(0, 20_000)
            .mapToObj(new DatasetGenerator(1)::dataset)
            .map(dataset -> new Sample(dataset, new JsonObject(dataset.bandStats)))
            .toList();

    private record Sample(Dataset dataset, JsonObject stats) {

        boolean lists(String raster) {
            return List.of(dataset.availableRasters).contains(raster);
        }

        JsonObject raster(String raster) {
            return stats.getJsonObject(raster, new JsonObject());
        }

        boolean isNamed(String pattern) {
            return dataset.datasetName.matches(pattern);
        }
    }

    @Test
    void theSameSeedMakesTheSameDatasets() {
        DatasetGenerator one = new DatasetGenerator(7);
        DatasetGenerator other = new DatasetGenerator(7);

        for (long index = 499; index >= 0; index--) {
            assertEquals(columns(one.dataset(index)), columns(other.dataset(index)));
        }
    }

    @Test
    void anotherSeedMakesOtherDatasets() {
        DatasetGenerator one = new DatasetGenerator(1);
        DatasetGenerator other = new DatasetGenerator(2);

        for (long index = 0; index < 500; index++) {
            assertNotEquals(one.dataset(index).uavUid, other.dataset(index).uavUid);
            assertNotEquals(one.dataset(index).bandStats + one.dataset(index).capturedDate,
                    other.dataset(index).bandStats + other.dataset(index).capturedDate);
        }
    }

    @Test
    void idsRiseAndAreNotContiguous() {
        long[] steps = IntStream.range(1, SAMPLES.size())
                .mapToLong(i -> SAMPLES.get(i).dataset.id - SAMPLES.get(i - 1).dataset.id)
                .toArray();

        assertTrue(SAMPLES.get(0).dataset.id > 0);
        assertTrue(Arrays.stream(steps).allMatch(step -> step > 0));
        assertTrue(Arrays.stream(steps).distinct().count() > 1);
    }

    @Test
    void uavUidsAreUnique() {
        assertEquals(SAMPLES.size(), SAMPLES.stream().map(sample -> sample.dataset.uavUid).distinct().count());
    }

    @Test
    void eachOwnerHasOneIdAndOneName() {
        Set<Long> ids = valuesOf(sample -> sample.dataset.ownerId);

        assertEquals(10, ids.size());
        assertEquals(ids.size(), valuesOf(sample -> sample.dataset.ownerName).size());
        assertEquals(ids.size(), valuesOf(sample -> sample.dataset.ownerName + ' ' + sample.dataset.ownerId).size());
    }

    @Test
    void eachWorkspaceBelongsToOneOwner() {
        Map<Long, Set<Long>> owners = SAMPLES.stream().map(Sample::dataset)
                .collect(Collectors.groupingBy(dataset -> dataset.workspace,
                        Collectors.mapping(dataset -> dataset.ownerId, Collectors.toSet())));

        assertTrue(owners.values().stream().allMatch(ids -> ids.size() == 1));
        assertTrue(owners.keySet().stream().allMatch(workspace -> workspace > 0));
    }

    /** The rules of an import say what a dataset may have. */
    @Test
    void anImportReadsEachDatasetUnchanged() {
        eachSample(sample -> {
            byte[] line = Views.json(Views.FIELDS.all().read(sample.dataset, key -> null))
                    .getBytes(StandardCharsets.UTF_8);
            DrfFields row = DrfFields.parse(line, 0, line.length);
            Dataset read = new Dataset();
            Views.FIELDS.inReadOrder().forEach(field -> {
                field.readWritable(row, read, null);
                field.readImported(row, read, null);
            });
            row.check();
            read.thumbnailKey = sample.dataset.thumbnailKey;
            assertEquals(columns(sample.dataset), columns(read));
            for (String[] values : List.of(read.category, read.availableRasters)) {
                assertEquals(values.length, new HashSet<>(List.of(values)).size(), "none is repeated");
            }
        });
    }

    @Test
    void aThumbnailsKeyHoldsTheIdAndTheUavUid() {
        eachSample(sample -> {
            Dataset dataset = sample.dataset;
            assertTrue(dataset.thumbnailKey == null
                    || dataset.thumbnailKey.matches("[^/]+/" + dataset.id + "-" + dataset.uavUid + "/[^/]+"));
        });
    }

    @Test
    void captureTimesAreInThePast() {
        eachSample(sample -> assertTrue(
                sample.dataset.capturedDate.isBefore(Instant.parse("2026-01-01T00:00:00Z"))));
    }

    @Test
    void aPointIsInsideOfItsBox() {
        eachSample(sample -> {
            double[] box = sample.dataset.bbox;
            double[] point = sample.dataset.coordinates;
            assertTrue(box.length == 0 || box[0] < point[0] && point[0] < box[2] && box[1] < point[1]
                    && point[1] < box[3]);
        });
    }

    /** The land of the map has few points, so that a cape lies up to twenty kilometres outside. */
    @Test
    void datasetsLieOnLandOrAtACoast() throws IOException {
        Geometry land = land();
        PreparedGeometry inland = PreparedGeometryFactory.prepare(land);
        eachSample(sample -> {
            double[] point = sample.dataset.coordinates;
            if (point != null) {
                Geometry place = land.getFactory().createPoint(new Coordinate(point[1], point[0]));
                boolean isAtSea = Stream.of(sample.dataset.category).anyMatch(SEA::contains)
                        || sample.dataset.datasetName.matches("|.*(Jökulsárlón|Camargue|सुंदरबन|Cabo).*");
                assertTrue(inland.contains(place) || isAtSea && land.distance(place) < 0.3,
                        () -> sample.dataset.datasetName + ' ' + Arrays.toString(point));
            }
        });
    }

    private static Geometry land() throws IOException {
        GeometryFactory factory = new GeometryFactory();
        try (InputStream file = DatasetGenerator.class.getResourceAsStream("/web/land.json")) {
            JsonObject ground = new JsonObject(Buffer.buffer(file.readAllBytes()));
            Geometry land = factory.createPolygon();
            for (Object ring : ground.getJsonArray("land")) {
                // A ring in another one is a sea.
                land = land.symDifference(factory.createPolygon(points((JsonArray) ring, ground.getDouble("scale")))
                        .buffer(0));
            }
            return land;
        }
    }

    /** The file has the steps from point to point. */
    private static Coordinate[] points(JsonArray steps, double scale) {
        Coordinate[] points = new Coordinate[steps.size() / 2];
        double x = 0;
        double y = 0;
        for (int i = 0; i < points.length; i++) {
            x += steps.getDouble(2 * i);
            y += steps.getDouble(2 * i + 1);
            points[i] = new Coordinate(x / scale, y / scale);
        }
        return points;
    }

    @Test
    void aDatasetLiesAtTheSiteOfItsName() {
        eachSample(sample -> {
            Dataset dataset = sample.dataset;
            SampleSite site = SampleSite.ALL.stream().filter(each -> dataset.datasetName.contains(each.name()))
                    .max(Comparator.comparing(each -> each.name().length())).orElse(null);
            assertEquals(dataset.datasetName.isEmpty(), site == null, dataset.datasetName);
            if (site != null) {
                assertEquals(site.categories().get(0), dataset.category[0]);
                assertTrue(site.categories().containsAll(List.of(dataset.category)), dataset.datasetName);
            }
            if (site != null && dataset.coordinates != null) {
                double north = (dataset.coordinates[0] - site.latitude()) * 111.32;
                double east = (dataset.coordinates[1] - site.longitude()) * 111.32
                        * Math.cos(Math.toRadians(site.latitude()));
                assertTrue(Math.hypot(north, east) <= site.radius() + 0.001, dataset.datasetName);
            }
        });
        assertTrue(SampleSite.ALL.size() >= 60);
    }

    @Test
    void statisticsAreThoseOfValues() {
        eachSample(sample -> {
            assertEquals(sample.lists("multispec_ortho"), sample.stats.containsKey("multispec_ortho"));
            sample.stats.fieldNames().forEach(raster -> {
                JsonObject bands = sample.raster(raster);
                bands.fieldNames().stream().filter(name -> !name.equals("band_descr"))
                        .forEach(name -> assertStatistics(bands.getJsonObject(name)));
            });
            JsonObject alpha = sample.raster("ortho").getJsonObject("b4");
            assertTrue(alpha == null || alpha.getDouble("min") == 0 && alpha.getDouble("max") == 255);
            Map<String, Object> labels = sample.raster("multispec_ortho").getJsonObject("band_descr", new JsonObject())
                    .getMap();
            assertEquals(labels.size(), new HashSet<>(labels.values()).size(), "each label has a band of its own");
        });
    }

    @TestFactory
    List<DynamicTest> everyKindOfRecordAppears() {
        return List.of(appears("an empty name", sample -> sample.isNamed("")),
                appears("a name in another script", sample -> sample.isNamed("[^\\p{IsLatin}]*\\p{L}[^\\p{IsLatin}]*")),
                appears("a name that begins with a digit", sample -> sample.isNamed("\\d.*")),
                appears("a Latin name", sample -> sample.isNamed("\\p{IsLatin}.*")),
                appears("three-band ortho", sample -> sample.raster("ortho").size() == 3),
                appears("four-band ortho", sample -> sample.raster("ortho").size() == 4),
                appears("a multispectral ortho", sample -> sample.raster("multispec_ortho").containsKey("band_descr")),
                appears("a multispectral ortho of reflectances", sample -> highest(sample, "multispec_ortho") <= 1),
                appears("a multispectral ortho of 16 bits", sample -> highest(sample, "multispec_ortho") > 255
                        && highest(sample, "multispec_ortho") < 1e6),
                appears("a multispectral ortho beside an empty ortho",
                        sample -> !sample.raster("multispec_ortho").isEmpty() && sample.raster("ortho").isEmpty()),
                appears("an ortho that is listed without statistics",
                        sample -> sample.lists("ortho") && sample.raster("ortho").isEmpty()),
                appears("no raster at all", sample -> sample.dataset.availableRasters.length == 0),
                appears("a depth below zero", sample -> sample.raster("dsm").containsKey("b1")
                        && sample.raster("dsm").getJsonObject("b1").getDouble("min") < 0),
                appears("a point without a box",
                        sample -> sample.dataset.coordinates != null && sample.dataset.bbox.length == 0),
                appears("a box", sample -> sample.dataset.bbox.length == 4),
                appears("a draft", sample -> sample.dataset.coordinates == null && sample.dataset.bbox.length == 0),
                appears("a missing thumbnail", sample -> sample.dataset.thumbnailKey == null),
                appears("private", sample -> sample.dataset.isPrivate),
                appears("deleted", sample -> sample.dataset.isDeleted),
                appears("shareable", sample -> sample.dataset.isShareable),
                appears("without an orthomosaic", sample -> sample.dataset.cantOrthomosaic),
                appears("in elevation processing", sample -> sample.dataset.isDemProcessing),
                appears("adjusted", sample -> !sample.dataset.latestAdjustmentStatus.isEmpty()
                        && !sample.dataset.latestAdjustmentId.isEmpty()));
    }

    @Test
    void everyLabelAppears() {
        assertEquals(CATEGORIES,
                SAMPLES.stream().flatMap(sample -> Arrays.stream(sample.dataset.category)).collect(Collectors.toSet()));
        assertEquals(RASTERS, SAMPLES.stream().flatMap(sample -> Arrays.stream(sample.dataset.availableRasters))
                .collect(Collectors.toSet()));
        assertEquals(BAND_LABELS,
                SAMPLES.stream()
                        .flatMap(sample -> sample.raster("multispec_ortho")
                                .getJsonObject("band_descr", new JsonObject()).fieldNames().stream())
                        .collect(Collectors.toSet()));
    }

    @Test
    void mostDatasetsAreListed() {
        long listed = SAMPLES.stream().map(Sample::dataset)
                .filter(dataset -> !dataset.isPrivate && !dataset.isDeleted && dataset.coordinates != null)
                .count();

        assertTrue(listed > SAMPLES.size() * 0.9 && listed < SAMPLES.size(), () -> listed + " are listed");
    }

    private static DynamicTest appears(String kind, Predicate<Sample> isOfKind) {
        return DynamicTest.dynamicTest(kind, () -> assertTrue(SAMPLES.stream().anyMatch(isOfKind)));
    }

    private static void eachSample(Consumer<Sample> check) {
        SAMPLES.forEach(check);
    }

    private static <T> Set<T> valuesOf(Function<Sample, T> value) {
        return SAMPLES.stream().map(value).collect(Collectors.toSet());
    }

    /** The maximum of a raster's first band, or infinity if there is no band. */
    private static double highest(Sample sample, String raster) {
        JsonObject band = sample.raster(raster).getJsonObject("b1");
        return band == null ? Double.POSITIVE_INFINITY : band.getDouble("max");
    }

    private static void assertStatistics(JsonObject band) {
        double min = band.getDouble("min");
        double max = band.getDouble("max");
        double mean = band.getDouble("mean");
        double deviation = band.getDouble("stddev");
        assertTrue(min <= mean && mean <= max, band::encode);
        assertTrue(deviation >= 0 && deviation <= (max - min) / 2 + 1e-6, band::encode);
    }

    private static List<Object> columns(Dataset dataset) {
        return Arrays.asList(dataset.id, dataset.uavUid, dataset.ownerId, dataset.ownerName, dataset.workspace,
                dataset.datasetName, List.of(dataset.category), dataset.thumbnailKey, dataset.capturedDate,
                dataset.isPrivate, dataset.isShareable, dataset.isDeleted, List.of(dataset.availableRasters),
                dataset.bandStats, Arrays.toString(dataset.bbox), Arrays.toString(dataset.coordinates),
                dataset.cantOrthomosaic, dataset.isDemProcessing, dataset.cumulativeAdjustment,
                dataset.latestAdjustmentStatus, dataset.latestAdjustmentId);
    }
}
