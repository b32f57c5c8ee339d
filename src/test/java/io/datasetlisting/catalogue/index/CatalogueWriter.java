package io.datasetlisting.catalogue.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

import io.datasetlisting.catalogue.rank.RankWriter;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Changes datasets at random, in each of the ways that there are, and keeps the history of what it has changed. */
final class CatalogueWriter {

    static final List<String> NAMES = List.of("Everglades", "everglades west", "North Everglades", "coast", "");
    private static final int IMPORTED = 40;

    private final Api admin;
    private final Caller creator;
    private final Api creating;
    private final Catalogue catalogue;
    private final CatalogueHistory history;
    private final RankWriter ranks;
    private final Random random;

    /**
     * @param creator
     *            the owner of new datasets
     */
    CatalogueWriter(Api admin, Caller creator, Catalogue catalogue, CatalogueHistory history, RankWriter ranks,
            long seed) {
        this.admin = admin;
        this.creator = creator;
        creating = admin.with(creator.key());
        this.catalogue = catalogue;
        this.history = history;
        this.ranks = ranks;
        random = new Random(seed);
    }

    /** Makes one change. Folds, and the end of a fold, change no dataset. */
    void writeOne() {
        switch (random.nextInt(40)) {
            case 0 -> history.change(this::importSome);
            case 1 -> history.change(this::deleteOrRestoreSome);
            case 2 -> ranks.killTheFold();
            case 3 -> {
                switch (random.nextInt(10)) {
                    case 0 -> ranks.rebuild();
                    case 1, 2, 3 -> ranks.foldABacklog();
                    default -> {
                        // Most turns leave the ranks to the service.
                    }
                }
            }
            case 4, 5 -> history.change(this::create);
            case 6, 7, 8, 9 -> history.change(() -> withOne(any(), d -> {
                assertEquals(204, admin.call("DELETE", path(d), null).statusCode());
                d.isDeleted = true;
            }));
            default -> history.change(() -> withOne(any(), d -> {
                HttpResponse<String> response = admin.call("PATCH", path(d), change(d));
                assertEquals(200, response.statusCode(), response::body);
            }));
        }
    }

    private static String path(Dataset dataset) {
        return Listing.PATH + dataset.id + '/';
    }

    /** A dataset that is not deleted. */
    private Dataset any() {
        List<Dataset> all = history.last();
        while (true) {
            Dataset dataset = all.get(random.nextInt(all.size()));
            if (!dataset.isDeleted) {
                return dataset;
            }
        }
    }

    /** The datasets, one of them changed. */
    private List<Dataset> withOne(Dataset dataset, Consumer<Dataset> change) {
        List<Dataset> all = new ArrayList<>(history.last());
        Dataset changed = copy(dataset);
        change.accept(changed);
        all.set(all.indexOf(dataset), changed);
        return all;
    }

