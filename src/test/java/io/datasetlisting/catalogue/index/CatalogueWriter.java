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

import io.datasetlisting.catalogue.query.FilterModel;
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

    /** Some with characters that have a meaning in JSON, SQL, addresses and templates, or look like others. */
    static final List<String> NAMES = List.of("Everglades", "everglades west", "North Everglades", "coast", "",
            "a\t\"b\"\n'c' \\,:;", "{}[]%_+&=/?#<>$1%s${a}", "İ ß é e\u0301 ﬁ \u202e\u200d\ufeff\uffff",
            "河 가 ย ع 🛰👩‍🚀",
            "None\u0001\u007f");
    private static final int IMPORTED = 40;
    private static final int TOO_LONG = 256;
    private static final long UNKNOWN_ID = 999_999_999_999L;

    private static final String HEADER = "'" + FilterModel.header("dsm", "' || (id % 11 + 1) / 8.0 || '") + "'";

    /** Assignments of statements in SQL, also of fields that the API does not write, and what they do to a dataset. */
    private static final List<Map.Entry<String, Consumer<Dataset>>> ASSIGNMENTS = List.of(
            Map.entry("is_deleted = not is_deleted", d -> d.isDeleted = !d.isDeleted),
            Map.entry("is_private = not is_private", d -> d.isPrivate = !d.isPrivate),
            Map.entry("cant_orthomosaic = not cant_orthomosaic", d -> d.cantOrthomosaic = !d.cantOrthomosaic),
            Map.entry("is_dem_processing = not is_dem_processing", d -> d.isDemProcessing = !d.isDemProcessing),
            Map.entry("cumulative_adjustment = id % 7 / 2.0", d -> d.cumulativeAdjustment = d.id % 7 / 2.0),
            Map.entry("latest_adjustment_status = case id % 2 when 0 then 'failed' else 'finished' end",
                    d -> d.latestAdjustmentStatus = d.id % 2 == 0 ? "failed" : "finished"),
            Map.entry("raster_headers = case when id % 3 > 0 then (" + HEADER + ")::jsonb end", d -> {
                d.rasterHeaders = null;
                if (d.id % 3 > 0) {
                    readRaster(d);
                }
            }), Map.entry("uav_uid = ('00000000-0000-5000-0000-' || lpad(to_hex(id), 12, '0'))::uuid",
                    d -> d.uavUid = new UUID(0x5000, d.id)));

    /** Sets what the assignment above sets. */
    static void readRaster(Dataset d) {
        d.rasterHeaders = FilterModel.header("dsm", (d.id % 11 + 1) / 8.0);
    }

    private final Api admin;
    private final Caller creator;
    private final Api creating;
    /** Writes for another account. */
    private final Api stranger;
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
        stranger = admin.with(Caller.writer("stranger").key());
        this.catalogue = catalogue;
        this.history = history;
        this.ranks = ranks;
        random = new Random(seed);
    }

    /** Makes one change. Folds, and the end of a fold, change no dataset. */
    void writeOne() {
        switch (random.nextInt(40)) {
            case 0 -> history.change(this::importSome);
            case 1 -> history.change(this::changeSome);
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
            default -> {
                Dataset one = any();
                if (random.nextInt(4) == 0) {
                    beRefused(one);
                }
                history.change(() -> withOne(one, d -> {
                    JsonObject change = change(d);
                    assertShows(d, 200, admin.call(random.nextInt(4) == 0 ? "PUT" : "PATCH", path(d), change));
                }));
            }
        }
    }

    /** Requests that change nothing: of callers that may not write the dataset, of an older version, and with a wrong value. */
    private void beRefused(Dataset d) {
        boolean isPublic = !d.isPrivate && d.coordinates != null;
        assertEquals(isPublic ? 200 : 404, stranger.get(path(d)).statusCode());
        String method = List.of("PUT", "PATCH", "DELETE").get(random.nextInt(3));
        JsonObject change = method.equals("DELETE") ? null : new JsonObject().put("is_private", !d.isPrivate);
        assertEquals(401, admin.with(null).call(method, path(d), change).statusCode());
        assertEquals(isPublic ? 403 : 404, stranger.call(method, path(d), change).statusCode());
        assertEquals(412, admin.call(method, path(d), change, "If-Match", "\"1-0\"").statusCode());
        assertEquals(404, admin.call(method, Listing.PATH + UNKNOWN_ID + '/', change).statusCode());
        assertEquals(400, admin.call("PATCH", path(d), new JsonObject().put("dataset_name", "x".repeat(TOO_LONG)))
                .statusCode());
    }

    /** The response shows all fields of the dataset as the model has them. */
    private JsonObject assertShows(Dataset d, int status, HttpResponse<String> response) {
        JsonObject whole = Api.json(status, response);
        JsonObject shown = whole.copy();
        JsonObject expected = fields(d);
        shown.fieldNames().retainAll(expected.fieldNames());
        assertEquals(expected, shown);
        return whole;
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
                    // What is known of a raster goes with it.
                    d.rasterHeaders = List.of(d.availableRasters).contains("dsm") ? d.rasterHeaders : null;
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
                    if (!change.containsKey("bbox")) {
                        move(d, change);
                    }
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

    /** To another place, to none, which makes it a draft, or to another box without a word about the coordinates. */
    private void move(Dataset d, JsonObject change) {
        double[] before = d.coordinates;
        boolean isCentre = Arrays.equals(before, centre(d.bbox));
        if (random.nextInt(8) == 0) {
            d.bbox = new double[0];
            d.coordinates = null;
        } else {
            place(d);
        }
        change.put("bbox", array(d.bbox)).put("coordinates", array(d.coordinates));
        if (random.nextBoolean()) {
            change.remove("coordinates");
            // Coordinates that are the centre of the box follow it, others stay.
            d.coordinates = isCentre && d.bbox.length > 0 ? d.coordinates : before;
        }
    }

    private static double[] centre(double[] bbox) {
        return bbox.length == 0 ? null : new double[]{(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2};
    }

    /** A box with its centre, or a point. */
    private void place(Dataset d) {
        double south = tenths(random.nextInt(1_700) / 10.0 - 90);
        double west = tenths(random.nextInt(3_500) / 10.0 - 180);
        d.bbox = random.nextInt(3) == 0
                ? new double[0]
                : new double[]{south, west, tenths(south + random.nextInt(90) / 10.0),
                        tenths(west + random.nextInt(90) / 10.0)};
        d.coordinates = d.bbox.length == 0 ? new double[]{south, west} : centre(d.bbox);
    }

    /** The centre of a box that is on the edge of a cell is exactly there. */
    private static double tenths(double degrees) {
        return Math.round(degrees * 10) / 10.0;
    }

    private static JsonArray array(double[] numbers) {
        return numbers == null ? new JsonArray() : new JsonArray(DoubleStream.of(numbers).boxed().toList());
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
        // Only an import has these fields.
        made.cantOrthomosaic = false;
        made.isDemProcessing = false;
        made.cumulativeAdjustment = 0;
        made.latestAdjustmentStatus = "";
        place(made);
        change(made);
        made.rasterHeaders = null;
        made.workspace = random.nextInt(60);
        JsonObject response = assertShows(made, 201, creating.call("POST", Listing.PATH, fields(made)));
        made.id = response.getLong("id");
        made.uavUid = UUID.fromString(response.getString("uav_uid"));
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
            if (after.rasterHeaders != null) {
                lines.get(after.id).put("raster_headers", new JsonObject(after.rasterHeaders));
            }
        }
        HttpResponse<String> response = admin.call("POST", Listing.PATH, Bulk.body(lines.values().stream()),
                "Content-Type", Bulk.NDJSON);
        assertEquals(200, response.statusCode(), response::body);
        Bulk.Outcome outcome = Bulk.Outcome.of(response.body());
        assertEquals(lines.size(), outcome.created() + outcome.replaced(), outcome::toString);
        return all;
    }

    /** Changes or removes some datasets in SQL. */
    private List<Dataset> changeSome() {
        int rest = random.nextInt(97);
        int kind = random.nextInt(ASSIGNMENTS.size() + 1);
        if (kind == ASSIGNMENTS.size()) {
            catalogue.sql("delete from dataset where id % 97 = " + rest);
            return history.last().stream().filter(d -> d.id % 97 != rest).toList();
        }
        catalogue.sql("update dataset set " + ASSIGNMENTS.get(kind).getKey() + " where id % 97 = " + rest);
        return history.last().stream().map(d -> {
            if (d.id % 97 != rest) {
                return d;
            }
            Dataset changed = copy(d);
            ASSIGNMENTS.get(kind).getValue().accept(changed);
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
