package io.datasetlisting.write.sample;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.rule.BandStats;
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

    private static final Map<Boolean, List<SampleSite>> SITES = SampleSite.ALL.stream()
            .collect(Collectors.partitioningBy(site -> Character.UnicodeScript
                    .of(site.name().codePointAt(0)) == Character.UnicodeScript.LATIN));
    private static final List<SampleSite> LATIN_SITES = SITES.get(true);
    private static final List<SampleSite> OTHER_SITES = SITES.get(false);

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
        Named named = pickName(random, index);
        SampleSite site = named.site;
        dataset.datasetName = named.name;
        dataset.category = site.categories().stream().limit(1 + random.nextInt(3)).toArray(String[]::new);
        dataset.thumbnailKey = chance(random, 5)
                ? null
                : "generated/" + dataset.id + "-" + dataset.uavUid + "/thumbnail.jpg";
        dataset.capturedDate = FIRST_CAPTURE.plusSeconds(random.nextInt(CAPTURE_SECONDS));
        dataset.isPrivate = chance(random, 1);
        dataset.isShareable = chance(random, 10);
        dataset.isDeleted = chance(random, 1);
        setPosition(random, dataset, site);
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

    /** A name, and the site that it names. */
    private record Named(String name, SampleSite site) {
    }

    private static Named pickName(SplittableRandom random, long index) {
        int kind = random.nextInt(100);
        if (kind < 3) {
            return new Named("", SampleSite.ALL.get((int) (index % SampleSite.ALL.size())));
        }
        SampleSite site;
        if (kind < 15) {
            site = pick(random, OTHER_SITES);
            return new Named(site.name() + " " + random.nextInt(1000), site);
        }
        if (kind < 35) {
            String month = (2016 + random.nextInt(10)) + "-" + (10 + random.nextInt(3));
            site = pick(random, LATIN_SITES);
            return new Named(month + " " + site.name(), site);
        }
        site = pick(random, LATIN_SITES);
        return new Named(site.name() + " flight " + random.nextInt(100_000), site);
    }

    /** Sets a point of the site, and mostly a box around it. One dataset in fifty is a draft without both. */
    private static void setPosition(SplittableRandom random, Dataset dataset, SampleSite site) {
        if (chance(random, 2)) {
            return;
        }
        double[] point = site.point(random.nextDouble(), random.nextDouble());
        dataset.coordinates = point;
        if (!chance(random, 5)) {
            double height = random.nextDouble(0.0005, 0.01);
            double width = random.nextDouble(0.0005, 0.01);
            dataset.bbox = new double[]{SampleSite.round(point[0] - height), SampleSite.round(point[1] - width),
                    SampleSite.round(point[0] + height), SampleSite.round(point[1] + width)};
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
        // As an import stores them: an export of the datasets is imported unchanged.
        return new JsonObject().put("max", BandStats.stored(max)).put("min", BandStats.stored(min))
                .put("mean", BandStats.stored(mean)).put("stddev", BandStats.stored(stddev));
    }

    private static boolean chance(SplittableRandom random, int percent) {
        return random.nextInt(100) < percent;
    }

    private static <T> T pick(SplittableRandom random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static double decimal(SplittableRandom random, double low, double high) {
        return SampleSite.round(low < high ? random.nextDouble(low, high) : low);
    }
}
