package io.datasetlisting.web;

import java.util.List;
import java.util.function.UnaryOperator;

import io.datasetlisting.dataset.DatasetView;

/**
 * A dataset in the list.
 *
 * @param name
 *            its name, or a name made from its id
 * @param thumbnail
 *            signed link
 * @param box
 *            west, south, east, north in degrees, separated by commas
 */
public record Card(long id, String name, String owner, String thumbnail, String captured, List<String> categories,
        List<String> rasters, String place, String box, boolean isPrivate) {

    /** The fields that a card shows. */
    static final List<String> FIELDS = List.of("id", "dataset_name", "user", "category", "thumbnail_image",
            "captured_date", "is_private", "available_rasters", "bbox", "coordinates");

    static Card of(DatasetView dataset) {
        return of(dataset, UnaryOperator.identity());
    }

    /**
     * @param link
     *            makes the link of the thumbnail from the value of its field
     */
    public static Card of(DatasetView dataset, UnaryOperator<String> link) {
        return new Card(dataset.id(), name(dataset), owner((String) dataset.get("user")),
                link.apply((String) dataset.get("thumbnail_image")), dataset.get("captured_date").toString(),
                List.of((String[]) dataset.get("category")), List.of((String[]) dataset.get("available_rasters")),
                place(dataset.coordinates()), box(dataset), (Boolean) dataset.get("is_private"));
    }

    static String name(DatasetView dataset) {
        String name = (String) dataset.get("dataset_name");
        return name.isBlank() ? "Dataset " + dataset.id() : name;
    }

    /** The username without the id after it. */
    static String owner(String user) {
        return user.substring(0, user.lastIndexOf(' '));
    }

    /** The day in UTC. The script shows it in the time zone and language of the reader. */
    public String day() {
        return captured.substring(0, captured.indexOf('T'));
    }

    static String place(double[] coordinates) {
        return coordinates.length == 0
                ? ""
                : degrees(coordinates[0], "° N", "° S") + ", " + degrees(coordinates[1], "° E", "° W");
    }

    /** With four digits, rounded. A formatter takes a tenth of the CPU time of a page. */
    private static String degrees(double value, String positive, String negative) {
        long rounded = Math.round(Math.abs(value) * 10_000);
        String fraction = Long.toString(rounded % 10_000 + 10_000).substring(1);
        return rounded / 10_000 + "." + fraction + (value < 0 ? negative : positive);
    }

    /** The bbox, or the point of the coordinates where it is empty. */
    static String box(DatasetView dataset) {
        double[] box = dataset.bbox();
        double[] point = dataset.coordinates();
        return box.length == 4
                ? box[1] + "," + box[0] + "," + box[3] + "," + box[2]
                : point.length == 0 ? "" : point[1] + "," + point[0] + "," + point[1] + "," + point[0];
    }
}
