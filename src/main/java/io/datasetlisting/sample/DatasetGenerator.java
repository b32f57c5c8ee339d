package io.datasetlisting.sample;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

import io.datasetlisting.account.AccountRepository.Owner;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.vertx.core.json.JsonObject;

/**
 * Generates datasets for dev mode, tests and benchmarks. They follow all rules of the contract and cover its variants: empty
 * names, names in other scripts, names that begin with digits, three- and four-band orthos, multispectral rasters, rasters
 * without statistics, and missing boxes. A few datasets are private, deleted or drafts, which the listing omits.
 *
 * <p>
 * A dataset depends only on the seed and its index, so datasets can be generated in any order.
 */
public final class DatasetGenerator {

    /** Generated ids begin above the ids of the real sample datasets and are not contiguous. */
    private static final long FIRST_ID = 2_000;
    private static final int ID_STEP = 3;

    private static final Instant FIRST_CAPTURE = Instant.parse("2016-01-01T00:00:00Z");
    private static final int CAPTURE_SECONDS = 10 * 365 * 24 * 3600;

    private static final List<Owner> OWNERS = List.of(new Owner(2, "Ana Lucía Pérez"),
            new Owner(3, "coastal survey team"), new Owner(5, "drone_ops"), new Owner(8, "Иван Петров"),
            new Owner(13, "J. van der Berg"), new Owner(21, "marine-lab"), new Owner(34, "μελέτη ακτών"),
            new Owner(55, "terra nova"), new Owner(89, "user 7"), new Owner(144, "河川調査"));

    private static final List<String> PLACES = List.of("Alter do Chão", "Białowieża", "Camargue", "Doñana",
            "Everglades", "Fjærland", "Great Barrier Reef", "Høje Møn", "Île de Ré", "Jökulsárlón", "karst plateau",
            "Lüneburger Heide", "mangrove bay", "Northern quarry", "orchard");

    private static final List<String> OTHER_SCRIPTS = List.of("Байкал", "Κρήτη", "東京湾", "한강 하구", "دلتا النيل",
            "सुंदरबन", "חוף הכרמל", "ป่าชายเลน", "桂林 漓江", "Дельта Волги", "🛰 test flight");

    private static final List<String> MULTISPECTRAL_LABELS = List.of("blue", "green", "red", "rededge", "nir", "lwir",
            "alpha");

    private final long seed;

    public DatasetGenerator(long seed) {
        this.seed = seed;
    }

    /** The dataset with this index, from 0. Ids increase with the index. */
    public Dataset dataset(long index) {
        // The seed is mixed twice, because the random streams of neighbouring seeds may be the same stream, shifted by one step.
        SplittableRandom random = new SplittableRandom(
                new SplittableRandom(seed ^ index * 0xD1342543DE82EF95L).nextLong());
        Dataset dataset = new Dataset();
        dataset.id = FIRST_ID + ID_STEP * index + random.nextInt(ID_STEP);
        dataset.uavUid = UUID
                .nameUUIDFromBytes(("generated dataset " + seed + " " + index).getBytes(StandardCharsets.UTF_8));
        Owner owner = pick(random, OWNERS);
        dataset.ownerId = owner.id();
        dataset.ownerName = owner.username();
        dataset.workspace = owner.id() * 10 + random.nextInt(3);
        dataset.datasetName = pickName(random);
        dataset.category = pickSeveral(random, DatasetFields.CATEGORIES, 1 + random.nextInt(3));
        dataset.thumbnailKey = chance(random, 5)
                ? null
                : "generated/" + dataset.id + "-" + dataset.uavUid + "/thumbnail.jpg";
        dataset.capturedDate = FIRST_CAPTURE.plusSeconds(random.nextInt(CAPTURE_SECONDS));
        dataset.isPrivate = chance(random, 1);
        dataset.isShareable = chance(random, 10);
        dataset.isDeleted = chance(random, 1);
        setPosition(random, dataset);
        setRasters(random, dataset);
        dataset.cantOrthomosaic = chance(random, 2);
        dataset.isDemProcessing = chance(random, 2);
        if (chance(random, 3)) {
            dataset.cumulativeAdjustment = decimal(random, -5, 5);
            dataset.latestAdjustmentStatus = random.nextBoolean() ? "finished" : "failed";
            dataset.latestAdjustmentId = new UUID(random.nextLong(), random.nextLong()).toString();
        }
        return dataset;
    }

