package io.datasetlisting.dataset;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import io.datasetlisting.account.AccountRepository.Owner;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.storage.ThumbnailLinks;

/**
 * Reads what a client says about a dataset. A field that is absent leaves the dataset as it is; a wrong one is
 * remembered by the {@link DrfFields}.
 */
public final class DatasetInput {

    static final int MAX_NAME = 255;

    public static final List<String> CATEGORIES = List.of("Artificial - terrestrial", "Deep ocean floor", "Desert",
            "Forest",
            "Grassland", "Intertidal", "Neritic", "Oceanic", "Other", "Rocky", "Savanna", "Shrubland", "Wetlands");

    public static final List<String> RASTERS = List.of("ortho", "dsm", "dtm", "multispec_ortho");

    private static final int MAX_USERNAME = 150;

    private DatasetInput() {
    }

    /**
     * Reads a dataset in the listing's own shape, with all that is kept of it.
     *
     * @throws ApiException
     *             400 that says what is wrong
     */
    public static Dataset readLine(byte[] utf8, int from, int to, ThumbnailLinks links) {
        DrfFields fields = DrfFields.parse(utf8, from, to);
        Dataset dataset = new Dataset();
        readWritable(fields, dataset);
        readKept(fields, dataset, links);
        fields.check();
        return dataset;
    }

    /** Reads the fields that whoever may write a dataset may set. */
    static void readWritable(DrfFields fields, Dataset dataset) {
        if (fields.hasText("dataset_name")) {
            dataset.datasetName = fields.text("dataset_name", MAX_NAME);
        }
        if (fields.has("workspace")) {
            Long workspace = fields.integer("workspace", 0);
            dataset.workspace = workspace == null ? 0 : workspace;
        }
        if (fields.has("category") && !fields.isEmptyFormList("category")) {
            dataset.category = fields.choices("category", CATEGORIES, false);
        }
        if (fields.has("captured_date")) {
            dataset.capturedDate = fields.instant("captured_date");
        }
        dataset.isPrivate = bool(fields, "is_private", dataset.isPrivate);
        dataset.isShareable = bool(fields, "is_shareable", dataset.isShareable);
        if (fields.has("available_rasters")) {
            dataset.availableRasters = fields.choices("available_rasters", RASTERS, true);
        }
        if (fields.has("band_stats")) {
            dataset.bandStats = BandStats.read(fields, "band_stats");
        }
        readLocation(fields, dataset);
    }

    /** Reads the fields that only a bulk import keeps; all that make the dataset out have to be there. */
    private static void readKept(DrfFields fields, Dataset dataset, ThumbnailLinks links) {
        Long id = fields.has("id") ? fields.integer("id", 1) : fields.missing("id");
        dataset.id = id == null ? 0 : id;
        dataset.uavUid = fields.has("uav_uid") ? uuid(fields) : fields.missing("uav_uid");
        Owner owner = fields.has("user") ? owner(fields) : fields.missing("user");
        if (owner != null) {
            dataset.ownerId = owner.id();
            dataset.ownerName = owner.username();
        }
        if (!fields.has("workspace")) {
            fields.missing("workspace");
        }
        if (!fields.has("captured_date")) {
            fields.missing("captured_date");
        }
        if (fields.hasText("dataset_name")) {
            // As it is, where a person's input would be trimmed.
            dataset.datasetName = fields.verbatim("dataset_name", MAX_NAME);
        }
        if (fields.has("thumbnail_image") && !fields.isNull("thumbnail_image")) {
            dataset.thumbnailKey = thumbnailKey(fields, links);
        }
        dataset.isDeleted = bool(fields, "is_deleted", false);
        dataset.cantOrthomosaic = bool(fields, "cant_orthomosaic", false);
        dataset.isDemProcessing = bool(fields, "is_dem_processing", false);
        if (fields.has("cumulative_adjustment")) {
            Double adjustment = fields.number("cumulative_adjustment");
            dataset.cumulativeAdjustment = adjustment == null ? 0 : adjustment;
        }
        if (fields.hasText("latest_adjustment_status")) {
            dataset.latestAdjustmentStatus = fields.verbatim("latest_adjustment_status", MAX_NAME);
        }
        if (fields.hasText("latest_adjustment_id")) {
            dataset.latestAdjustmentId = fields.verbatim("latest_adjustment_id", MAX_NAME);
        }
        if (fields.has("gcps_file") && !fields.isNull("gcps_file")) {
            fields.refuse("gcps_file", "Only null can be kept.");
        }
    }

    private static boolean bool(DrfFields fields, String name, boolean otherwise) {
        Boolean value = fields.has(name) ? fields.bool(name) : null;
        return value == null ? otherwise : value;
    }

    /** Coordinates that nobody gave are the centre of the bbox, and move with it. */
    private static void readLocation(DrfFields fields, Dataset dataset) {
        boolean derived = Arrays.equals(dataset.coordinates, centre(dataset.bbox));
        if (fields.has("bbox")) {
            double[] bbox = fields.numbers("bbox", 90, 180, 90, 180);
            if (bbox != null && bbox.length > 0 && (bbox[0] > bbox[2] || bbox[1] > bbox[3])) {
                fields.refuse("bbox", "Expected [lat_a, lon_a, lat_b, lon_b] with lat_a <= lat_b and lon_a <= lon_b.");
            }
            dataset.bbox = bbox == null ? dataset.bbox : bbox;
        }
        if (fields.has("coordinates")) {
            double[] given = fields.isNull("coordinates") ? null : fields.numbers("coordinates", 90, 180);
            dataset.coordinates = given == null || given.length == 0 ? centre(dataset.bbox) : given;
        } else if (derived) {
            dataset.coordinates = centre(dataset.bbox);
        }
    }

    /** {@code [latitude, longitude]}, or null where the bbox is empty. */
    private static double[] centre(double[] bbox) {
        return bbox.length == 0 ? null : new double[]{(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2};
    }

    private static UUID uuid(DrfFields fields) {
        String text = fields.text("uav_uid", MAX_NAME);
        if (text == null) {
            return null;
        }
        try {
            UUID uuid = UUID.fromString(text);
            if (uuid.toString().equalsIgnoreCase(text)) {
                return uuid;
            }
        } catch (IllegalArgumentException e) {
            // The answer is the same as for one in another shape.
        }
        return fields.refuse("uav_uid", "Must be a valid UUID.");
    }

    /** {@code <username> <user_id>}, of which the name may contain spaces. */
    private static Owner owner(DrfFields fields) {
        String text = fields.verbatim("user", MAX_USERNAME + 20);
        if (text == null) {
            return null;
        }
        int space = text.lastIndexOf(' ');
        String digits = text.substring(space + 1);
        if (space < 1 || text.codePointCount(0, space) > MAX_USERNAME || !digits.matches("\\d{1,15}")) {
            return fields.refuse("user", "Expected a username, one space, and the user's id.");
        }
        return new Owner(Long.parseLong(digits), text.substring(0, space));
    }

    private static String thumbnailKey(DrfFields fields, ThumbnailLinks links) {
        String link = fields.verbatim("thumbnail_image", 8192);
        if (link == null || link.isEmpty()) {
            return null;
        }
        String key = links.key(link);
        if (key == null) {
            return fields.refuse("thumbnail_image", "Expected a link to an object in the file storage.");
        }
        return links.isPlaceholder(key) ? null : key;
    }
}