    private static Dataset copy(Dataset dataset) {
        try {
            Dataset copy = new Dataset();
            for (Field field : Dataset.class.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getName().startsWith("$")) {
                    field.setAccessible(true);
                    field.set(copy, field.get(dataset));
                }
            }
            return copy;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Changes the model of a dataset. Returns the same change for the API. */
    private JsonObject change(Dataset d) {
        JsonObject change = new JsonObject();
        for (int i = random.nextInt(2); i < 2; i++) {
            switch (random.nextInt(8)) {
                case 0 -> {
                    d.datasetName = NAMES.get(random.nextInt(NAMES.size()));
                    change.put("dataset_name", d.datasetName);
                }
                case 1 -> {
                    d.category = some(DatasetFields.CATEGORIES, 1);
                    change.put("category", new JsonArray(List.of(d.category)));
                }
                case 2 -> {
                    d.availableRasters = some(DatasetFields.RASTERS, 0);
                    change.put("available_rasters", new JsonArray(List.of(d.availableRasters)));
                }
                case 3 -> {
                    d.isPrivate = random.nextInt(3) == 0;
                    change.put("is_private", d.isPrivate);
                }
                case 4 -> {
                    d.isShareable = random.nextBoolean();
                    change.put("is_shareable", d.isShareable);
                }
                case 5 -> {
                    d.capturedDate = Instant.parse("2014-12-31T23:59:59Z").plusSeconds(random.nextInt(300_000_000));
                    change.put("captured_date", d.capturedDate.toString());
                }
                case 6 -> {
                    place(d);
                    change.put("bbox", array(d.bbox)).put("coordinates", array(d.coordinates));
                }
                default -> {
                    d.bandStats = any().bandStats;
                    change.put("band_stats", new JsonObject(d.bandStats));
                }
            }
        }
        return change;
    }

    private String[] some(List<String> values, int least) {
        List<String> left = new ArrayList<>(values);
        Collections.shuffle(left, random);
        return left.subList(0, least + random.nextInt(2)).toArray(String[]::new);
    }

    /** A box with its centre, or a point. */
    private void place(Dataset d) {
        double south = tenths(random.nextInt(1_700) / 10.0 - 90);
        double west = tenths(random.nextInt(3_500) / 10.0 - 180);
        d.bbox = random.nextInt(3) == 0
                ? new double[0]
                : new double[]{south, west, tenths(south + random.nextInt(90) / 10.0),
                        tenths(west + random.nextInt(90) / 10.0)};
        d.coordinates = d.bbox.length == 0
                ? new double[]{south, west}
                : new double[]{(d.bbox[0] + d.bbox[2]) / 2, (d.bbox[1] + d.bbox[3]) / 2};
    }

    /** The centre of a box that is on the edge of a cell is exactly there. */
    private static double tenths(double degrees) {
        return Math.round(degrees * 10) / 10.0;
    }

    private static JsonArray array(double[] numbers) {
        return new JsonArray(DoubleStream.of(numbers).boxed().toList());
    }

    private JsonObject fields(Dataset d) {
        return new JsonObject().put("dataset_name", d.datasetName).put("category", new JsonArray(List.of(d.category)))
                .put("available_rasters", new JsonArray(List.of(d.availableRasters))).put("is_private", d.isPrivate)
                .put("is_shareable", d.isShareable).put("captured_date", d.capturedDate.toString())
                .put("bbox", array(d.bbox)).put("coordinates", array(d.coordinates))
                .put("band_stats", new JsonObject(d.bandStats)).put("workspace", d.workspace);
    }

    private List<Dataset> create() {
        Dataset made = copy(any());
        made.ownerId = creator.id();
        made.ownerName = creator.username();
        made.workspace = random.nextInt(60);
        // Only an import has these fields.
        made.cantOrthomosaic = false;
        made.isDemProcessing = false;
        made.cumulativeAdjustment = 0;
        made.latestAdjustmentStatus = "";
        place(made);
        change(made);
        JsonObject response = Api.json(201, creating.call("POST", Listing.PATH, fields(made)));
        made.id = response.getLong("id");
        made.uavUid = UUID.fromString(response.getString("uav_uid"));
        made.workspace = response.getLong("workspace");
        List<Dataset> all = new ArrayList<>(history.last());
        all.add(made);
        return all;
    }

    /** Replaces some datasets, and adds some. The lines are one statement. */
    private List<Dataset> importSome() {
        List<Dataset> all = new ArrayList<>(history.last());
        Map<Long, JsonObject> lines = new HashMap<>();
        long nextId = all.stream().mapToLong(d -> d.id).max().orElse(0) + 1;
        for (int i = 0; i < IMPORTED; i++) {
            Dataset before = any();
            Dataset after = copy(before);
            place(after);
            change(after);
            if (i % 20 == 0) {
                after.id = nextId++;
                after.uavUid = new UUID(random.nextLong(), random.nextLong());
                all.add(after);
            } else if (lines.containsKey(before.id)) {
                continue;
            } else {
                all.set(all.indexOf(before), after);
            }
            lines.put(after.id, fields(after).put("id", after.id).put("uav_uid", after.uavUid.toString())
                    .put("user", after.ownerName + ' ' + after.ownerId).put("cant_orthomosaic", after.cantOrthomosaic)
                    .put("is_dem_processing", after.isDemProcessing)
                    .put("cumulative_adjustment", after.cumulativeAdjustment)
                    .put("latest_adjustment_status", after.latestAdjustmentStatus));
        }
        HttpResponse<String> response = admin.call("POST", Listing.PATH, Bulk.body(lines.values().stream()),
                "Content-Type", Bulk.NDJSON);
        assertEquals(200, response.statusCode(), response::body);
        Bulk.Outcome outcome = Bulk.Outcome.of(response.body().lines().reduce((line, next) -> next).orElseThrow());
        assertEquals(lines.size(), outcome.created() + outcome.replaced(), outcome::toString);
        return all;
    }

    private List<Dataset> deleteOrRestoreSome() {
        int rest = random.nextInt(97);
        catalogue.sql("update dataset set is_deleted = not is_deleted where id % 97 = " + rest);
        return history.last().stream().map(d -> {
            if (d.id % 97 != rest) {
                return d;
            }
            Dataset changed = copy(d);
            changed.isDeleted = !d.isDeleted;
            return changed;
        }).toList();
    }

    /** The names of all owners that there may be. */
    static List<String> owners(List<Dataset> first, Caller creator) {
        List<String> owners = new ArrayList<>(Arrays.asList(creator.username()));
        first.stream().map(d -> d.ownerName).distinct().forEach(owners::add);
        return owners;
    }
}