    private static String pickName(SplittableRandom random) {
        int kind = random.nextInt(100);
        if (kind < 3) {
            return "";
        }
        if (kind < 15) {
            return pick(random, OTHER_SCRIPTS) + " " + random.nextInt(1000);
        }
        if (kind < 35) {
            return (2016 + random.nextInt(10)) + "-" + (10 + random.nextInt(3)) + " " + pick(random, PLACES);
        }
        return pick(random, PLACES) + " flight " + random.nextInt(100_000);
    }

    /** Sets a point, and mostly a box around it. One dataset in fifty is a draft without both. */
    private static void setPosition(SplittableRandom random, Dataset dataset) {
        if (chance(random, 2)) {
            return;
        }
        double latitude = decimal(random, -80, 80);
        double longitude = decimal(random, -179, 179);
        dataset.coordinates = new double[]{latitude, longitude};
        if (!chance(random, 5)) {
            double height = random.nextDouble(0.0005, 0.05);
            double width = random.nextDouble(0.0005, 0.05);
            dataset.bbox = new double[]{round(latitude - height), round(longitude - width), round(latitude + height),
                    round(longitude + width)};
        }
    }

    /** Sets the available rasters, and statistics for most of them. */
    private static void setRasters(SplittableRandom random, Dataset dataset) {
        List<String> available = new ArrayList<>();
        JsonObject stats = new JsonObject();
        for (String raster : List.of("dsm", "dtm", "ortho")) {
            stats.put(raster, new JsonObject());
        }
        boolean processed = !chance(random, 15);
        boolean multispectral = processed && chance(random, 12);
        if (processed && !(multispectral && random.nextBoolean())) {
            available.add("ortho");
            // Sometimes a raster has no statistics, which the contract allows.
            if (!chance(random, 10)) {
                stats.put("ortho", colourBands(random));
            }
        }
        for (String elevation : List.of("dsm", "dtm")) {
            if (processed && chance(random, 60)) {
                available.add(elevation);
                stats.put(elevation, new JsonObject().put("b1", band(random, -30, 2500)));
            }
        }
        if (multispectral) {
            available.add("multispec_ortho");
            stats.put("multispec_ortho", multispectralBands(random));
        }
        dataset.availableRasters = available.toArray(String[]::new);
        dataset.bandStats = stats.encode();
    }

    private static JsonObject colourBands(SplittableRandom random) {
        JsonObject bands = new JsonObject();
        for (int i = 1; i <= 3; i++) {
            bands.put("b" + i, band(random, 0, 255));
        }
        if (random.nextBoolean()) {
            // The fourth band is the alpha band, whose values are 0 or 255.
            bands.put("b4", statistics(255, 0, decimal(random, 100, 255), decimal(random, 50, 127)));
        }
        return bands;
    }

    private static JsonObject multispectralBands(SplittableRandom random) {
        double max = pick(random, List.of(1.0, 255.0, 65535.0));
        int count = 4 + random.nextInt(MULTISPECTRAL_LABELS.size() - 3);
        JsonObject bands = new JsonObject();
        JsonObject labels = new JsonObject();
        for (int i = 1; i <= count; i++) {
            bands.put("b" + i, band(random, 0, max));
            labels.put(MULTISPECTRAL_LABELS.get(i - 1), i);
        }
        return bands.put("band_descr", labels);
    }

    private static JsonObject band(SplittableRandom random, double lowest, double highest) {
        double min = decimal(random, lowest, lowest + (highest - lowest) / 4);
        double max = decimal(random, lowest + (highest - lowest) / 2, highest);
        double mean = decimal(random, min, max);
        return statistics(max, min, mean, decimal(random, 0, (max - min) / 2));
    }

    private static JsonObject statistics(double max, double min, double mean, double stddev) {
        return new JsonObject().put("max", max).put("min", min).put("mean", mean).put("stddev", stddev);
    }

    private static boolean chance(SplittableRandom random, int percent) {
        return random.nextInt(100) < percent;
    }

    private static <T> T pick(SplittableRandom random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static String[] pickSeveral(SplittableRandom random, List<String> choices, int count) {
        int first = random.nextInt(choices.size());
        String[] picked = new String[count];
        for (int i = 0; i < count; i++) {
            picked[i] = choices.get((first + 5 * i) % choices.size());
        }
        return picked;
    }

    private static double decimal(SplittableRandom random, double low, double high) {
        return low < high ? round(random.nextDouble(low, high)) : round(low);
    }

    /** Rounds to six decimals, about a tenth of a metre in degrees. */
    private static double round(double value) {
        return BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_EVEN).doubleValue();
    }
}
